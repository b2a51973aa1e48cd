"""Events by their words, at a cost that does not grow with how many there are: of each expression only some."""

import json
from collections.abc import Iterable, Sequence

from noctuary.store.database import Database, Row

MOST_LOOKED_AT = 2_000  # events that match an expression, whosever they are


class EventWords:
    """The full-text index of events, and that of what was taken back, as a dream asks them."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def matching(
        self, owner: str, project: str, matches: Sequence[str], most: int, *, hidden: bool = False
    ) -> list[list[int]]:
        """Of each expression, in FTS5's own language, the numbers of at most so many events that match it.

        They are of the project, however many others say the same.
        """
        query = "some_hidden_with_words" if hidden else "some_with_words"
        asked = json.dumps(matches)
        rows = self.database.fetch(
            query, owner=owner, project=project, matches=asked, most=most, looked_at=MOST_LOOKED_AT
        )
        found: list[list[int]] = json.loads(f"[{','.join([numbers for _, numbers in rows])}]")
        return found

    def has_hidden(self) -> bool:
        """Whether anything was ever taken back, by anybody."""
        return bool(self.database.fetch("any_hidden_event"))

    def by_number(
        self, owner: str, project: str, numbers: Sequence[int], types: Iterable[str] | None = None
    ) -> list[Row]:
        """Those of the numbers that are events of the project, in the order of the numbers; rows without them."""
        found = self.numbered(owner, project, numbers, types)
        return [found[number] for number in numbers if number in found]

    def numbered(
        self, owner: str, project: str, numbers: Sequence[int], types: Iterable[str] | None = None
    ) -> dict[int, Row]:
        """Those of the numbers that are events of the project, each with its row."""
        rows = self.database.fetch(
            "events_by_number",
            owner=owner,
            numbers=json.dumps(numbers),
            project=project,
            node=None,
            types=None if types is None else json.dumps([*map(str, types)]),
            after_ms=0,
        )
        return {row[0]: row[1:] for row in rows}
