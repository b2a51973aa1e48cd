"""Events in the database: the lines of the journals, and what later ones made of them."""

import json
from collections.abc import Iterable, Sequence

from noctuary.authored import EventType
from noctuary.store.database import Database, Row
from noctuary.store.sessions import like_beginning

EVERYTHING = 1_000_000_000
Stored = tuple[str, str, str | None, str | None, str]  # type, status, hidden by, superseded by, the journal's line


class Events:
    """The events of all owners; every call names the owner.  Rows are decoded by the ledger."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def find(self, owner: str, event_id: str) -> Row | None:
        """One event, or None."""
        rows = self.database.fetch("find_event", owner=owner, id=event_id)
        return rows[0] if rows else None

    def superseded_by(self, owner: str, event_id: str) -> list[Row]:
        """The events that an event superseded, hidden ones too."""
        return self.database.fetch("events_superseded_by", owner=owner, id=event_id)

    def beginning_with(self, owner: str, prefix: str) -> list[str]:
        """Ids that begin with the text, at most eleven."""
        return [row[0] for row in self.database.fetch("events_like", owner=owner, prefix=like_beginning(prefix))]

    def of_node(
        self,
        owner: str,
        node: str,
        types: Iterable[EventType] | None = None,
        most: int = EVERYTHING,
        *,
        hidden: bool = False,
    ) -> list[Row]:
        """What was said about a node, the newest first; with `hidden` also what was taken back."""
        return self.database.fetch(
            "events_of_node", owner=owner, node=node, types=_list(types), most=most, hidden=hidden
        )

    def of_project(
        self,
        owner: str,
        project: str | None,
        types: Iterable[EventType] | None = None,
        most: int = EVERYTHING,
        *,
        status: str | None = None,
        after_ms: int = 0,
        hidden: bool = False,
    ) -> list[Row]:
        """What was said in a project, the newest first; in all of them if it is None."""
        return self.database.fetch(
            "events_of_project",
            owner=owner,
            project=project,
            types=_list(types),
            most=most,
            status=status,
            after_ms=after_ms,
            hidden=hidden,
        )

    def all(self, owner: str, project: str | None) -> list[Row]:
        """Every event, hidden ones too, in the order in which they are folded."""
        return self.database.fetch("all_events", owner=owner, project=project)

    def count(self, owner: str) -> int:
        """How many events there are, hidden ones too."""
        return int(self.database.fetch("event_count", owner=owner)[0][0])

    def known(self, owner: str, ids: Iterable[str]) -> set[str]:
        """Which of these ids there are."""
        return {row[0] for row in self.database.fetch("known_events", owner=owner, ids=json.dumps(list(ids)))}

    def task_of_session(self, owner: str, session: str) -> str | None:
        """The node that an agent's session wrote about last."""
        rows = self.database.fetch("task_of_session", owner=owner, session=session)
        return rows[0][0] if rows else None

    def matching(
        self,
        owner: str,
        match: str,
        *,
        types: Iterable[EventType] | None = None,
        project: str | None = None,
        node: str | None = None,
        after_ms: int = 0,
        most: int = 1_000,
    ) -> list[Row]:
        """Events that match, in the words of the index, the best first; each row without its number."""
        numbers = [row[0] for row in self.database.fetch("matching_events", owner=owner, match=match, most=most)]
        rows = self.database.fetch(
            "events_by_number",
            owner=owner,
            numbers=json.dumps(numbers),
            project=project,
            node=node,
            types=_list(types),
            after_ms=after_ms,
        )
        by_number = {row[0]: row[1:] for row in rows}
        return [by_number[number] for number in numbers if number in by_number]

    def of_session(self, owner: str, session: str, most: int = 200) -> list[Row]:
        """What was written down in a session of an agent, or dreamt from it, the newest first."""
        return self.database.fetch("events_of_session", owner=owner, session=session, most=most)

    def citing(self, owner: str, session: str, message: int | None = None) -> list[Row]:
        """Events that rest on a message of a session, or on any of them; those taken back, too."""
        return self.database.fetch("events_citing", owner=owner, session=session, message=message)

    def retracted(self, owner: str, project: str, most: int) -> list[Row]:
        """What was taken back in a project, the newest first."""
        return self.database.fetch("retracted_events", owner=owner, project=project, most=most)

    def suggested(self, owner: str, project: str | None, most: int = EVERYTHING, *, after: str = "") -> list[Row]:
        """What waits to be looked at, the oldest first: of a project or of all, after an event."""
        return self.database.fetch("suggested_events", owner=owner, project=project, after=after, most=most)

    def suggested_count(self, owner: str, project: str | None) -> int:
        """How much waits to be looked at."""
        return int(self.database.fetch("suggested_count", owner=owner, project=project)[0][0])


def _list(values: Iterable[str] | Sequence[str] | None) -> str | None:
    return None if values is None else json.dumps([str(value) for value in values])
