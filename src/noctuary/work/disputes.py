"""Memories that contradict each other without anybody knowing which one holds: a person's word settles it."""

from typing import Any

from noctuary.store.memories import MemoryStatus, Remembered
from noctuary.work.desk import Desk

_HOLDING = (MemoryStatus.ACTIVE, MemoryStatus.PROPOSED)
Fields = dict[str, Any]


def settled_for(desk: Desk, memory: Remembered) -> list[Fields]:
    """What becomes of those that contradict a memory, now that it is confirmed: it has superseded them."""
    others = _opponents(desk, memory)
    ended = {"status": str(MemoryStatus.SUPERSEDED), "superseded_by": memory.id, "valid_to": desk.clock.now_ms()}
    return [
        {"id": other.id, **ended, "was": str(other.status), "disputed": _without(other, memory)} for other in others
    ]


def settled_without(desk: Desk, memory: Remembered) -> list[Fields]:
    """What becomes of those that contradict a memory, now that it is retracted: nothing disputes them on its part."""
    return [{"id": other.id, "disputed": _without(other, memory)} for other in _opponents(desk, memory)]


def _opponents(desk: Desk, memory: Remembered) -> list[Remembered]:
    named = memory.facts.get("disputed")
    names = [name for name in named if isinstance(name, str)] if isinstance(named, list) else []
    found = (desk.store.memories.find(desk.owner, name) for name in names)
    return [one for one in found if one and one.status in _HOLDING and one.project == memory.project]


def _without(other: Remembered, memory: Remembered) -> list[str]:
    named = other.facts.get("disputed")
    return [name for name in named if name != memory.id] if isinstance(named, list) else []
