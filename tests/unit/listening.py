"""A database that can be asked what it was asked: to see what is read, and what is not."""

from pathlib import Path

from noctuary.store.database import Row, Value
from noctuary.store.sqlite import BUSY_SECONDS, SqliteDatabase


class Listening(SqliteDatabase):
    """A database in a file that remembers every named query and its values."""

    def __init__(self, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        super().__init__(path, busy_seconds=busy_seconds)
        self.asked: list[tuple[str, dict[str, Value]]] = []

    def fetch(self, query: str, /, **values: Value) -> list[Row]:
        """Run one named query and give all its rows."""
        self.asked.append((query, values))
        return super().fetch(query, **values)
