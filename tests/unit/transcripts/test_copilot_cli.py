"""GitHub Copilot CLI: events that go on, and the documents of its first versions."""

import json
from pathlib import Path
from typing import Any

import pytest

from noctuary import Memory
from noctuary.records import Role
from noctuary.transcripts.copilot_cli import CopilotCli
from noctuary.transcripts.items import Facts, Item, Mark, Place, Rewound, Said, Skipped

Event = tuple[str, dict[str, Any]]

HEAD: Event = ("session.start", {"context": {"cwd": "/home/ana/shop", "branch": "main"}, "selectedModel": "gpt-5"})


def write(home: Path, *events: Event, session: str = "s-1") -> Path:
    path = home / ".copilot" / "session-state" / session / "events.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        {"type": kind, "data": data, "id": uid(number), "timestamp": "2026-02-01T09:00:00Z", "parentId": None}
        for number, (kind, data) in enumerate(events)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def uid(number: int) -> str:
    return f"{number:08d}-0000-4000-8000-000000000000"


def read(home: Path, place: Place | None = None) -> list[Item]:
    adapter = CopilotCli()
    return [item for source in adapter.find(home, {}) for item in adapter.read(source, place or Place())]


def said(items: list[Item]) -> list[str]:
    return [item.message.content for item in items if isinstance(item, Said)]


def test_only_what_is_new_is_told_and_joined_with_what_was(tmp_path: Path) -> None:
    """A result that comes after an import finds the name of its call."""
    asked: list[Event] = [
        HEAD,
        ("user.message", {"content": "Build"}),
        ("assistant.message", {"content": "", "toolRequests": [{"toolCallId": "t", "name": "bash"}]}),
    ]
    write(tmp_path, *asked)
    place = [item.place for item in read(tmp_path) if isinstance(item, Mark)][-1]
    done = ("tool.execution_complete", {"toolCallId": "t", "success": True, "result": {"content": "ok"}})
    write(tmp_path, *asked, ("tool.execution_start", {"toolCallId": "t", "toolName": "bash"}), done)

    (result,) = [item.message for item in read(tmp_path, place) if isinstance(item, Said)]

    assert (result.tool_name, result.call_id, result.content) == ("bash", "t", "ok")


def test_an_import_of_what_grew_adds_what_is_new(tmp_path: Path) -> None:
    """A log is read on from where it was left."""
    first_events: list[Event] = [HEAD, ("user.message", {"content": "Hello"})]
    write(tmp_path, *first_events)
    with Memory.open(tmp_path / "memory", user_home=tmp_path) as memory:
        first = memory.import_transcripts()
        write(tmp_path, *first_events, ("assistant.message", {"content": "Hi"}))
        second = memory.import_transcripts()

    assert (first.messages, second.messages) == (1, 1)


def test_going_back_after_an_import_takes_back_what_it_imported(tmp_path: Path) -> None:
    """A rewind names the last event that stays."""
    events: list[Event] = [HEAD, ("user.message", {"content": "One"}), ("user.message", {"content": "Two"})]
    write(tmp_path, *events)
    place = [item.place for item in read(tmp_path) if isinstance(item, Mark)][-1]
    write(tmp_path, *events, ("session.snapshot_rewind", {"upToEventId": uid(1)}))

    items = read(tmp_path, place)

    assert [item.uids for item in items if isinstance(item, Rewound)] == [(uid(2),)]


def test_going_back_many_times_takes_back_what_followed_each_time(tmp_path: Path) -> None:
    """A rewind costs no more for those before it, also if what it goes back to was imported long ago."""
    events: list[Event] = [HEAD, ("user.message", {"content": "Build"})]
    write(tmp_path, *events)
    place = [item.place for item in read(tmp_path) if isinstance(item, Mark)][-1]
    for number in range(60):
        events.append(("user.message", {"content": f"Try {number}"}))
        events.append(("session.snapshot_rewind", {"upToEventId": uid(1), "eventsRemoved": 1}))
    write(tmp_path, *events)

    first, later = ([item for item in read(tmp_path, at) if isinstance(item, Rewound)] for at in (None, place))

    assert [len(item.uids) for item in first] == list(range(1, 61))
    assert later == first


def test_a_summary_that_comes_later_renames_the_session(tmp_path: Path) -> None:
    """The file beside the events is looked at, too."""
    path = write(tmp_path, HEAD, ("user.message", {"content": "Hello"}))
    place = [item.place for item in read(tmp_path) if isinstance(item, Mark)][-1]
    path.with_name("workspace.yaml").write_text("id: s-1\nsummary: 'Saying hello'\n", encoding="utf-8")

    items = read(tmp_path, place)
    again = read(tmp_path, [item.place for item in items if isinstance(item, Mark)][-1])

    assert [item.title for item in items if isinstance(item, Facts)] == ["Saying hello"]
    assert [item for item in again if isinstance(item, Facts)] == []


@pytest.mark.parametrize("data", [{"source": "skill-pdf"}, {"inputOrigin": "authenticated-cross-session"}])
def test_what_did_not_come_from_a_person_is_injected(tmp_path: Path, data: dict[str, Any]) -> None:
    """The event says where its words come from."""
    write(tmp_path, HEAD, ("user.message", {"content": "Read the file", **data}))

    assert [item.message.role for item in read(tmp_path) if isinstance(item, Said)] == [Role.SYSTEM]


def test_the_folder_of_a_session_stands_for_its_earlier_forms(tmp_path: Path) -> None:
    """A session that was moved into a newer form is read once."""
    write(tmp_path, HEAD, ("user.message", {"content": "Hello"}))
    state = tmp_path / ".copilot" / "session-state"
    (state / "s-1.jsonl").write_text("{}\n", encoding="utf-8")
    old = tmp_path / ".copilot" / "history-session-state" / "session_s-1_1759300000000.json"
    old.parent.mkdir()
    old.write_text('{"chatMessages": [{"role": "user", "content": "Hello"}]}', encoding="utf-8")

    assert [source.path for source in CopilotCli().find(tmp_path, {})] == [state / "s-1" / "events.jsonl"]


def test_a_home_of_its_own_is_looked_at_instead(tmp_path: Path) -> None:
    """The variable names the folder itself."""
    write(tmp_path / "elsewhere", HEAD)

    environ = {"COPILOT_HOME": str(tmp_path / "elsewhere" / ".copilot")}
    assert [source.session for source in CopilotCli().find(tmp_path, environ)] == ["s-1"]


@pytest.mark.parametrize("text", ["[]", "{}", "3", '{"timeline": {}}', "{"])
def test_a_document_of_another_kind_is_skipped(tmp_path: Path, text: str) -> None:
    """It gives no messages."""
    path = tmp_path / ".copilot" / "history-session-state" / "s-2.json"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")

    assert [type(item) for item in read(tmp_path)] == [Skipped]


def test_fields_of_any_type_are_survived(tmp_path: Path) -> None:
    """A field of the wrong type counts as absent."""
    odd: list[tuple[Any, dict[str, Any]]] = [
        (["user.message"], {}),
        ("user.message", {"content": {"text": 3}, "source": []}),
        ("assistant.message", {"content": 4, "toolRequests": [None, {"name": [], "toolCallId": {}}]}),
        ("tool.execution_complete", {"toolCallId": [], "result": [1], "error": 5}),
        ("session.start", {"context": [1]}),
        ("session.snapshot_rewind", {"upToEventId": []}),
        ("user.message", {"content": "Still here"}),
    ]
    write(tmp_path, *odd)

    assert said(read(tmp_path))[-1] == "Still here"
