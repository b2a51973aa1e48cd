"""PostgreSQL through psycopg: one database for a team, each owner alone with their rows.

Connections come from one pool for each server.  They act as the role `noctuary_member`, for which the database compares
each row's owner with that of the connection, so that a mistake above this module shows nobody another's memory.  Within
one owner's memory writers take turns, as they do in SQLite, by a lock that the transaction holds; those of different
owners do not wait for each other.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import Any, Literal

import psycopg
from psycopg import ClientCursor
from psycopg_pool import PoolTimeout

from noctuary.digests import digest
from noctuary.errors import StoreError, StoreTooNew
from noctuary.store.database import SHARED, Question, Row, Value, read_queries
from noctuary.store.migrate import changed_meanwhile
from noctuary.store.postgres_errors import as_ours, shown, translated
from noctuary.store.postgres_pool import POOLS, Connection, connect
from noctuary.store.postgres_sql import Query, in_postgres, typed
from noctuary.store.postgres_tables import VERSION, extend, migrate, newest_version
from noctuary.store.postgres_words import as_tsqueries, as_tsquery, as_tsvector

_FOLDER = Path(__file__).parent / "sql"
_ESCAPE = "\ufdd1"  # a character that stands for nothing; NUL, which no text of the server can hold, is kept by it
_TURN = f"""
select set_config('lock_timeout', %s, true), pg_advisory_xact_lock(%s), set_config('lock_timeout', '0', true),
    (select max(version) from {VERSION})"""  # noqa: S608 (a name of ours)
_Asked = tuple[str, frozenset[tuple[str, Value]]]  # a query and its values
_MADE = {"::tsvector": as_tsvector, "::tsquery": as_tsquery, "::tsquery[]": as_tsqueries}


class PostgresDatabase:
    """A `Database` on a PostgreSQL server, of one owner."""

    dialect: Literal["sqlite", "postgres"] = "postgres"

    def __init__(self, url: str, owner: str, *, busy_seconds: float = 30.0) -> None:
        """Connect, making or migrating the tables if need be; StoreTooNew leaves them untouched."""
        self.url = url
        self.owner = owner
        self.queries = _queries()
        self._busy_seconds = busy_seconds
        self._lock = RLock()
        self._depth = 0
        self._held: Connection | None = None
        self._foreseen: dict[_Asked, list[Row]] = {}
        self._is_open = False
        with translated(url), connect(url) as connection:
            migrate(connection)
        self._pool = POOLS.take(url)
        self._is_open = True

    def fetch(self, query: str, /, **values: Value) -> list[Row]:
        """Run one named query and give all its rows."""
        with self._lock:
            if self._foreseen and (known := self._foreseen.get((query, frozenset(values.items())))) is not None:
                return known
            planned, given, gives_rows = self._planned(query, values)
            try:  # not `_translated`: a search runs dozens of queries, and context managers cost as much as some
                if self._held is not None:
                    return _rows(self._held, planned, given, gives_rows=gives_rows)
                with self._connection() as connection:
                    return _rows(connection, planned, given, gives_rows=gives_rows)
            except (psycopg.Error, PoolTimeout) as error:
                raise as_ours(error, self.url) from error

    def _planned(self, query: str, values: Mapping[str, Value]) -> tuple[str, dict[str, Value], bool]:
        """A query as the server plans it, its values as the server takes them, and whether it gives rows."""
        sql, made, gives_rows = self.queries[query]
        given = {name: _adapted(value, made.get(name)) for name, value in values.items()}
        return typed(sql, tuple((name, type(value)) for name, value in given.items())), given, gives_rows

    @contextmanager
    def foresee(self, questions: Iterable[Question]) -> Iterator[None]:
        """Send all questions before the first answer is waited for: within a transaction that is one journey."""
        with self._lock, translated(self.url):
            connection = self._held
            if connection is None:
                raise StoreError("Questions are foreseen within a transaction only.")
            sent = []
            for query, values in questions:
                planned, given, _ = self._planned(query, values)
                sent.append(((query, frozenset(values.items())), connection.cursor().execute(planned, given)))
            before, self._foreseen = self._foreseen, {asked: _restored_rows(cursor) for asked, cursor in sent}
            try:
                yield
            finally:
                self._foreseen = before

    def run_many(self, query: str, rows: Iterable[Sequence[Value]], /) -> None:
        """Run one named query for each row of values, in order."""
        sql, made, _ = self.queries[query]
        adapted = [[_adapted(value, made.get(place)) for place, value in enumerate(row)] for row in rows]
        if not adapted:
            return
        with self._lock, translated(self.url), self._connection() as connection:
            cursor = connection.cursor()
            if len(adapted) == 1:
                cursor.execute(sql, adapted[0])
            else:
                cursor.executemany(sql, adapted)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; an inner transaction joins the outer one.

        What gives no rows is sent and not waited for: its error is raised by the next query that is, or at the end.
        """
        with self._lock, translated(self.url):
            if self._depth:
                self._depth += 1
                try:
                    yield
                finally:
                    self._depth -= 1
                return
            with self._connection() as connection:
                self._held, self._depth = connection, 1
                try:
                    with connection.pipeline(), connection.transaction():
                        self._take_turn(connection)
                        yield
                finally:
                    self._held, self._depth = None, 0

    def hurried(self) -> AbstractContextManager[None]:
        """Nothing is different: the server writes for many at once anyway."""
        return nullcontext()

    @contextmanager
    def locked(self, name: str, *, with_others: bool) -> Iterator[bool]:
        """Hold a lock of this owner until the end; on a connection that nobody else uses, with which it ends."""
        key, shared = _lock_key(f"{name}\0{self.owner}"), "_shared" if with_others else ""
        with translated(self.url):
            connection = POOLS.take_alone(self.url)
            try:
                is_had = bool(connection.execute(f"select pg_try_advisory_lock{shared}(%s)", (key,)).fetchall()[0][0])
                try:
                    yield is_had
                finally:
                    if is_had:
                        connection.execute(f"select pg_advisory_unlock{shared}(%s)", (key,))
            except BaseException:
                connection.close()
                raise
            POOLS.keep_alone(self.url, connection)

    def extend(self) -> None:
        """Put to use what the server can do by now, as far as this user may."""
        with translated(self.url), connect(self.url) as connection:
            extend(connection)

    def _take_turn(self, connection: Connection) -> None:
        """Wait until nobody else writes for this owner, at most as long as the settings say."""
        wait_ms = max(1, int(self._busy_seconds * 1_000))
        turn = connection.own_cursor.execute(_TURN, (str(wait_ms), _lock_key(self.owner))).fetchall()
        if turn[0][3] != newest_version():
            raise StoreTooNew(changed_meanwhile(shown(self.url)))

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        """The connection of the present transaction, or one for this query."""
        if self._held is not None:
            yield self._held
            return
        if not self._is_open:
            raise StoreError("This memory was closed.")
        connection = self._pool.taken(max(self._busy_seconds, 1.0))
        try:
            if connection.owner != self.owner:
                setting = (_adapted(self.owner, None),)
                ClientCursor(connection).execute("select set_config('noctuary.owner', %s, false)", setting)
                connection.owner = self.owner
            yield connection
            connection.used_at = monotonic()
        finally:
            self._pool.putconn(connection)

    @property
    def is_elsewhere(self) -> bool:
        """Never: an address stays what it is."""
        return False

    def close(self) -> None:
        """Give the connections back; the last one to do so closes them."""
        with self._lock:
            if self._is_open:
                self._is_open = False
                POOLS.give_back(self.url)


