"""Which candidates are kept: the best of a session, none twice, and no more than its length bears."""

from collections.abc import Iterable, Sequence

from noctuary.authored import Trust
from noctuary.models.rules.candidates import ECHO, LEAST_HEARD, LEAST_SCORE, LEAST_SUPPORT, Candidate
from noctuary.models.rules.lexicon import normal
from noctuary.records import Kind, Message

MOST_ALIKE = 0.7
_MOST_SUPPORT = 3
_A_FEW = 4  # events that every session may have
_CHARACTERS = 1_200  # of talk that bear another event
_USUALLY = 12  # events at most; beyond it, each takes several times as much talk
_MOST = 24
_SHORT, _STEM = 3, 6  # letters of words that do not count, and of the beginnings that do


def choose(candidates: Iterable[Candidate], messages: Sequence[Message]) -> list[Candidate]:
    """The best candidates, in the order in which they were said; what says the same supports what is kept."""
    groups: list[Candidate] = []
    known: list[frozenset[str]] = []
    for candidate in sorted((each for each in candidates if each.score >= LEAST_SUPPORT), key=_rank):
        words = content_words(candidate.text)
        same = _same(words, known)
        if same is not None:
            groups[same] = _supported(groups[same], candidate)
        elif candidate.score >= LEAST_HEARD:
            groups.append(candidate)
            known.append(words)
    best = sorted((candidate for candidate in groups if candidate.score >= LEAST_SCORE), key=_rank)
    most = most_for(messages)
    if any(candidate.source == "summary" for candidate in best):
        most = max(most, _USUALLY)  # it is short because it was chosen from much
    return sorted(best[:most], key=lambda c: (c.message.id, c.start))


def _rank(candidate: Candidate) -> tuple[float, bool, int, int]:
    """The best first; of equals what the user said, and then what was said first."""
    return -candidate.score, candidate.trust is not Trust.USER, candidate.message.id, candidate.start


def most_for(messages: Sequence[Message]) -> int:
    """How many events a session of this length bears."""
    talk = sum(len(m.content) for m in messages if m.kind in {Kind.TEXT, Kind.SUMMARY} and len(m.content) < 30_000)
    bears = _A_FEW + talk // _CHARACTERS
    return bears if bears <= _USUALLY else min(_MOST, _USUALLY + (bears - _USUALLY) // 3)


def content_words(text: str) -> frozenset[str]:
    """The longer words of a text, shortened to what inflection leaves."""
    return frozenset(word[:_STEM] for word in normal(text).split() if len(word) > _SHORT)


def _same(words: frozenset[str], known: list[frozenset[str]]) -> int | None:
    """The first of the texts of which this has so many words, or that has so many of these, that they say the same."""
    size = len(words)
    for place, others in enumerate(known):
        if len(words & others) >= MOST_ALIKE * min(size, len(others)):
            return place
    return None


def _supported(kept: Candidate, other: Candidate) -> Candidate:
    """What is said in several messages counts for more."""
    known = {kept.message.id, *(message.id for message in kept.support)}
    more = [m for m in (other.message, *other.support) if m.id not in known]
    support = [*kept.support, *more][:_MOST_SUPPORT]
    return kept._replace(support=support, score=kept.score + (ECHO if more and not kept.support else 0.0))
