"""The SQL files and the code agree: every query can be run on each database, and every one is needed."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

import apsw
import apsw.ext
import psycopg
import pytest

import noctuary
from noctuary.store.database import SHARED, read_queries
from noctuary.store.owned_rows import PLAIN
from noctuary.store.postgres_sql import in_postgres
from noctuary.store.sqlite import SqliteDatabase
from noctuary.store.stored_texts import WITH_TEXTS
from tests.databases import Reused, server_of_tests
from tests.postgres_server import TEMPLATE

PACKAGE = Path(noctuary.__file__).parent
SQL = PACKAGE / "store" / "sql"
FILES = sorted(SQL.glob("*.sql"))
EVERYWHERE = [SQL / f"{name}.sql" for name in SHARED]
QUERIES = read_queries(*EVERYWHERE, SQL / "sqlite.sql")
ON_SERVER = read_queries(*EVERYWHERE, SQL / "postgres.sql")
WITH_PGVECTOR = {"compare_vectors"}  # asked of servers that have it
_CALL = re.compile(r"""(?:fetch|run_many|visible)\(\s*"([a-z_]+)\"""")


def code() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    """A connection to a database of the newest schema."""
    database = SqliteDatabase(tmp_path_factory.mktemp("queries") / "noctuary.db")
    yield database._connection
    database.close()


@pytest.mark.parametrize("name", QUERIES)
def test_query_can_be_run(connection: apsw.Connection, name: str) -> None:
    """Each named query is one statement that the newest schema understands."""
    prepared = apsw.ext.query_info(connection, QUERIES[name])

    assert not prepared.query_remaining


@pytest.mark.slow
def test_every_query_can_be_run_on_a_server() -> None:
    """The newest schema of PostgreSQL understands each, in its spelling."""
    assert not_understood(server_of_tests().url(TEMPLATE), ON_SERVER.keys() - WITH_PGVECTOR) == {}


@pytest.mark.slow
def test_queries_of_an_extension_can_be_run_where_it_is(database_with_vectors: Reused) -> None:
    """They are asked of no other server."""
    assert not_understood(database_with_vectors.url, WITH_PGVECTOR) == {}


def not_understood(url: str, names: Collection[str]) -> dict[str, str]:
    """Of these queries those that a server cannot run, and what it says of them."""
    wrong = {}
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set search_path = noctuary")
        for name in names:
            sql = re.sub(r"%\((\w+)\)s|%s", "null", in_postgres(ON_SERVER[name]).sql).replace("%%", "%")
            try:
                connection.execute(f"explain {sql}".encode())
            except psycopg.Error as error:
                wrong[name] = str(error)
    return wrong


def test_names_are_unique() -> None:
    """No query hides another of the same name, but for those that PostgreSQL has to be asked otherwise."""
    names = {
        path.stem: re.findall(r"^-- name: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE) for path in FILES
    }
    shared = [name for file in SHARED for name in names[file]]

    assert {*names} == {*SHARED, "sqlite", "postgres"}
    assert len(QUERIES) == len(shared) + len(names["sqlite"])
    assert len(names["postgres"]) == len({*names["postgres"]})
    assert {*names["sqlite"]} <= {*ON_SERVER}


def test_every_query_is_used() -> None:
    """There is no query that nobody asks for."""
    written = code()
    of_tables = {name for table in PLAIN for name in (f"owned_{table}", f"add_owned_{table}")}  # asked for by table
    of_tables |= {name for table in WITH_TEXTS for name in (f"texts_of_{table}", f"set_texts_of_{table}")}

    unused = {name for name in {*QUERIES, *ON_SERVER} - of_tables if f'"{name}"' not in written}
    assert unused == set()


def test_every_name_is_a_query() -> None:
    """There is no call for a query that is not there."""
    assert set(_CALL.findall(code())) <= {*QUERIES, *ON_SERVER}
    assert len(set(_CALL.findall(code()))) > len(QUERIES) // 2
