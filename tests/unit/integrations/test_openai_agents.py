"""A session of the OpenAI Agents SDK is written down, with a model that answers from a script."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from agents import Agent, Model, ModelResponse, RunConfig, Runner, SQLiteSession, Usage
from agents.items import TResponseInputItem
from agents.memory import Session
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from noctuary.app import Memory
from noctuary.integrations.openai_agents import RecordedSession, memory_tools
from noctuary.records import Hidden, Kind, Role
from tests.unit.importing.machine import finds, said, stored

pytestmark = pytest.mark.slow

QUIET = RunConfig(tracing_disabled=True)


class Script(Model):
    """Answers what it was given to answer, in turn, and keeps what it was asked."""

    def __init__(self, *answers: ResponseOutputMessage | ResponseFunctionToolCall) -> None:
        self._answers = iter(answers)
        self.asked: list[list[Any]] = []

    async def get_response(self, *given: Any, **more: Any) -> ModelResponse:
        """The next answer; the second argument is what was said so far."""
        self.asked.append([*given[1]] if len(given) > 1 else [*more["input"]])
        return ModelResponse(output=[next(self._answers)], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        """Nobody asks for it here."""
        raise NotImplementedError


def says(text: str, number: int = 1) -> ResponseOutputMessage:
    part = ResponseOutputText(annotations=[], text=text, type="output_text", logprobs=[])
    return ResponseOutputMessage(
        id=f"msg_{number}", content=[part], role="assistant", status="completed", type="message"
    )


def calls(name: str, arguments: str, call_id: str = "call_1") -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(arguments=arguments, call_id=call_id, name=name, type="function_call")


def run(agent: Agent[Any], session: Session, *prompts: str) -> Iterator[str]:
    """What the agent answers to each of the prompts."""

    async def talk() -> list[str]:
        results = [await Runner.run(agent, each, session=session, run_config=QUIET) for each in prompts]
        return [str(result.final_output) for result in results]

    return iter(asyncio.run(talk()))


def test_it_is_a_session(memory: Memory) -> None:
    """As the SDK means it."""
    assert isinstance(RecordedSession(memory, "s-1"), Session)


def test_a_run_is_written_down(memory: Memory) -> None:
    """And the SDK has the history that it needs for the next turn."""
    model = Script(says("It sleeps."), says("Nine seconds.", 2))
    session = RecordedSession(memory, "s-1", project="shop")

    answers = run(Agent(name="demo", model=model), session, "Why is the numbat slow?", "How long?")

    assert [*answers] == ["It sleeps.", "Nine seconds."]
    assert said(memory, "s-1") == ["Why is the numbat slow?", "It sleeps.", "How long?", "Nine seconds."]
    assert (memory.session("s-1").agent, memory.session("s-1").project) == ("openai-agents", "shop")
    assert [item.get("role") for item in model.asked[1]] == ["user", "assistant", "user"]
    assert asyncio.run(session.end())
    assert [record.session for record in memory.dreams.waiting()] == ["s-1"]


def test_an_agent_uses_its_memory(memory: Memory) -> None:
    """It finds what was said before; what it was told is not found again, and what it keeps is kept."""
    before = RecordedSession(memory, "s-0", project="shop")
    [*run(Agent(name="demo", model=Script(says("Feed the quokka at nine."))), before, "When is the quokka fed?")]
    model = Script(
        calls("search_memory", '{"query": "quokka fed"}'),
        calls("remember", '{"text": "The quokka is fed at nine."}', "call_2"),
        says("At nine."),
    )
    agent = Agent(name="demo", model=model, tools=[*memory_tools(memory, "shop", exclude_session="s-1")])

    answers = [*run(agent, RecordedSession(memory, "s-1", project="shop"), "What about the animal?")]

    assert answers == ["At nine."]
    assert "quokka at nine" in str(model.asked[1][-1]["output"])
    assert {name for name, _ in finds(memory, "quokka nine")} == {"s-0", "s-1"}
    result = next(message for message in stored(memory, "s-1") if message.kind is Kind.TOOL_RESULT)
    assert (result.hidden, result.role) == (Hidden.RECALLED, Role.TOOL)
    assert [one.text for one in memory.work("shop").memories()] == ["The quokka is fed at nine."]
    assert "m-" in str(model.asked[2][-1]["output"])


def test_history_comes_back_to_the_letter(memory: Memory) -> None:
    """What a memory may change, such as secrets, the SDK gets back as it was."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    items: list[TResponseInputItem] = [
        {"role": "user", "content": f"The token is {secret}"},
        {
            "type": "reasoning",
            "id": "rs_1",
            "summary": [{"type": "summary_text", "text": "Hm"}],
            "encrypted_content": secret,
        },
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": "done"},
        {"role": "system", "content": "Be kind."},
    ]

    async def talk(session: RecordedSession) -> None:
        await session.add_items(items)
        assert await session.get_items() == items
        assert await session.get_items(2) == items[-2:]
        assert await session.pop_item() == items[-1]
        assert await session.get_items() == items[:-1]
        await session.clear_session()
        assert await session.get_items() == []
        assert await session.pop_item() is None

    asyncio.run(talk(RecordedSession(memory, "s-1", history=SQLiteSession("s-1"))))

    kept = stored(memory, "s-1")
    assert secret not in str(kept)
    assert [(m.role, m.kind, m.hidden) for m in kept] == [
        (Role.USER, Kind.TEXT, None),
        (Role.ASSISTANT, Kind.THINKING, None),
        (Role.ASSISTANT, Kind.TOOL_CALL, None),
        (Role.TOOL, Kind.TOOL_RESULT, None),
        (Role.SYSTEM, Kind.TEXT, Hidden.INJECTED),
    ]


def test_a_memory_that_fails_stops_no_run(memory: Memory) -> None:
    """The agent answers, and the failure is counted."""
    session = RecordedSession(memory, "s-1")
    memory.close()

    answers = [*run(Agent(name="demo", model=Script(says("Hello."))), session, "Hi")]

    assert answers == ["Hello."]
    assert session.capture.failures == 2


@pytest.mark.parametrize("tool", ["search_memory", "remember"])
def test_a_tool_that_cannot_answer_says_why(memory: Memory, tool: str) -> None:
    """A query that means nothing or an empty sentence is answered, not raised."""
    arguments = {"search_memory": '{"query": "zeppelin"}', "remember": '{"text": ""}'}[tool]
    model = Script(calls(tool, arguments), says("So be it."))
    agent = Agent(name="demo", model=model, tools=[*memory_tools(memory, "shop")])

    [*run(agent, RecordedSession(memory, "s-1"), "Hi")]

    assert {"search_memory": "complete answer", "remember": "kept already"}[tool] in str(model.asked[1][-1]["output"])


def test_items_that_are_odd_stop_no_run(memory: Memory) -> None:
    """What cannot be read is counted, and the rest is written down."""
    session = RecordedSession(memory, "s-1")
    odd: Any = "no item"
    asyncio.run(session.add_items([odd, {"role": "user", "content": "Hi"}]))

    assert session.capture.failures == 1
    assert said(memory, "s-1") == ["Hi"]
