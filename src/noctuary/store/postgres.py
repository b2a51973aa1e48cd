"""PostgreSQL through psycopg: one database for a team, each owner alone with their rows."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from noctuary.store.database import Row, Value


class PostgresDatabase:
    """A `Database` on a PostgreSQL server, of one owner."""

    dialect: Literal["sqlite", "postgres"] = "postgres"

    def __init__(self, url: str, owner: str, *, busy_seconds: float = 30.0) -> None:
        raise NotImplementedError(url, owner, busy_seconds)

    def fetch(self, query: str, /, **values: Value) -> list[Row]:
        """Run one named query and give all its rows."""
        raise NotImplementedError(query, values)

    def run_many(self, query: str, rows: Iterable[Sequence[Value]], /) -> None:
        """Run one named query for each row of values, in order."""
        raise NotImplementedError(query, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; an inner transaction joins the outer one."""
        raise NotImplementedError
        yield

    def close(self) -> None:
        """Give the connections back."""
