"""Qwen Code: a log that goes on, in which people go back, and of which they make branches."""

import json
from pathlib import Path
from typing import Any

from noctuary import Memory
from noctuary.records import Role
from noctuary.transcripts.items import Facts, Item, Mark, Place, Rewound, Said
from noctuary.transcripts.qwen import Qwen


def record(name: str, kind: str, text: str = "", parent: str | None = None, **more: Any) -> dict[str, Any]:
    message = {"role": "user" if kind == "user" else "model", "parts": [{"text": text}]}
    said = {"message": message} if text else {}
    times = {"timestamp": "2026-03-01T10:00:00.000Z", "cwd": "/home/ana/shop"}
    return {"uuid": name, "parentUuid": parent, "sessionId": "s-1", "type": kind, **times, **said, **more}


TALK = [
    record("1", "user", "First"),
    record("2", "assistant", "One", "1"),
    record("3", "user", "Second", "2"),
    record("4", "assistant", "Two", "3"),
]


def write(home: Path, *records: dict[str, Any], session: str = "s-1") -> Path:
    path = home / ".qwen" / "projects" / "-shop" / "chats" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


def read(home: Path, place: Place | None = None) -> list[Item]:
    adapter = Qwen()
    return [item for source in adapter.find(home, {}) for item in adapter.read(source, place or Place())]


def said(items: list[Item]) -> list[str]:
    return [item.message.content for item in items if isinstance(item, Said)]


def test_only_what_is_new_is_told(tmp_path: Path) -> None:
    """A log is read on from where it was left."""
    write(tmp_path, *TALK[:2])
    with Memory.open(tmp_path / "memory", user_home=tmp_path) as memory:
        first = memory.import_transcripts()
        write(tmp_path, *TALK)
        second = memory.import_transcripts()

    assert (first.messages, second.messages) == (2, 2)


def test_going_back_after_an_import_takes_back_what_it_imported(tmp_path: Path) -> None:
    """A rewind names the record that the conversation goes on from."""
    write(tmp_path, *TALK)
    place = [item.place for item in read(tmp_path) if isinstance(item, Mark)][-1]
    write(tmp_path, *TALK, record("5", "system", parent="2", subtype="rewind"), record("6", "user", "Third", "5"))

    items = read(tmp_path, place)

    assert [item.uids for item in items if isinstance(item, Rewound)] == [("4", "3")]
    assert said(items) == ["Third"]


def test_going_back_to_the_beginning_and_again(tmp_path: Path) -> None:
    """A rewind to the first prompt names no record; one after it goes back no further than that."""
    write(
        tmp_path,
        *TALK,
        record("5", "system", subtype="rewind"),
        record("6", "user", "Anew", "5"),
        record("7", "system", parent="5", subtype="rewind"),
    )

    items = read(tmp_path)

    assert [set(item.uids) for item in items if isinstance(item, Rewound)] == [{"1", "2", "3", "4"}, {"6"}]


def test_a_branch_is_linked_and_its_beginning_is_known(tmp_path: Path) -> None:
    """What was copied into a branch keeps its uids, so it is stored once."""
    write(tmp_path, *TALK)
    copies = [{**each, "sessionId": "s-2", "forkedFrom": {"sessionId": "s-1"}} for each in TALK[:2]]
    write(tmp_path, *copies, record("9", "user", "Otherwise", "2"), session="s-2")

    with Memory.open(tmp_path / "memory", user_home=tmp_path) as memory:
        report = memory.import_transcripts()

    assert report.messages == 5
    assert ("s-2", "s-1", "fork") in [
        (item.session, item.parent, item.relation) for item in read(tmp_path) if isinstance(item, Facts)
    ]


def test_the_runtime_folder_comes_before_the_home(tmp_path: Path) -> None:
    """Two variables can move the sessions away."""
    write(tmp_path / "a", *TALK)
    write(tmp_path / "b", *TALK, session="s-9")
    environ = {"QWEN_HOME": str(tmp_path / "a" / ".qwen")}

    assert [source.session for source in Qwen().find(tmp_path, environ)] == ["s-1"]
    environ["QWEN_RUNTIME_DIR"] = str(tmp_path / "b" / ".qwen")
    assert [source.session for source in Qwen().find(tmp_path, environ)] == ["s-9"]


def test_agents_inside_the_file_have_sessions_of_their_own(tmp_path: Path) -> None:
    """Their prompts were said by the agent that started them."""
    write(tmp_path, *TALK[:1], record("2", "user", "Look around", isSidechain=True, agentId="explore-1"))

    found = [item for item in read(tmp_path) if isinstance(item, Said)]

    assert [(item.session, item.message.role) for item in found] == [
        ("s-1", Role.USER),
        ("s-1/explore-1", Role.ASSISTANT),
    ]


def test_fields_of_any_type_are_survived(tmp_path: Path) -> None:
    """A field of the wrong type counts as absent."""
    odd: list[dict[str, Any]] = [
        {"type": ["user"], "uuid": 4},
        {"type": "user", "subtype": [], "provenance": {}, "message": [1], "systemPayload": []},
        {"type": "system", "subtype": {}, "systemPayload": {"compressedHistory": [1]}},
        {"type": "system", "subtype": "chat_compression", "systemPayload": {"compressedHistory": [1, {"parts": 3}]}},
        {"type": "system", "subtype": "rewind", "parentUuid": []},
        {"type": "assistant", "message": {"parts": [{"functionCall": {"args": [1], "id": 3}}, None, 4]}},
    ]
    write(tmp_path, *odd, record("1", "user", "Still here"))

    assert "Still here" in said(read(tmp_path))
