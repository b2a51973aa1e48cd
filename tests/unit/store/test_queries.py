"""The SQL files and the code agree: every query can be run, and every one is needed."""

import re
from collections.abc import Iterator
from pathlib import Path

import apsw
import apsw.ext
import pytest

import noctuary
from noctuary.store.database import read_queries
from noctuary.store.sqlite import SqliteDatabase

PACKAGE = Path(noctuary.__file__).parent
SQL = PACKAGE / "store" / "sql"
FILES = sorted(SQL.glob("*.sql"))
QUERIES = read_queries(*FILES)
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


def test_names_are_unique() -> None:
    """No query hides another of the same name."""
    names = [name for path in FILES for name in re.findall(r"^-- name: (.+)$", path.read_text(), re.MULTILINE)]

    assert len(names) == len(set(names)) == len(QUERIES)


def test_every_query_is_used() -> None:
    """There is no query that nobody asks for."""
    written = code()

    assert {name for name in QUERIES if f'"{name}"' not in written} == set()


def test_every_name_is_a_query() -> None:
    """There is no call for a query that is not there."""
    assert set(_CALL.findall(code())) <= set(QUERIES)
    assert len(set(_CALL.findall(code()))) > len(QUERIES) // 2
