"""OpenHands: what a sample cannot show of its conversations."""

import json
from pathlib import Path
from typing import Any

import pytest

from noctuary import Memory
from noctuary.testing import messages
from noctuary.transcripts.items import Mark, Place, Rewound, Said, Skipped
from noctuary.transcripts.openhands import OpenHands
from tests.unit.transcripts.golden_cases import Case


def write(folder: Path, number: int, **event: Any) -> Path:
    path = folder / "events" / f"event-{number:05d}-x{number}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"id": f"x{number}", "timestamp": "2026-03-01T09:00:00"} | event))
    return path


def say(folder: Path, number: int, who: str, text: str) -> Path:
    return write(folder, number, kind="MessageEvent", source=who, llm_message={"content": text})


def test_an_event_that_is_added_is_all_that_is_new(tmp_path: Path) -> None:
    """A conversation goes on between two imports; the state beside it may be missing."""
    folder = tmp_path / "home/.openhands/conversations/c1"
    say(folder, 0, "user", "Hello")
    with Memory.open(tmp_path / "memory", user_home=tmp_path / "home") as memory:
        first = memory.import_transcripts()
        say(folder, 1, "agent", "Good day.")
        second = memory.import_transcripts()

    assert (first.messages, second.messages, second.repeated) == (1, 1, 0)


def test_events_that_are_gone_are_taken_back(tmp_path: Path) -> None:
    """A turn that was rolled back is no longer part of the conversation."""
    folder = tmp_path / ".openhands/conversations/c1"
    say(folder, 0, "user", "Hello")
    gone = say(folder, 1, "agent", "Good day.")
    [source] = OpenHands().find(tmp_path, {})
    mark = list(OpenHands().read(source, Place()))[-1]
    assert isinstance(mark, Mark)
    gone.unlink()

    assert [len(item.uids) for item in OpenHands().read(source, mark.place) if isinstance(item, Rewound)] == [1]


def test_events_are_told_by_their_numbers(tmp_path: Path) -> None:
    """Also beyond five digits; what is no event is passed over, and what is broken is told."""
    folder = tmp_path / ".openhands/conversations/c1"
    say(folder, 100_000, "agent", "Last.")
    say(folder, 99_999, "user", "First.")
    write(folder, 7, kind="PauseEvent").write_text("{")
    (folder / "events" / "notes.json").write_text("{}")
    [source] = OpenHands().find(tmp_path, {})

    items = list(OpenHands().read(source, Place()))

    assert [message.content for message in messages(items)] == ["First.", "Last."]
    assert [item.line for item in items if isinstance(item, Skipped)] == [8]


def test_the_folder_can_be_elsewhere(tmp_path: Path) -> None:
    """As the environment says, for all of it or for the conversations."""
    say(tmp_path / "a/conversations/c1", 0, "user", "x")
    say(tmp_path / "b/c2", 0, "user", "x")

    def found(**environ: str) -> list[str]:
        return [source.session for source in OpenHands().find(tmp_path, environ)]

    assert found(OPENHANDS_PERSISTENCE_DIR="~/a") == ["c1"]
    assert found(OPENHANDS_CONVERSATIONS_DIR=str(tmp_path / "b")) == ["c2"]
    assert found() == []


def test_fields_of_any_type_raise_nothing(tmp_path: Path) -> None:
    """A field of the wrong type counts as absent."""
    folder = tmp_path / ".openhands/conversations/c1"
    kinds = ["MessageEvent", "ActionEvent", "ObservationEvent", "AgentErrorEvent", "Condensation", "ACPToolCallEvent"]
    names = ["id", "timestamp", "source", "llm_message", "thought", "tool_call", "action", "tool_name", "observation"]
    names += ["error", "summary", "raw_input", "raw_output", "content", "tool_call_id", "thinking_blocks"]
    odds: list[Any] = [None, 5, [], {}, "x", [5], {"content": [5]}, {"arguments": []}]
    for odd in odds:
        for number, kind in enumerate(kinds):
            write(folder, number, **dict.fromkeys(names, odd), kind=kind)
        write(folder, 9, kind=odd)
        (folder / "base_state.json").write_text(json.dumps({"agent": odd, "workspace": odd}))
        [source] = OpenHands().find(tmp_path, {})
        assert isinstance(list(OpenHands().read(source, Place()))[-1], Mark)


def test_conversations_of_the_first_versions_are_where_these_kept_them(tmp_path: Path) -> None:
    """Before version 1 there were sessions, one folder of conversations a user, and a variable for another place."""
    for place in (".openhands/sessions/a", ".openhands-state/sessions/b", ".openhands/users/ana/conversations/c"):
        (tmp_path / place / "events").mkdir(parents=True)
    (tmp_path / "store/sessions/d/events").mkdir(parents=True)

    def found(environ: dict[str, str]) -> list[str]:
        return [source.session for source in OpenHands().find(tmp_path, environ)]

    assert found({}) == ["a", "c", "b"]
    assert found({"FILE_STORE_PATH": str(tmp_path / "store")}) == ["d", "a", "c", "b"]


def test_a_conversation_of_the_first_versions_grows(tmp_path: Path) -> None:
    """Of an event that was added only that is told."""
    home = Case("openhands", "first").laid_out(tmp_path / "home")
    [events] = home.rglob("events")
    with Memory.open(tmp_path / "memory", user_home=home) as memory:
        memory.import_transcripts()
        event = {"id": 17, "source": "user", "action": "message", "args": {"content": "Thank you."}}
        (events / "17.json").write_text(json.dumps(event))
        second, third = memory.import_transcripts(), memory.import_transcripts()

    assert (second.messages, second.rewound, third.grown) == (1, 0, 0)


@pytest.mark.parametrize(
    "event",
    [
        {"action": ["message"], "args": 3},
        {"action": "message", "args": {"content": [1], "image_urls": {}}, "source": "user"},
        {"action": "run", "args": {"command": None, "thought": {"text": 1}}, "tool_call_metadata": []},
        {"observation": "run", "content": {"a": 1}, "cause": "4"},
        {"observation": None},
        [],
    ],
)
def test_an_event_of_the_first_versions_may_have_any_shape(tmp_path: Path, event: object) -> None:
    """Fields of the wrong type count as absent, and the next event is read."""
    folder = tmp_path / ".openhands/sessions/s1/events"
    folder.mkdir(parents=True)
    (folder / "0.json").write_text(json.dumps(event))
    (folder / "1.json").write_text('{"action":"message","source":"agent","args":{"content":"Done."}}')
    [source] = OpenHands().find(tmp_path, {})

    said = [item.message.content for item in OpenHands().read(source, Place()) if isinstance(item, Said)]

    assert said[-1] == "Done."
