"""Whether two sentences can say anything of the same thing, seen by the beginnings of their words alone.

To read a sentence costs half a millisecond, and of those of one session few have to do with one another: with this
most are never read.  It says yes where it cannot know.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from noctuary.concepts import STOP_WORDS

_SMALL_WORDS = bytes(  # of bytes, `translate` is several times as fast as a pattern
    ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else ord(" ") for code in range(256)
)
_OTHER_LETTER = re.compile(r"[^\0-\x7f\W]")
_LONGEST = 2_000  # characters; what comes after is not compared
_BEGINNING = 4  # letters, which the forms of a word share
_FEW = 4  # words, of which one in common is enough: the others may be said in other words
_PART = 0.4  # of the words of the shorter of two longer ones that are in both, if they say the same
_PART_OF_BOTH = 0.3  # of the words of the longer one, if they say opposite things of one thing


def may_be_near(one: str, other: str) -> bool:
    """Whether one may say the same as the other, more, or the opposite; a few microseconds."""
    mine, theirs = _beginnings(one), _beginnings(other)
    if mine is None or theirs is None:
        return True
    least = min(len(mine), len(theirs))
    if least > _FEW:
        return len(mine & theirs) >= _PART * least
    return not least or not mine.isdisjoint(theirs)


def near_places(one: str, others: Sequence[str]) -> Iterator[int]:
    """Where in a list those stand of which `may_be_near` is true."""
    mine = _beginnings(one)
    for place, other in enumerate(others):
        theirs = _beginnings(other)
        if not mine or not theirs:
            yield place
            continue
        least = min(len(mine), len(theirs))
        if len(mine & theirs) >= (_PART * least if least > _FEW else 1):
            yield place


def is_near_or_apart(one: str, other: str) -> bool | None:
    """True if `may_be_near`, False if no word of one is in the other, as of most, and None between the two."""
    mine, theirs = _beginnings(one), _beginnings(other)
    if not mine or not theirs:
        return True
    if not (shared := len(mine & theirs)):
        return False
    least = min(len(mine), len(theirs))
    return True if least <= _FEW or shared >= _PART * least else None


def may_be_opposite(one: str, other: str) -> bool:
    """Whether one may contradict the other: each has to speak of little else."""
    return _share_enough(_beginnings(one), _beginnings(other), one, other)


def may_be_opposite_in_part(one: str, other: str, part: str, other_part: str) -> bool:
    """Whether a part of one may contradict a part of the other, or all of it; these are the least parts of both."""
    return _share_enough(_beginnings(one), _beginnings(other), part, other_part)


def _share_enough(mine: frozenset[str] | None, theirs: frozenset[str] | None, one: str, other: str) -> bool:
    """Whether so many words are in both as two have to share that contradict each other and are no less than these."""
    least, other_least = _beginnings(one), _beginnings(other)
    if mine is None or theirs is None or least is None or other_least is None:
        return True
    return len(mine & theirs) >= _PART_OF_BOTH * max(len(least), len(other_least))


@lru_cache(maxsize=8_192)
def _beginnings(text: str) -> frozenset[str] | None:
    """What the words that tell something begin with; None of a script in which they may not be apart."""
    words = telling_words(text)
    return None if words is None else frozenset([word[:_BEGINNING] for word in words])


@lru_cache(maxsize=4_096)  # of what is near by its words, the outline is made next
def telling_words(text: str) -> frozenset[str] | None:
    """The words that tell something, in small letters; None of a script in which they may not be apart."""
    text = text.replace("…", " ")  # which is no letter, and in most that is not ASCII
    if not text.isascii() and _OTHER_LETTER.search(text):
        return None
    words = text[:_LONGEST].encode("utf-8", "replace").translate(_SMALL_WORDS).decode("ascii").split()
    return frozenset(words) - STOP_WORDS
