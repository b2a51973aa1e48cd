"""The memory behind the server: opened late, shared safely, opened again when it was replaced."""

import shutil
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from noctuary.doors.mcp.keeper import Caller
from tests.unit.doors.mcp.serving import Served

pytestmark = pytest.mark.slow


def test_what_only_reads_makes_no_memory(served: Served) -> None:
    """A folder mistyped in a configuration must not become a memory by being asked."""
    for tool, arguments in (("session_search", {}), ("recall_why", {"topic": "x"}), ("dream_status", {})):
        served(tool, **arguments)

    assert not served.keeper.serving.settings.home.exists()


def test_a_memory_that_comes_later_is_seen(served: Served) -> None:
    """The server was started before the first import."""
    assert "complete answer" in served("task", action="list")
    served("task", action="open", title="Move sessions")

    assert "Move sessions" in served("task", action="list")


def test_a_memory_that_was_put_in_the_others_place_is_opened(served: Served) -> None:
    """A snapshot is restored while agents have their servers running."""
    served("task", action="open", title="Before")
    home = served.keeper.serving.settings.home
    shutil.move(home, home.with_name("old"))
    served("task", action="open", title="After")
    answer = served("task", action="list")

    assert "After" in answer
    assert "Before" not in answer


def test_many_threads_lose_nothing(served: Served) -> None:
    """Calls of several clients come at the same time; each is done once."""

    def note(number: int) -> None:
        mine = Served(served.keeper, Caller(f"session-{number % 8}", "codex"))
        mine("task", action="note", kind="finding", text=f"finding number{number}")
        mine("recall_why", topic=f"number{number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(note, range(48)))
    with served.keeper.reading() as memory:
        texts = {entry.event.text for entry in memory.work(served.project).entries(limit=100)}

    assert texts == {f"finding number{number}" for number in range(48)}


def test_a_write_that_waits_keeps_no_search_waiting(served: Served) -> None:
    """Searches and writes have a connection each."""
    served.keep("aaaa-1", ["Hello"])
    answers: list[str] = []
    reader = threading.Thread(target=lambda: answers.append(served("session_search", query="hello")))
    with served.keeper.writing():
        reader.start()
        reader.join(timeout=60)

    assert "aaaa-1" in answers[0]


def test_the_end_waits_for_what_is_being_written(served: Served) -> None:
    """A server that is asked to stop lets a write that was begun end first."""
    order: list[str] = []
    has_begun, may_end = threading.Event(), threading.Event()

    def write() -> None:
        with served.keeper.writing():
            has_begun.set()
            may_end.wait(60)
            order.append("written")

    def stop() -> None:
        served.keeper.close()
        order.append("closed")

    writer, stopper = threading.Thread(target=write), threading.Thread(target=stop)
    writer.start()
    has_begun.wait(60)
    stopper.start()
    may_end.set()
    writer.join()
    stopper.join()

    assert order == ["written", "closed"]
