"""What is known of events besides their rows: which messages they cite, and that whoever listens is told of them.

A database server notes both by itself, where the rows are; that saves a journey.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from noctuary.store.database import Database, Value

_GREATEST = 0xFFFFFF  # number of a message that events are found by
Row = tuple[Value, ...]


class Announcements:
    """What the events of one fold cite, and which of them are new to whoever listens."""

    def __init__(self, database: Database, owner: str, project: str) -> None:
        self._database, self._owner, self._project = database, owner, project
        self._is_ours = database.dialect == "sqlite"
        self._citations: list[Row] = []
        self._events: list[tuple[str, Value]] = []  # id and type
        self._last: str | None = None  # of those that were told, by its id

    def add(self, number: int, event_id: str, kind: Value, refs: Mapping[str, Any] | None) -> None:
        """Take in an event that says something."""
        if not self._is_ours:
            return
        self._events.append((event_id, kind))
        for cited in refs.get("messages", ()) if refs else ():
            if 0 < cited["id"] <= _GREATEST:
                self._citations.append((self._owner, cited["session"], cited["id"], number))

    def write(self) -> None:
        """Write what was taken in."""
        if self._citations:
            self._database.run_many("cite_message", self._citations)
            self._citations.clear()
        if self._events:
            self._tell(self._events)
            self._events.clear()

    def _tell(self, events: Iterable[tuple[str, Value]]) -> None:
        """Tell of those that were never told of: a journal may be folded again, and what it says is no news then."""
        last = before = self._last_told()
        news: list[Row] = []
        for event_id, kind in events:
            if event_id > last:
                news.append((self._owner, self._project, event_id, kind))
                last = event_id
        if last != before:
            self._database.run_many("tell_of_event", news)
            self._database.fetch("note_told", owner=self._owner, project=self._project, id=last)
            self._last = last

    def _last_told(self) -> str:
        if self._last is None:
            rows = self._database.fetch("last_told", owner=self._owner, project=self._project)
            self._last = str(rows[0][0]) if rows else ""
        return self._last
