"""Sessions of work on a goal, and the notes they end with."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from noctuary.store.database import Database, Row


class WorkSession(NamedTuple):
    """Some time of work on a goal, by some agents."""

    id: str
    project: str
    goal: str
    started_ms: int
    ended_ms: int | None = None
    notes: str | None = None  # the handoff
    agents: Sequence[str] = ()
    summary: str | None = None


class WorkSessions:
    """The sessions of work of all owners; every call names the owner."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def find(self, owner: str, session_id: str) -> WorkSession | None:
        """One session, or None."""
        rows = self.database.fetch("find_work_session", owner=owner, id=session_id)
        return work_session_from(rows[0]) if rows else None

    def where(
        self,
        owner: str,
        *,
        goal: str | None = None,
        project: str | None = None,
        is_ended: bool = False,
        is_open: bool = False,
        most: int = 100,
    ) -> list[WorkSession]:
        """Sessions of a goal, the newest first; only ended ones or only open ones if asked."""
        rows = self.database.fetch(
            "work_sessions_of_goal",
            owner=owner,
            goal=goal,
            project=project,
            is_ended=is_ended,
            is_open=is_open,
            most=most,
        )
        return [work_session_from(row) for row in rows]


def work_session_from(row: Row) -> WorkSession:
    """The session of a row."""
    session_id, project, goal, started_ms, ended_ms, notes, agents, summary = row
    return WorkSession(session_id, project, goal, started_ms, ended_ms, notes, tuple(json.loads(agents)), summary)
