"""Databases that other programs keep: only ever read, though their program may be writing to them.

Every fault of such a file is an OSError, as with any file that cannot be read to its end.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from noctuary.transcripts.blocks import parse_json
from noctuary.transcripts.finding import open_file
from noctuary.transcripts.unchanged import while_unchanged

WAIT_MS = 2_000
GLANCE_MS = 50  # for who only looks for transcripts, which happens every few seconds
_SESSIONS = ("session", "sessions")  # as programs call the table of them
_READ = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


class ForeignDatabase:
    """A database to ask; texts that are no UTF-8 are read as far as they are."""

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        self._connection, self._path = connection, path
        self._columns: dict[str, set[str]] = {}

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows of a query, its columns named apart; OSError if the file does not have what is asked for."""
        with _as_os_errors(self._path):
            try:
                return list(self._connection.execute(sql, values))
            except UnicodeDecodeError:  # one bad byte must not cost the whole database
                return self._mended_rows(sql, values)

    def columns(self, table: str) -> set[str]:
        """The columns of a table; none if there is no such table."""
        if table not in self._columns:
            self._columns[table] = {row[1] for row in self.rows(f"pragma table_info('{table}')")}
        return self._columns[table]

    def these(self, table: str, *names: str) -> str:
        """Columns of a table to select, each by its name; null for one that this version does not have."""
        there = self.columns(table)
        return ", ".join([name if name in there else f"null as {name}" for name in names])

    def _mended_rows(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """The rows of a query with texts that are no UTF-8: read as bytes, and what is no text in them replaced."""
        no_rows = self._connection.execute(f"select * from (select 0) left join ({sql}) on false", values)  # noqa: S608 - our own queries
        names = [column[0] for column in no_rows.get_description()[1:]]
        raw = [f'iif(typeof("{name}") = \'text\', cast("{name}" as blob), "{name}")' for name in names]
        found = self._connection.execute(f"select {', '.join(raw)} from ({sql})", values)  # noqa: S608
        return [tuple([text_in(part) if type(part) is bytes else part for part in row]) for row in found]


@contextmanager
def open_foreign(path: Path, *, wait_ms: int = WAIT_MS) -> Iterator[ForeignDatabase]:
    """Open a database of another program for reading; if that is writing to it for too long, a copy of it."""
    with _as_os_errors(path):
        open_file(path).close()  # SQLite would wait for a pipe, and no signal ends that
        connection = apsw.Connection(f"file:{quote(str(path))}?mode=ro", flags=_READ)
        try:
            connection.set_busy_timeout(wait_ms)
            try:
                connection.execute("select count(*) from sqlite_master").fetchall()
            except (apsw.BusyError, apsw.LockedError):
                connection.set_busy_timeout(0)  # it was waited for already
                connection = _copied(connection)
            except (apsw.CantOpenError, apsw.ReadOnlyError):  # a write-ahead log in a folder that is not ours
                connection.close()
                connection = apsw.Connection(f"file:{quote(str(path))}?mode=ro&immutable=1", flags=_READ)
            yield ForeignDatabase(connection, path)
        finally:
            connection.close()


def beside(path: Path) -> tuple[Path, ...]:
    """The files in which changes of a database may be before they are in its own."""
    return (path.with_name(f"{path.name}-wal"),)


def text_in(value: object) -> str:
    """The text in a column, which may be kept as bytes; an empty one for what is neither."""
    if type(value) is bytes:
        return value.decode("utf-8", "replace")
    return value if type(value) is str else ""


def json_in(value: object) -> Any:
    """The JSON value in a column; None if it holds none."""
    return parse_json(text_in(value))


@while_unchanged
def is_sqlite(path: Path) -> bool:
    """Whether a file is a database, by how it begins."""
    try:
        with open_file(path) as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def ids_in(databases: Iterable[Path], table: str) -> set[str] | None:
    """The ids in a table of some databases; None if one cannot be read, so that nobody can tell."""
    try:
        return {name for path in databases for name in _ids_of(path).get(table, ())}
    except OSError:
        return None


@while_unchanged
def _ids_of(path: Path) -> dict[str, frozenset[str]]:
    """What the tables of sessions have in their column `id`; remembered, as whoever follows transcripts asks often."""
    with open_foreign(path, wait_ms=GLANCE_MS) as database:
        tables = [table for table in _SESSIONS if "id" in database.columns(table)]
        found = {table: database.rows(f"select id from {table}") for table in tables}  # noqa: S608 (names of ours)
        return {table: frozenset(text_in(row[0]) for row in rows) for table, rows in found.items()}


def _copied(connection: apsw.Connection) -> apsw.Connection:
    copy = apsw.Connection(":memory:")
    try:
        with copy.backup("main", connection, "main") as backup:
            while not backup.done:
                backup.step(1_000)
    except BaseException:
        copy.close()
        raise
    connection.close()
    return copy


@contextmanager
def _as_os_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:  # which a backup calls "not an error"
        raise OSError(None, "the database cannot be read: its program keeps it locked", str(path)) from error
    except (apsw.Error, UnicodeDecodeError) as error:
        raise OSError(None, f"the database cannot be read: {error}", str(path)) from error
