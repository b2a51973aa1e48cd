"""Runs of PydanticAI are written down, with the models that it has for tests."""

import asyncio
from typing import Any

import pytest
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.messages import (
    ImageUrl,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    NativeToolCallPart,
    NativeToolReturnPart,
    SpeechPart,
    TextContent,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from noctuary.app import Memory
from noctuary.integrations.capture import Capture
from noctuary.integrations.pydantic_ai import memory_toolset, write_down
from noctuary.records import Hidden, Kind, Role
from tests.unit.importing.machine import finds, said, stored

pytestmark = pytest.mark.slow


def scripted(*answers: ModelResponse) -> FunctionModel:
    """A model that answers so, in turn."""
    left = iter(answers)

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return next(left)

    return FunctionModel(answer)


def test_a_run_is_written_down(memory: Memory) -> None:
    """What was asked, thought, called, given back and answered; instructions are nobody's word."""
    model = scripted(
        ModelResponse([ThinkingPart("I look."), ToolCallPart("weigh", {"animal": "numbat"}, tool_call_id="c-1")]),
        ModelResponse([TextPart("It weighs 500 g.")]),
    )
    agent = Agent(model, system_prompt="Be brief.")

    @agent.tool_plain
    def weigh(animal: str) -> dict[str, int]:
        return {animal: 500}

    capture = Capture(memory, session_id="s-1", project="shop", agent="pydantic-ai")
    first = asyncio.run(agent.run("What does it weigh?"))
    write_down(capture, first.new_messages())

    assert first.output == "It weighs 500 g."
    assert [(m.role, m.kind, m.content, m.tool_name, m.hidden) for m in stored(memory, "s-1")] == [
        (Role.SYSTEM, Kind.TEXT, "Be brief.", None, Hidden.INJECTED),
        (Role.USER, Kind.TEXT, "What does it weigh?", None, None),
        (Role.ASSISTANT, Kind.THINKING, "I look.", None, None),
        (Role.ASSISTANT, Kind.TOOL_CALL, '{"animal": "numbat"}', "weigh", None),
        (Role.TOOL, Kind.TOOL_RESULT, '{"numbat": 500}', "weigh", None),
        (Role.ASSISTANT, Kind.TEXT, "It weighs 500 g.", None, None),
    ]
    assert memory.session("s-1").title == "What does it weigh?"


def test_a_conversation_goes_on(memory: Memory) -> None:
    """Only what is new of each run is written."""
    agent = Agent(TestModel(custom_output_text="Yes."))
    capture = Capture(memory, session_id="s-1", project="shop")
    first = asyncio.run(agent.run("One?"))
    write_down(capture, first.new_messages())
    second = asyncio.run(agent.run("Two?", message_history=first.all_messages()))
    write_down(capture, second.new_messages())

    assert said(memory, "s-1") == ["One?", "Yes.", "Two?", "Yes."]


def test_what_a_tool_refuses_is_written_down(memory: Memory) -> None:
    """It is what the tool gave back."""
    model = scripted(
        ModelResponse([ToolCallPart("weigh", {}, tool_call_id="c-1")]), ModelResponse([TextPart("I cannot.")])
    )
    agent = Agent(model)

    @agent.tool_plain
    def weigh() -> str:
        raise ModelRetry("Name an animal.")

    write_down(Capture(memory, session_id="s-1", project="shop"), asyncio.run(agent.run("Weigh it.")).new_messages())

    result = next(message for message in stored(memory, "s-1") if message.kind is Kind.TOOL_RESULT)
    assert "Name an animal." in result.content


def test_an_agent_uses_its_memory(memory: Memory) -> None:
    """It finds what was said before and keeps what it learns; what it was told is not found again."""
    Capture(memory, session_id="s-0", project="shop").user("The quokka is fed at nine.")
    model = scripted(
        ModelResponse([ToolCallPart("search_memory", {"query": "quokka"}, tool_call_id="c-1")]),
        ModelResponse([ToolCallPart("remember", {"text": "Feed it at nine."}, tool_call_id="c-2")]),
        ModelResponse([TextPart("At nine.")]),
    )
    agent = Agent(model, toolsets=[memory_toolset(memory, "shop")])

    result = asyncio.run(agent.run("When?"))
    write_down(Capture(memory, session_id="s-1", project="shop"), result.new_messages())

    assert "fed at nine" in str(result.all_messages())
    assert finds(memory, "quokka") == [("s-0", "The quokka is fed at nine."), ("s-1", '{"query": "quokka"}')]
    assert [one.text for one in memory.work("shop").memories()] == ["Feed it at nine."]
    hidden = [message.hidden for message in stored(memory, "s-1") if message.kind is Kind.TOOL_RESULT]
    assert hidden == [Hidden.RECALLED, None]


@pytest.mark.parametrize("prompt", [["See", "this"], "See\nthis"])
def test_prompts_of_several_parts(memory: Memory, prompt: str | list[str]) -> None:
    """Are one message."""
    agent = Agent(TestModel(custom_output_text="Yes."))
    write_down(Capture(memory, session_id="s-1", project="shop"), asyncio.run(agent.run(prompt)).new_messages())

    assert said(memory, "s-1") == ["See\nthis", "Yes."]


def test_all_that_has_words_is_written_down(memory: Memory) -> None:
    """Words with notes of the program, what was spoken, and tools that whoever runs the model calls by itself."""
    write_down(
        Capture(memory, session_id="s-1", project="shop"),
        [
            ModelRequest(
                [UserPromptPart(["See", TextContent("this", metadata={"id": 7}), ImageUrl("https://a/b.png")])]
            ),
            ModelResponse(
                [
                    NativeToolCallPart("web_search", {"query": "numbat"}, tool_call_id="c-1"),
                    NativeToolReturnPart("web_search", "It eats termites.", tool_call_id="c-1"),
                    TextPart("Termites."),
                ]
            ),
            ModelRequest([SpeechPart(speaker="user", transcript="How many?")]),
            ModelResponse([SpeechPart(speaker="assistant", transcript="Many.")]),
            ModelRequest([UserPromptPart([ImageUrl("https://a/b.png")])]),
        ],
    )

    assert [(m.role, m.kind, m.content) for m in stored(memory, "s-1")] == [
        (Role.USER, Kind.TEXT, "See\nthis"),
        (Role.ASSISTANT, Kind.TOOL_CALL, '{"query": "numbat"}'),
        (Role.TOOL, Kind.TOOL_RESULT, "It eats termites."),
        (Role.ASSISTANT, Kind.TEXT, "Termites."),
        (Role.USER, Kind.TEXT, "How many?"),
        (Role.ASSISTANT, Kind.TEXT, "Many."),
        (Role.USER, Kind.TEXT, "[file]"),
    ]


def test_a_memory_that_fails_stops_no_run(memory: Memory) -> None:
    """The agent has answered, and the failures are counted; its tools say what is wrong."""
    model = scripted(
        ModelResponse([ToolCallPart("search_memory", {"query": "quokka"}, tool_call_id="c-1")]),
        ModelResponse([ToolCallPart("remember", {"text": "Feed it."}, tool_call_id="c-2")]),
        ModelResponse([TextPart("At nine.")]),
    )
    agent = Agent(model, toolsets=[memory_toolset(memory, "shop")])
    capture = Capture(memory, session_id="s-1", project="shop")
    memory.close()

    result = asyncio.run(agent.run("When?"))
    write_down(capture, result.new_messages())

    assert result.output == "At nine."
    assert str(result.all_messages()).count("The memory cannot be used now") == 2
    assert capture.failures == 6


def test_messages_that_are_odd_stop_no_run(memory: Memory) -> None:
    """A program may change messages by hand; what cannot be read is counted, and the rest is written down."""
    capture = Capture(memory, session_id="s-1", project="shop")
    odd: Any = UserPromptPart("Gone")
    odd.content = None
    write_down(capture, [ModelRequest([odd, UserPromptPart("When?")])])

    assert capture.failures == 1
    assert said(memory, "s-1") == ["When?"]
