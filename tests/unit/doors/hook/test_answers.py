"""What hooks say is valid for the agent and the event, and short enough."""

import json
from typing import Any

import pytest

from noctuary.doors.hook.answers import answer, can_be_told
from noctuary.doors.hook.events import NAMES, Event, event_in
from noctuary.marks import fenced

QUIET = sorted(set(NAMES.values()) - {"SessionStart", "UserPromptSubmit", "PostToolUse"})


def event(name: str, agent: str) -> Event:
    """An event of an agent, by the name that it has there."""
    found = event_in({"hook_event_name": name, "session_id": "s", "cwd": "/code"}, agent)
    assert found
    return found


@pytest.mark.parametrize(
    ("agent", "name", "expected"),
    [
        ("claude-code", "SessionStart", {"hookEventName": "SessionStart", "additionalContext": "Hi"}),
        ("claude-code", "UserPromptSubmit", {"hookEventName": "UserPromptSubmit", "additionalContext": "Hi"}),
        ("claude-code", "SubagentStart", {"hookEventName": "SubagentStart", "additionalContext": "Hi"}),
        ("codex", "PostToolUse", {"hookEventName": "PostToolUse", "additionalContext": "Hi"}),
        ("gemini", "BeforeAgent", {"hookEventName": "BeforeAgent", "additionalContext": "Hi"}),
    ],
)
def test_context_is_given_by_the_name_of_the_event(agent: str, name: str, expected: dict[str, Any]) -> None:
    """As its agent calls it."""
    assert json.loads(answer(event(name, agent), "Hi")) == {"hookSpecificOutput": expected}


@pytest.mark.parametrize(
    ("name", "context", "expected"),
    [
        ("sessionStart", "Hi", {"continue": True, "additional_context": "Hi"}),
        ("postToolUse", "Hi", {"additional_context": "Hi"}),
        ("beforeSubmitPrompt", "Hi", {"continue": True}),
        ("beforeSubmitPrompt", "", {"continue": True}),
    ],
)
def test_cursor_is_answered_in_its_own_shape(name: str, context: str, expected: dict[str, Any]) -> None:
    """It gives nothing of what is said at a prompt to the model."""
    assert json.loads(answer(event(name, "cursor"), context)) == expected


QUIET_BY_AGENT = [
    (agent, name)
    for agent in ("claude-code", "codex", "cursor", "gemini")
    for name in QUIET
    if (agent, name) != ("claude-code", "SubagentStart")
]


@pytest.mark.parametrize(("agent", "name"), QUIET_BY_AGENT)
def test_where_nothing_may_be_said_nothing_is(agent: str, name: str) -> None:
    """Whatever there would be to say."""
    assert answer(event(name, agent), "Hi", "Trouble") == b""
    assert not can_be_told(event(name, agent))


@pytest.mark.parametrize("agent", ["claude-code", "cursor", "gemini"])
def test_who_has_nothing_to_say_is_silent(agent: str) -> None:
    """A session that starts without a brief."""
    assert answer(event("SessionStart", agent)) == b""


def test_codex_is_answered_even_if_there_is_nothing_to_say() -> None:
    """It takes silence at the start of a session for an error."""
    expected = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": ""}}

    assert json.loads(answer(event("SessionStart", "codex"))) == expected


def test_users_see_the_message() -> None:
    """Beside the context, or alone."""
    both = json.loads(answer(event("SessionStart", "claude-code"), "Hi", "Trouble"))
    alone = json.loads(answer(event("SessionStart", "claude-code"), "", "Trouble"))

    assert (both["systemMessage"], both["hookSpecificOutput"]["additionalContext"]) == ("Trouble", "Hi")
    assert alone == {"systemMessage": "Trouble"}


@pytest.mark.parametrize("letter", ["a", "ä", "漢", "😀", "\ud800", '"'])
@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini"])
def test_what_is_too_long_loses_lines_and_keeps_its_fence(agent: str, letter: str) -> None:
    """Agents count in different ways; none of them counts more than there may be, and the fence stays closed."""
    text = fenced("\n".join(letter * 70 + str(number) for number in range(400)))
    told = json.loads(answer(event("SessionStart", agent), text))["hookSpecificOutput"]["additionalContext"]
    units = len(told.encode("utf-16-le", "surrogatepass")) // 2
    size = len(told.encode("utf-8", "surrogatepass")) if agent == "codex" else units

    assert 9_100 < size <= 9_500
    assert told.splitlines()[0] == text.splitlines()[0]
    assert told.splitlines()[-1].startswith("</noctuary-recalled ")


def test_one_line_that_is_too_long_is_not_told() -> None:
    """There is no half of a line."""
    assert answer(event("SessionStart", "claude-code"), "a" * 20_000) == b""
