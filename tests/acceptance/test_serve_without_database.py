"""`noctuary serve` while its database is away, or in use by somebody who does not let go."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from uuid import uuid4

import pytest

from noctuary.store import open_server_store
from tests import postgres_server
from tests.acceptance.conftest import Cli
from tests.acceptance.web_servers import web_server
from tests.postgres_server import NoServer, Server

pytestmark = pytest.mark.slow

SESSION = "/api/v1/sessions/s-1"
SAID = {"messages": [{"role": "user", "content": "Redis is rejected."}]}
HOGGING = 25.0  # seconds; after thirty those who wait for the database are told that it is busy
SOON = 10.0  # seconds; somebody who writes would be waited for for thirty


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server of this test alone, which may stop it."""
    folder = Path(f"/tmp/noctuary-own-{uuid4().hex[:8]}")
    try:
        server = postgres_server.start(folder)
        server.run(f"create database team owner {postgres_server.ROLE}")
        yield server
    except NoServer as error:
        pytest.skip(f"NO DATABASE THAT GOES AWAY IS TESTED: {error}")
    finally:
        postgres_server.remove(folder)


def test_a_database_that_goes_away_and_comes_back(cli: Cli, own_server: Server) -> None:
    """Who asks meanwhile is told soon and truly, streams end, the log is what it always is; then all goes on."""
    with web_server(cli, "--database", own_server.url("team")) as served, served.client() as client:
        client.put(SESSION, json={"agent": "codex"})
        with client.stream("GET", "/api/v1/changes") as stream:
            lines = stream.iter_lines()
            assert [next(lines).partition(":")[0] for _ in range(2)] == ["retry", "id"]
            postgres_server.stop(own_server.folder, "fast")  # at once it would lose what it has in its hands
            began = monotonic()
            assert list(lines) == [""]
        told = [client.get(SESSION), client.post(f"{SESSION}/messages", json=SAID), client.get("/sessions")]
        waited = monotonic() - began
        postgres_server.start_again(own_server.folder)
        began = monotonic()
        appended = client.post(f"{SESSION}/messages", json=SAID)
        waited_again = monotonic() - began
        _, log = served.end()

    assert [answer.status_code for answer in told] == [503, 503, 503]
    assert all("cannot be reached" in answer.text for answer in told)
    assert (appended.status_code, appended.json()["ids"]) == (201, [1])
    assert waited < SOON
    assert waited_again < SOON
    facts = [json.loads(line) for line in log.splitlines()]  # of libraries nothing stands between them
    assert not [each for each in facts if each.get("kind") == "RuntimeError"]


def test_a_monitor_is_answered_while_everybody_waits(cli: Cli) -> None:
    """However many requests wait for the database, the server says that it is there; and none of them is lost."""
    with web_server(cli) as served, served.client() as client, ThreadPoolExecutor(60) as many:
        client.put(SESSION, json={"agent": "codex"})
        with closing(sqlite3.connect(cli.memory / "noctuary.db", isolation_level=None)) as hogging:
            hogging.execute("begin immediate")
            waiting = [many.submit(client.post, f"{SESSION}/messages", json=SAID) for _ in range(50)]
            sleep(2)  # for all of them to be where they wait
            health = client.get("/api/v1/health", timeout=SOON)
            is_waiting = not any(each.done() for each in waiting)
            hogging.execute("rollback")
        answers = [each.result().status_code for each in waiting]

    assert health.status_code == 200
    assert is_waiting
    assert answers == [201] * 50


def test_who_waits_for_their_own_memory_keeps_nobody_else(cli: Cli, postgres_url: str) -> None:
    """One whose requests all wait is told when there are too many of them; others are answered as ever."""
    hogging = open_server_store(postgres_url, "ana")
    key = cli("key", "make", "laptop", "--owner", "ben", "--database", postgres_url).out.strip()
    with (
        web_server(cli, "--database", postgres_url) as served,
        ThreadPoolExecutor(100) as many,
        served.client() as client,
        served.client(key) as other,
    ):
        client.put(SESSION, json={"agent": "codex"})
        with hogging.database.transaction():
            waiting = [many.submit(client.post, f"{SESSION}/messages", json=SAID) for _ in range(90)]
            wait(waiting, timeout=HOGGING, return_when=FIRST_COMPLETED)  # one that was told that too many wait
            began = monotonic()
            told = other.get("/api/v1/sessions").status_code
            waited = monotonic() - began
        answers = Counter(each.result().status_code for each in waiting)
        kept = client.get(SESSION).json()["message_count"]
    hogging.close()

    assert (told, waited < SOON) == (200, True)
    assert set(answers) == {201, 503}
    assert answers[201] == kept
