"""OpenHands: what a sample cannot show of its conversations."""

import json
from pathlib import Path
from typing import Any

from noctuary import Memory
from noctuary.testing import messages
from noctuary.transcripts.items import Mark, Place, Rewound, Skipped
from noctuary.transcripts.openhands import OpenHands


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
