"""Which parts of a Markdown text are blocks of code, though blocks may have been left open.

An answer that was cut short leaves its block open, and by the rules of Markdown all that follows would be code.  So a
block only counts if it is closed before a line that nobody writes into code.

Places are offsets in a text that begins and ends with a newline, so that every line has one before it and one after it.
To go by lines would take twice as long as all the rest.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

# To look for the beginnings of lines takes longer.
_MARKS = ((b"`", b"```", re.compile(rb"```(`*)(.*)")), (b"~", b"~~~", re.compile(rb"~~~(~*)(.*)")))
_NEWLINE = ord("\n")
Match = re.Match[bytes]  # that begins with the end of the line before


class Spans:
    """Parts of a text, in their order and apart from each other."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, start: int, end: int) -> None:
        """One more, after all others."""
        self._starts.append(start)
        self._ends.append(end)

    def __contains__(self, place: int) -> bool:
        number = bisect_right(self._starts, place)
        return number > 0 and place < self._ends[number - 1]

    def without(self, found: Iterable[Match], since: int = 0) -> Iterator[Match]:
        """Those that begin in none of the parts, out of some in their order that all begin at a place or after it."""
        number, count = bisect_right(self._ends, since), len(self._ends)
        for each in found:
            line = each.start() + 1
            while number < count and self._ends[number] <= line:
                number += 1
            if number == count or line < self._starts[number]:
                yield each


def fenced_spans(text: bytes, outside: Sequence[int] = (), within: Spans | None = None) -> Spans:
    """The blocks of code, their fences included.

    `outside` has where lines begin that nobody writes into code, in their order; what is `within` is passed over.
    """
    inside = Spans()
    opened, fence = -1, b""
    for start, end, marks, rest in _fences(text):
        if within is not None and start in within:
            continue
        if opened >= 0 and bisect_right(outside, opened) < bisect_left(outside, start):
            opened = -1
        if opened < 0:
            opened, fence = start, marks
        elif marks.startswith(fence) and not rest.strip():
            inside.add(opened, end)
            opened = -1
    return inside


def _fences(text: bytes) -> list[tuple[int, int, bytes, bytes]]:
    """The lines that begin with a fence, perhaps indented: where they begin and end, the fence, and what follows."""
    found: list[tuple[int, int, bytes, bytes]] = []
    for character, fence, mark in _MARKS:
        if character not in text:  # which is seen much sooner
            continue
        is_mixed = bool(found)
        for each in mark.finditer(text):
            at, end = each.span()
            start = at if text[at - 1] == _NEWLINE else text.rfind(b"\n", 0, at) + 1
            if start == at or text[start:at].isspace():
                more, rest = each.groups()
                found.append((start, end, fence + more if more else fence, rest))
        if is_mixed:
            found.sort()
    return found
