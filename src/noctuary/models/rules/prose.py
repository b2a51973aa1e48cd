"""Markdown as passages: bullets, sentences and headings, each with its place in the text; code is left out."""

import re
from typing import NamedTuple

MOST_READ = 60_000  # characters of one message; what is longer was pasted
LONGEST = 300  # characters of a passage

_BULLET = re.compile(r"[ \t]*(?:[-*•✅❌⚠❓✓✗]\ufe0f?|\d{1,2}[.)])[ \t]+")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+(.*)")
_BOLD_LINE = re.compile(r"[ \t]*\*\*([^*]{2,80})\*\*:?[ \t]*$")
_SENTENCE_END = re.compile(r"[.!?;][)\"”'*`]*\s+(?=[\w`*\"“(/.\[<@])")
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)")
_MARKS = re.compile(r"[*`]+|^\s*#+\s*|^[\s>]*(?:[-•✅❌⚠❓✓✗]\ufe0f?|\d{1,2}[.)])\s+")
_SPACE = re.compile(r"\s+")
_DRAWN = frozenset("│┌└├─┐┘┤▼▲═║╔╚█")


class Passage(NamedTuple):
    """A bullet, a table's row or a paragraph, and where it stands."""

    start: int
    end: int
    heading: str  # of the section it is in, as written
    is_bullet: bool
    place: int  # how many passages are before it in the message


def plain(text: str) -> str:
    """The text without Markdown's marks, on one line."""
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    text = _MARKS.sub("", text)
    return _SPACE.sub(" ", text).strip()


def passages(content: str) -> list[Passage]:
    """The passages of a message, in order, without code, drawings and headings."""
    found: list[Passage] = []
    heading = ""
    fenced = False
    open_start = open_end = -1
    open_bullet = False
    at = 0

    def close() -> None:
        nonlocal open_start
        if open_start >= 0 and open_end > open_start:
            found.append(Passage(open_start, open_end, heading, open_bullet, len(found)))
        open_start = -1

    for line in content[:MOST_READ].split("\n"):
        start, at = at, at + len(line) + 1
        stripped = line.strip()
        if stripped.startswith("```") or stripped.startswith("~~~"):
            close()
            fenced = not fenced
            continue
        if fenced:
            continue
        if not stripped or stripped[0] in _DRAWN or not stripped.strip("-=_*|: "):
            close()
            continue
        if stripped[0] == "#" and (match := _HEADING.match(line)):
            close()
            heading = match[1]
            continue
        if stripped.startswith("**") and (match := _BOLD_LINE.match(line)):
            close()
            heading = match[1]
            continue
        bullet = _BULLET.match(line)
        if bullet or stripped[0] == "|":
            close()
            open_start, open_end, open_bullet = (
                start + (bullet.end() if bullet else 0),
                start + len(line.rstrip()),
                True,
            )
        elif open_start >= 0:
            open_end = start + len(line.rstrip())
        else:
            open_start, open_end, open_bullet = start, start + len(line.rstrip()), False
        if not open_bullet and stripped.endswith(":") and len(stripped) < 90:
            close()
            heading = stripped[:-1]
    close()
    return found


def sentences(content: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the sentences of a passage begin and end."""
    cuts: list[tuple[int, int]] = []
    at = start
    for match in _SENTENCE_END.finditer(content, start, end):
        if match.end() - at > 12:
            cuts.append((at, match.end()))
            at = match.end()
    if at < end:
        cuts.append((at, end))
    return cuts
