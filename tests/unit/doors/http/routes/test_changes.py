"""The stream of changes: what comes, from where on, for whom, and how it ends."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from starlette.requests import Request

from noctuary.access import Caller
from noctuary.app import requests
from noctuary.doors.http.asked import Asked
from noctuary.doors.http.problems import Problem
from noctuary.doors.http.routes import changes
from noctuary.doors.http.routes.changes import MOST_OF_ONE, MOST_STREAMS
from tests.unit.doors.http.serving import ANA, BLOG, BOB, OF_SHOP, Served

pytestmark = pytest.mark.slow

BEGINNING = "0-0"


def asked(served: Served, caller: Caller) -> Asked:
    """A request of somebody."""
    return Asked(served.door, caller, Request({"type": "http", "headers": []}))


async def heard(served: Served, caller: Caller, last_id: str | None, most: int) -> list[dict[str, Any]]:
    """So many of the next things that somebody hears."""
    stream: AsyncIterator[Any] = changes.changes(asked(served, caller), last_id).body_iterator  # type: ignore[attr-defined]
    found: list[dict[str, Any]] = []
    async for piece in stream:
        found += [dict(_read(part)) for part in str(piece).split("\n\n") if "event: " in part]
        if len(found) >= most:
            await stream.aclose()  # type: ignore[attr-defined]
            break
    return found


def _read(part: str) -> list[tuple[str, Any]]:
    lines = [line.partition(": ") for line in part.splitlines()]
    return [(name, json.loads(value) if name == "data" else value) for name, _, value in lines]


def listen(served: Served, most: int, *, as_: Caller = ANA, last_id: str | None = BEGINNING) -> list[dict[str, Any]]:
    """The same, from a test that waits for it."""
    return asyncio.run(asyncio.wait_for(heard(served, as_, last_id, most), 60))


def test_all_since_a_place_comes_in_its_order_with_ids_to_go_on_from(served: Served) -> None:
    """From each id on comes what came after it."""
    served.session("s1", "hello")
    served.task("Sell")
    served.post("/sessions/s1/complete")

    all_of_it = listen(served, 3)

    told = [(each["event"], each["data"]["detail"]) for each in all_of_it]
    assert told == [("session", "active"), ("event", "open"), ("session", "ended")]
    assert listen(served, 2, last_id=all_of_it[0]["id"]) == all_of_it[1:]


def test_changes_have_ids_and_no_contents(served: Served) -> None:
    """What is in them is asked for with a key, like all else."""
    served.session("s1", "a secret plan")
    task = served.task("A secret task")

    text = json.dumps(listen(served, 2))

    assert task not in text  # an event has the id of the event
    assert "secret" not in text


def test_nobody_hears_of_other_owners_or_projects(served: Served) -> None:
    """Each hears what they may see, in one stream for all of it."""
    served.session("s1", "hello")
    served.session("s2", "hello", project=BLOG)
    served.session("s3", "hello", as_=BOB)

    assert [each["data"]["id"] for each in listen(served, 2)] == ["s1", "s2"]
    assert [each["data"]["id"] for each in listen(served, 1, as_=BOB)] == ["s3"]
    served.session("s4", "hello")
    assert [each["data"]["id"] for each in listen(served, 2, as_=OF_SHOP)] == ["s1", "s4"]


def test_without_a_place_only_what_is_new_comes(served: Served) -> None:
    """What was there before is for those who ask for it."""
    served.session("s1", "hello")

    async def hear_while_something_happens() -> list[dict[str, Any]]:
        hearing = asyncio.create_task(heard(served, ANA, None, 1))
        await asyncio.sleep(0)  # until the stream has begun, which it does at once
        await asyncio.to_thread(served.session, "s2")
        return await hearing

    (new,) = asyncio.run(asyncio.wait_for(hear_while_something_happens(), 60))

    assert new["data"]["id"] == "s2"


def begun(served: Served, last_id: str | None = None) -> str:
    """What somebody is sent before anything is told."""

    async def listening() -> str:
        stream: AsyncIterator[Any] = changes.changes(asked(served, ANA), last_id).body_iterator  # type: ignore[attr-defined]
        first = str(await anext(stream))
        await stream.aclose()  # type: ignore[attr-defined]
        return first

    return asyncio.run(asyncio.wait_for(listening(), 60))


def test_who_is_cut_off_before_anything_was_told_misses_nothing(served: Served) -> None:
    """A stream begins with its place, which browsers send when they come back."""
    served.session("s1")
    listen(served, 1)

    first = begun(served)
    served.session("s2")

    assert "data:" not in first  # what has none is an event to nobody
    place = dict(_read(first))["id"]
    assert [each["data"]["id"] for each in listen(served, 1, last_id=place)] == ["s2"]


def test_who_is_cut_off_before_there_was_anything_misses_nothing(served: Served) -> None:
    """Before the first change there is a place, too."""
    place = dict(_read(begun(served)))["id"]
    served.session("s1")

    assert [each["data"]["id"] for each in listen(served, 1, last_id=place)] == ["s1"]


def test_who_was_away_too_long_is_told_so_first(served: Served) -> None:
    """Then comes what is still known."""
    for number in range(3):
        served.session(f"s{number}")
    first = listen(served, 1)[0]["id"]
    with served.memory() as memory:
        memory.store.requests.keep_changes("ana", 1)

    missed, rest = listen(served, 2, last_id=first)

    assert missed["event"] == "missed"
    assert rest["data"]["id"] == "s2"


def test_who_was_told_more_than_there_is_hears_what_comes(served: Served) -> None:
    """A snapshot was put back, or the memory moved: that something was missed is said, and the stream goes on."""
    served.session("s1")

    async def hear_while_something_happens() -> list[dict[str, Any]]:
        hearing = asyncio.create_task(heard(served, ANA, "999999999-999999999", 2))
        await asyncio.sleep(0)
        await asyncio.to_thread(served.session, "s2")
        return await hearing

    missed, new = asyncio.run(asyncio.wait_for(hear_while_something_happens(), 60))

    assert missed["event"] == "missed"
    assert new["data"]["id"] == "s2"


def test_a_stream_ends_when_the_server_does_and_is_counted_until_then(served: Served) -> None:
    """It ends by itself, so that the server need not wait."""

    async def end_while_somebody_listens() -> list[dict[str, Any]]:
        hearing = asyncio.create_task(heard(served, ANA, None, 1))
        await asyncio.sleep(0)  # until the stream has begun, which it does at once
        served.door.closing.set()
        return await hearing

    assert asyncio.run(asyncio.wait_for(end_while_somebody_listens(), 60)) == []
    assert served.door.meter.stream("ana", 0).total == 0


@pytest.mark.parametrize(("owner", "many"), [("bob", MOST_STREAMS), ("ana", MOST_OF_ONE)])
def test_too_many_streams_are_refused(served: Served, owner: str, many: int) -> None:
    """Each costs the server something all the time, and nobody may have them all."""
    served.door.meter.stream(owner, many)

    with pytest.raises(Problem) as refused:
        changes.changes(asked(served, ANA), None)

    assert refused.value.status == 503
    assert served.door.meter.stream(owner, 0) == (many, many)


def test_a_key_that_is_over_is_told_nothing_more(served: Served) -> None:
    """The stream of whoever is no longer let in ends before the next thing that it would tell."""

    async def listening() -> list[str]:
        stream: AsyncIterator[Any] = changes.changes(asked(served, ANA), BEGINNING).body_iterator  # type: ignore[attr-defined]
        told = [str(await anext(stream)) for _ in range(2)]
        await asyncio.to_thread(served.session, "s2", as_=ANA)
        served.guard.forget(ANA)
        return told + [str(piece) async for piece in stream]

    served.session("s1")

    told = asyncio.run(asyncio.wait_for(listening(), 60))

    assert "s1" in told[1]
    assert len(told) == 2
    assert served.door.meter.stream("ana", 0).total == 0


def test_what_is_folded_again_is_no_news(served: Served) -> None:
    """Journals are read again after an upgrade, and nobody wants to hear everything twice."""
    served.task("Sell")
    with served.memory() as memory:
        before = requests.last_mark(memory)
        memory.rebuild()

        assert requests.last_mark(memory) == before


@pytest.mark.parametrize("last_id", ["", "x", "1", "1-", "-1-1", "1-1-1", "9" * 40 + "-1"])
def test_a_place_that_is_none_is_refused(served: Served, last_id: str) -> None:
    """It is not taken for the beginning, nor for the end."""
    assert served.ask("GET", "/changes", headers={"Last-Event-ID": last_id}).status_code == 422
