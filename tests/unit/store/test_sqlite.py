"""SQLite as a database for several processes: permissions, waiting, transactions."""

import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from noctuary.errors import StoreBusy, StoreDamaged, StoreError
from noctuary.store import open_store
from noctuary.store.sqlite import BUSY_SECONDS, PAGE_BYTES, SqliteDatabase

pytestmark = pytest.mark.slow


def pragma(database: SqliteDatabase, name: str) -> object:
    return database._connection.pragma(name)


def owners(database: SqliteDatabase) -> list[str]:
    return [row[0] for row in database.fetch("owners")]


def add(database: SqliteDatabase, *owners: str, fail: bool = False) -> None:
    """One session for each owner, in one transaction inside another; and then perhaps an error."""
    unknown = dict.fromkeys(("agent", "project", "title", "title_source", "cwd", "branch", "model", "parent"))
    unknown |= dict.fromkeys(("relation", "source", "source_path", "started_ms", "last_ms", "ended_ms"))
    with database.transaction():
        for owner in owners:
            with database.transaction():
                database.fetch("add_session", owner=owner, id="s", status="active", **unknown)
        if fail:
            raise ValueError("oops")


def add_inside(database: SqliteDatabase, owner: str) -> None:
    """A session, and then an error in an inner transaction."""
    with database.transaction():
        add(database, owner)
        add(database, owner + "'s friend", fail=True)


def test_only_the_owner_may_read(tmp_path: Path) -> None:
    """The database, its log and its index of the log are readable by their owner only; so is a folder made for it."""
    path = tmp_path / "deep" / "memory" / "noctuary.db"
    database = SqliteDatabase(path)
    add(database, "ana")

    modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}

    assert modes == {"noctuary.db": 0o600, "noctuary.db-wal": 0o600, "noctuary.db-shm": 0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700
    database.close()


def test_settings_of_every_connection(tmp_path: Path) -> None:
    """Every connection, to a new file or an old one, waits for others and for the disk, and leaves no deleted bytes."""
    SqliteDatabase(tmp_path / "noctuary.db").close()
    for path in (tmp_path / "noctuary.db", tmp_path / "new.db"):
        database = SqliteDatabase(path)

        assert pragma(database, "busy_timeout") == BUSY_SECONDS * 1000
        assert pragma(database, "journal_mode") == "wal"
        assert pragma(database, "synchronous") == 2
        assert pragma(database, "secure_delete") == 1
        assert pragma(database, "page_size") == PAGE_BYTES
        database.close()


def test_transaction_takes_the_right_to_write_at_once(tmp_path: Path) -> None:
    """A second writer waits from the start of its transaction, not at its first write; readers do not wait."""
    first = SqliteDatabase(tmp_path / "noctuary.db")
    second = SqliteDatabase(tmp_path / "noctuary.db", busy_seconds=0.05)
    reached = False

    with first.transaction():
        assert owners(second) == []
        with pytest.raises(StoreBusy), second.transaction():
            reached = True
        add(first, "ana")
        assert owners(second) == []

    assert not reached
    assert owners(second) == ["ana"]
    with second.transaction():
        add(second, "bo")
    assert owners(first) == ["ana", "bo"]


def test_error_undoes_everything(tmp_path: Path) -> None:
    """What a transaction and those inside it wrote before an error is undone, and the next one begins afresh."""
    database, other = SqliteDatabase(tmp_path / "noctuary.db"), SqliteDatabase(tmp_path / "noctuary.db")

    with pytest.raises(ValueError, match="oops"):
        add(database, "ana", "bo", fail=True)

    assert owners(database) == owners(other) == []
    assert not database._connection.in_transaction
    add(database, "cy")
    assert owners(other) == ["cy"]


def test_inner_transaction_joins_the_outer(tmp_path: Path) -> None:
    """An inner transaction is whole only with the outer one."""
    database, other = SqliteDatabase(tmp_path / "noctuary.db"), SqliteDatabase(tmp_path / "noctuary.db")

    with database.transaction():
        add(database, "ana")
        assert owners(other) == []
    assert owners(other) == ["ana"]


def test_error_inside_an_inner_transaction(tmp_path: Path) -> None:
    """An error that the outer transaction does not answer undoes both."""
    database = SqliteDatabase(tmp_path / "noctuary.db")

    with pytest.raises(ValueError, match="oops"):
        add_inside(database, "ana")

    assert owners(database) == []
    assert not database._connection.in_transaction


def test_garbage_is_refused_and_left(tmp_path: Path) -> None:
    """A file that is no database is not touched."""
    path, content = tmp_path / "noctuary.db", b"This is not a database, but it is long enough to be one." * 300
    path.write_bytes(content)

    with pytest.raises(StoreDamaged):
        open_store(path)
    assert path.read_bytes() == content


def test_damaged_pages(tmp_path: Path) -> None:
    """A database whose inner pages were overwritten says that it is damaged, and what to do."""
    path = tmp_path / "noctuary.db"
    SqliteDatabase(path).close()
    content = bytearray(path.read_bytes())
    content[PAGE_BYTES:] = b"\xa5" * (len(content) - PAGE_BYTES)
    path.write_bytes(content)

    with pytest.raises(StoreDamaged, match="noctuary import"):  # at once, or when it is read
        owners(SqliteDatabase(path))


def test_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    """A folder where the database should be is named as what is wrong."""
    (tmp_path / "noctuary.db").mkdir()

    with pytest.raises(StoreError, match="cannot be opened"):
        open_store(tmp_path / "noctuary.db")


def test_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    """A file where the folder should be is named as what is wrong."""
    (tmp_path / "memory").write_text("in the way")

    with pytest.raises(StoreError):
        open_store(tmp_path / "memory" / "noctuary.db")


def test_many_processes_open_a_new_memory(tmp_path: Path) -> None:
    """Processes that all open a memory that is not there yet make it once, and all can use it."""
    script = (
        "import sys, pathlib; from noctuary.store import open_store\n"
        "sys.stdin.readline(); store = open_store(pathlib.Path(sys.argv[1]))\n"
        "store.tombstones.bury(sys.argv[2], 'session', 's', 0); store.close()\n"
    )
    path = tmp_path / "memory" / "noctuary.db"
    started = [
        subprocess.Popen([sys.executable, "-c", script, str(path), f"owner-{n}"], stdin=subprocess.PIPE)
        for n in range(6)
    ]

    for process in started:
        process.communicate(b"go\n")

    assert [process.returncode for process in started] == [0] * 6
    connection = apsw.Connection(str(path))
    assert list(connection.execute("select count(*) from tombstones")) == [(6,)]
    connection.close()
