"""What is stored but not yet in the full-text index.

FTS5 writes a piece of its index with every transaction.  A search that looks into two pieces takes a sixth longer than
one that looks into one, and to join pieces is to write the whole index once more.  So an import stores messages in
short transactions, notes here which of them are to be indexed, and indexes many at a time.  Killed in between, the
next import does it; until then a search says that something is missing.
"""

from collections.abc import Iterable, Iterator, Sequence

from noctuary.store import keys
from noctuary.store.database import Database, Row
from noctuary.text import searchable_bytes

MOST_AT_ONCE = 48_000_000  # characters: what FTS5 holds in memory before it must write a piece (see 0001_recall.sql)


class Backlog:
    """Ranges of keys that wait to be indexed; a title waits under its own key."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, low: int, high: int, characters: int) -> None:
        """Note that what has these keys must be indexed; belongs in the transaction that stores it."""
        self.database.fetch("add_to_backlog", low=low, high=high, characters=characters)

    def drop(self, low: int, high: int) -> None:
        """What had these keys is gone."""
        self.database.fetch("drop_from_backlog", low=low, high=high)

    def is_any(self, owner: str) -> bool:
        """Whether something of the owner waits."""
        return bool(self.database.fetch("is_backlog", owner=owner))

    def work_off(self) -> None:
        """Index all that waits: so much in a transaction that few pieces come of it, and others wait for a second."""
        while self.database.fetch("backlog"):  # to look needs no turn as a writer, and mostly there is nothing
            with self.database.transaction():
                ranges = portion(self.database.fetch("backlog"))
                self.database.run_many("index_message", self._texts(ranges))
                if ranges:
                    self.drop(ranges[0][0], ranges[-1][0])

    def _texts(self, ranges: Iterable[Row]) -> Iterator[tuple[int, bytes]]:
        """Keys and texts in the order of keys: FTS5 would write a piece at every step back.

        Texts stay the bytes they are in the database; to make strings of them and back costs more than to look at them.
        """
        for low, high, _ in ranges:
            query = "indexable_between" if keys.place_of(low) else "title_at"
            for key, text in self.database.fetch(query, low=low, high=high):
                yield key, searchable_bytes(text)


def portion(ranges: Sequence[Row]) -> Sequence[Row]:
    """The first of the ranges, as many as may be indexed at once; one at least."""
    characters = 0
    for count, (_, _, size) in enumerate(ranges, 1):
        characters += size
        if characters >= MOST_AT_ONCE:
            return ranges[:count]
    return ranges
