"""A program writes down its conversation, and nothing that goes wrong there reaches it."""

import asyncio
import logging
import threading
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.fences import fenced
from noctuary.integrations.capture import AsyncCapture, Capture, ToolCall
from noctuary.records import Hidden, Kind, Role, TitleSource
from tests.unit.importing.machine import finds, said, stored

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def captured(memory: Memory, **more: object) -> Capture:
    return Capture(memory, session_id="s-1", project="shop", agent="demo", **more)  # type: ignore[arg-type]


def test_a_conversation_is_written_down(memory: Memory) -> None:
    """Who said what, which tools were called and what they gave back; with a title, an agent and a project."""
    capture = captured(memory)
    capture.user("Why is the numbat slow?")
    capture.assistant("I look.", tool_calls=[ToolCall("grep", {"pattern": "numbat"}, "c-1")])
    capture.tool("grep", "numbat.py: sleep(9)", call_id="c-1")
    capture.assistant("It sleeps.")

    session = memory.session("s-1")
    assert (session.title, session.title_source) == ("Why is the numbat slow?", TitleSource.PROMPT)
    assert (session.agent, session.project, session.message_count) == ("demo", "shop", 5)
    assert [(m.role, m.kind, m.content, m.tool_name, m.call_id) for m in stored(memory, "s-1")] == [
        (Role.USER, Kind.TEXT, "Why is the numbat slow?", None, None),
        (Role.ASSISTANT, Kind.TEXT, "I look.", None, None),
        (Role.ASSISTANT, Kind.TOOL_CALL, '{"pattern": "numbat"}', "grep", "c-1"),
        (Role.TOOL, Kind.TOOL_RESULT, "numbat.py: sleep(9)", "grep", "c-1"),
        (Role.ASSISTANT, Kind.TEXT, "It sleeps.", None, None),
    ]
    assert {m.ts_ms for m in stored(memory, "s-1")} == {memory.clock.now_ms()}
    assert memory.search("numbat slow").hits[0].session.id == "s-1"
    assert capture.failures == 0


def test_a_tool_may_have_no_name(memory: Memory) -> None:
    """Some libraries say only which call it was; and what is no name at all fails no turn."""
    capture = captured(memory)

    assert capture.tool(None, "numbat.py", call_id="c-1")
    assert not capture.tool(7, "numbat.py")  # type: ignore[arg-type]
    assert [(m.content, m.tool_name) for m in stored(memory, "s-1")] == [("numbat.py", None)]


def test_what_is_said_is_stored_without_secrets(memory: Memory) -> None:
    """As everywhere else."""
    capture = captured(memory)
    capture.user(f"The token is {SECRET}")
    capture.tool("env", {"TOKEN": SECRET})

    assert SECRET not in str(stored(memory, "s-1"))


def test_what_we_told_is_hidden(memory: Memory) -> None:
    """A prompt with a brief in front, a tool of ours: neither is found again."""
    capture = captured(memory)
    capture.user(f"{fenced('- Feed the quokka. [m-9k2x4z7abc]')}\nWhat now?")
    capture.tool("mcp__noctuary__session_search", "The quokka was fed.")
    capture.tool("search_memory", fenced("The quokka sleeps."))

    assert finds(memory, "quokka") == []
    assert said(memory, "s-1") == ["What now?"]
    assert memory.session("s-1").title == "What now?"
    assert [m.hidden for m in stored(memory, "s-1")] == [Hidden.RECALLED, None, Hidden.RECALLED, Hidden.RECALLED]


def test_the_end_of_a_conversation_lets_a_dream_read_it(memory: Memory) -> None:
    """And it can go on later under the same name."""
    first = captured(memory)
    first.user("Never store prices as floats; always use whole cents.")

    assert first.end()
    assert [record.session for record in memory.dreams.waiting()] == ["s-1"]
    later = captured(memory)
    later.user("And now?")
    assert memory.session("s-1").message_count == 2
    assert memory.session("s-1").title == "Never store prices as floats; always use whole cents."


def test_what_goes_wrong_is_logged_once_and_counted(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    """No call raises, whatever the memory does; whoever wants to know is told of each."""
    errors: list[Exception] = []
    capture = captured(memory, on_error=errors.append)
    memory.close()
    with caplog.at_level(logging.DEBUG):
        results = [capture.user("a"), capture.assistant("b"), capture.tool("c", "d"), capture.thinking("e")]

    assert results == [False] * 4
    assert capture.failures == len(errors) == 4
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_who_is_told_of_errors_may_fail_too(memory: Memory) -> None:
    """That is no reason to end a turn either."""

    def fail(error: Exception) -> None:
        raise RuntimeError from error

    capture = captured(memory, on_error=fail)
    memory.close()

    assert not capture.user("a")
    assert not capture.assistant(tool_calls=[{"arguments": "no name"}])


@pytest.mark.parametrize("value", [None, 7, {"a": {1, 2}}, object(), b"bytes", ["x"], ""])
def test_anything_can_be_a_result(memory: Memory, value: object) -> None:
    """Tools give back what they like."""
    capture = captured(memory)

    assert capture.tool("f", value)
    assert capture.failures == 0


def test_an_end_without_a_beginning_is_nothing(memory: Memory) -> None:
    """A conversation in which nothing was said leaves nothing."""
    capture = captured(memory)

    assert capture.end()
    assert memory.sessions() == []


def test_a_folder_stands_for_its_project(memory: Memory, tmp_path: Path) -> None:
    """The project is that of the folder, by default of the one that the program runs in."""
    Capture(memory, session_id="s-1", project=tmp_path).user("a")
    Capture(memory, session_id="s-2").user("a")

    assert memory.session("s-1").project == memory.project_of(tmp_path)
    assert memory.session("s-2").project == memory.project_of(".")


def test_several_threads_at_once(memory: Memory) -> None:
    """Nothing is lost and nothing is written twice."""
    capture = captured(memory)

    def talk(name: int) -> None:
        for number in range(20):
            capture.user(f"{name}-{number}")

    threads = [threading.Thread(target=talk, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(said(memory, "s-1")) == sorted(f"{n}-{i}" for n in range(4) for i in range(20))
    assert capture.failures == 0


def test_a_loop_of_events_goes_on(memory: Memory) -> None:
    """What is written is written elsewhere: while it waits for a lock, the loop runs."""
    capture = captured(memory)
    ticks: list[int] = []

    async def talk() -> list[bool]:
        writer = AsyncCapture(capture)
        with capture._lock:  # somebody else writes, and takes long
            waiting = asyncio.create_task(writer.user("Hello"))
            for number in range(50):
                await asyncio.sleep(0)
                ticks.append(number)
            assert not waiting.done()
        return [
            await waiting,
            await writer.assistant("Hi", tool_calls=[ToolCall("f")]),
            await writer.thinking("Hm"),
            await writer.tool("f", "x"),
            await writer.end(),
        ]

    assert asyncio.run(talk()) == [True] * 5
    assert len(ticks) == 50
    assert said(memory, "s-1") == ["Hello", "Hi", "", "Hm", "x"]
