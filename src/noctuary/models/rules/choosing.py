"""Which candidates are kept: the best of a session, none twice, and no more than its length bears."""

from collections.abc import Iterable, Sequence

from noctuary.authored import EventType, Trust
from noctuary.models.rules.candidates import ECHO, LEAST_HEARD, LEAST_SCORE, LEAST_SUPPORT, Candidate
from noctuary.models.rules.denying import content_words, has_other_numbers, is_denied
from noctuary.records import Kind, Message

MOST_ALIKE = 0.7
_MOST_SUPPORT = 3
_A_FEW = 4  # events that every session may have
_CHARACTERS = 1_200  # of talk that bear another event
_USUALLY = 12  # events at most; beyond it, each takes several times as much talk
_MOST = 24
_TALK = frozenset({Kind.TEXT, Kind.SUMMARY})


def choose(candidates: Iterable[Candidate], messages: Sequence[Message]) -> list[Candidate]:
    """The best candidates, in the order in which they were said; what says the same supports what is kept.

    Of two that contradict each other the one said later is kept, if the same voice says both; and a user's words stay
    the user's, however an agent says them again.
    """
    groups: list[Candidate] = []
    known: list[_Words] = []
    bits = _Bits()
    for candidate in sorted((each for each in candidates if each.score >= LEAST_SUPPORT), key=_rank):
        words = bits.of(candidate.text)
        same = _same(candidate, words, groups, known)
        if same is not None:
            groups[same] = _united(groups[same], candidate)
            known[same] = bits.of(groups[same].text)
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
    talk = sum([len(m.content) for m in messages if m.kind in _TALK and len(m.content) < 30_000])
    bears = _A_FEW + talk // _CHARACTERS
    return bears if bears <= _USUALLY else min(_MOST, _USUALLY + (bears - _USUALLY) // 3)


# The words of a text, as bits, and how many there are: to count those of two is quick.  No named tuple, for those take
# three times as long to be taken apart.
_Words = tuple[int, int]


class _Bits:
    """Sets of words as numbers, each word of a session a bit."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def of(self, text: str) -> _Words:
        """The content words of a text, as one number."""
        places, words = self._places, content_words(text)
        return sum([1 << places.setdefault(word, len(places)) for word in words]), len(words)


def _same(candidate: Candidate, words: _Words, groups: Sequence[Candidate], known: Sequence[_Words]) -> int | None:
    """The first of what is kept with which this shares so many words that it says the same, or takes it back."""
    mine, size = words
    for place, (others, count) in enumerate(known):
        shared = (mine & others).bit_count()
        if shared < MOST_ALIKE * min(size, count) or not _speaks_of(groups[place], candidate):
            continue
        if shared >= MOST_ALIKE * max(size, count) or not _is_answered(groups[place], candidate):
            return place
    return None


def _is_answered(kept: Candidate, other: Candidate) -> bool:
    """Whether a user only told how something is and an agent says more of it: that is an answer, and no echo."""
    is_told = any(one.trust is Trust.USER and one.type is EventType.FINDING for one in (kept, other))
    return is_told and not _is_one_voice(kept, other)


def _speaks_of(kept: Candidate, other: Candidate) -> bool:
    """Whether one of the two is enough: they agree, or the same voice changed its mind."""
    if _counts_otherwise(kept, other):
        return _corrects(kept, other)
    shared = content_words(kept.text) & content_words(other.text)
    return not is_denied(kept.text, other.text, shared) or _is_one_voice(kept, other)


def _counts_otherwise(kept: Candidate, other: Candidate) -> bool:
    """Whether the two give other numbers for the same; those that programs print, of lines and times, always differ."""
    return kept.source != "check" != other.source and has_other_numbers(kept.text, other.text)


def _is_one_voice(kept: Candidate, other: Candidate) -> bool:
    return kept.trust is other.trust and kept.message.role is other.message.role


def _corrects(kept: Candidate, other: Candidate) -> bool:
    """Whether what was said later corrects what the same voice said before."""
    return _is_one_voice(kept, other) and _later(kept, other).type is EventType.CORRECTION


def _later(one: Candidate, other: Candidate) -> Candidate:
    return max(one, other, key=lambda candidate: (candidate.message.id, candidate.start))


def _united(kept: Candidate, other: Candidate) -> Candidate:
    """Two that speak of the same as one."""
    shared = content_words(kept.text) & content_words(other.text)
    if _counts_otherwise(kept, other) or is_denied(kept.text, other.text, shared):
        return _later(kept, other)._replace(score=max(kept.score, other.score))
    if other.trust is Trust.USER and kept.trust is not Trust.USER:
        return _supported(other._replace(score=max(kept.score, other.score)), kept)
    return _supported(kept, other)


def _supported(kept: Candidate, other: Candidate) -> Candidate:
    """What is said in several messages counts for more."""
    known = {kept.message.id, *(message.id for message in kept.support)}
    more = [m for m in (other.message, *other.support) if m.id not in known]
    support = [*kept.support, *more][:_MOST_SUPPORT]
    return kept._replace(support=support, score=kept.score + (ECHO if more and not kept.support else 0.0))
