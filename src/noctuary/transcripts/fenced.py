"""Which lines of a Markdown text stand in a block of code, though blocks may have been left open.

An answer that was cut short leaves its block open, and by the rules of Markdown all that follows would be code.  So a
block only counts if it is closed before a line that nobody writes into code.
"""

from collections.abc import Callable, Sequence

_MARKS = ("```", "~~~")


def fenced_lines(lines: Sequence[str], is_outside: Callable[[str], bool]) -> bytearray:
    """One byte a line: whether it is in a block of code, its fences included."""
    inside = bytearray(len(lines))
    open_at, fence = -1, ""
    for at in [at for at, line in enumerate(lines) if "```" in line or "~~~" in line]:
        text = lines[at].strip()
        if open_at >= 0 and any(map(is_outside, lines[open_at + 1 : at])):
            open_at = -1
        if open_at < 0:
            if text.startswith(_MARKS):
                open_at, fence = at, text[: len(text) - len(text.lstrip(text[0]))]
        elif text.startswith(fence) and not text.strip(fence[0]):
            inside[open_at : at + 1] = b"\1" * (at + 1 - open_at)
            open_at = -1
    return inside
