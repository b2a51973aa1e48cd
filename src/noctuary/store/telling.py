"""What a session can be told at its start, read at a cost that does not grow with how much was ever said."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from noctuary.authored import EventStatus, EventType, Trust
from noctuary.records import Session
from noctuary.store.database import Database, Row
from noctuary.store.memories import MemoryStatus, Remembered, memory_from
from noctuary.store.sessions import session_from


class Noted(NamedTuple):
    """An event that still holds, as far as telling it needs it to be known."""

    id: str
    type: EventType  # of a correction that of what it corrects
    status: EventStatus
    ts_ms: int
    session: str  # that it is from; empty if it is from none
    text: str
    trust: Trust
    confidence: float | None = None
    alternatives: Sequence[Any] = ()  # of a decision, as they were written


class Telling:
    """Events, memories and sessions of one project, as a brief asks for them; every call names the owner."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def events(self, owner: str, project: str, types: Iterable[EventType], most: int) -> list[Noted]:
        """What was noted in a project and still holds, the newest first."""
        kinds = json.dumps([str(kind) for kind in types])
        rows = self.database.fetch("told_events", owner=owner, project=project, types=kinds, most=most)
        return [_noted(row) for row in rows if row[5]]

    def memories(self, owner: str, project: str, status: MemoryStatus, most: int) -> list[Remembered]:
        """The memories of a project alone that stand so, the most important first."""
        rows = self.database.fetch("weightiest_memories", owner=owner, project=project, status=status, most=most)
        return [memory_from(row) for row in rows]

    def remembered(self, owner: str, events: Iterable[str]) -> dict[str, str]:
        """Those of these events that say or support a memory, each with that memory; it holds, or holds no longer.

        Such an event is not told by itself: what was forgotten or superseded would come back in other words.
        """
        return dict(self.database.fetch("supported_memories", owner=owner, events=json.dumps([*events])))

    def sessions(self, owner: str, project: str, most: int) -> list[Session]:
        """The last sessions of a project alone, the newest first; those that agents had with themselves are none."""
        return [
            session_from(row) for row in self.database.fetch("last_sessions", owner=owner, project=project, most=most)
        ]

    def ending_in(self, owner: str, ending: str) -> list[str]:
        """Ids of events that end so, at most eleven; reads every id."""
        return [row[0] for row in self.database.fetch("events_ending_in", owner=owner, ending=f"%{ending}")]


def _noted(row: Row) -> Noted:
    name, kind, status, ts_ms, session, text, trust, confidence, alternatives = row
    sure = confidence if isinstance(confidence, (int, float)) else None
    given = json.loads(alternatives) if isinstance(alternatives, str) and alternatives.startswith("[") else ()
    return Noted(
        name,
        EventType(kind),
        EventStatus(status),
        ts_ms,
        str(session),
        str(text),
        Trust(trust or Trust.USER),
        sure,
        given,
    )
