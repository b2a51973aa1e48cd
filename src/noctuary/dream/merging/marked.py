"""Patterns that are looked for only where they can be: most texts have none of the words that one of them needs.

To look for thirty words one by one takes a tenth of what a pattern of them takes, which is tried at every letter.
Patterns here are of small letters and read small letters: to ignore case takes them two to three times as long.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from noctuary.text import lowered

_OTHER_I_AND_S = (("ı", "i"), ("i\u0307", "i"), ("ſ", "s"))  # as a pattern takes them that ignores case


class Marked:
    """A pattern of small letters, of which each match has one of some marks in it."""

    def __init__(self, pattern: re.Pattern[str], marks: Iterable[str]) -> None:
        self.pattern = pattern
        self.marks = tuple(marks)

    def is_in(self, small: str) -> bool:
        """Whether the pattern is in a text of small letters."""
        return has_any(small, self.marks) and self.pattern.search(small) is not None


@lru_cache(maxsize=256)  # a text is asked for one thing after the other
def in_small(text: str) -> str:
    """The text in small letters: a pattern of such finds in it what one that ignores case finds in the text."""
    small = lowered(text)
    if not small.isascii():
        for other, letter in _OTHER_I_AND_S:
            small = small.replace(other, letter)
    return small


def has_any(small: str, marks: Iterable[str]) -> bool:
    """Whether a text has one of some marks; a loop, for a generator takes twice as long."""
    for mark in marks:  # noqa: SIM110
        if mark in small:
            return True
    return False
