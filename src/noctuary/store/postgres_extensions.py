"""What a server can do beyond its own: find what stands inside of words (`pg_trgm`), compare vectors (`pgvector`), and
find words of one owner without passing over those of others (`btree_gin`).

None is needed.  What is there is used: by the first who may set it up, which is whoever makes the tables, migrates
them, or rebuilds.  Without `pg_trgm` the same is found by reading all messages; without `pgvector` vectors are compared
by the process that asks; without `btree_gin` a word that all use costs the more, the more people there are.  `noctuary
doctor` says which of them are in use, and what to do about the others.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
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


_STAYS = """
select pg_has_role(%(role)s, 'usage') and not (select rolsuper from pg_roles where rolname = current_user)"""
_GRANTS_APART = 160_000  # since this version to be a member is one thing, and to have a role's rights another


class Extension(NamedTuple):
    """One of them, and how it is told that it is in use."""

    name: str
    script: str  # which puts it to use
    leaves: str  # an expression that is null unless it is
    oldest: tuple[int, ...]
    needs_searcher: bool = False


TRIGRAMS = Extension("pg_trgm", "trigrams.sql", "to_regclass('messages_by_trigrams')", (1, 3), needs_searcher=True)
VECTORS = Extension("vector", "vectors.sql", "to_regproc('compare_passages')", (0, 7))
OWNERS = Extension("btree_gin", "owners.sql", "to_regclass('node_index_owned')", (1, 3))
EXTENSIONS = (TRIGRAMS, VECTORS, OWNERS)
_WITHOUT_OWNERS = "no_owners.sql"


def put_to_use(connection: psycopg.Connection[Row]) -> None:
    """Put to use what there is and is not in use yet, as far as this user may; the rest is left as it was.

    The connection is that of who made the tables, and looks into their schema.
    """
    for extension in EXTENSIONS:
        # Roles belong to all databases of a server, and in two of them somebody may be making tables.
        with suppress(errors.InsufficientPrivilege, errors.InternalError_), connection.transaction():
            _put_to_use(connection, extension)
    if not _is_in_use(connection, OWNERS):  # somebody may have taken it away, and the indexes with it
        connection.execute((_FOLDER / _WITHOUT_OWNERS).read_text(encoding="utf-8").encode())


def _put_to_use(connection: psycopg.Connection[Row], extension: Extension) -> None:
    if _is_in_use(connection, extension):
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
    script = (_FOLDER / extension.script).read_text(encoding="utf-8").replace("{schema}", known[0][0]).encode()
    if not extension.needs_searcher:
        connection.execute(script)
        return
    with _as_searcher(connection):
        connection.execute(script)


def _is_in_use(connection: psycopg.Connection[Row], extension: Extension) -> bool:
    return connection.execute(f"select {extension.leaves}").fetchall()[0][0] is not None


@contextmanager
def _as_searcher(connection: psycopg.Connection[Row]) -> Iterator[None]:
    """This user as a member of that role, for the moment: only such may hand functions over to it.

    Whoever stayed one would see all messages by its rights, so then nothing is done at all.
    """
    user = connection.execute("select quote_ident(current_user)").fetchall()[0][0]
    if not connection.execute("select 1 from pg_roles where rolname = %s", (SEARCHER,)).fetchall():
        with suppress(errors.DuplicateObject, errors.UniqueViolation), connection.transaction():
            connection.execute(f"create role {SEARCHER} nologin")
    is_new = connection.info.server_version >= _GRANTS_APART
    if not connection.execute("select pg_has_role(%s, 'member')", (SEARCHER,)).fetchall()[0][0] or is_new:
        connection.execute(f"grant {SEARCHER} to {user}{' with inherit false, set true' if is_new else ''}")
    yield
    if connection.execute(_STAYS, {"role": SEARCHER}).fetchall()[0][0]:
        connection.execute(f"revoke {SEARCHER} from {user}")
    if connection.execute(_STAYS, {"role": SEARCHER}).fetchall()[0][0]:
        raise errors.InsufficientPrivilege(f"{user} would see all messages as a member of {SEARCHER}")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