def _rows(connection: Connection, sql: str, values: dict[str, Value], *, gives_rows: bool) -> list[Row]:
    if not gives_rows:
        connection.cursor().execute(sql, values)
        return []
    return _restored_rows(connection.own_cursor.execute(sql, values))


def _restored_rows(cursor: psycopg.Cursor[Row]) -> list[Row]:
    return [tuple(map(_restored, row)) for row in cursor.fetchall()]


def _lock_key(name: str) -> int:
    return int.from_bytes(digest(name.encode("utf-8", "surrogatepass"), size=8), signed=True)


def _queries() -> dict[str, Query]:
    if not _QUERIES:
        files = (_FOLDER / f"{name}.sql" for name in (*SHARED, "postgres"))
        _QUERIES.update((name, in_postgres(sql)) for name, sql in read_queries(*files).items())
    return _QUERIES


_QUERIES: dict[str, Query] = {}


def _adapted(value: Value, made: str | None) -> Value:
    """A value as the server takes it: made of words if the query says so; truth is a number, as in SQLite."""
    if value is None or type(value) is int:  # as most are
        return value
    if made is not None and isinstance(value, (str, bytes)):
        return _MADE[made](value if isinstance(value, str) else value.decode("utf-8", "replace"))
    if isinstance(value, str) and ("\0" in value or _ESCAPE in value):
        return value.replace(_ESCAPE, f"{_ESCAPE}1").replace("\0", f"{_ESCAPE}0")
    if isinstance(value, bool):
        return int(value)
    return str(value) if isinstance(value, str) and type(value) is not str else value


def _restored(value: Any) -> Any:
    """A value as it was given."""
    if isinstance(value, str) and _ESCAPE in value:
        return value.replace(f"{_ESCAPE}0", "\0").replace(f"{_ESCAPE}1", _ESCAPE)
    return value
