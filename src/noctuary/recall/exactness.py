"""Exact words win: what has a token as it was typed is never overtaken, for its meaning, by what has not."""

from collections.abc import Sequence
from typing import Protocol

AS_TYPED, MEANING = "as typed", "meaning"
STAYS_BELOW = 0.99  # of the way up to what has the very token


class Ranked(Protocol):
    """Something with a score that is made of reasons: a message, or a session."""

    why: dict[str, float]

    @property
    def score(self) -> float:
        """What all reasons add up to."""
        ...


def keep_below_exact(ranked: Sequence[Ranked]) -> None:
    """Take from what has no token as typed so much of its meaning that it stays below what words put above it."""
    exact = [(_by_words(entry), entry.score) for entry in ranked if AS_TYPED in entry.why]
    for entry in ranked if exact else ():
        meaning = entry.why.get(MEANING, 0.0)
        if meaning and AS_TYPED not in entry.why:
            by_words = _by_words(entry)
            above = [score for words, score in exact if words > by_words]
            if above:
                entry.why[MEANING] = min(meaning, STAYS_BELOW * (min(above) - by_words))


def _by_words(entry: Ranked) -> float:
    """The score without its meaning; added up, since to take it away again would round."""
    return sum(value for name, value in entry.why.items() if name != MEANING)
