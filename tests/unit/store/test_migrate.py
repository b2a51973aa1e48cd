"""A database is brought to the newest schema whole or not at all, and a newer one is left alone."""

import hashlib
from pathlib import Path

import apsw
import pytest

from noctuary.errors import StoreBusy, StoreError, StoreTooNew
from noctuary.store import open_store
from noctuary.store.migrate import migrate, schema_version

FIRST = "create table a (x text); insert into a values ('kept');"


def folder(tmp_path: Path, *migrations: str) -> Path:
    """A folder of migrations."""
    made = tmp_path / f"migrations-{len(migrations)}"
    made.mkdir(exist_ok=True)
    for number, sql in enumerate(migrations, 1):
        (made / f"{number:04}_step.sql").write_text(sql)
    return made


def opened(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.execute("pragma journal_mode = wal")
    return connection


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path))
    found = list(connection.execute(sql))
    connection.close()
    return found


def digests(path: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in path.parent.glob(path.name + "*")}


def test_new_database_needs_no_backup(tmp_path: Path) -> None:
    """All migrations run on an empty file, and there is nothing to back up."""
    path = tmp_path / "x.db"
    connection = opened(path)

    migrate(connection, path, folder(tmp_path, FIRST, "create table b (y text);"))

    assert schema_version(connection) == 2
    assert not list(tmp_path.glob("*.backup"))


def test_backup_before_migrating(tmp_path: Path) -> None:
    """Before an old database is changed a copy is put beside it, whole, as it was, and for its owner only."""
    path = tmp_path / "x.db"
    connection = opened(path)
    migrate(connection, path, folder(tmp_path, FIRST))

    migrate(connection, path, folder(tmp_path, FIRST, "alter table a add column y text; update a set x = 'changed';"))

    backup = tmp_path / "x.db.schema-1.backup"
    assert rows(backup, "select * from a") == [("kept",)]
    assert rows(backup, "pragma user_version") == [(1,)]
    assert rows(backup, "pragma integrity_check") == [("ok",)]
    assert backup.stat().st_mode & 0o777 == 0o600
    assert list(connection.execute("select x, y from a")) == [("changed", None)]
    assert not list(tmp_path.glob("*.partial"))


def test_no_backup_no_migration(tmp_path: Path) -> None:
    """If the copy cannot be made, it is said in words of ours, and the database stays as it is."""
    path = tmp_path / "x.db"
    connection = opened(path)
    migrate(connection, path, folder(tmp_path, FIRST))
    (tmp_path / "x.db.schema-1.backup.partial").mkdir()  # nothing can be written there

    with pytest.raises(StoreError):
        migrate(connection, path, folder(tmp_path, FIRST, "create table b (y text);"))

    assert not connection.in_transaction
    assert schema_version(connection) == 1


def test_failing_migration_changes_nothing(tmp_path: Path) -> None:
    """All migrations that are due share one transaction: if the last fails, none has happened."""
    path = tmp_path / "x.db"
    connection = opened(path)
    migrate(connection, path, folder(tmp_path, FIRST))
    failing = folder(
        tmp_path, FIRST, "update a set x = 'lost'; create table b (y text);", "insert into nowhere values (1);"
    )

    with pytest.raises(StoreError, match="as it was before"):
        migrate(connection, path, failing)

    assert not connection.in_transaction
    assert list(connection.execute("select * from a")) == [("kept",)]
    assert list(connection.execute("select name from sqlite_schema")) == [("a",)]
    assert schema_version(connection) == 1
    assert rows(tmp_path / "x.db.schema-1.backup", "select * from a") == [("kept",)]
    migrate(connection, path, folder(tmp_path, FIRST, "create table b (y text);"))
    assert schema_version(connection) == 2


def test_up_to_date_is_left_alone(tmp_path: Path) -> None:
    """Opening a database of the present schema writes nothing to it."""
    path = tmp_path / "noctuary.db"
    open_store(path).close()
    before = digests(path)

    open_store(path).close()

    assert digests(path) == before


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_newer_schema_is_refused_and_left(tmp_path: Path, journal: str) -> None:
    """A database from a newer Noctuary is refused, and no byte of it is changed, however it keeps its log."""
    path = tmp_path / "noctuary.db"
    open_store(path).close()
    connection = apsw.Connection(str(path))
    list(connection.execute(f"pragma journal_mode = {journal}; create table news (x); pragma user_version = 999"))
    connection.close()
    before = digests(path)

    with pytest.raises(StoreTooNew, match="999"):
        open_store(path)

    assert digests(path) == before


def test_newer_schema_that_is_in_use(tmp_path: Path) -> None:
    """A newer database is refused at once, even while a newer Noctuary writes to it."""
    path = tmp_path / "noctuary.db"
    open_store(path).close()
    connection = opened(path)
    connection.execute("pragma user_version = 999")
    connection.execute("begin immediate; create table news (x)")

    with pytest.raises(StoreTooNew):
        open_store(path)

    connection.execute("commit")
    assert list(connection.execute("select count(*) from news")) == [(0,)]


def test_migrating_waits_for_writers(tmp_path: Path) -> None:
    """A database that another process writes to is not migrated under it."""
    path = tmp_path / "x.db"
    connection, other = opened(path), opened(path)
    migrate(connection, path, folder(tmp_path, FIRST))
    other.execute("begin immediate")

    with pytest.raises((StoreBusy, apsw.BusyError)):
        migrate(connection, path, folder(tmp_path, FIRST, "create table b (y text);"))
    other.execute("rollback")
    assert schema_version(connection) == 1
