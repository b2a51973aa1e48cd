"""Which parts of a Markdown text are blocks of code, though blocks may have been left open.

An answer that was cut short leaves its block open, and by the rules of Markdown all that follows would be code.  So a
block only counts if it is closed before a line that nobody writes into code.

Places are offsets in a text that begins and ends with a newline, so that every line has one before it and one after it.
To go by lines would take twice as long as all the rest.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

_MARKS = (re.compile(b"```"), re.compile(b"~~~"))  # `find` takes three times as long


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

    def __len__(self) -> int:
        return len(self._starts)


def fenced_spans(text: bytes, outside: Sequence[int] = (), without: Spans | None = None) -> Spans:
    """The blocks of code, their fences included.

    `outside` has where lines begin that nobody writes into code, in their order; what is in `without` is passed over.
    """
    inside = Spans()
    opened, fence = -1, b""
    for start, end in sorted(_marked(text)):
        if without is not None and start in without:
            continue
        line = text[start:end].strip()
        if opened >= 0 and bisect_right(outside, opened) < bisect_left(outside, start):
            opened = -1
        if opened < 0:
            opened, fence = start, line[: len(line) - len(line.lstrip(line[:1]))]
        elif line.startswith(fence) and not line.strip(fence[:1]):
            inside.add(opened, end)
            opened = -1
    return inside


def _marked(text: bytes) -> Iterator[tuple[int, int]]:
    """The lines that begin with a fence, perhaps indented: where they begin and end."""
    for mark in _MARKS:
        found = mark.search(text) if mark.pattern[:1] in text else None  # which is seen much sooner
        while found:
            at = found.start()
            start, end = text.rfind(b"\n", 0, at) + 1, text.find(b"\n", at)
            if start == at or text[start:at].isspace():
                yield start, end
            found = mark.search(text, end)
