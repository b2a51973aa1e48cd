"""Bring a database to the schema of this version.

Migrations are numbered SQL files; the number of the last one applied is the database's `user_version`.  All that
are due run in one transaction, after a copy of the database has been put beside it, so a migration that fails
leaves the old database as it was.  A database from a newer Noctuary is refused and not touched.
"""

from pathlib import Path

import apsw

from noctuary.errors import StoreError, StoreTooNew
from noctuary.files import sync_folder, translated


def migrate(connection: apsw.Connection, path: Path, folder: Path) -> None:
    """Apply what is due, or raise StoreTooNew."""
    migrations = sorted(folder.glob("[0-9]*.sql"))
    newest = int(migrations[-1].name[:4])
    if schema_version(connection) == newest:
        return
    connection.execute("begin immediate")
    try:
        refuse_newer(connection, path, folder)  # another process may have migrated while we waited
        version = schema_version(connection)
        if 0 < version < newest:
            back_up(path, path.with_name(f"{path.name}.schema-{version}.backup"))
        for migration in migrations:
            if int(migration.name[:4]) > version:
                connection.execute(migration.read_text(encoding="utf-8"))
        connection.execute(f"pragma user_version = {newest}")
        connection.execute("commit")
    except (apsw.SQLError, apsw.ConstraintError) as error:
        connection.execute("rollback")
        raise StoreError(
            f"{path} could not be brought to schema {newest}: {error}. It is as it was before; please report this."
        ) from error
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise


def refuse_newer(connection: apsw.Connection, path: Path, folder: Path) -> None:
    """Raise StoreTooNew if the database has seen a migration that is not in the folder."""
    version, newest = schema_version(connection), max(int(file.name[:4]) for file in folder.glob("[0-9]*.sql"))
    if version > newest:
        raise StoreTooNew(
            f"{path} was written by a newer Noctuary (schema {version}, this one knows {newest}). "
            "It was not touched. Upgrade with: pip install -U noctuary"
        )


def changed_meanwhile(place: str) -> str:
    """What a process is told that has a database open which another brought to a newer schema."""
    return (
        f"{place} was brought to a newer schema by another Noctuary while this one had it open. Nothing was written. "
        "Start this one again, with the version that is installed now."
    )


def schema_version(connection: apsw.Connection) -> int:
    """The number of the last migration the database has seen; 0 for an empty one."""
    return int(connection.pragma("user_version"))


def back_up(path: Path, target: Path) -> None:
    """Copy the database as it was last committed; the copy is whole or absent."""
    partial = target.with_name(target.name + ".partial")
    with translated(target):
        partial.unlink(missing_ok=True)
        partial.touch(mode=0o600)
        try:
            _copy(path, partial)
            partial.replace(target)
        except BaseException:  # what is left of it would only make a full disk fuller
            partial.unlink(missing_ok=True)
            raise
        sync_folder(target.parent)


def _copy(path: Path, target: Path) -> None:
    source, copy = apsw.Connection(str(path)), apsw.Connection(str(target))
    try:
        with copy.backup("main", source, "main") as backup:
            backup.step()
    finally:
        source.close()
        copy.close()
