"""Lists that are read in parts: each part begins behind the last row of the one before, whatever came meanwhile."""

from typing import NamedTuple

from noctuary.records import Session, Status
from noctuary.store.database import Database, Row
from noctuary.store.dreams import StoredRun
from noctuary.store.sessions import session_from


class SessionChoice(NamedTuple):
    """Which sessions are wanted; what is None does not restrict.  Names are whole."""

    agent: str | None = None
    project: str | None = None
    status: Status | None = None
    after_ms: int | None = None
    before_ms: int | None = None


class EventChoice(NamedTuple):
    """Which events are wanted; what is None does not restrict."""

    project: str | None = None
    node: str | None = None
    type: str | None = None
    status: str | None = None
    is_hidden_too: bool = False  # what was corrected or taken back


class Listing:
    """Lists of all owners; every call names the owner."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def sessions(self, owner: str, wanted: SessionChoice, behind: tuple[int, str] | None, most: int) -> list[Session]:
        """Sessions by last activity, the newest first; `behind` is the last activity and the id of one of them."""
        last_ms, name = behind or (None, None)
        rows = self.database.fetch(
            "listed_sessions",
            owner=owner,
            agent=wanted.agent,
            project=wanted.project,
            status=wanted.status,
            since_ms=wanted.after_ms,
            until_ms=wanted.before_ms,
            last_ms=last_ms,
            id=name,
            most=most,
        )
        return [session_from(row) for row in rows]

    def events(self, owner: str, wanted: EventChoice, before: str | None, most: int) -> list[Row]:
        """Events, the last written first; `before` is the id of one of them."""
        return self.database.fetch(
            "listed_events",
            owner=owner,
            project=wanted.project,
            node=wanted.node,
            type=wanted.type,
            status=wanted.status,
            hidden=int(wanted.is_hidden_too),
            before=before,
            most=most,
        )

    def runs(self, owner: str, before: str | None, most: int) -> list[StoredRun]:
        """Dreams, the last first; `before` is the id of one of them."""
        return [StoredRun(*row) for row in self.database.fetch("listed_runs", owner=owner, before=before, most=most)]
