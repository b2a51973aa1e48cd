"""SQLite through apsw: one file, WAL, safe among processes.

Writers take their turn at the start of a transaction (`begin immediate`) and wait up to `BUSY_SECONDS` for it;
readers never wait.  Files are readable by their owner only.  What SQLite reports becomes an error of ours in
one place, `_translated`.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Literal

import apsw

from noctuary.errors import StoreBusy, StoreDamaged, StoreError, StoreFull, StoreReadOnly
from noctuary.store.database import Row, Value, read_queries
from noctuary.store.migrate import migrate

BUSY_SECONDS = 30
PAGE_BYTES = 16_384  # measured: a quarter less CPU while indexing than SQLite's 4,096
CACHE_KIB = 16_384
_FOLDER = Path(__file__).parent / "sql"


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:
        raise StoreBusy from error
    except (apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise StoreReadOnly(
            f"{path} cannot be written to; check the permissions of the file and its folder."
        ) from error
    except apsw.FullError as error:
        raise StoreFull from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise StoreDamaged(
            f"{path} is damaged or is no database ({error}). Nothing was changed. "
            "`noctuary doctor` checks it and names the newest backup."
        ) from error
    except (apsw.CantOpenError, apsw.IOError) as error:
        raise StoreError(f"{path} cannot be opened or read: {error}. Check the disk and its permissions.") from error


class SqliteDatabase:
    """A `Database` in one SQLite file."""

    dialect: Literal["sqlite", "postgres"] = "sqlite"

    def __init__(self, path: Path) -> None:
        """Open the file, making or migrating it if need be; StoreTooNew leaves it untouched."""
        self.path = path
        self.queries = read_queries(_FOLDER / "common.sql", _FOLDER / "sqlite.sql")
        self._lock = RLock()
        self._depth = 0
        with _translated(path):
            self._connection = _connect(path)
            try:
                migrate(self._connection, path, _FOLDER / "migrations")
            except BaseException:
                self._connection.close()
                raise

    def fetch(self, query: str, /, **values: Value) -> list[Row]:
        """Run one named query and give all its rows."""
        with self._lock, _translated(self.path):
            return list(self._connection.execute(self.queries[query], values))

    def run_many(self, query: str, rows: Iterable[Sequence[Value]], /) -> None:
        """Run one named query for each row of values, in order."""
        with self._lock, _translated(self.path):
            self._connection.executemany(self.queries[query], rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; an inner transaction joins the outer one."""
        with self._lock, _translated(self.path):
            if self._depth == 0:
                self._connection.execute("begin immediate")
            self._depth += 1
            try:
                yield
            except BaseException:
                self._depth -= 1
                # A full disk or an I/O error makes SQLite roll back by itself.
                if self._depth == 0 and self._connection.in_transaction:
                    self._connection.execute("rollback")
                raise
            self._depth -= 1
            if self._depth == 0:
                self._connection.execute("commit")

    def close(self) -> None:
        """Close the file; the last connection to it tidies the write-ahead log away."""
        self._connection.close()


def _connect(path: Path) -> apsw.Connection:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    is_new = not path.exists()
    if is_new:  # made here, so that it never exists with wider permissions; its -wal and -shm inherit them
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(BUSY_SECONDS * 1000)
    if is_new:
        connection.execute(f"pragma page_size = {PAGE_BYTES}")
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = normal")
    connection.execute(f"pragma cache_size = -{CACHE_KIB}")
    connection.execute("pragma temp_store = memory")
    return connection
