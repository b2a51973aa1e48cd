"""Databases of other programs: read while they are written to, and never changed."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from noctuary.transcripts.foreign_sqlite import is_sqlite, json_in, open_foreign, text_in

SOON_MS = 50


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database of another program, with one row."""
    path = tmp_path / "odd name?#%41.db"
    with_row(path, "delete").close()
    return path


def with_row(path: Path, mode: str) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.execute(f"pragma journal_mode={mode}")
    connection.execute("create table if not exists said (text text, number int); insert into said values ('old', 1)")
    return connection


@pytest.fixture
def program(path: Path) -> Iterator[apsw.Connection]:
    """The program that keeps it."""
    connection = apsw.Connection(str(path))
    yield connection
    connection.close()


def test_a_writer_does_not_keep_us_out(path: Path, program: apsw.Connection) -> None:
    """What is not committed is not told; what was is told while the writer is at it."""
    program.execute("begin immediate; insert into said values ('new', 2)")

    with open_foreign(path, wait_ms=SOON_MS) as database:
        assert database.rows("select text from said") == [("old",)]


def test_a_writer_with_a_log_does_not_keep_us_out(tmp_path: Path) -> None:
    """A write-ahead log lets readers see what is committed, also what is only in the log yet."""
    path = tmp_path / "with-log.db"
    program = with_row(path, "wal")
    program.execute("begin immediate; insert into said values ('new', 2)")

    with open_foreign(path, wait_ms=SOON_MS) as database:
        assert database.rows("select text from said") == [("old",)]
    program.close()


def test_an_exclusive_lock_is_an_error_of_the_file(path: Path, program: apsw.Connection) -> None:
    """Nobody can read past an exclusive lock: it is told as a file that cannot be read, and goes with the lock."""
    program.execute("begin exclusive; insert into said values ('new', 2)")

    with pytest.raises(OSError, match="locked"), open_foreign(path, wait_ms=SOON_MS):
        pass

    program.execute("commit")
    with open_foreign(path, wait_ms=SOON_MS) as database:
        assert database.rows("select text from said") == [("old",), ("new",)]


def test_nothing_is_written(path: Path) -> None:
    """A database is only ever read."""
    with open_foreign(path) as database, pytest.raises(OSError, match="readonly"):
        database.rows("insert into said values ('ours', 3)")


def test_bytes_that_are_no_text_cost_only_themselves(path: Path, program: apsw.Connection) -> None:
    """A text with a broken byte is read as far as it is one, in its order, beside the others."""
    program.execute("insert into said values (cast(x'61ff62' as text), 2), (x'63', 3), (null, 4)")

    with open_foreign(path) as database:
        found = database.rows("select text, number from said where number > ? order by number", 0)

    assert found == [("old", 1), ("a\ufffdb", 2), ("c", 3), (None, 4)]


def test_what_is_no_database_is_an_error_of_the_file(tmp_path: Path) -> None:
    """A file of another kind cannot be read, and is known before by how it begins."""
    path = tmp_path / "notes.db"
    path.write_text("not a database, though it is long enough to be taken for one" * 20)

    assert not is_sqlite(path)
    with pytest.raises(OSError, match="not a database"), open_foreign(path):
        pass


def test_columns_hold_text_or_bytes() -> None:
    """Programs keep JSON as text or as bytes; anything else holds none."""
    assert [text_in(value) for value in ("a", b"a\xff", None, 3)] == ["a", "a\ufffd", "", ""]
    assert [json_in(value) for value in ('{"a": 1}', b"[2]", "{", None)] == [{"a": 1}, [2], None, None]
