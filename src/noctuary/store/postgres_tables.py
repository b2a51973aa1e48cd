"""The tables of a PostgreSQL server and the role that everybody acts as, made and brought up to date."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import psycopg
from psycopg import errors

from noctuary.errors import StoreError, StoreTooNew
from noctuary.store.database import Row
from noctuary.store.postgres_extensions import put_to_use

SCHEMA = "noctuary"
MEMBER = "noctuary_member"
VERSION = f"{SCHEMA}.schema_version"
_MIGRATIONS = Path(__file__).parent / "sql" / "postgres"
_MIGRATING = 0x6E6F6374  # the lock of whoever changes the tables


def migrate(connection: psycopg.Connection[Row]) -> None:
    """Bring the tables to those of this version, in one transaction; StoreTooNew if they are of a later one."""
    migrations = sorted(_MIGRATIONS.glob("[0-9]*.sql"))
    newest = newest_version()
    if _version(connection) == newest:
        return
    with _alone(connection), connection.transaction():
        version = _version(connection)  # another process may have migrated while we waited
        if version > newest:
            raise StoreTooNew(
                f"This server was set up by a newer Noctuary (schema {version}, this one knows {newest}). "
                "It was not touched. Upgrade with: pip install -U noctuary"
            )
        if not version:
            _make_room(connection)
        connection.execute(f"set local search_path = {SCHEMA}")
        for migration in migrations:
            if int(migration.name[:4]) > version:
                connection.execute(migration.read_text(encoding="utf-8").encode())
        connection.execute(f"update {VERSION} set version = {newest}")  # noqa: S608 (a number of ours)
        put_to_use(connection)


def extend(connection: psycopg.Connection[Row]) -> None:
    """Put to use what the server can do since the tables were made."""
    with _alone(connection), connection.transaction():
        connection.execute(f"set local search_path = {SCHEMA}")
        put_to_use(connection)


@contextmanager
def _alone(connection: psycopg.Connection[Row]) -> Iterator[None]:
    """As the only one who changes the tables, outside of any transaction.

    One that began before it was our turn may still believe that there are no tables: the server notices what others
    made when a transaction begins.
    """
    connection.execute(f"select pg_advisory_lock({_MIGRATING})")
    try:
        yield
    finally:
        connection.execute(f"select pg_advisory_unlock({_MIGRATING})")


@cache
def newest_version() -> int:
    """The number of the last migration that this Noctuary knows."""
    return max(int(file.name[:4]) for file in _MIGRATIONS.glob("[0-9]*.sql"))


def _make_room(connection: psycopg.Connection[Row]) -> None:
    """The schema, and the role that everybody acts as."""
    user = _user(connection)
    try:
        with connection.transaction():
            _make_role(connection)
            if not _is_member(connection):
                connection.execute(f'grant {MEMBER} to "{user}"')
    except errors.InsufficientPrivilege as error:
        raise StoreError(
            f"This PostgreSQL user may not make the role {MEMBER}. Ask an administrator to run once: "
            f"create role {MEMBER} nologin; grant {MEMBER} to {user};"
        ) from error
    connection.execute(f"create schema if not exists {SCHEMA}")
    connection.execute(f"grant usage on schema {SCHEMA} to {MEMBER}")
    connection.execute(f"create table if not exists {VERSION} as select 0::bigint as version")
    connection.execute(f"grant select on {VERSION} to {MEMBER}")


def _make_role(connection: psycopg.Connection[Row]) -> None:
    """Only if there is none: whoever may not make roles may still begin, if somebody did so for them."""
    if not connection.execute(f"select 1 from pg_roles where rolname = '{MEMBER}'").fetchall():  # noqa: S608
        with suppress(errors.DuplicateObject), connection.transaction():
            connection.execute(f"create role {MEMBER} nologin")


def _user(connection: psycopg.Connection[Row]) -> str:
    return str(connection.execute("select current_user").fetchall()[0][0])


def _is_member(connection: psycopg.Connection[Row]) -> bool:
    return bool(connection.execute(f"select pg_has_role(current_user, '{MEMBER}', 'member')").fetchall()[0][0])


def _version(connection: psycopg.Connection[Row]) -> int:
    if connection.execute(f"select to_regclass('{VERSION}')").fetchall()[0][0] is None:
        return 0
    return int(connection.execute(f"select max(version) from {VERSION}").fetchall()[0][0])  # noqa: S608 (the same)
