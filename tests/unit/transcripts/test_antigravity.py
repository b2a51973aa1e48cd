"""Antigravity: steps that come out of order and are written again."""

import json
from pathlib import Path
from typing import Any

import pytest

from noctuary import Memory
from noctuary.transcripts.antigravity import Antigravity
from noctuary.transcripts.items import Facts, Item, Place, Said, Skipped


def step(index: int, kind: str, content: str, source: str = "MODEL", **more: Any) -> dict[str, Any]:
    times = {"created_at": "2026-06-01T08:00:00Z", "status": "DONE"}
    return {"step_index": index, "source": source, "type": kind, "content": content, **times, **more}


ASKED = step(0, "USER_INPUT", "<USER_REQUEST>\nHello\n</USER_REQUEST>", "USER_EXPLICIT")


def write(home: Path, *steps: object, place: str = "antigravity-cli", name: str = "transcript.jsonl") -> Path:
    path = home / ".gemini" / place / "brain" / "s-1" / ".system_generated" / "logs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in steps), encoding="utf-8")
    return path


def read(home: Path) -> list[Item]:
    adapter = Antigravity()
    return [item for source in adapter.find(home, {}) for item in adapter.read(source, Place())]


def said(items: list[Item]) -> list[str]:
    return [item.message.content for item in items if isinstance(item, Said)]


def test_a_step_that_was_running_is_replaced_when_it_is_done(tmp_path: Path) -> None:
    """Only what changed is told again by a second import."""
    write(tmp_path, ASKED, step(1, "PLANNER_RESPONSE", "Hel"))
    with Memory.open(tmp_path / "memory", user_home=tmp_path) as memory:
        first = memory.import_transcripts()
        write(tmp_path, ASKED, step(1, "PLANNER_RESPONSE", "Hel"), step(1, "PLANNER_RESPONSE", "Hello!"))
        second = memory.import_transcripts()

    assert (first.messages, second.messages) == (2, 1)
    assert said(read(tmp_path)) == ["Hello", "Hello!"]


@pytest.mark.parametrize("place", ["antigravity-cli", "antigravity", "antigravity-ide"])
def test_the_whole_transcript_is_read_where_there_are_two(tmp_path: Path, place: str) -> None:
    """One of the two files cuts long texts."""
    write(tmp_path, ASKED, step(1, "PLANNER_RESPONSE", "Hel<truncated 3 bytes>"), place=place)
    write(tmp_path, ASKED, step(1, "PLANNER_RESPONSE", "Hello!"), place=place, name="transcript_full.jsonl")

    assert said(read(tmp_path)) == ["Hello", "Hello!"]


def test_a_turn_that_no_human_took_is_injected(tmp_path: Path) -> None:
    """Only what the user sent explicitly was typed."""
    write(tmp_path, step(0, "USER_INPUT", "<USER_REQUEST>Go on</USER_REQUEST>", "USER_IMPLICIT"))

    assert [item.message.hidden for item in read(tmp_path) if isinstance(item, Said)] == ["injected"]


def test_the_model_chosen_last_counts(tmp_path: Path) -> None:
    """A change of the model stands beside what was typed."""
    change = "<USER_SETTINGS_CHANGE>\nThe user changed setting `Model Selection` from {} to {}. No need to comment."
    turns = [
        step(at, "USER_INPUT", "<USER_REQUEST>Hi</USER_REQUEST>\n" + change.format(*models), "USER_EXPLICIT")
        for at, models in enumerate([("None", "Gemini 3.1 Pro"), ("Gemini 3.1 Pro", "Gemini 3 Flash (Low)")])
    ]
    write(tmp_path, *turns)

    assert [item.model for item in read(tmp_path) if isinstance(item, Facts)] == ["Gemini 3 Flash (Low)"]


def test_fields_of_any_type_are_survived(tmp_path: Path) -> None:
    """A line that is no step is skipped, and a field of the wrong type counts as absent."""
    odd = [
        {"step_index": True},
        {"step_index": "0"},
        {"step_index": 3, "type": [], "source": {}},
        {"step_index": 4, "type": "PLANNER_RESPONSE", "tool_calls": [None, {"name": 3, "args": "x"}], "content": []},
        {"step_index": 5, "source": "MODEL", "type": "VIEW_FILE", "content": "text", "created_at": []},
    ]
    write(tmp_path, *odd, ASKED)

    items = read(tmp_path)
    assert said(items) == ["Hello", "x", "text"]
    assert sum(isinstance(item, Skipped) for item in items) == 3
