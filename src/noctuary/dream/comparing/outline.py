"""What a sentence speaks of, seen word by word: enough to know of most that they cannot say what another says.

To read a sentence costs ten times as much.  Phrases, units and identifiers are not understood here, so what could hang
on them is allowed for; it says yes where it cannot know.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from noctuary.dream.comparing.nearness import telling_words
from noctuary.dream.comparing.numbers import have_own_numbers
from noctuary.dream.comparing.sentence import word_piece

_DIGITS = re.compile(r"\d+")
_NUMBER = 1.3  # what it weighs
_ALIKE = 4  # letters with which words begin that may be forms of one
_SAME_NEW, _SAME_OLD, _ALL, _COVERED = 0.62, 0.4, 0.9, 0.72  # of the new one and of the old one, as in `sameness`
_NEARLY_ALL, _PART = 0.75, 0.4  # of the longer one, if they are to contradict each other, as there
_OTHER = 2.0  # weight of what each speaks of besides, if it is much
_MOST_VALUES = 6  # in which two sentences may differ that speak of one thing: two more than there
_TELLING = 0.5
_UNSEEN = 1.0  # weight that both may share in other words: twice as much as in any pair of the tests


class _Outline(NamedTuple):
    weights: Mapping[str, float]  # by concept
    total: float
    begun: frozenset[str]  # what the concepts begin with


def may_say_all_of(new: str, old: str) -> bool:
    """Whether it can be that the new sentence says the same as the old one, or more."""
    if have_own_numbers(new, old):
        return False
    mine, theirs = _outline(new), _outline(old)
    if mine is None or theirs is None:
        return True
    same = max(_SAME_NEW * mine.total, _SAME_OLD * theirs.total)
    least = min(same, _ALL * mine.total, _COVERED * theirs.total) - _UNSEEN
    return least <= 0 or _shared(mine, theirs) >= least


def may_contradict(new: str, old: str) -> bool:
    """Whether it can be that one sentence, as a whole, contradicts the other.

    They differ in a value or two, or one denies what the other says and neither speaks of much else.
    """
    mine, theirs = _outline(new), _outline(old)
    if mine is None or theirs is None:
        return True
    if max(_own_count(mine, theirs), _own_count(theirs, mine)) <= _MOST_VALUES:
        return True
    shared, longer = _shared(mine, theirs), max(mine.total, theirs.total)
    is_all_of_one = min(mine.total, theirs.total) - shared < _OTHER
    return shared >= (_PART if is_all_of_one else _NEARLY_ALL) * longer - _UNSEEN


def _own_count(one: _Outline, other: _Outline) -> int:
    """How many telling concepts only one of them has."""
    return sum([weight >= _TELLING and concept not in other.weights for concept, weight in one.weights.items()])


def _shared(mine: _Outline, theirs: _Outline) -> float:
    """No less than the weight of what both speak of, in the same words or in others that begin alike."""
    others, begun = theirs.weights, theirs.begun
    shared = 0.0
    for concept, weight in mine.weights.items():
        if concept in others:
            shared += (weight + others[concept]) / 2
        elif concept[:_ALIKE] in begun:
            shared += weight
    return shared


@lru_cache(maxsize=4_096)
def _outline(text: str) -> _Outline | None:
    """The concepts of the words; None of a script in which words may not be apart."""
    words = telling_words(text)
    if words is None:
        return None
    found = sorted(map(_weighed, words), key=itemgetter(1))
    weights = {concept: weight for concept, weight, _ in found}  # of one concept the greatest, as the last
    weights.pop("", None)
    return _Outline(weights, sum(weights.values()), frozenset([begun for _, _, begun in found]))


@lru_cache(maxsize=20_000)
def _weighed(word: str) -> tuple[str, float, str]:
    """What a word speaks of, how much it weighs, and what that begins with: made once, it is soon found in a set."""
    if number := word[0].isdigit() and _DIGITS.match(word):
        concept, weight = f"#{number[0]}", _NUMBER
    else:
        piece = word_piece(word)
        concept, weight = piece.concept, piece.weight
    return concept, weight, concept[:_ALIKE]
