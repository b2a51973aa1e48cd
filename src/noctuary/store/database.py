"""The seam: a database runs SQL in a transaction; nothing above it knows which one it is."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

Value = str | int | float | bytes | None
Row = tuple[Any, ...]
Question = tuple[str, Mapping[str, Value]]  # the name of a query, and its values


class Database(Protocol):
    """SQLite for one person, PostgreSQL for a team.

    Every method raises only errors of `noctuary.errors`.  A transaction nests: an inner one joins the outer.
    """

    dialect: Literal["sqlite", "postgres"]

    def fetch(self, query: str, /, **values: Value) -> list[Row]:
        """Run one named query and give all its rows."""
        ...

    def run_many(self, query: str, rows: Iterable[Sequence[Value]], /) -> None:
        """Run one named query for each row of values, in order."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing, visible to others only at the end; holds the right to write from its start."""
        ...

    def hurried(self) -> AbstractContextManager[None]:
        """Many transactions, of which a power cut may take the last ones: all are on the disk at the end, not before.

        Only what this thread commits; without it each transaction is on the disk when it returns.
        """
        ...

    @property
    def is_elsewhere(self) -> bool:
        """Whether what is open is not where it was any more: whoever opens that place would open something else."""
        ...

    def close(self) -> None:
        """Give back what the connection holds; the database is not usable afterwards."""
        ...


@runtime_checkable
class Locking(Protocol):
    """A database that several machines use, and so has the locks that are files where there is one machine."""

    def locked(self, name: str, *, with_others: bool) -> AbstractContextManager[bool]:
        """Hold a lock of this owner until the end, alone or with others who share it; whether it was to be had.

        It is freed when the process ends, however it ends.  Never waits.
        """
        ...


@runtime_checkable
class Foreseeing(Protocol):
    """A database that is elsewhere: each question is a journey to it, and several make it together."""

    def foresee(self, questions: Iterable[Question]) -> AbstractContextManager[None]:
        """Ask these now, at once; whoever asks one of them until the end is given the answer of now.

        Only within a transaction, and only what nothing that is written until the end has any influence on.
        """
        ...


@runtime_checkable
class Extensible(Protocol):
    """A database on a server, which may be able to do more than when the tables were made."""

    def extend(self) -> None:
        """Put to use what it can do by now, as far as this user may; changes no row that anybody wrote."""
        ...


# Files of queries that every database runs.
SHARED = ("common", "dreams", "access", "sharing", "requests", "activity", "audit", "moving", "scrubbing")


def read_queries(*paths: Path) -> Mapping[str, str]:
    """The named queries of SQL files: each begins with a line `-- name: …`."""
    queries: dict[str, str] = {}
    for path in paths:
        for part in path.read_text(encoding="utf-8").split("-- name: ")[1:]:
            name, _, body = part.partition("\n")
            queries[name.strip()] = body.strip().rstrip(";")
    return queries
