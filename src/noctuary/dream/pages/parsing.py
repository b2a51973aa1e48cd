"""What somebody wrote into a block of ours: items of lists, paragraphs and code, each with the section it stands in."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from noctuary.dream.pages.layout import INTRODUCTION, MORE, SECTIONS
from noctuary.dream.pages.lines import shown_in

_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])\s+(.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_CONFLICT = re.compile(r"(?:<{7}|>{7}|={7}|\|{7})(?:\s.*)?")  # what git leaves in a file that it could not merge
_SENTENCE_WORDS = 3
_RULER = re.compile(r"\s*(?:[-*_=]\s*){3,}")


class Item(NamedTuple):
    """One thing that the block says."""

    text: str
    id: str  # empty: the line names no memory
    notes: frozenset[str]
    section: str
    heading: str = ""  # one of somebody's own, above it


def items_in(body: str, section: str = "") -> list[Item]:
    """What a block says, in order; what we write around the lines is left out."""
    return list(_Items(section).read(body))


class _Items:
    """Reads a block line by line: an item may go on in lines that are indented, and in code."""

    def __init__(self, section: str) -> None:
        self.section = section
        self.heading = ""
        self.has_items = True  # below the heading
        self.parts: list[str] = []
        self.fence = ""

    def read(self, body: str) -> Iterator[Item]:
        for line in body.split("\n"):
            if self.fence:
                self.parts.append(f"\n{line}")
                self.fence = "" if line.strip().startswith(self.fence) else self.fence
            else:
                yield from self._line(line)
        yield from self._end()
        yield from self._head("")

    def _line(self, line: str) -> Iterator[Item]:
        if fence := _FENCE.match(line):
            self.parts.append(f"\n{line}" if self.parts else line)
            self.fence = fence[1]
        elif item := _ITEM.fullmatch(line):
            yield from self._end()
            self.parts = [item[1]]
        elif self.parts and line.startswith((" ", "\t")) and line.strip():
            self.parts.append(f" {line.strip()}")
        else:
            yield from self._end()
            if heading := _HEADING.fullmatch(line):
                yield from self._head(heading[2])
            elif line.strip() and not _is_around(line):
                self.parts = [line.strip()]

    def _head(self, title: str) -> Iterator[Item]:
        """A new heading; one before that nothing stood below is a sentence of its own, if it is long enough."""
        if not self.has_items and len(self.heading.split()) >= _SENTENCE_WORDS:
            yield Item(self.heading, "", frozenset(), self.section)
        is_ours = title in SECTIONS
        self.section, self.heading = (title, "") if is_ours else (self.section, title)
        self.has_items = is_ours

    def _end(self) -> Iterator[Item]:
        text, self.parts = "".join(self.parts).strip(), []
        if text:
            shown = shown_in(text)
            if shown.text:
                self.has_items = True
                yield Item(shown.text, shown.id, shown.notes, self.section, self.heading)


def _is_around(line: str) -> bool:
    """Whether a line is none of anybody's words: ours, or what a merge left."""
    is_ours = line.strip() == INTRODUCTION or line.startswith(MORE)
    return is_ours or bool(_CONFLICT.fullmatch(line) or _RULER.fullmatch(line))
