"""What a server can do beyond its own: find what stands inside of words (`pg_trgm`), compare vectors (`pgvector`).

Neither is needed.  What is there is used: by the first who may set it up, which is whoever makes the tables, migrates
them, or rebuilds.  Without `pg_trgm` the same is found by reading all messages; without `pgvector` vectors are compared
by the process that asks.  `noctuary doctor` says which of them are in use, and what to do about the other.
"""

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psycopg
from psycopg import errors

from noctuary.store.database import Row

SEARCHER = "noctuary_search"  # the role as which functions read the index of trigrams
_FOLDER = Path(__file__).parent / "sql" / "postgres" / "extensions"
_SCHEMA_OF = """
select quote_ident(n.nspname), e.extversion from pg_extension e join pg_namespace n on n.oid = e.extnamespace
where e.extname = %s"""


class Extension(NamedTuple):
    """One of them, and how it is told that it is in use."""

    name: str
    script: str  # which puts it to use
    leaves: str  # an expression that is null unless it is
    oldest: tuple[int, ...]
    needs_searcher: bool = False


TRIGRAMS = Extension("pg_trgm", "trigrams.sql", "to_regclass('messages_by_trigrams')", (1, 3), needs_searcher=True)
VECTORS = Extension("vector", "vectors.sql", "to_regproc('compare_passages')", (0, 7))
EXTENSIONS = (TRIGRAMS, VECTORS)


def put_to_use(connection: psycopg.Connection[Row]) -> None:
    """Put to use what there is and is not in use yet, as far as this user may; the rest is left as it was.

    The connection is that of who made the tables, and looks into their schema.
    """
    for extension in EXTENSIONS:
        with suppress(errors.InsufficientPrivilege), connection.transaction():
            _put_to_use(connection, extension)


def _put_to_use(connection: psycopg.Connection[Row], extension: Extension) -> None:
    if connection.execute(f"select {extension.leaves}").fetchall()[0][0] is not None:
        return
    known = connection.execute(_SCHEMA_OF, (extension.name,)).fetchall()
    if (
        not known
        and connection.execute("select 1 from pg_available_extensions where name = %s", (extension.name,)).fetchall()
    ):
        connection.execute(f"create extension {extension.name}")
        known = connection.execute(_SCHEMA_OF, (extension.name,)).fetchall()
    if not known or _numbers(known[0][1]) < extension.oldest:
        return
    if extension.needs_searcher:
        _make_searcher(connection)
    script = (_FOLDER / extension.script).read_text(encoding="utf-8")
    connection.execute(script.replace("{schema}", known[0][0]).encode())


def _make_searcher(connection: psycopg.Connection[Row]) -> None:
    """The role, and this user as its member: only such may hand functions over to it."""
    if not connection.execute("select 1 from pg_roles where rolname = %s", (SEARCHER,)).fetchall():
        with suppress(errors.DuplicateObject), connection.transaction():
            connection.execute(f"create role {SEARCHER} nologin")
    if not connection.execute("select pg_has_role(current_user, %s, 'member')", (SEARCHER,)).fetchall()[0][0]:
        user = connection.execute("select quote_ident(current_user)").fetchall()[0][0]
        connection.execute(f"grant {SEARCHER} to {user}")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
