"""What is committed is on the disk; in a hurry at the end, and for whoever hurries only.  Newer schemas are noticed."""

from pathlib import Path
from threading import Thread

import apsw
import pytest

from noctuary.errors import StoreTooNew
from noctuary.store.sqlite import SqliteDatabase
from tests.databases import change_behind

FULL, NORMAL = 2, 1


def level(database: SqliteDatabase) -> int:
    """How a transaction that goes on now would be committed."""
    return int(database._connection.pragma("synchronous"))


def test_a_transaction_waits_for_the_disk_unless_hurried(tmp_path: Path) -> None:
    """Within `hurried`, however nested, a transaction does not wait; before and after it does, also after an error."""
    database = SqliteDatabase(tmp_path / "noctuary.db")
    seen: list[int] = []

    def commit() -> None:
        with database.transaction():
            seen.append(level(database))

    commit()
    with database.hurried():
        commit()
        with database.hurried():
            commit()
        commit()
        with pytest.raises(ZeroDivisionError), database.transaction():
            raise ZeroDivisionError
        assert level(database) == FULL
    commit()

    assert seen == [FULL, NORMAL, NORMAL, NORMAL, FULL]
    database.close()


def test_one_thread_that_hurries_hurries_alone(tmp_path: Path) -> None:
    """What another thread commits meanwhile is on the disk when it returns."""
    database = SqliteDatabase(tmp_path / "noctuary.db")
    seen: list[int] = []

    def commit() -> None:
        with database.transaction():
            seen.append(level(database))

    with database.hurried():
        other = Thread(target=commit)
        other.start()
        other.join()

    assert seen == [FULL]
    database.close()


def test_a_newer_schema_is_noticed_while_it_is_open(tmp_path: Path) -> None:
    """Another version that migrates under an open memory is told from the next transaction on; nothing is written."""
    database = SqliteDatabase(tmp_path / "noctuary.db")
    change_behind(tmp_path / "noctuary.db", "pragma user_version = 999")

    with pytest.raises(StoreTooNew, match="Start this one again"), database.transaction():
        pytest.fail("it began")

    assert not database._connection.in_transaction
    database.close()


def test_an_empty_file_is_a_new_database(tmp_path: Path) -> None:
    """One who is killed between making the file and its tables leaves it so; it is made as any other."""
    (tmp_path / "empty.db").touch()
    for name in ("empty.db", "new.db"):
        SqliteDatabase(tmp_path / name).close()

    sizes = [apsw.Connection(str(tmp_path / name)).pragma("page_size") for name in ("empty.db", "new.db")]
    assert sizes[0] == sizes[1]
