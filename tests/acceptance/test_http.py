"""The API of a real server: changes as they come, what is kept when it is killed, and how it ends."""

import json
import re
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.acceptance.conftest import Cli
from tests.acceptance.web_servers import SECONDS, Served, web_server

API = "/api/v1"
_FIELD = re.compile(r"(id|event|data): (.*)")


@pytest.fixture
def served(cli: Cli) -> Iterator[Served]:
    with web_server(cli) as made:
        yield made


def told(response: httpx.Response) -> Iterator[dict[str, Any]]:
    """The events of a stream, one after the other; comments, and places without an event, are passed over."""
    event: dict[str, Any] = {}
    for line in response.iter_lines():
        if found := _FIELD.fullmatch(line):
            event[found[1]] = json.loads(found[2]) if found[1] == "data" else found[2]
        elif not line:
            if "data" in event:
                yield event
            event = {}


def begin(client: httpx.Client, name: str) -> None:
    """A session with a message in it."""
    said = {"messages": [{"role": "user", "content": f"hello from {name}"}]}
    assert client.put(f"{API}/sessions/{name}", json={"project": "/shop"}).status_code == 201
    assert client.post(f"{API}/sessions/{name}/messages", json=said).status_code == 201


def test_changes_come_as_they_happen_and_go_on_after_an_absence(served: Served, cli: Cli) -> None:
    """Whoever writes, also another process; who comes again is told what they missed, once."""
    with served.client() as client:
        with client.stream("GET", f"{API}/changes") as response:
            heard = told(response)
            begin(client, "first")
            first = next(heard)
            assert cli("task", "open", "Sell", "--project", "/shop").code == 0
            second = next(heard)
        begin(client, "while-away")
        with client.stream("GET", f"{API}/changes", headers={"Last-Event-ID": first["id"]}) as response:
            again, third = (each for _, each in zip(range(2), told(response), strict=False))

    assert response.headers["content-type"].startswith("text/event-stream")
    assert (first["event"], first["data"]["id"]) == ("session", "first")
    assert (second["event"], second["data"]["detail"]) == ("event", "open")
    assert again == second
    assert third["data"]["id"] == "while-away"


def test_answers_are_kept_by_nobody_and_still_have_tags(served: Served) -> None:
    """A program that kept one itself is told that it is the same; a browser leaves none on its disk."""
    with served.client() as client:
        begin(client, "s1")
        answer = client.get(f"{API}/sessions/s1")
        same = client.get(f"{API}/sessions/s1", headers={"If-None-Match": answer.headers["etag"]})

    assert (answer.status_code, same.status_code) == (200, 304)
    assert [each.headers["cache-control"] for each in (answer, same)] == ["no-store", "no-store"]


def test_a_server_that_is_told_to_stop_ends_its_streams(served: Served) -> None:
    """Whoever listens sees the end, and the server waits for nobody."""
    with served.client() as client, client.stream("GET", f"{API}/changes") as response:
        lines = response.iter_lines()
        assert next(lines).startswith("retry:")
        served.process.send_signal(signal.SIGTERM)
        rest = list(lines)

    assert not [line for line in rest if line.startswith("data:")]
    assert served.process.wait(SECONDS) == 0


def test_what_was_acknowledged_is_there_after_a_kill_and_is_not_done_twice(cli: Cli) -> None:
    """A client that repeats what it does not know the answer to ends up with each message once."""
    answered: list[int] = []
    with web_server(cli) as first, first.client() as client:
        begin(client, "s1")

        def send(number: int) -> None:
            try:
                response = client.post(f"{API}/sessions/s1/messages", json=_said(number), headers=_key(number))
            except httpx.HTTPError:
                return
            if response.status_code == 201:
                answered.append(number)
            if len(answered) >= 20:
                first.process.kill()

        with ThreadPoolExecutor(4) as threads:
            list(threads.map(send, range(60)))
        assert first.process.wait(SECONDS) == -signal.SIGKILL
    with web_server(cli) as second, second.client() as client:
        kept = _numbers(client)
        assert set(answered) <= set(kept)
        for number in range(60):
            repeated = client.post(f"{API}/sessions/s1/messages", json=_said(number), headers=_key(number))
            assert repeated.status_code == 201, repeated.text

        assert sorted(_numbers(client)) == list(range(60))


def _said(number: int) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": f"message {number}"}]}


def _key(number: int) -> dict[str, str]:
    return {"Idempotency-Key": f"k-{number}"}


def _numbers(client: httpx.Client) -> list[int]:
    items = client.get(f"{API}/sessions/s1/messages", params={"limit": 200}).json()["items"]
    return [int(found[1]) for each in items if (found := re.fullmatch(r"message (\d+)", each["content"]))]


def test_many_clients_at_once_lose_and_double_nothing(served: Served) -> None:
    """Each writes to a session of its own, searches and ends it, and every message is there once."""

    def live(number: int) -> tuple[str, list[str]]:
        name, said = f"client-{number}", [f"word{number}x{turn}" for turn in range(5)]
        with served.client() as client:
            client.put(f"{API}/sessions/{name}", json={"project": "/shop"})
            for text in said:
                body = {"messages": [{"role": "user", "content": text}]}
                assert client.post(f"{API}/sessions/{name}/messages", json=body).status_code == 201
            found = client.get(f"{API}/search/sessions", params={"q": said[-1]}).json()
            assert [hit["session"]["id"] for hit in found["hits"]] == [name]
            assert client.post(f"{API}/sessions/{name}/complete").status_code == 200
        return name, said

    with ThreadPoolExecutor(8) as threads:
        lives = dict(threads.map(live, range(8)))

    with served.client() as client:
        for name, said in lives.items():
            items = client.get(f"{API}/sessions/{name}/messages").json()["items"]
            assert [each["content"] for each in items] == said
