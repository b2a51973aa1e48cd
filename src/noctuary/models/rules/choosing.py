"""Which candidates are kept: the best of a session, none twice, and no more than its length bears."""

from collections.abc import Iterable

from noctuary.models.rules.candidates import Candidate

_LEAST_SCORE = 3.0
_MOST_ALIKE = 0.6


def choose(candidates: Iterable[Candidate], messages: int) -> list[Candidate]:
    """The best candidates, in the order in which they were said."""
    most = _most(messages)
    ranked = sorted(candidates, key=lambda c: (-c.score, c.message.id, c.start))
    kept: list[tuple[Candidate, frozenset[str]]] = []
    for candidate in ranked:
        if candidate.score < _LEAST_SCORE or len(kept) >= most:
            break
        words = frozenset(candidate.text.lower().split())
        if all(_alike(words, others) < _MOST_ALIKE for _, others in kept):
            kept.append((candidate, words))
    return sorted((c for c, _ in kept), key=lambda c: (c.message.id, c.start))


def _most(messages: int) -> int:
    return max(3, min(12, 3 + messages // 12)) + max(0, messages - 120) // 40


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, min(len(one), len(other)))
