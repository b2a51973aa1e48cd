"""Exact words win: what has a token as typed is never overtaken, for its meaning or for notes, by what has not."""

from collections.abc import Sequence
from typing import Protocol

AS_TYPED, MEANING, JOURNAL = "as typed", "meaning", "journal"
BESIDE_WORDS = (MEANING, JOURNAL)
STAYS_BELOW = 0.99  # of the way up to what has the very token


class Ranked(Protocol):
    """Something with a score that is made of reasons: a message, or a session."""

    why: dict[str, float]

    @property
    def score(self) -> float:
        """What all reasons add up to."""
        ...


def keep_below_exact(ranked: Sequence[Ranked]) -> None:
    """Take from what has no token as typed so much of the rest that it stays below what words put above it."""
    exact = [(_by_words(entry), entry.score) for entry in ranked if AS_TYPED in entry.why]
    for entry in ranked if exact else ():
        beside = sum(entry.why.get(name, 0.0) for name in BESIDE_WORDS)
        if beside and AS_TYPED not in entry.why:
            by_words = _by_words(entry)
            above = [score for words, score in exact if words > by_words]
            if above and (most := STAYS_BELOW * (min(above) - by_words)) < beside:
                for name in entry.why.keys() & set(BESIDE_WORDS):
                    entry.why[name] *= most / beside


def _by_words(entry: Ranked) -> float:
    """The score without what is beside its words; added up, since to take it away again would round."""
    return sum(value for name, value in entry.why.items() if name not in BESIDE_WORDS)
