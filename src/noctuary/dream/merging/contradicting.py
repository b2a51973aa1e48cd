"""Which of two memories holds that contradict each other, if that can be said at all.

What was said later holds, unless whoever said it is trusted less; a user's word never falls to an agent's.  The time is
that of the messages, never that of the dream: an old session that is imported late changes nothing that came after it.
"""

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from noctuary.authored import EventType
from noctuary.dream.comparing.nearness import is_near_or_apart, may_be_opposite, may_be_opposite_in_part
from noctuary.dream.comparing.outline import may_contradict as may_contradict_in_all
from noctuary.dream.comparing.sameness import Relation, Signature, may_say_it_all, relation, signature
from noctuary.store.memories import MemoryKind
from noctuary.text import lowered

# Two sentences speak of one thing if they share this much, by weight: a telling word, besides the verbs of choosing.
_SHARED = 0.8
_REASON = re.compile(r"[:;—–(]|,\s|\b(?:because|since|so that|due to|as it|for it|which)\b")
_CLAIMED = 1.5  # what has to be left without the reasons
_TELLING = 0.5  # what a word has to weigh to tell what a sentence speaks of
_CHOSEN = frozenset({MemoryKind.DECISION, MemoryKind.CONSTRAINT, MemoryKind.PREFERENCE, MemoryKind.PROCEDURE})
_DECIDED_OR_REJECTED = frozenset({str(EventType.DECISION), str(EventType.REJECTION)})
_OBSERVED = frozenset({MemoryKind.FACT, MemoryKind.GOTCHA})


class Side(NamedTuple):
    """One of two that contradict each other: when it was said last, and how far it is trusted."""

    said_ms: int
    rank: int


class Holds(StrEnum):
    """Which one holds."""

    NEW = "new"
    OLD = "old"
    OPEN = "open"  # nobody can say: both are shown


def which_holds(new: Side, old: Side) -> Holds:
    """Which of two holds: the later one, unless it is trusted less; of the same time the one that is trusted more."""
    if new.said_ms == old.said_ms:
        return Holds.OPEN if new.rank == old.rank else Holds.NEW if new.rank > old.rank else Holds.OLD
    is_new_later = new.said_ms > old.said_ms
    later, earlier = (new, old) if is_new_later else (old, new)
    if later.rank < earlier.rank:
        return Holds.OPEN
    return Holds.NEW if is_new_later else Holds.OLD


def is_contradiction(new: str, old: str) -> bool:
    """Whether two sentences say different things of one thing: denied, another value, another choice.

    What they claim is compared, too, without the reasons: those may have words for and against anything.
    """
    is_plain = False
    if may_contradict_in_all(new, old):  # of long ones this is rare, and they take longest to read
        if _shared(signature(new), signature(old)) < _SHARED:  # no more is in what they claim than in all they say
            return False
        is_plain = relation(signature(new), signature(old)) is Relation.CONTRADICTS
    if not is_plain and not (may_claim_otherwise(new, old) and _may_claims_contradict(new, old)):
        return False
    mine, theirs = _claim(new), _claim(old)
    if _shared(mine, theirs) < _SHARED:
        return False
    return is_plain or relation(mine, theirs) is Relation.CONTRADICTS


def may_say_otherwise(new: str, old: str) -> bool:
    """Whether it can be that one contradicts the other, or says the same: in all, or in what they claim."""
    seen = is_near_or_apart(new, old)
    return may_claim_otherwise(new, old) if seen is None else seen


def may_claim_otherwise(new: str, old: str) -> bool:
    """Whether it can be that one contradicts the other."""
    mine, theirs = _head(new), _head(old)
    if mine is new and theirs is old:
        return may_be_opposite(new, old)
    if not may_be_opposite_in_part(new, old, mine, theirs):
        return False  # of most this is known at once
    return any(may_be_opposite(one, other) for one, other in ((mine, theirs), (mine, old), (new, theirs), (new, old)))


def _may_claims_contradict(new: str, old: str) -> bool:
    """Whether it can be that what one claims contradicts what the other does; either may claim all it says."""
    mine, theirs = {_head(new), new}, {_head(old), old}
    return any(may_contradict_in_all(one, other) for one in mine for other in theirs)


def is_rejected_choice(new_type: str, new: Signature, old_type: str, old: Signature) -> bool:
    """Whether one rejects what the other decides, although it says so in no word: its type does."""
    if not are_choices(new_type, old_type):
        return False
    rejection = new if new_type == EventType.REJECTION else old
    if min(rejection.signs.values(), default=0) <= 0 or not may_say_it_all(new, old):
        return False
    return relation(new, old) in (Relation.SAME, Relation.SAYS_MORE)


def are_choices(new_type: str, old_type: str) -> bool:
    """Whether one decides something and the other rejects something."""
    return {str(new_type), str(old_type)} == _DECIDED_OR_REJECTED


def may_contradict(new: MemoryKind, old: MemoryKind) -> bool:
    """Whether memories of these kinds can: what was chosen by what is chosen, what was observed by what is observed."""
    return {new, old} <= _CHOSEN or {new, old} <= _OBSERVED


def closeness(new: Signature, old: Signature) -> float:
    """How much two sentences speak of the same, whatever they say of it: from 0 to 1."""
    least = min(new.total, old.total)
    return _shared(new, old) / least if least else 0.0


def _claim(text: str) -> Signature:
    """A sentence without its reasons, which may be others for the same thing."""
    head = signature(_head(text))
    return head if head.total >= _CLAIMED else signature(text)


@lru_cache(maxsize=4_096)
def _head(text: str) -> str:
    """What stands before the first reason."""
    small = lowered(text)  # to ignore case takes twice as long
    is_as_long = len(small) == len(text)  # else a letter became two, and places do not fit
    found = _REASON.search(small) if is_as_long else re.search(_REASON.pattern, text, re.IGNORECASE)
    return text[: found.start()].rstrip() if found else text


def _shared(new: Signature, old: Signature) -> float:
    both = (min(weight, old.weights[concept]) for concept, weight in new.weights.items() if concept in old.weights)
    return sum(weight for weight in both if weight >= _TELLING)
