"""Memories as the journal makes them if some of its events had never been: what taking back a run leaves of them."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from noctuary.authored import Entry, Event
from noctuary.store.memories import MemoryStatus
from noctuary.weighing import weight

Fields = dict[str, Any]


def replayed(events: Iterable[Event], names: Collection[str]) -> dict[str, Fields]:
    """The memories of these names as the events make them, in their order; what they do not make is not there."""
    memories: dict[str, Fields] = {}
    for event in events:
        for change in event.change.get("memories", ()):
            name = change["id"]
            if name not in names or (name not in memories and "text" not in change):
                continue  # what only changes it was said of something that had never been
            known = memories.setdefault(name, {"kind": "fact", "status": str(MemoryStatus.ACTIVE)})
            said_by = change.get("event", event.id) if "text" in change else known["event"]
            known.update(change, event=said_by)
    return memories


def left_out(entries: Iterable[Entry], undone: Collection[str], gone: Collection[str]) -> list[Event]:
    """The events without those of runs that were taken back and without the taking back; `gone` are gone, too."""
    rows = {entry.event.id: entry for entry in entries}
    return [entry.event for entry in rows.values() if not _is_out(entry, rows, undone, gone)]


def _is_out(entry: Entry, rows: Mapping[str, Entry], undone: Collection[str], gone: Collection[str]) -> bool:
    dream = entry.event.meta.get("dream", {})
    if entry.event.id in gone or "undo" in dream:
        return True
    if dream.get("run") not in undone:
        return False
    hider = rows.get(entry.hidden_by or "")
    was_undone = hider is not None and "undo" in hider.event.meta.get("dream", {})
    return was_undone or bool(entry.event.meta.get("bookkeeping"))


def without_voices(memory: Fields, voices: Collection[str], events: Collection[str]) -> Fields:
    """The memory as if these sessions had not stated it, and these events were not."""
    sessions = [name for name in memory.get("sessions") or () if name not in voices]
    lost = len(memory.get("sessions") or ()) - len(sessions)
    if not lost:
        return memory
    support = max(1, int(memory.get("support") or 1) - lost)
    heavy = weight(
        str(memory["kind"]),
        str(memory.get("trust") or ""),
        approved=bool(memory.get("approved")),
        confidence=memory.get("confidence"),
        support=support,
        last_ms=int(memory.get("last_ms") or 0),
    )
    kept = [name for name in memory.get("events") or () if name not in events]
    return {**memory, "sessions": sessions, "support": support, "events": kept, "weight": heavy}
