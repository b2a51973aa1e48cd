"""SQLite through apsw: one file, WAL, safe among processes.

Writers take their turn at the start of a transaction (`begin immediate`) and wait up to `busy_seconds` for it;
readers never wait.  What is committed is on the disk when the transaction returns, or at the end of `hurried`.  Files
are readable by their owner only.  What SQLite reports becomes an error of ours in one place, `translated`.
"""

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock, local
from typing import Literal

import apsw

from noctuary.errors import StoreBusy, StoreDamaged, StoreError, StoreFull, StoreReadOnly, StoreTooNew
from noctuary.files import make_private_folder, sync_folder, sync_if_there
from noctuary.files import translated as files_translated
from noctuary.store.database import SHARED, Row, Value, read_queries
from noctuary.store.migrate import changed_meanwhile, migrate, refuse_newer, schema_version
from noctuary.store.row_rank import rank_by_itself
from noctuary.store.turns import turns_at

BUSY_SECONDS = 30
PAGE_BYTES = 16_384  # for long texts; in our own runs no faster or slower than SQLite's 4,096 beyond noise
CACHE_KIB = 16_384
BESIDE = ("-wal", "-shm")  # the log of a database that is open, and the memory that its processes share
_STATEMENTS = 400  # kept prepared: all of ours, for a dream uses more than apsw's 100
_COPIED_PAGES = 1_000  # at a time, so that Ctrl-C is heard
# With the first each commit waits for the disk; with the second only a checkpoint does, and a power cut takes the last.
_AT_ONCE, _NOT_AT_ONCE = "pragma synchronous = full", "pragma synchronous = normal"
_FOLDER = Path(__file__).parent / "sql"


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """What SQLite reports becomes an error of ours."""
    try:
        yield
    except apsw.Error as error:
        raise _as_ours(error, path) from error


def _as_ours(error: apsw.Error, path: Path) -> Exception:
    """What SQLite's error means to a user; one that can only be a mistake of ours stays as it is."""
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return StoreBusy()
        case apsw.ReadOnlyError() | apsw.PermissionsError():
            return StoreReadOnly(f"{path} cannot be written to; check the permissions of the file and its folder.")
        case apsw.FullError():
            return StoreFull()
        case apsw.CorruptError() | apsw.NotADBError():
            return StoreDamaged(
                f"{path} is damaged or is no database ({error}). Nothing was changed. Put a backup in its place "
                f"({_newest_backup(path)}), or move it away and run `noctuary import` to make it again from the "
                "transcripts that are still there."
            )
        case apsw.CantOpenError() | apsw.IOError():
            return StoreError(f"{path} cannot be opened or read: {error}. Check the disk and its permissions.")
    return error


def _newest_backup(path: Path) -> str:
    backups = sorted(path.parent.glob(f"{path.name}*.backup"), key=lambda backup: backup.stat().st_mtime)
    return f"the newest is {backups[-1]}" if backups else "Noctuary made none yet"


class _Hurry(local):
    """How often this thread has said that it hurries."""

    depth = 0


class _Writing(local):
    """In how many transactions, one within the other, this thread is."""

    depth = 0


