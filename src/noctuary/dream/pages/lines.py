"""Lines of a page: a memory as one line that no text can break, and the memory that a line speaks of.

    - Use tabs in Makefiles. (2026-02-26) (pinned) [m-9k2x4z7abc]

Whatever a text holds, it stays one line of plain text: what cannot be seen is taken out, links and pictures become
words, what would be a mark, a tag or the beginning of something else in Markdown is escaped, and of what is too long
those sentences stay that decide something.  The id leads to the rest.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from noctuary.moments import show_day
from noctuary.store.memories import Remembered
from noctuary.text import clean
from noctuary.unseen import CODES, has_unseen
from noctuary.work.cutting import cut

FORM = 1  # of lines: to be raised whenever one is made otherwise than before, or kept ones would stay as they are
LONGEST_LINE = 220
SHORTEST_LINE = 100  # if what is pinned would else not fit
PINNED, STALE = "pinned", "stale"
REJECTED = "Rejected: "
# Controls and what turns the direction of text become spaces; so do tags and what else is never seen.
_SPACES = dict.fromkeys(CODES, " ")
_LEADING = re.compile(r"(?=[#>+*\-~=|`])(?!`[^`])|(?=\d{1,9}[.)](?:\s|$))|(?=\[[^\]]*\]:)")
_ESCAPED = re.compile(r"\\(?=[#>+*\-~=|`\d\[])")
_MARKS = ((re.compile(r"<(?=[A-Za-z/!?])"), "<", "&lt;"), (re.compile("-->"), "-->", "--&gt;"))
_LINK = re.compile(r"!?\[([^\[\]]*)\]\(\s*<?((?:[^()\s<>]|\([^()\s<>]*\))*)>?(?:\s[^()]*)?\)")
_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_MOST_NESTED = 4  # links within the words of links
_TAIL = re.compile(r"\s*(?:\((?P<note>\d{4}-\d\d-\d\d|pinned|stale|against m-[\w.:-]+)\)|\[(?P<id>m-[\w.:-]+)\])\s*$")
_ID = re.compile(r"m-[\w.:-]+")
# Words by which a sentence says by itself that something is not to be; and those that make it a sentence.
_DENIES = re.compile(
    r"\b(?:not|no|never|reject\w*|instead|rather|avoid\w*|dropp?\w*|against|without|cannot|abandon\w*|discard\w*|"
    r"ruled out|gave up|too|stop\w*|remov\w*|unlike|declin\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|will|would|should|must|may|might|let|let['’]s|i|we|you|it"
    r"|they|that|those|this|these|because|want\w*|needs?|needed|uses?|used|using|makes?|made|looks?|feels?|seems?|thinks?"
    r"|prefer\w*|ch[oe]os\w+|chose|keep\w*|kept|goes|went|costs?|takes?)\b|\?",
    re.IGNORECASE,
)
# What a long text is about, most of all and less so.
_DECIDING = (
    re.compile(
        r"\b(?:because|instead|must|chose\w*|decided|root cause|never|always|rather than|from now on)\b", re.IGNORECASE
    ),
    re.compile(
        r"\b(?:uses?|not|only|needs?|requires?|cannot|so that|avoid|prefer|fix(?:ed|es)?)\b|n['’]t\b", re.IGNORECASE
    ),
)
# One of these is in all that each of them finds; to see that there is none is quicker.
_DECIDING_MARKS = (
    ("because", "instead", "must", "chose", "decided", "root cause", "never", "always", "rather than", "from now on"),
    ("use", "not", "only", "need", "require", "so that", "avoid", "prefer", "fix", "n't"),
)
_PIECE_END = re.compile(r"\s(?<=[.!?;]\s)\s*")  # the space first: it is looked for far more quickly
_CLAUSE_END = re.compile(r"(?<=[,:])\s+|\s+(?=[—–] )")
_GAP = "…"


class Shown(NamedTuple):
    """What a line says: the words, and what is noted behind them."""

    text: str
    id: str = ""  # empty: the line names no memory
    notes: frozenset[str] = frozenset()


@lru_cache(maxsize=4_096)  # a page and the files of its topics have the same lines, and most are those of the last run
def line_of(
    memory: Remembered,
    *,
    is_rejection: bool = False,
    against: str = "",
    source: str = "",
    longest: int = LONGEST_LINE,
) -> str:
    """The memory as a line; `against` is the memory that says otherwise, `source` whose word it is."""
    facts = memory.facts
    notes = [
        show_day(since_ms(memory)),
        PINNED if facts.get("pinned") is True else "",
        STALE if facts.get("verified") == STALE else "",
        f"against {against}" if against else "",
        source,
    ]
    tail = "".join([f" ({note})" for note in notes if note]) + f" [{memory.id}]"
    text = shown_text(memory.text)
    if is_rejection and not _DENIES.search(text) and not _SENTENCE.search(text):
        text = REJECTED + text  # it only names what was rejected
    return f"- {shortened(_escaped(text), max(1, longest - 2 - len(tail)))}{tail}"


def since_ms(memory: Remembered) -> int:
    """Since when a memory holds, as far as that is known."""
    given = memory.facts.get("valid_from")
    return given if isinstance(given, int) and given > 0 else memory.recorded_ms


def shown_text(text: str) -> str:
    """The text as a line shows it, but for its length: one line of words, and nothing that cannot be seen."""
    text = clean(text)
    if has_unseen(text):
        text = text.translate(_SPACES)
    if "](" in text or "![" in text:
        for _ in range(_MOST_NESTED):
            text = _LINK.sub(_link_in_words, text)
        text = text.replace("![", "[")
    return " ".join(text.split()) or "…"


def shown_in(line: str) -> Shown:
    """What an item of a list says, without its dash; the other way round than `line_of`."""
    text, name, notes = line.strip(), "", set[str]()
    while tail := _TAIL.search(text):
        note = tail["note"]
        is_said = note not in (None, PINNED) if not name else note is None
        if is_said:
            break  # the text names another memory, or has something in brackets itself
        name = name or tail["id"] or ""
        notes |= {note} if note else set()
        text = text[: tail.start()]
        if note and note[0].isdigit():
            break  # the day comes first, so all before it is the text
    return Shown(_unescaped(text.strip()), name, frozenset(notes))


def ids_in(body: str) -> dict[str, str]:
    """The lines of a page that show a memory, by its id; the first of each."""
    lines: dict[str, str] = {}
    for line in body.split("\n"):
        if (name := id_in(line)) and name not in lines:
            lines[name] = line
    return lines


def id_in(line: str) -> str:
    """The id at the end of a line that shows a memory; else empty."""
    shown = line.rstrip()
    name = shown[shown.rfind("[") + 1 : -1] if shown.endswith("]") else ""
    is_id = name[:2] == "m-" and (name[2:].isalnum() or _ID.fullmatch(name))  # the former is most, and quicker
    return name if is_id else ""


def _link_in_words(found: re.Match[str]) -> str:
    """A link or a picture as words: where it leads is only said if a browser may go there."""
    words, target = found[1].strip(), found[2]
    if not target or _OTHER_SCHEME.match(target) or words == target:
        return words
    return f"{words} ({target})" if words else target


def shortened(text: str, most: int) -> str:
    """The text, or those of its sentences that decide something and as many others as have room, in their order."""
    if len(text) <= most:
        return text
    pieces = [piece for each in _PIECE_END.split(text) for piece in _clauses(each, most)]
    ranks = [*map(_importance, pieces)]
    chosen = set[int]()
    used = 0  # characters of those chosen, without what stands between them
    for place in sorted(range(len(pieces)), key=ranks.__getitem__):
        longer = used + len(pieces[place])
        if longer <= most and len(_joined(pieces, {*chosen, place})) <= most:
            chosen.add(place)
            used = longer
    if not chosen or min(ranks) < min([ranks[place] for place in chosen]):
        return cut(text, most)
    is_beginning = chosen == set(range(len(chosen)))
    return cut(text, most) if is_beginning else _joined(pieces, chosen)


def _clauses(sentence: str, most: int) -> list[str]:
    return [sentence] if len(sentence) <= most else _CLAUSE_END.split(sentence)


def _importance(piece: str) -> int:
    small = piece.lower() if piece.isascii() else ""
    for place, deciding in enumerate(_DECIDING):
        if small and not any(mark in small for mark in _DECIDING_MARKS[place]):
            continue
        if deciding.search(piece):
            return place
    return len(_DECIDING)


def _joined(pieces: Sequence[str], chosen: Collection[int]) -> str:
    """The chosen pieces, with a sign wherever others are left out."""
    words = [piece if place in chosen else _GAP for place, piece in enumerate(pieces)]
    return " ".join(word for place, word in enumerate(words) if word != _GAP or words[place - 1 : place] != [_GAP])


def _escaped(text: str) -> str:
    for mark, first, plain in _MARKS:
        if first in text:
            text = mark.sub(plain, text)
    return f"\\{text}" if _LEADING.match(text) else text


def _unescaped(text: str) -> str:
    for _, mark, plain in _MARKS:
        text = text.replace(plain, mark)
    return text[1:] if _ESCAPED.match(text) else text
