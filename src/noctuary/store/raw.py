"""A copy of a database of any schema, opened as what it is: tables of values."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import apsw

from noctuary.store.database import Row
from noctuary.store.sqlite import translated

Identity = tuple[tuple[str, Any], ...]


class RawCopy:
    """Use it as a context manager: all is saved at its end, and no page that is not in use has anything in it."""

    def __init__(self, path: Path, *, is_dry: bool) -> None:
        self.path = path
        self._is_dry = is_dry
        self._is_changed = False

    def __enter__(self) -> "RawCopy":
        with translated(self.path):
            flags = apsw.SQLITE_OPEN_READONLY if self._is_dry else apsw.SQLITE_OPEN_READWRITE
            self._connection = apsw.Connection(str(self.path), flags=flags)
            self._connection.execute("pragma secure_delete = on")
            self._connection.execute("begin" if self._is_dry else "begin immediate")
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        with translated(self.path):
            try:
                self._connection.execute("commit" if kind is None else "rollback")
                if kind is None and self._is_changed:
                    self._connection.execute("vacuum")
                    self._connection.execute("pragma wal_checkpoint(truncate)")
            finally:
                self._connection.close()

    def tables(self) -> list[str]:
        """The tables that hold rows of ours: neither indexes nor what they are made of."""
        listed: list[Row] = self._connection.execute("pragma table_list").fetchall()
        names = [str(name) for schema, name, kind, *_ in listed if schema == "main" and kind == "table"]
        return [name for name in names if not name.startswith("sqlite_")]

    def rows(self, table: str) -> Iterator[tuple[Identity, dict[str, Any]]]:
        """What identifies each row, and its values by column."""
        with translated(self.path):
            columns = [(row[1], row[5]) for row in self._connection.execute(f'pragma table_info("{table}")')]
            names = [name for name, _ in columns]
            primary = [name for name, part in sorted(columns, key=lambda one: one[1]) if part]
            listed = ", ".join(f'"{name}"' for name in names)
            for row in self._connection.execute(f'select {listed} from "{table}"'):  # noqa: S608 - names of our own tables
                values = dict(zip(names, row, strict=True))
                yield tuple((name, values[name]) for name in primary), values

    def update(self, table: str, identity: Identity, values: Mapping[str, Any]) -> None:
        """Put other values into a row."""
        self._is_changed = True
        sets = ", ".join(f'"{name}" = ?' for name in values)
        where = " and ".join(f'"{name}" = ?' for name, _ in identity)
        with translated(self.path):
            self._connection.execute(
                f'update "{table}" set {sets} where {where}',  # noqa: S608 - names of our own tables
                (*values.values(), *(value for _, value in identity)),
            )

    def empty_indexes(self) -> None:
        """Take everything out of the full-text indexes."""
        with translated(self.path):
            for schema, name, kind, *_ in self._connection.execute("pragma table_list").fetchall():
                if schema == "main" and kind == "virtual":
                    self._connection.execute(f'insert into "{name}" ("{name}") values (\'delete-all\')')  # noqa: S608