class SqliteDatabase:
    """A `Database` in one SQLite file."""

    dialect: Literal["sqlite", "postgres"] = "sqlite"

    def __init__(self, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        """Open the file, making or migrating it if need be; StoreTooNew leaves it untouched."""
        self.path = path
        self.queries = read_queries(*(_FOLDER / f"{name}.sql" for name in (*SHARED, "sqlite")))
        self._lock = RLock()
        self._depth = 0
        self._hurry = _Hurry()
        self._writing = _Writing()
        self._busy_seconds = busy_seconds
        self._turns = turns_at(path)
        with translated(path):
            is_new = _make(path)
            self._connection = _connect(path, busy_seconds)
            try:
                # First, before anything is set that the file would keep.
                self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(_has_log(path)))
                refuse_newer(self._connection, path, _FOLDER / "migrations")
                self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
                _tune(self._connection, is_new=is_new)
                migrate(self._connection, path, _FOLDER / "migrations")
                self._schema = schema_version(self._connection)
                self._connection.register_fts5_function(rank_by_itself.__name__, rank_by_itself)
            except BaseException:
                self._connection.close()
                raise

    def fetch(self, query: str, /, **values: Value) -> list[Row]:
        """Run one named query and give all its rows."""
        with self._lock:
            try:  # not `translated`: a search runs dozens of queries, and a context manager costs more than some
                return list(self._connection.execute(self.queries[query], values))
            except apsw.Error as error:
                raise _as_ours(error, self.path) from error

    def run_many(self, query: str, rows: Iterable[Sequence[Value]], /) -> None:
        """Run one named query for each row of values, in order."""
        with self._lock, translated(self.path):
            self._connection.executemany(self.queries[query], rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; an inner transaction joins the outer one."""
        with self._turn(), self._lock, translated(self.path):
            if self._depth == 0:
                self._begin()
            self._depth += 1
            try:
                yield
            except BaseException:
                self._depth -= 1
                # A full disk or an I/O error makes SQLite roll back by itself.
                if self._depth == 0:
                    self._end("rollback")
                raise
            self._depth -= 1
            if self._depth == 0:
                self._commit()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """This thread's turn to write; whoever only reads through this connection is not kept waiting for it."""
        if not self._writing.depth and not self._turns.take(self._busy_seconds):
            raise StoreBusy
        self._writing.depth += 1
        try:
            yield
        finally:
            self._writing.depth -= 1
            if not self._writing.depth:
                self._turns.give()

    def _begin(self) -> None:
        if self._hurry.depth:
            self._connection.execute(_NOT_AT_ONCE)
        try:
            self._connection.execute("begin immediate")
            if self.is_elsewhere:
                raise StoreError(_moved_meanwhile(self.path))
            if schema_version(self._connection) != self._schema:
                raise StoreTooNew(changed_meanwhile(str(self.path)))
        except BaseException:
            self._end("rollback")
            raise

    def _commit(self) -> None:
        try:
            self._connection.execute("commit")
        except apsw.Error:
            self._end("rollback")  # else the next transaction could not begin
            raise
        self._end("")

    def _end(self, how: str) -> None:
        """Be ready for the next transaction, of whoever it is."""
        if how and self._connection.in_transaction:
            self._connection.execute(how)
        if self._hurry.depth:
            self._connection.execute(_AT_ONCE)

    @contextmanager
    def hurried(self) -> Iterator[None]:
        """What this thread commits meanwhile is on the disk at the end, whole and in order, and not each by itself."""
        self._hurry.depth += 1
        try:
            yield
        finally:
            self._hurry.depth -= 1
            if not self._hurry.depth:
                with files_translated(self.path):
                    sync_if_there(self.path.with_name(f"{self.path.name}-wal"))

    @contextmanager
    def pinned(self) -> Iterator[Callable[[Path], None]]:
        """A way to copy the database as it is now, whatever others write until then."""
        with translated(self.path):
            source = _connect(self.path, BUSY_SECONDS)
            try:
                source.execute("begin; select count(*) from sqlite_schema").fetchall()  # what is read now stays
                yield lambda target: _copy(source, target)
            finally:
                source.close()

    @property
    def is_elsewhere(self) -> bool:
        """Whether the file that is open has another name by now or none, so that nobody would find what is written."""
        moved = array("i", [0])
        self._connection.file_control("main", apsw.SQLITE_FCNTL_HAS_MOVED, moved.buffer_info()[0])
        return bool(moved[0])

    def close(self) -> None:
        """Close the file; the last connection to it tidies the write-ahead log away."""
        self._connection.close()


def _make(path: Path) -> bool:
    """Make the file unless there is one; True if it was made.

    It is made here, so that it never exists with wider permissions; its -wal and -shm inherit them.
    """
    try:
        if path.exists():
            return not path.stat().st_size  # as one leaves it who is killed here
        make_private_folder(path.parent)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be made: {error.strerror or error}. Choose a folder with --home.") from error
    return True


def _moved_meanwhile(path: Path) -> str:
    """What a process is told whose file another one put something else in the place of."""
    return (
        f"{path} was replaced, moved or removed while this process had it open, as a restore does. Nothing was "
        "written. Start this one again: it opens the memory that is there now."
    )


def _has_log(path: Path) -> bool:
    """Whether somebody who was killed left a log, which is not ours to tidy away if they were of a newer version."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


def _copy(source: apsw.Connection, target: Path) -> None:
    os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    copy = apsw.Connection(str(target))
    try:
        with copy.backup("main", source, "main") as backup:
            while not backup.done:
                backup.step(_COPIED_PAGES)
    finally:
        copy.close()


def newest_schema() -> int:
    """The number of the last migration that this Noctuary knows."""
    return max(int(file.name[:4]) for file in (_FOLDER / "migrations").glob("[0-9]*.sql"))


def _connect(path: Path, busy_seconds: float) -> apsw.Connection:
    connection = apsw.Connection(str(path), statementcachesize=_STATEMENTS)
    connection.set_busy_timeout(int(busy_seconds * 1000))
    # Else many queries are planned anew whenever they are run with other values, which takes longer than to run them.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    return connection


def _tune(connection: apsw.Connection, *, is_new: bool) -> None:
    if is_new:
        connection.execute(f"pragma page_size = {PAGE_BYTES}")
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma secure_delete = on")  # what was forgotten must not stay in free pages
    connection.execute(_AT_ONCE)
    connection.execute(f"pragma cache_size = -{CACHE_KIB}")
    connection.execute("pragma temp_store = memory")
