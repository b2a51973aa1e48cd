"""Patterns that are looked for only where they can be: most texts have none of the words that one of them needs.

To look for thirty words one by one takes a tenth of what a pattern of them takes, which is tried at every letter.
"""

import re
from collections.abc import Iterable

_OTHER_I_AND_S = ("ı", "i\u0307", "ſ")  # what a pattern that ignores case takes for i and s, made small as `lower` does


class Marked:
    """A pattern, in any case, of which each match has one of some marks in it, in small letters."""

    def __init__(self, pattern: re.Pattern[str], marks: Iterable[str]) -> None:
        self.pattern = pattern
        self.marks = (*marks, *_OTHER_I_AND_S)

    def is_in(self, text: str, small: str) -> bool:
        """Whether the pattern is in a text; `small` is the text in small letters."""
        return has_any(small, self.marks) and self.pattern.search(text) is not None


def has_any(small: str, marks: Iterable[str]) -> bool:
    """Whether a text has one of some marks; a loop, for a generator takes twice as long."""
    for mark in marks:  # noqa: SIM110
        if mark in small:
            return True
    return False
