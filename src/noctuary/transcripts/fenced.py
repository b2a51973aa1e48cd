"""Which lines of a Markdown text stand in a block of code, though blocks may have been left open.

An answer that was cut short leaves its block open, and by the rules of Markdown all that follows would be code.  So a
block only counts if it is closed before a line that nobody writes into code.
"""

from bisect import bisect_right
from collections.abc import Sequence

_MARKS = ("```", "~~~")


def fenced_lines(lines: Sequence[str], text: str, outside: Sequence[int] = ()) -> bytearray:
    """One byte a line: whether it is in a block of code, its fences included.

    The text is what the lines are of; `outside` has the numbers of lines that nobody writes into code, in their order.
    """
    inside = bytearray(len(lines))
    open_at, fence = -1, ""
    for at in sorted({at for mark in _MARKS for at in lines_with(text, mark)}):
        line = lines[at].strip()
        if open_at >= 0 and bisect_right(outside, open_at) < bisect_right(outside, at - 1):
            open_at = -1
        if open_at < 0:
            if line.startswith(_MARKS):
                open_at, fence = at, line[: len(line) - len(line.lstrip(line[0]))]
        elif line.startswith(fence) and not line.strip(fence[0]):
            inside[open_at : at + 1] = b"\1" * (at + 1 - open_at)
            open_at = -1
    return inside


def lines_with(text: str, mark: str) -> list[int]:
    """The numbers of the lines that have something in them, from 0: to ask every line takes many times as long."""
    numbers: list[int] = []
    if mark[0] not in text:  # which is seen much sooner
        return numbers
    number, counted = 0, 0
    at = text.find(mark)
    while at >= 0:
        number += text.count("\n", counted, at)
        numbers.append(number)
        counted = text.find("\n", at)
        if counted < 0:
            break
        at = text.find(mark, counted)
    return numbers
