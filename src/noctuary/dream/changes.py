"""What happened to memories, in the order in which people want to read it."""

from collections.abc import Iterable

from noctuary.dream.night import Night
from noctuary.dreams import ChangeKind, MemoryChange

_FIRST = (ChangeKind.DISPUTED, ChangeKind.ADDED, ChangeKind.SUPERSEDED, ChangeKind.EDITED, ChangeKind.STALE)
_ORDER = {kind: place for place, kind in enumerate([*_FIRST, *(kind for kind in ChangeKind if kind not in _FIRST)])}


def in_order(night: Night, changes: Iterable[MemoryChange]) -> list[MemoryChange]:
    """The changes, those of one kind together, each kind by the weight of its memories."""
    given = [*changes]
    weights = night.store.memories.weights(night.owner, {change.memory for change in given})
    return sorted(given, key=lambda change: (_ORDER[change.kind], -weights.get(change.memory, 0.0)))


def by_kind(changes: Iterable[MemoryChange]) -> list[MemoryChange]:
    """The changes, those of one kind together, else as they come."""
    return sorted(changes, key=lambda change: _ORDER[change.kind])
