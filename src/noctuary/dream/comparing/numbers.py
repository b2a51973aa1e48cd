"""Numbers that stand alone, seen without reading the sentence: if each of two has its own, neither says the other.

`from 30 to 60` is never what `from 5 to 90` says, nor more than that, however alike the rest is.  In a long history
most that is near to a sentence differs from it in this.  Numbers of which it takes more to know what they mean, as
those with a unit, of a clock, of a version or in a name, leave it open.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from noctuary.dream.comparing.nearness import telling_words
from noctuary.dream.comparing.sentence import LONGEST, SPELLED, UNITS

_DIGITS = re.compile(r"[0-9][0-9]*")  # not `+`: what begins with one sign of some is looked for far more quickly
# One that a space follows, or nothing, and the word behind it.
_ENDED = re.compile(r"""[0-9][0-9]*(?=[,;.:!?)`"']*(?:$|\s[\s-]*([A-Za-z%]*)))""")
_BEFORE = frozenset(" \t\n(`\"'")
_MEASURING = frozenset({*UNITS, "am", "pm"})
_SPELLED = frozenset(SPELLED)
_THOUSANDS = "k"  # the only unit with which a number may be one without


class _Numbers(NamedTuple):
    written: frozenset[str]  # in digits, each for sure what it looks like
    all: frozenset[str]  # and in letters


_UNKNOWN = _Numbers(frozenset(), frozenset())


def have_own_numbers(one: str, other: str) -> bool:
    """Whether each has a number that the other has not, so that neither says the same as the other, or more."""
    mine = _numbers(one)
    if not mine.written:
        return False
    theirs = _numbers(other)
    return bool(theirs.written) and not mine.written <= theirs.all and not theirs.written <= mine.all


@lru_cache(maxsize=8_192)
def _numbers(text: str) -> _Numbers:
    """The numbers of a text if all that are written in digits stand alone."""
    found = _DIGITS.findall(text)
    if not found or len(text) > LONGEST:
        return _UNKNOWN
    alone = [number for number in _ENDED.finditer(text) if _is_alone(number, text)]
    if len(alone) != len(found):
        return _UNKNOWN
    words = telling_words(text)
    if words is None or _THOUSANDS in words:
        return _UNKNOWN
    written = frozenset(found)
    return _Numbers(written, written.union([SPELLED[word] for word in words & _SPELLED]))


def _is_alone(number: re.Match[str], text: str) -> bool:
    """Whether nothing before it or behind it makes it another number."""
    start, following = number.start(), number[1]
    return (start == 0 or text[start - 1] in _BEFORE) and not (following and following.lower() in _MEASURING)
