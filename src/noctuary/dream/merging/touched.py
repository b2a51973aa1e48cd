"""Memories that the reading of a session touches: as they were, and as they are by now."""

from collections.abc import Mapping
from typing import Any

from noctuary.dream.merging.gates import rank
from noctuary.dream.night import Night
from noctuary.store.memories import Memories, MemoryKind, MemoryStatus, Remembered

HOLDING = (MemoryStatus.ACTIVE, MemoryStatus.PROPOSED)
Fields = dict[str, Any]


class Touched:
    """Changes to memories of one project that wait to be written in one event, and what was before them."""

    def __init__(self, night: Night, project: str) -> None:
        self._night = night
        self._project = project
        self._pending: dict[str, Fields] = {}
        self._before: dict[str, Fields] = {}

    def find(self, name: str) -> Remembered | None:
        """A memory of the project as it is by now."""
        found = self._memories().find(self._night.owner, name)
        if found is None or found.project != self._project:
            return None
        return self._now(found)

    def of_event(self, event: str) -> Remembered | None:
        """The memory that an event says or supports; of several, one that holds."""
        memories = self._memories().of_event(self._night.owner, event)
        found = [self._now(memory) for memory in memories if memory.project == self._project]
        found += [one for name in self._pending if (one := self._made(name)) and event in supporting(one)]
        return min(found, key=lambda one: (one.status not in HOLDING, one.event != event), default=None)

    def make(self, name: str, fields: Mapping[str, Any]) -> None:
        """A new memory, to be made by the event that the changes are written in."""
        self._pending[name] = {"id": name, **fields}

    def is_made(self, name: str) -> bool:
        """Whether a memory of this name is to be made."""
        return name in self._pending

    def change(self, memory: Remembered, **fields: Any) -> None:
        """Change a memory; what was before is kept for whoever takes it back."""
        self.keep(memory)
        self._pending.setdefault(memory.id, {"id": memory.id}).update(fields)

    def keep(self, memory: Remembered) -> None:
        """Note what a memory is before it is changed, by this or by another event."""
        if memory.id in self._pending or memory.id in self._before:
            return
        stored = self._memories().find(self._night.owner, memory.id)
        if stored is not None:
            self._before[memory.id] = as_record(stored)

    def changes(self) -> list[Fields]:
        """What waits to be written."""
        return [*self._pending.values()]

    def before(self) -> list[Fields]:
        """The memories that were changed, as they were."""
        return [*self._before.values()]

    def _memories(self) -> Memories:
        """All memories, also those that were written of just now."""
        self._night.ledger.settle()
        return self._night.store.memories

    def _now(self, memory: Remembered) -> Remembered:
        fields = self._pending.get(memory.id)
        return _with(memory, fields) if fields else memory

    def _made(self, name: str) -> Remembered | None:
        """A memory that there is only here yet."""
        fields = self._pending[name]
        if name in self._before or "kind" not in fields or "text" not in fields:
            return None
        empty = Remembered(name, self._project, MemoryKind.FACT, "", MemoryStatus.ACTIVE, 0, None, None, "", {})
        return _with(empty, fields)


def as_record(memory: Remembered) -> Fields:
    """A memory as the change of an event says it."""
    said = {"id": memory.id, "kind": str(memory.kind), "text": memory.text, "status": str(memory.status)}
    return {**memory.facts, **said, "event": memory.event}


def supporting(memory: Remembered) -> list[str]:
    """The events that a memory rests on, the one that says it last."""
    named = [name for name in memory.facts.get("events") or () if name != memory.event]
    return [*named, memory.event] if memory.event else named


def said_ms(memory: Remembered) -> int:
    """When a memory was said last."""
    times = (memory.facts.get(key) for key in ("last_ms", "valid_from"))
    return next((time for time in times if isinstance(time, int) and time > 0), memory.recorded_ms)


def since_ms(memory: Remembered) -> int:
    """Since when a memory holds."""
    given = memory.facts.get("valid_from")
    return given if isinstance(given, int) and given > 0 else memory.recorded_ms


def rank_of(memory: Remembered) -> int:
    """How far a memory is trusted."""
    facts = memory.facts
    return rank(str(facts.get("trust") or ""), is_approved=bool(facts.get("approved") or facts.get("pinned")))


def disputed_by(memory: Remembered) -> list[str]:
    """The memories that contradict it."""
    return list(memory.facts.get("disputed") or ())


def _with(memory: Remembered, fields: Mapping[str, Any]) -> Remembered:
    return memory._replace(
        kind=MemoryKind(fields.get("kind", memory.kind)),
        text=fields.get("text", memory.text),
        status=MemoryStatus(fields.get("status", memory.status)),
        superseded_by=fields.get("superseded_by", memory.superseded_by),
        event=fields.get("event", memory.event),
        facts={**memory.facts, **fields},
    )
