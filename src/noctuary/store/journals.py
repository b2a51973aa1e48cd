"""How far each journal has been folded into the tables."""

from collections.abc import Iterator
from contextlib import contextmanager

from noctuary.store.database import Database, Row

NOWHERE: Row = (0, 0, "", "", 0)
_DUMPS = {"events": "dump_events", "nodes": "dump_nodes", "edges": "dump_edges",
          "sessions of work": "dump_work_sessions", "memories": "dump_memories",
          "support of memories": "dump_support"}  # fmt: skip
_CLEAR = (
    "clear_event_index",
    "clear_hidden_event_index",
    "clear_node_index",
    "clear_events",
    "clear_nodes",
    "clear_edges",
)
_UNINDEX = (
    ("unindex_event", "numbers_of_events"),
    ("unindex_hidden_event", "numbers_of_events"),
    ("unindex_node", "numbers_of_nodes"),
)
_REMOVE = ("remove_folded_events", "remove_folded_nodes", "remove_folded_edges", "remove_folded_work_sessions",
           "remove_folded_memories", "remove_folded_support", "remove_folded_journals",
           "remove_seen_of_pages")  # fmt: skip


class Journals:
    """The places of all journals; a place is offset, number and digest of a line, last id, start of the line."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def place(self, owner: str, project: str) -> Row:
        """Where folding goes on."""
        rows = self.database.fetch("find_journal", owner=owner, project=project)
        return rows[0] if rows else NOWHERE

    def save_place(self, owner: str, project: str, place: Row) -> None:
        """Remember how far the journal is folded."""
        offset, number, digest, last_id, start = place
        self.database.fetch(
            "save_journal",
            owner=owner,
            project=project,
            place=offset,
            number=number,
            digest=digest,
            last_id=last_id,
            start=start,
        )

    def projects(self, owner: str) -> list[str]:
        """The projects whose journals have been folded."""
        return [row[0] for row in self.database.fetch("folded_projects", owner=owner)]

    @staticmethod
    def kinds() -> tuple[str, ...]:
        """What is folded from journals, as `dump` names it."""
        return tuple(_DUMPS)

    def dump(self, owner: str, project: str) -> dict[str, list[Row]]:
        """All that was folded from a journal, by what it is: the same journal always gives the same."""
        return {name: self.database.fetch(query, owner=owner, project=project) for name, query in _DUMPS.items()}

    @contextmanager
    def many_rows(self) -> Iterator[None]:
        """Room for many rows to be written: pages of indexes are written once, not over and over."""
        self.database.fetch("widen_cache")
        try:
            yield
        finally:
            self.database.fetch("narrow_cache")

    def remove(self, owner: str, project: str | None = None) -> None:
        """Forget all that was folded from a journal, or from all of the owner, so that it can be folded again."""
        with self.database.transaction():
            if not self.database.fetch("other_events", owner=owner, project=project):
                for query in _CLEAR:  # far faster than one by one
                    self.database.fetch(query)
            else:
                for index, numbers in _UNINDEX:
                    self.database.run_many(index, self.database.fetch(numbers, owner=owner, project=project))
            for query in _REMOVE:
                self.database.fetch(query, owner=owner, project=project)
