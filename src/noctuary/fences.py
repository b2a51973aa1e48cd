"""What programs put into a conversation, and what memory itself did: it is nobody's word.

Whoever puts something of ours into a conversation puts a fence around it with `fenced`.  Agents wrap it again, escape
it, quote it, cut it short or lose the tags, and write it into their transcripts.  Whoever reads these tells what was
said from what is ours: `heard` for a message, `apart` for a text.  `without_fenced` also leaves out what agents and
editors added, `fence_end` does so line by line, and `is_echo` knows what repeats memory without a fence.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from noctuary import marks
from noctuary.records import Hidden, Kind, Message, Role

OURS = marks.TAG
# Tags by which agents and editors add to what a user typed.
_OTHERS = r"system-reminder|environment_context|ide_selection|ide_opened_file|ide_diagnostics|new-diagnostics"
_OTHERS += r"|hook_context|user-prompt-submit-hook|session-start-hook"
_OTHER_TAG = re.compile(  # the letters that one begins with stand first: to try each takes ten times as long
    rf"<(/?)(?=[ehinsu])({_OTHERS})(?:\s[^<>]*)?>", re.IGNORECASE
)
_ANY_TAG = re.compile(rf"<(/?)({_OTHERS}|noctuary[\w:-]*)(?:\s[^<>]*)?>", re.IGNORECASE)
# One that is never closed reaches to the end; on a line of its own, or somebody only speaks of it.
_OTHER_OPEN = re.compile(rf"^[ \t]*<(?:{_OTHERS})(?:\s[^<>]*)?>[ \t]*$.*", re.DOTALL | re.IGNORECASE | re.MULTILINE)
# Our own tags, also as HTML and JSON spell them; both ends of a fence are spelled alike.  One in `code` is spoken of.
_LESS = r"<|&lt;|&amp;lt;|&#0*60;|&#x0*3c;|\\+u003c"
_GREATER = r">|&gt;|&amp;gt;|&#0*62;|&#x0*3e;|\\+u003e"
_TAG = re.compile(
    rf"(?<!`)(?P<less>{_LESS})(?P<slash>(?:\\*/)?)(?P<name>noctuary[\w:-]*)(?P<more>[\s\\][^<>]{{0,200}}?)?(?:{_GREATER})",
    re.IGNORECASE,
)
_OF_OURS = re.compile(r"\b(?:is|sum)\s*=", re.IGNORECASE)  # only our own tag says so; it need not stand on a line
_SUM = re.compile(r"\bsum\s*=.{0,16}?([0-9a-f]{16})\b", re.IGNORECASE)
_BLOCK = re.compile(r"^[^\n<]{0,20}<!-- noctuary:begin\b.*?(?:<!-- noctuary:end -->|\Z)", re.DOTALL | re.MULTILINE)
_CLOSED_BY_OTHERS = re.compile(rf"\\*</(?:{_OTHERS})\s*>", re.IGNORECASE)
# Ids of memories as pages and briefs show them, what fences recalled text, and how our own pages begin.
_ECHO = re.compile(
    r"\[m-[0-9a-z]{4,}\]|\[e-[0-9a-hjkmnp-tv-z]{8}\]|</?noctuary[\w:-]*\b|<!--\s*/?noctuary|\bnoctuary:(?:recalled|memory|begin|end)\b"
    r"|^\s*\[recalled\b|recalled by[\s>]+noctuary\b|^\s*Kept by noctuary\.",
    re.IGNORECASE | re.MULTILINE,
)
# Lines of ours end in the id of what they tell; that it was shortened leaves it there.
_BREAK = re.compile(r"(\n|\\n)")
_SHORT_ID = r"(?:e|t|g|d|o|r|oc|ob|ws|sh)-[0-9a-hjkmnp-tv-z]{8,10}"
_ID = rf"\[(?:m-[0-9a-z][\w.:-]{{3,60}}|{_SHORT_ID}|[0-7][0-9A-HJKMNP-TV-Z]{{25}})\]"
_ANY_ID = re.compile(_ID)
_ID_AT_END = re.compile(rf"{_ID}\W{{0,20}}$")
_LIKE_OTHERS = re.compile(r"\[\w{26}\]\W{0,20}$")  # logs of many programs end so
_SESSION = re.compile(
    r"^[^\w\n]*#{3,4} \d{4}-\d\d-\d\d .*\[(?=[^\d\]]*\d)[\w.:-]{3,60}\]\W{0,20}$", re.MULTILINE
)  # as briefs name one; few people end a heading so
_ITEM = re.compile(r"^[^\w\n]*(?:\d+\W{1,3})?[-*•+]\s|^[^\w\n]*\d+[.)]\s")
# As briefs and pages write them: with the day before the id, or with a day or with what it is in front.
_SHAPE = re.compile(
    r"\(\d{4}-\d\d-\d\d\)(?:\s*\([^()]*\))*\s*\[[^\[\]]*\]\W*$"
    r"|^\W*(?:\d+\W{1,3})?(?:\d{4}-\d\d-\d\d\s|(?:User|User rejected|Decided|Rejected|Required|Preferred|Corrected"
    r"|Found|Checked|Assumed|Said|Goal|Handed over|Done|In progress|Blocked|Ready|To be decided)(?:\s\([^()]*\))?:\s)"
)
_MOST_TRIED, _LONGEST_FENCE = 400, 21_000  # lines and characters in which a fence without its first tag may begin
_MOST_QUOTED = 40  # characters that quote or indent a line
_MOST_WRAPPED = 8  # lines that one of ours may have been broken into
_LETTER = re.compile(r"[^\W\d_]")


class Apart(NamedTuple):
    """A text, told apart."""

    said: str  # what stands around ours, which leaves an empty line
    ours: str  # as it stood there; empty if there is nothing of ours in it


def fenced(text: str) -> str:
    """A text of ours as it is put into a conversation; nothing in it ends the fence."""
    return marks.fenced(text)


def heard(message: Message) -> list[Message]:
    """The message as it may be stored: what it repeats of ours becomes a hidden message of its own, before it.

    So nothing is lost of what a transcript holds, and nothing of ours is found or read again.  If nothing else is
    said in it, the message itself is hidden; a call of a tool never is.
    """
    if message.hidden in (Hidden.RECALLED, Hidden.REWOUND) or not may_hold(message.content):
        return [message]
    is_said = message.hidden is None and message.kind is not Kind.TOOL_RESULT
    found = apart(message.content, is_said=is_said)
    if message.hidden and (is_echo(found.said) or _is_torn(message.content, found)):
        return [message._replace(hidden=Hidden.RECALLED)]
    return divided(message, found)


def _is_torn(text: str, found: Apart) -> bool:
    """Whether a text that nobody said is mostly lines of ours without a fence: then the rest of it is their remains."""
    return len(found.ours) > len(found.said) and not _fences(text)


def divided(message: Message, found: Apart) -> list[Message]:
    """The message without what is ours, and that hidden before it."""
    if not found.ours:
        return [message]
    if message.kind is not Kind.TOOL_CALL and not _says_something(found.said):
        return [message._replace(hidden=Hidden.RECALLED)]
    recalled = Message(
        Role.SYSTEM,
        found.ours,
        ts_ms=message.ts_ms,
        hidden=Hidden.RECALLED,
        source_line=message.source_line,
        uid=f"{message.uid}~" if message.uid else None,
    )
    return [recalled, message._replace(content=found.said)]


def may_hold(text: str) -> bool:
    """Whether anything of ours can be in a text; most have none, and to see that is quick."""
    return names_us(text) or _may_have_lines(text)


def names_us(text: str) -> bool:
    """Whether our name can be in a text, as we write it or shouted: quicker than to make all of it small."""
    return "octuary" in text or ("U" in text and "OCTUARY" in text)  # one character is found much faster


def is_any_named(texts: Iterable[str]) -> bool:
    """The same of several texts, which costs less than to ask of each."""
    return True in ["octuary" in text or "OCTUARY" in text for text in texts]


def apart(text: str, *, is_said: bool = True) -> Apart:
    """What was said, and what is ours: fences, blocks of our pages, and lines that end in the id of what they tell.

    If somebody said it, a line is ours only if it is written as ours are: people and agents name ids, too.
    """
    if not may_hold(text):
        return Apart(text, "")
    said, fenced_off = _cut(text, _fences(text))
    said, items = _cut(said, _items(said, is_said=is_said))
    if not fenced_off and not items:
        return Apart(text, "")
    return Apart(said.strip(), "\n\n".join([*fenced_off, *items]))


def without_fenced(text: str, *, may_name_us: bool = True) -> str:
    """What somebody said: the text without all that is fenced, which leaves an empty line.

    `may_name_us` is false if it is known that our name is not in it.
    """
    if not (may_name_us and names_us(text)) and ("<" not in text or not _OTHER_TAG.search(text)):
        return text
    said, ours = _cut(text, _fences(text))
    others = [*_pairs(said)]
    if others:
        said = _cut(said, others)[0]
    said = _OTHER_OPEN.sub("\n\n", said) if "<" in said and _OTHER_TAG.search(said) else said
    return said if ours or others or len(said) != len(text) else text


def fence_end(line: str) -> str:
    """The beginning of the tag that ends what a line opens, for who reads line by line; empty if it opens nothing."""
    tag = _ANY_TAG.match(line)
    end = f"</{tag[2]}" if tag and not tag[1] else ""
    return "" if end in line else end


def is_echo(text: str) -> bool:
    """Whether a text repeats what memory recalled or wrote, by the marks that all of that carries."""
    small = text.lower()  # most texts have none of these, and to see that is quick
    may_be = "noctuary" in small or "[m-" in small or "[e-" in small or "[recalled" in small
    return may_be and _ECHO.search(text) is not None


_Span = tuple[int, int]


def cut_out(text: str, spans: list[_Span]) -> Apart:
    """The text without these parts of it, in whichever order they are given, and these parts."""
    said, ours = _cut(text, spans)
    return Apart(said.strip(), "\n\n".join(ours)) if ours else Apart(text, "")


def _cut(text: str, spans: list[_Span]) -> tuple[str, list[str]]:
    said: list[str] = []
    ours: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if end <= at:
            continue  # within the one before
        said.append(text[at : max(at, start)])
        ours.append(text[max(at, start) : end].strip())
        at = end
    return ("\n\n".join([*said, text[at:]]), ours) if ours else (text, ours)


def _fences(text: str) -> list[_Span]:
    """Where something of ours stands between its tags or its marks; each tag is looked at once."""
    if not names_us(text):
        return []
    spans = [match.span() for match in _BLOCK.finditer(text)] if "<!-- noctuary:begin" in text else []
    tags = [*_TAG.finditer(text)]
    ends: dict[tuple[str, str], list[re.Match[str]]] = {}
    for tag in reversed(tags):
        if tag["slash"]:
            ends.setdefault(_kind_of(tag), []).append(tag)  # the first of them last
    reached = 0
    for tag in tags:
        if tag.start() < reached:
            continue
        closing = ends.get(_kind_of(tag), [])
        while closing and closing[-1].start() < tag.end():
            closing.pop()
        end = reached
        if tag["slash"]:
            if tag["name"].lower() == OURS and (_SUM.search(tag["more"] or "") or _is_alone(text, tag)):
                end = tag.end()
                spans.append((_beginning_of(text, tag, reached), end))  # its first tag was cut off
        elif closing:
            end = closing[-1].end()
            spans.append((tag.start(), end))
        elif _OF_OURS.search(tag["more"] or "") or _is_alone(text, tag):  # its end was cut off
            others = _CLOSED_BY_OTHERS.search(text, tag.end())
            end = others.start() if others else len(text)
            spans.append((tag.start(), end))
        reached = end
    return spans


def _kind_of(tag: re.Match[str]) -> tuple[str, str]:
    return tag["name"].lower(), tag["less"].lower()


def _beginning_of(text: str, end: re.Match[str], reached: int) -> int:
    """Where that begins which a tag ends: where its sum fits; if it fits nowhere, all that stands before is ours."""
    found = _SUM.search(end["more"] or "")
    if found is None or reached:  # once in a text: each line that is tried is read to the end
        return reached
    at = end.start()
    for _ in range(_MOST_TRIED):
        at = text.rfind("\n", max(0, end.start() - _LONGEST_FENCE), at)
        if at < 0:
            break
        if marks.sum_of(text[at : end.start()]) == found[1].lower():
            return at
    return reached


def _is_alone(text: str, tag: re.Match[str]) -> bool:
    """Whether a tag has a line of its own, quoted or not."""
    before = text[max(0, tag.start() - _MOST_QUOTED) : tag.start()].rpartition("\n")[2]
    after = text[tag.end() : tag.end() + _MOST_QUOTED].partition("\n")[0]
    return len(before) < _MOST_QUOTED and not before.strip(" \t>|") and not after.strip()


def _items(text: str, *, is_said: bool) -> list[_Span]:
    """Where lines stand that end in the id of what they tell, with those lines that they were broken into."""
    if not _may_have_lines(text):
        return []
    lines, at = [], 0
    for place, part in enumerate(_BREAK.split(text)):
        if place % 2 == 0:
            lines.append((at, at + len(part), part))
        at += len(part)
    spans: list[_Span] = []
    for number, (start, end, line) in enumerate(lines):
        if _SESSION.search(line):
            spans.append((start, end))
        if "]" not in line or not _ID_AT_END.search(line):
            continue
        first = _beginning(lines, number)
        may_be_others = is_said or _LIKE_OTHERS.search(line) is not None
        if first is None and may_be_others:
            continue
        begin = start if first is None else lines[first][0]
        if not may_be_others or _SHAPE.search(" ".join(text[begin:end].replace("> ", "").split())):
            spans.append((begin, end))
    return spans


def _may_have_lines(text: str) -> bool:
    if "[" not in text:  # one character is found much faster, and neither an id nor a session is without it
        return False
    return _ANY_ID.search(text) is not None or ("# 2" in text and _SESSION.search(text) is not None)


def _beginning(lines: list[tuple[int, int, str]], last: int) -> int | None:
    """The line with which an item of a list begins that ends with this one; None if it is no item."""
    for number in range(last, max(-1, last - _MOST_WRAPPED), -1):
        line = lines[number][2]
        if not line.strip(" \t>") or (number < last and _ID_AT_END.search(line)):
            return None
        if _ITEM.search(line):
            return number
    return None


def _pairs(text: str) -> Iterator[_Span]:
    """Where something stands between tags of agents and editors; each tag is looked at once, however many there are."""
    tags = [*_OTHER_TAG.finditer(text)]
    ends: dict[str, list[re.Match[str]]] = {}
    for tag in reversed(tags):
        if tag[1]:
            ends.setdefault(tag[2].lower(), []).append(tag)  # the first of them last
    reached = 0
    for tag in tags:
        closing = ends.get(tag[2].lower(), [])
        while closing and closing[-1].start() < tag.end():
            closing.pop()
        if not tag[1] and tag.start() >= reached and closing:
            reached = closing[-1].end()
            yield tag.start(), reached


def _says_something(text: str) -> bool:
    """Whether there are words outside of the tags of agents and editors."""
    return _LETTER.search(_OTHER_TAG.sub(" ", text)) is not None
