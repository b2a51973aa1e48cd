"""Markdown as units: bullets, rows and sentences that belong together, each with its place; code is left out."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from noctuary.fences import fence_end

MOST_READ = 60_000  # characters of one message; what is longer was pasted
LONGEST = 300  # characters of a text that is proposed
_LONGEST_HEADING = 100
_LEAST_SENTENCE = 12

_BULLET = re.compile(r"[ \t]*(?:(?:[-*•✅❌⚠❓✓✗]\ufe0f?|\d{1,2}[.)])[ \t]+|-(?=[^\W\d_]{3}))")
_SENTENCE_END = re.compile(  # it begins with what ends a sentence, so that all else is passed over quickly
    r"[\n.!?;](?:(?<=\n)|(?<=[\w)\]\"'`*%/].)[)\"”'*`]*\s+(?=[\w`*\"“(/.\[<@]))"
)
# Code stays as it is; of links the name stays, and of emphasis, which is a pair around words, the words.  A star that
# stands alone, in a pattern or in a formula, is no emphasis.  The first sign of all of them stands first, so that all
# else is passed over quickly, and each then looks back at it.
_CODE = r"(?<=`)`*[^`\n]+`+"
_LINK = r"(?<=\[)(?P<link>(?:`[^`\n]*`|[^\]\n`])*)\]\([^)\n]*\)"
_EMPHASIS = (
    r"(?<=\*)(?<![\w*/\\.`]\*)(?P<stars>\*{0,2})(?=[^\W_]|[\"'“(\[`@<$.~/-](?!\*))"
    r"(?P<words>(?:`[^`\n]*`|[^*`\n])*(?:[^\s*`/]|`[^`\n]*`))\*(?P=stars)(?![\w*/])"
)
_MARKS = re.compile(rf"[`\[*](?:{_CODE}|{_LINK}|{_EMPHASIS})")
_QUOTE = re.compile(r"^[ \t]*>(?!=?[ \t]?[\d$€£])[ \t]?", re.MULTILINE)  # "> 500 ms" is no quote
_SIGNS = re.compile(r"[✅❌⚠❓✓✗🎉🚀]\ufe0f?")
_OPENING = re.compile(r"^[\s#|]*(?:[-*•][ \t]+|\d{1,2}[.)][ \t]+|-(?=[^\W\d_]{3}))?")
_OPENERS = " \t\n#|-*•0123456789"
_DRAWN = frozenset("│┌└├─┐┘┤▼▲═║╔╚█→↓")
_FENCING = frozenset("`~<")
_RULED = "-=_*|: +"


class Passage(NamedTuple):
    """A paragraph, a bullet or a table's row, and where it stands."""

    start: int
    end: int
    heading: str  # of the section it is in, without marks; with the colon, if it announces what follows
    is_bullet: bool


class Unit(NamedTuple):
    """Neighbouring sentences or bullets that are short enough to be one statement."""

    start: int
    end: int
    heading: str
    is_bullet: bool
    place: int  # how many units are before it in the message
    spans: tuple[tuple[int, int], ...]  # its sentences and bullets


def plain(text: str) -> str:
    """The text without Markdown's marks, on one line; code keeps its marks, because they say that it is code."""
    if ">" in text:
        text = _QUOTE.sub("", text)
    if "\n" in text:
        text = " ".join(text.split())
    if "](" in text or "*" in text:
        text = _MARKS.sub(_unmarked, text)
    if not text.isascii():
        text = _SIGNS.sub("", text)
    if text[:1] in _OPENERS and (found := _OPENING.match(text)):
        text = text[found.end() :]
    if "  " in text or not (text.isascii() and text.isprintable()):  # else no other blanks are in it
        text = " ".join(text.split())
    return text.strip(" |")


def _unmarked(found: re.Match[str]) -> str:
    link, _, words = found.groups()
    if link is None and words is None:
        return found[0]  # code
    words = link if link is not None else words
    return _MARKS.sub(_unmarked, words) if "*" in words or "](" in words else words


