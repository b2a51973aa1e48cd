"""On which kind of database a test runs: builders ask here for a store or an address, and the fixture `database` says.

Every folder has a memory of its own, on either kind; a folder that is opened twice is the same memory twice.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import NamedTuple

import apsw
import psycopg
import pytest

from noctuary.store import Store, open_server_store, open_store
from noctuary.store.postgres import PostgresDatabase
from noctuary.store.postgres_pool import POOLS
from noctuary.store.requests import Change, Mark, Requests
from noctuary.store.sqlite import SqliteDatabase
from tests import postgres_server
from tests.postgres_server import NoServer, Server

# The second costs as much again, and what breaks on it alone is seldom: `make test` runs both, `make test-quick` one.
KINDS = ("sqlite", pytest.param("postgres", marks=pytest.mark.slow))
WITH_VECTORS = "pgvector"  # PostgreSQL that compares vectors itself, for tests of meaning
COMPARING_KINDS = (*KINDS, pytest.param(WITH_VECTORS, marks=pytest.mark.slow))
_SECONDS = 60  # after which a test that waits gives up


def server_of_tests() -> Server:
    """A real server.  Where none can be had the test is skipped, or fails if one is needed."""
    try:
        return postgres_server.shared(_make_tables)
    except NoServer as error:
        why = f"not run on PostgreSQL: {error}"
        if postgres_server.is_needed(os.environ):
            pytest.fail(why)
        pytest.skip(why)


def _make_tables(url: str) -> None:
    open_server_store(url, "nobody").close()


@contextmanager
def new_database() -> Iterator[str]:
    """The address of a new database on the server, with empty tables."""
    with postgres_server.database(server_of_tests()) as url:
        yield url


class Reused(NamedTuple):
    """A database that many tests use in turn."""

    url: str
    empty: Callable[[], None]


@contextmanager
def reused_database() -> Iterator[Reused]:
    """A new one of those."""
    with new_database() as url, postgres_server.emptying(url) as empty:
        yield Reused(url, empty)


def needs_vectors() -> None:
    """Skip the test where the server has no pgvector."""
    if not server_of_tests().run("select 1 from pg_available_extensions where name = 'vector'"):
        pytest.skip("not run with pgvector: there is none here (`make test` builds it if it can)")


@contextmanager
def with_vectors() -> Iterator[Reused]:
    """One on which the server compares vectors; a test is skipped where there is no pgvector."""
    needs_vectors()
    with reused_database() as made:
        change_behind(made.url, "create extension vector")
        store = open_server_store(made.url, "nobody")
        store.extend()
        assert store.vectors.are_compared
        store.close()
        yield made


class _Servers:
    """The databases of one test on the server, by folder."""

    def __init__(self, first: str, made: ExitStack) -> None:
        self._free = [first]
        self._made = made
        self._urls: dict[Path, str] = {}

    def url(self, home: Path) -> str:
        """The database of a folder: the one that is ready if it is the first, else one that is made."""
        if home not in self._urls:
            self._urls[home] = self._free.pop() if self._free else self._made.enter_context(new_database())
        return self._urls[home]

    def close_pools(self) -> None:
        """Close what stores hold open that a test did not close: the next would be given these connections."""
        for url in self._urls.values():
            while url in POOLS._pools:
                POOLS.give_back(url)


_in_use: list[_Servers] = []


@contextmanager
def on_postgres(first: Reused) -> Iterator[None]:
    """What is opened meanwhile is on the server; `first` is a database that is empty, and is emptied again."""
    with ExitStack() as made:
        _in_use.append(_Servers(first.url, made))
        try:
            yield
        finally:
            _in_use.pop().close_pools()
            first.empty()


@contextmanager
def of_kind(request: pytest.FixtureRequest) -> Iterator[str]:
    """Memories of a test are on the kind of database that its parameter names."""
    if request.param == "sqlite":
        yield "sqlite"
        return
    first = "database_with_vectors" if request.param == WITH_VECTORS else "first_database"
    with on_postgres(request.getfixturevalue(first)):
        yield "postgres"


def url_of(home: Path) -> str | None:
    """The address of the memory in a folder; None if it is a file there."""
    return _in_use[-1].url(home.resolve()) if _in_use else None


def run_behind(home: Path, sql: str, *values: object) -> None:
    """Change the database of a folder behind everybody's back, past all rules; `?` stands for a value."""
    change_behind(url_of(home) or home / "noctuary.db", sql, *values)


def place_of(store: Store) -> str | Path:
    """The file or the address of a store."""
    if isinstance(store.database, SqliteDatabase):
        return store.database.path
    assert isinstance(store.database, PostgresDatabase)
    return store.database.url


def change_behind(place: str | Path, sql: str, *values: object) -> None:
    """The same in this file, or at this address."""
    url = str(place)
    if isinstance(place, Path):
        connection = apsw.Connection(url)
        connection.execute(sql, values)
        connection.close()
        return
    with psycopg.connect(url.replace(f"//{postgres_server.ROLE}@", "//postgres@")) as server:
        server.execute("set search_path = noctuary")
        server.execute(sql.replace("%", "%%").replace("?", "%s").encode(), values)


def changes_once(requests: Requests, owner: str, enough: Callable[[list[Change]], bool]) -> list[Change]:
    """All changes that are told, when they are enough: not before all transactions of the server that began earlier,
    also those of tests beside this one, are over."""
    end = monotonic() + _SECONDS
    while not enough(found := requests.changes_after(owner, Mark(), 100)) and monotonic() < end:
        sleep(0.001)
    return found


def where(home: Path) -> str:
    """The place of the memory in a folder as one word, for another process: see `store_at`."""
    return url_of(home) or str(home)


def store_at(place: str, owner: str = "ana") -> Store:
    """The store in a place that another process named."""
    is_address = place.startswith("postgresql://")
    return open_server_store(place, owner) if is_address else open_store(Path(place) / "noctuary.db")


def store_in(home: Path, owner: str = "ana", *, busy_seconds: float = 30.0) -> Store:
    """The store of the memory in a folder, as another process would open it."""
    url = url_of(home)
    if url is not None:
        return open_server_store(url, owner, busy_seconds=busy_seconds)
    home.mkdir(parents=True, exist_ok=True)
    path = home / "noctuary.db"
    if not path.exists():  # to make the tables takes five times as long as to copy them
        path.write_bytes(_empty_file())
        path.chmod(0o600)
    return open_store(path, busy_seconds=busy_seconds)


@cache
def _empty_file() -> bytes:
    """A database without a row, as a store makes it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "noctuary.db"
        open_store(path).close()
        assert [each.name for each in Path(folder).iterdir()] == [path.name]
        return path.read_bytes()
