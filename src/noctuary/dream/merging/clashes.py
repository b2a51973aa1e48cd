"""What a new memory contradicts among those that hold, and what becomes of both."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from noctuary.dream.comparing.sameness import signature
from noctuary.dream.merging.contradicting import (
    Holds,
    Side,
    are_choices,
    is_contradiction,
    is_rejected_choice,
    may_contradict,
    which_holds,
)
from noctuary.dream.merging.gates import Standing, rank
from noctuary.dream.merging.grounds import Grounds
from noctuary.dream.merging.touched import rank_of, said_ms, since_ms
from noctuary.proposals import Proposal
from noctuary.store.memories import MemoryStatus, Remembered


class Clash(NamedTuple):
    """How a new memory stands to those that it contradicts."""

    beaten: Sequence[Remembered] = ()  # superseded by the new one
    disputed: Sequence[Remembered] = ()  # nobody can say which of both holds
    holds: Remembered | None = None  # supersedes the new one: it was said later
    valid_to: int | None = None  # of the new one, if so
    is_proposed: bool = False  # the new one waits to be looked at, and until then changes nothing


class Other(NamedTuple):
    """A memory that holds, and the type of the entry that led to it."""

    memory: Remembered
    type: str


def find_clash(found: Standing, said: Proposal, grounds: Grounds, others: Iterable[Other]) -> Clash:
    """What a new memory, which is to stand as `found`, contradicts among others."""
    new = Side(grounds.last_ms, rank(grounds.trust))
    is_proposed = found.status is MemoryStatus.PROPOSED
    beaten: list[Remembered] = []
    disputed: list[Remembered] = []
    for old, old_type in others:
        if not may_contradict(found.kind, old.kind) or not says_otherwise(said, old.text, old_type):
            continue
        verdict = which_holds(new, Side(said_ms(old), rank_of(old)))
        if verdict is Holds.OLD and old.status is MemoryStatus.ACTIVE:
            lasted = since_ms(old) if since_ms(old) > grounds.first_ms else said_ms(old)
            return Clash(holds=old, valid_to=lasted)
        if verdict is Holds.NEW and not is_proposed:
            beaten.append(old)
        elif old.status is MemoryStatus.ACTIVE:
            disputed.append(old)
    return Clash(beaten, disputed, is_proposed=is_proposed)


def says_otherwise(said: Proposal, text: str, kind: str) -> bool:
    """Whether what is said contradicts a text that an entry of this type says."""
    if is_contradiction(said.text, text):
        return True
    return are_choices(said.type, kind) and is_rejected_choice(said.type, signature(said.text), kind, signature(text))


def superseded(old: Remembered, by: str, at_ms: int) -> dict[str, Any]:
    """A memory that holds no longer; it is kept, with how it stood and until when it held."""
    return {
        "id": old.id,
        "status": str(MemoryStatus.SUPERSEDED),
        "superseded_by": by,
        "valid_to": max(at_ms, since_ms(old)),
        "was": str(old.status),
        "disputed": [],
    }