def passages(content: str) -> Iterator[Passage]:
    """The passages of a message, in order, without code and drawings."""
    section = lead = ""  # what a heading says, and what the line with a colon that introduces a list
    closing = ""  # what ends the code, or the block that a program put in, that the line stands in
    is_bullet = False
    start = end = -1
    at = 0
    for line in content[:MOST_READ].split("\n"):
        here, at = at, at + len(line) + 1
        stripped = line.strip()
        mark = stripped[:1]
        if mark.isalpha() and not closing:  # as most lines begin: then none of the signs matter
            is_blank, found = False, None
            is_heading = len(stripped) <= _LONGEST_HEADING and stripped.endswith((":", ":**"))
        else:
            is_inside = bool(closing)
            if is_inside or mark in _FENCING:
                closing = _closing(stripped, closing)
                lead = "" if is_inside else lead  # what it introduced was the code
            is_blank = is_inside or bool(closing) or not stripped or mark in _DRAWN or not stripped.strip(_RULED)
            found = None if is_blank else _BULLET.match(line)
            is_heading = not is_blank and _is_heading(stripped, mark)
            if is_blank and mark == "|":
                start = -1  # what stands above the line of a table names its columns
        if start >= 0 and (is_blank or is_heading or found or mark == "|"):
            yield Passage(start, end, lead or section, is_bullet)
            start = -1
        if is_blank:
            continue
        if is_heading:
            section, lead = (section, plain(stripped)) if stripped[-1] == ":" else (plain(stripped), "")
            is_bullet = False
            continue
        if start < 0:
            if is_bullet and not found and mark != "|":
                lead = ""  # the list is over
            start, is_bullet = here + (found.end() if found else 0), bool(found) or mark == "|"
        end = here + len(line.rstrip())
    if start >= 0:
        yield Passage(start, end, lead or section, is_bullet)


def _closing(stripped: str, closing: str) -> str:
    """What ends the block that the line stands in or opens, if any."""
    if closing:
        return "" if closing in stripped else closing
    if stripped[:3] in {"```", "~~~"}:
        return stripped[:3]
    return fence_end(stripped) if stripped[:1] == "<" else ""


def _is_heading(stripped: str, mark: str) -> bool:
    if mark == "#":
        return True
    if len(stripped) > _LONGEST_HEADING:
        return False
    return (
        stripped[-1] == ":" or stripped.endswith(":**") or (stripped[:2] == "**" == stripped[-2:] and len(stripped) > 4)
    )


def sentences(content: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the sentences of a passage begin and end."""
    cuts: list[tuple[int, int]] = []
    at = start
    for match in _SENTENCE_END.finditer(content, start, end):
        if match.end() - at > _LEAST_SENTENCE:
            cuts.append((at, match.end()))
            at = match.end()
    if at < end:
        cuts.append((at, end))
    return cuts


def single_units(content: str) -> list[Unit]:
    """The passages of a message, each by itself."""
    return [
        Unit(part.start, part.end, part.heading, part.is_bullet, place, ((part.start, part.end),))
        for place, part in enumerate(passages(content))
    ]


def units(content: str, most: int) -> list[Unit]:
    """The passages of a message, long paragraphs cut and short neighbours joined so that each has at most so much."""
    if len(content) <= most and "\n" not in content and content[:1].isalpha():
        return [Unit(0, len(content), "", False, 0, ((0, len(content)),))]
    found: list[Unit] = []
    spans: list[tuple[int, int]] = []
    length = 0
    heading, is_bullet = "", False
    has_links = "](" in content
    for start, end, below, is_listed in passages(content):
        size = _length(content, start, end) if has_links else end - start
        for span in [(start, end)] if size <= most else sentences(content, start, end):
            size = _length(content, *span) if has_links else span[1] - span[0]
            is_other = below != heading or is_listed != is_bullet
            if spans and (is_other or length + size > most):
                found.append(Unit(spans[0][0], spans[-1][1], heading, is_bullet, len(found), tuple(spans)))
                spans, length = [], 0
            heading, is_bullet, length = below, is_listed, length + size
            spans.append(span)
    if spans:
        found.append(Unit(spans[0][0], spans[-1][1], heading, is_bullet, len(found), tuple(spans)))
    return found


def _length(content: str, start: int, end: int) -> int:
    """How long a stretch is to a reader, who does not see where links lead."""
    length = end - start
    at = content.find("](", start, end)
    while at >= 0:
        close = content.find(")", at, end)
        if close < 0:
            break
        length -= close - at
        at = content.find("](", close, end)
    return length
