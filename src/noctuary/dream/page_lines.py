"""Lines of a page: a memory as one line that no text can break, and the memory that a line speaks of.

    - Use tabs in Makefiles. (2026-02-26) (pinned) [m-9k2x4z7abc]

Whatever a text holds, it stays one line: what cannot be seen is taken out, what would be a mark or the beginning of
something else in Markdown is escaped, and what is too long is cut at a word.  The id leads to the rest.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from noctuary.moments import show_day
from noctuary.store.memories import Remembered
from noctuary.text import clean
from noctuary.work.cutting import cut
from noctuary.work.wording import UNSEEN

LONGEST_LINE = 220
SHORTEST_LINE = 100  # if what is pinned would else not fit
PINNED, STALE = "pinned", "stale"
NOT = "Not: "
# Controls and what turns the direction of text become spaces; so do tags and what else is never seen.
_SPACES = dict.fromkeys([*UNSEEN, 0xAD, 0x180E, *range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080)], " ")
_LEADING = re.compile(r"(?=[#>+*\-~=|`])(?!`[^`])|(?=\d{1,9}[.)](?:\s|$))")
_ESCAPED = re.compile(r"\\(?=[#>+*\-~=|`\d])")
_MARKS = (("<!--", "&lt;!--"), ("-->", "--&gt;"))
_TAIL = re.compile(r"\s*(?:\((?P<note>\d{4}-\d\d-\d\d|pinned|stale|against m-[\w.:-]+)\)|\[(?P<id>m-[\w.:-]+)\])\s*$")
_ID = re.compile(r"\[(m-[\w.:-]+)\]\s*$")
# Words by which a sentence says by itself that something is not to be.
_DENIES = re.compile(
    r"\b(?:not|no|never|reject\w*|instead|rather|avoid\w*|dropp?\w*|against|without|cannot|abandon\w*|discard\w*|"
    r"ruled out|gave up|too|stop\w*|remov\w*|unlike|declin\w*)\b|n['’]t\b",
    re.IGNORECASE,
)


class Shown(NamedTuple):
    """What a line says: the words, and what is noted behind them."""

    text: str
    id: str = ""  # empty: the line names no memory
    notes: frozenset[str] = frozenset()


def line_of(memory: Remembered, *, is_rejection: bool = False, against: str = "", longest: int = LONGEST_LINE) -> str:
    """The memory as a line; `against` is the memory that says otherwise."""
    facts = memory.facts
    notes = [
        show_day(since_ms(memory)),
        PINNED if facts.get("pinned") is True else "",
        STALE if facts.get("verified") == STALE else "",
        f"against {against}" if against else "",
    ]
    tail = "".join([f" ({note})" for note in notes if note]) + f" [{memory.id}]"
    return _line(memory.text, tail, longest, is_rejection=is_rejection)


@lru_cache(maxsize=4_096)  # a page and the files of its topics have the same lines, and most are those of the last run
def _line(text: str, tail: str, longest: int, *, is_rejection: bool) -> str:
    text = shown_text(text)
    if is_rejection and not _DENIES.search(text):
        text = NOT + text
    return f"- {cut(_escaped(text), max(1, longest - 2 - len(tail)))}{tail}"


def since_ms(memory: Remembered) -> int:
    """Since when a memory holds, as far as that is known."""
    given = memory.facts.get("valid_from")
    return given if isinstance(given, int) and given > 0 else memory.recorded_ms


def shown_text(text: str) -> str:
    """The text as a line shows it, but for its length: one line, and nothing that cannot be seen."""
    if not (text.isascii() and text.isprintable()):
        text = clean(text).translate(_SPACES)
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
        if found := _ID.search(line):
            lines.setdefault(found[1], line)
    return lines


def _escaped(text: str) -> str:
    for mark, plain in _MARKS:
        text = text.replace(mark, plain)
    return f"\\{text}" if _LEADING.match(text) else text


def _unescaped(text: str) -> str:
    for mark, plain in _MARKS:
        text = text.replace(plain, mark)
    return text[1:] if _ESCAPED.match(text) else text
