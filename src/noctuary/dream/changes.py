"""What happened to memories, in the order in which people want to read it."""

from collections.abc import Iterable

from noctuary.dream.night import Night
from noctuary.dreams import ChangeKind, MemoryChange

_FIRST = (ChangeKind.DISPUTED, ChangeKind.ADDED, ChangeKind.SUPERSEDED, ChangeKind.EDITED, ChangeKind.STALE)
_ORDER = {kind: place for place, kind in enumerate([*_FIRST, *(kind for kind in ChangeKind if kind not in _FIRST)])}


def in_order(night: Night, changes: Iterable[MemoryChange]) -> list[MemoryChange]:
    """The changes, those of one kind together, each kind by the weight of its memories."""
    return sorted(changes, key=lambda change: (_ORDER[change.kind], -_weight(night, change.memory)))


def by_kind(changes: Iterable[MemoryChange]) -> list[MemoryChange]:
    """The changes, those of one kind together, else as they come."""
    return sorted(changes, key=lambda change: _ORDER[change.kind])


def _weight(night: Night, name: str) -> float:
    memory = night.store.memories.find(night.owner, name)
    weight = memory.facts.get("weight") if memory else None
    return float(weight) if isinstance(weight, (int, float)) else 0.0
