"""What four agents tell hooks, read into one shape."""

from typing import Any

import pytest
from hypothesis import given as given_by
from hypothesis import strategies as st

from noctuary.doors.hook.events import AGENTS, NAMES, event_in
from noctuary.inbox import Note

COMMON = {"session_id": "s1", "cwd": "/code/shop", "transcript_path": "/t/s1.jsonl"}


@pytest.mark.parametrize(
    ("given", "agent", "name"),
    [
        ({"hook_event_name": "Stop"}, "claude-code", "Stop"),
        ({"hook_event_name": "Stop", "turn_id": "7"}, "codex", "Stop"),
        ({"hook_event_name": "stop"}, "cursor", "Stop"),
        ({"hook_event_name": "beforeSubmitPrompt"}, "cursor", "UserPromptSubmit"),
        ({"hook_event_name": "AfterAgent"}, "gemini", "Stop"),
        ({"hook_event_name": "BeforeAgent"}, "gemini", "UserPromptSubmit"),
        ({"hook_event_name": "PreCompress"}, "gemini", "PreCompact"),
    ],
)
def test_an_agent_is_known_by_its_way_of_speaking(given: dict[str, Any], agent: str, name: str) -> None:
    """Also if nobody said whose hook it is; events have one name, whoever tells of them."""
    event = event_in({**COMMON, **given})

    assert event
    assert (event.agent, event.name, event.given_name) == (agent, name, given["hook_event_name"])


def test_who_is_named_is_believed() -> None:
    """Two agents call their events by the same names."""
    event = event_in({**COMMON, "hook_event_name": "SessionStart"}, "gemini")

    assert event
    assert event.agent == "gemini"


def test_cursor_names_folders_and_conversations_differently() -> None:
    """Its first workspace is where the session is at work."""
    event = event_in({"hook_event_name": "stop", "conversation_id": "c1", "workspace_roots": ["/code/shop", "/x"]})

    assert event
    assert (event.session, event.cwd) == ("c1", "/code/shop")


@pytest.mark.parametrize("name", ["PreToolUse", "Notification", "", None, 7, ["Stop"], {}])
def test_events_that_nobody_waits_for_are_none(name: object) -> None:
    """Silence is the answer to whatever a later version tells of."""
    assert event_in({**COMMON, "hook_event_name": name}) is None


def test_a_note_has_the_fields_that_a_sweep_reads() -> None:
    """What a compaction left is among them."""
    event = event_in({**COMMON, "hook_event_name": "PostCompact", "trigger": "auto", "compact_summary": "We sell."})

    assert event
    assert Note(**event.note(5, "ana")) == Note(  # type: ignore[arg-type]
        "PostCompact", 5, "claude-code", "s1", "/code/shop", "/t/s1.jsonl", "We sell.", "ana", "auto"
    )


def test_the_transcript_of_a_subagent_is_its_own() -> None:
    """Not that of the session which started it."""
    event = event_in({**COMMON, "hook_event_name": "SubagentStop", "agent_transcript_path": "/t/a.jsonl"})

    assert event
    assert event.transcript == "/t/a.jsonl"


def test_only_who_has_the_id_of_a_subagent_is_one() -> None:
    """A session that was started as an agent of some type is somebody's session."""
    by_type = event_in({**COMMON, "hook_event_name": "SessionStart", "agent_type": "reviewer"})
    by_id = event_in({**COMMON, "hook_event_name": "SessionStart", "agent_type": "reviewer", "agent_id": "a1"})

    assert by_type
    assert by_id
    assert (by_type.is_of_subagent, by_id.is_of_subagent) == (False, True)


def test_of_a_tool_the_texts_that_it_was_given_are_heard() -> None:
    """Wherever they stand in its input."""
    tool_input = {"file_path": "/a/redis.py", "edits": [{"new_string": "import redis", "at": 4}]}
    event = event_in({**COMMON, "hook_event_name": "PostToolUse", "tool_input": tool_input})

    assert event
    assert set(event.asked.split()) == {"/a/redis.py", "import", "redis"}


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
FIELDS = ["session_id", "cwd", "workspace_roots", "transcript_path", "prompt", "tool_input", "reason", "agent_id"]


@given_by(
    name=st.sampled_from(sorted(NAMES)),
    fields=st.dictionaries(st.sampled_from(FIELDS), json_like),
    agent=st.sampled_from(["", "x", *AGENTS]),
)
def test_fields_of_any_type_make_an_event(name: str, fields: dict[str, Any], agent: str) -> None:
    """What is no text counts as empty, and every field of a note is a text."""
    event = event_in({"hook_event_name": name, **fields}, agent)

    assert event
    note = event.note(1, "")
    assert note.pop("at_ms") == 1
    assert all(isinstance(text, str) and text for text in note.values())
    assert isinstance(event.asked, str)


@pytest.mark.parametrize("name", NAMES)
def test_whoever_waits_for_a_prompt_or_a_tool_waits_for_300_ms(name: str) -> None:
    """Everything else has a second."""
    event = event_in({**COMMON, "hook_event_name": name})

    assert event
    assert event.seconds == (0.3 if event.name in {"UserPromptSubmit", "PostToolUse"} else 1.0)
