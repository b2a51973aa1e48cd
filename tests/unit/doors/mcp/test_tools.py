"""What is offered: few words, calm ones, and hints that are true."""

import json
import re

import pytest

from noctuary.doors.mcp.tools import DEFAULT_WINDOW, ENDINGS, INSTRUCTIONS, KINDS, NOTES, TOOLS, arguments_of
from noctuary.doors.mcp.verbs import VERBS
from noctuary.recall import contract
from noctuary.store.memories import MemoryKind
from noctuary.work import superseding, tasks

MOST_TOKENS = 1_500
each_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool["name"]))
# How byte-pair encoders cut text before they look anything up: a word with the sign before it, or signs in a row.
PIECES = re.compile(r"[^\r\n\w]?[A-Za-z]+|\d{1,3}| ?[^\s\w]+|\s+")


def wire() -> str:
    """All tools as they are sent."""
    return json.dumps(TOOLS, ensure_ascii=False, separators=(",", ":"))


def test_there_are_eight_tools_and_each_has_a_verb() -> None:
    """Every tool costs each session of each agent."""
    assert [tool["name"] for tool in TOOLS] == list(VERBS)
    assert len(TOOLS) <= 8


def test_all_schemas_together_stay_below_their_budget() -> None:
    """By characters, and by the pieces that tokenizers cut such text into, long ones counted twice; with a margin."""
    pieces = PIECES.findall(wire())
    tokens = len(pieces) + sum(len(piece) > 8 for piece in pieces)

    assert len(wire()) / 4 < MOST_TOKENS * 0.9
    assert tokens < MOST_TOKENS * 0.9


def test_instructions_fit_into_what_agents_read() -> None:
    """Longer ones are cut by some agents."""
    assert 500 < len(INSTRUCTIONS) < 2_048


def test_nothing_is_shouted() -> None:
    """Commands in capitals trip the defences of models, and make them search all the time."""
    told = wire() + INSTRUCTIONS

    assert not re.search(r"\b(?:MUST|ALWAYS|NEVER|IMPORTANT|CRITICAL|REQUIRED)\b|!", told)


@each_tool
def test_every_tool_says_what_it_is_and_what_it_touches(tool: dict[str, object]) -> None:
    """A title, a description, a schema that is an object, and hints; nothing here deletes or reaches into the world."""
    schema, hints = tool["inputSchema"], tool["annotations"]

    assert isinstance(schema, dict)
    assert isinstance(hints, dict)
    assert tool["title"]
    assert tool["description"]
    assert schema["type"] == "object"
    assert set(schema.get("required", ())) <= set(arguments_of(str(tool["name"])))
    assert hints["destructiveHint"] is False
    assert hints["openWorldHint"] is False
    assert hints["readOnlyHint"] is (tool["name"] in {"session_search", "recall_why", "pack", "dream_status"})


def test_choices_are_those_of_the_verbs() -> None:
    """They are written out here, because to load the verbs takes longer than to answer `initialize`."""
    assert set(KINDS) == set(MemoryKind)
    assert set(NOTES) <= set(superseding.NOTED)
    assert set(ENDINGS) == set(tasks.ENDINGS)
    assert DEFAULT_WINDOW == contract.DEFAULT_WINDOW


def test_search_has_every_argument_that_narrows_it() -> None:
    """The shapes follow from these."""
    assert arguments_of("session_search") == [
        *("query", "session_id", "around", "window", "limit", "role", "agent", "project", "after", "before"),
        *("exclude_sessions", "sort", "detail"),
    ]
