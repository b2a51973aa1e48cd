"""All that one owner has, table by table, as it is moved to another database.

Most tables are moved row by row.  Sessions and embedding models have numbers that each database gives anew, and
messages and vectors are found by these.  What is folded from journals or made from messages is made again there.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from noctuary.store import keys
from noctuary.store.database import Database, Row

PLAIN = (
    "totals",
    "places",
    "tombstones",
    "leases",
    "dream_sessions",
    "dream_runs",
    "dream_state",
    "dream_spending",
    "dream_answers",
    "memory_pages",
    "api_keys",
    "audit_log",
    "teams",
    "team_members",
    "shares",
    "share_reviews",
    "share_history",
    "share_bindings",
    "dream_requests",
    "request_answers",  # behind tombstones, each of which has all answers forgotten
)
NUMBERED = ("sessions", "messages", "embedders", "vectors")
# Made again: from the journals, from messages, or by the database itself when rows are added.
DERIVED = (
    *("journals", "events", "event_index", "hidden_event_index", "nodes", "node_index", "edges", "work_sessions"),
    *("memories", "memory_support", "memory_topics", "memory_lines", "citations", "message_index", "backlog"),
    *("changes", "told_events"),
)
JOURNAL = "journal_lines"  # or files
_SESSION = ("id", "agent", "project", "title", "title_source", "cwd", "branch", "model", "parent", "relation", "source",
            "source_path", "started_ms", "last_ms", "ended_ms", "status", "message_count", "last_id", "preview",
            "covered_id")  # fmt: skip
_TITLE = _SESSION.index("title")
_LOW = (1 << keys.SESSION_SHIFT) - 1


class OwnedSession(NamedTuple):
    """A session under its number in one database."""

    no: int
    row: Row  # all that is known of it but the number and the owner

    @property
    def id(self) -> str:
        """Its name, which is the same everywhere."""
        return str(self.row[0])

    @property
    def title(self) -> str | None:
        """What it is called."""
        title: str | None = self.row[_TITLE]
        return title


class OwnedRows:
    """What one owner has in a database."""

    def __init__(self, database: Database, owner: str) -> None:
        self.database = database
        self.owner = owner

    def begin(self) -> None:
        """Let rows in and out, as they are, until the end of the transaction."""
        self.database.fetch("begin_moving")

    def plain(self, table: str) -> list[Row]:
        """The rows of one of the tables that are `PLAIN`, without their owner, in a fixed order."""
        return sorted(self.database.fetch(f"owned_{table}", owner=self.owner), key=repr)

    def add_plain(self, table: str, rows: Iterable[Row]) -> None:
        """Add rows to one of them."""
        self.database.run_many(f"add_owned_{table}", [(self.owner, *row) for row in rows])

    def sessions(self) -> list[OwnedSession]:
        """The sessions, by name."""
        rows = self.database.fetch("owned_sessions", owner=self.owner)
        return sorted((OwnedSession(row[0], row[1:]) for row in rows), key=lambda session: session.id)

    def add_session(self, row: Row) -> int:
        """Add a session; the number that it is given."""
        given = dict(zip(_SESSION, row, strict=True))
        return int(self.database.fetch("add_owned_session", owner=self.owner, **given)[0][0])

    def messages(self, session_no: int) -> list[Row]:
        """All messages of a session in order, each under its place in it, whatever the number of the session is."""
        low = session_no << keys.SESSION_SHIFT
        rows = self.database.fetch("owned_messages", low=low, high=low | _LOW)
        return [(row[0] & _LOW, *row[1:]) for row in rows]

    def add_messages(self, session_no: int, rows: Iterable[Row]) -> None:
        """Add messages to a session."""
        high = session_no << keys.SESSION_SHIFT
        self.database.run_many("add_message", [(high | row[0], *row[1:]) for row in rows])

    def embedders(self) -> list[tuple[int, Row]]:
        """Number, and name, source, dimension, state and count of changes of each model, the first chosen first."""
        return [(row[0], row[1:]) for row in self.database.fetch("embedders")]

    def add_embedder(self, row: Row) -> int:
        """Add a model; the number that it is given."""
        name, source, dimension, state, changes = row
        added = self.database.fetch(
            "add_owned_embedder", name=name, source=source, dimension=dimension, state=state, changes=changes
        )
        return int(added[0][0])

    def vectors(self, embedder: int) -> Iterator[Row]:
        """Number of the session, how far it is covered, and the vectors, of each session of the owner."""
        return iter(self.database.fetch("owned_vectors", owner=self.owner, embedder=embedder))

    def add_vectors(self, embedder: int, rows: Iterable[Row]) -> None:
        """Add the vectors of sessions."""
        self.database.run_many("add_owned_vectors", [(embedder, *row) for row in rows])


def everybody(database: Database) -> list[str]:
    """Whoever has anything in a database that shows everybody's rows, by name."""
    return sorted(row[0] for row in database.fetch("everybody"))
