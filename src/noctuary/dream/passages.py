"""Texts that were read, joined to be searched as one, and the passages of them around a place."""

from collections.abc import Sequence
from itertools import accumulate

GAP = "\n\n\n"  # between two texts
_AROUND = 300  # characters of a passage on each side of a word
_SHORT_LINE = 160  # characters: shorter ones are read with their neighbours


class Joined:
    """Texts in small letters as one, to be searched up to a place."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.small = GAP.join(texts)
        self._ends = [*accumulate(len(text) + len(GAP) for text in texts)]

    def end_of(self, count: int) -> int:
        """Where the first so many texts end."""
        return self._ends[count - 1] if count else 0

    def text(self, place: int) -> str:
        """One of the texts."""
        return self.small[self.end_of(place) : self.end_of(place + 1)]


def passage_at(text: str, at: int) -> tuple[str, int]:
    """The line around a place, with its neighbours if it is short; and where it ends, unless it is long."""
    start = text.rfind("\n", max(0, at - _AROUND), at) + 1 or max(0, at - _AROUND)
    end = text.find("\n", at, at + _AROUND)
    end = min(len(text), at + _AROUND) if end < 0 else end
    line_end = end if end - start <= _AROUND else 0  # then it is the same passage wherever in the line one begins
    if end - start < _SHORT_LINE:
        start = text.rfind("\n", max(0, start - _SHORT_LINE), max(0, start - 1)) + 1 or max(0, start - _SHORT_LINE)
        after = text.find("\n", end + 1, end + _SHORT_LINE)
        end = min(len(text), end + _SHORT_LINE) if after < 0 else after
    return text[start:end], line_end
