"""Connections to a server that goes away, is full, or says nothing any more."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from time import monotonic, sleep

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from noctuary.errors import StoreUnreachable
from noctuary.records import Session
from noctuary.store import Store, open_server_store
from noctuary.store.postgres_pool import connect

pytestmark = pytest.mark.slow

SOON = 10.0  # seconds; a store waits for thirty if others are in its way
END_ALL = "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = %s and pid <> pg_backend_pid()"


@pytest.fixture
def ana(postgres_url: str) -> Iterator[Store]:
    """Ana's store, with one session."""
    store = open_server_store(postgres_url, "ana")
    store.sessions.ensure("ana", Session(id="s1"))
    yield store
    store.close()


@contextmanager
def administering(url: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """Somebody who may do everything, in another database of the same server."""
    host = conninfo_to_dict(url)["host"]
    with psycopg.connect(f"postgresql://postgres@/postgres?host={host}", autocommit=True) as connection:
        yield connection


def close_for(url: str) -> None:
    """Let nobody in any more, and end who is there, as if the server were stopped."""
    name = conninfo_to_dict(url)["dbname"]
    with administering(url) as connection:
        connection.execute(f'alter database "{name}" allow_connections false'.encode())
        connection.execute(END_ALL, (name,))


def open_for(url: str) -> None:
    """Let everybody in again."""
    with administering(url) as connection:
        connection.execute(f'alter database "{conninfo_to_dict(url)["dbname"]}" allow_connections true'.encode())


def test_a_server_that_went_away_is_said_at_once(ana: Store, postgres_url: str) -> None:
    """It is not a writer for whom one waits, and whoever asks is not kept; when it is back it is used at once."""
    close_for(postgres_url)
    began = monotonic()
    for _ in range(3):
        with pytest.raises(StoreUnreachable):
            ana.sessions.find("ana", "s1")
    assert monotonic() - began < SOON

    open_for(postgres_url)
    began = monotonic()
    assert ana.sessions.find("ana", "s1")
    assert monotonic() - began < SOON


def test_a_server_without_room_for_more_connections_is_not_away(ana: Store, postgres_url: str) -> None:
    """Whoever has a connection gives it back, and the next one takes it."""
    ben = open_server_store(postgres_url, "ben")
    found: list[object] = []
    asking = Thread(target=lambda: found.append(ben.sessions.find("ben", "s1")))
    with ana.database.transaction():
        assert ana.sessions.find("ana", "s1")
        with administering(postgres_url) as connection:
            connection.execute(
                f'alter database "{conninfo_to_dict(postgres_url)["dbname"]}" connection limit 0'.encode()
            )
        asking.start()
        sleep(1.5)  # longer than a pool is waited for before it is asked what is wrong
    asking.join(SOON)
    ben.close()

    assert found == [None]


_CUT = """
import sys
import psycopg
from noctuary.errors import StoreUnreachable
from noctuary.store import open_server_store

url = sys.argv[1]
store = open_server_store(url, "ana")
for _ in range(2):
    try:
        with store.database.transaction():
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("select pg_terminate_backend(pid, 5000) from pg_stat_activity "
                                   "where datname = current_database() and pid <> pg_backend_pid()")
            store.sessions.find("ana", "s1")
    except StoreUnreachable:
        print("said")
"""


def test_a_connection_that_breaks_is_told_by_the_error_alone(postgres_url: str) -> None:
    """Whoever set up no log reads nothing else, however much was under way."""
    command = [sys.executable, "-c", _CUT, postgres_url]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.stdout, done.stderr) == ("said\nsaid\n", "")


def test_a_machine_that_is_gone_is_not_waited_for_for_hours(postgres_url: str) -> None:
    """The system is told to notice it, unless the address says how long to wait."""
    with connect(postgres_url) as connection:
        assert connection.info.get_parameters()["tcp_user_timeout"] == "30000"
        assert connection.info.get_parameters()["keepalives_idle"] == "30"
    with connect(f"{postgres_url}&tcp_user_timeout=5000") as connection:
        assert connection.info.get_parameters()["tcp_user_timeout"] == "5000"
