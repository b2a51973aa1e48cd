"""Gemini CLI: what a log of changes comes to, and what it means for what was imported before."""

import json
from pathlib import Path
from typing import Any

import pytest

from noctuary import Memory
from noctuary.records import Hidden
from noctuary.transcripts.gemini import Gemini
from noctuary.transcripts.items import Facts, Item, Mark, Place, Rewound, Said, Skipped

HEAD = {"sessionId": "s-1", "projectHash": "shop", "startTime": "2026-03-01T09:00:00.000Z", "kind": "main"}


def user(name: str, text: str) -> dict[str, Any]:
    return {"id": name, "timestamp": "2026-03-01T09:00:01.000Z", "type": "user", "content": [{"text": text}]}


def model(name: str, text: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "timestamp": "2026-03-01T09:00:02.000Z", "type": "gemini", "content": text, **more}


def write(home: Path, *records: dict[str, Any], name: str = "session-1.jsonl", project: str = "shop") -> Path:
    path = home / ".gemini" / "tmp" / project / "chats" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def read(home: Path, place: Place | None = None) -> list[Item]:
    adapter = Gemini()
    return [item for source in adapter.find(home, {}) for item in adapter.read(source, place or Place())]


def said(items: list[Item]) -> list[str]:
    """What is part of the conversation."""
    told = [item.message for item in items if isinstance(item, Said)]
    return [message.content for message in told if message.hidden is not Hidden.REWOUND]


def taken_back(items: list[Item]) -> list[str]:
    """What was told as taken back."""
    told = [item.message for item in items if isinstance(item, Said)]
    return [message.content for message in told if message.hidden is Hidden.REWOUND]


def test_what_grew_is_told_and_what_was_unfinished_is_replaced(tmp_path: Path) -> None:
    """An answer that was still being written is taken back when more of it is there, and nothing else is told again."""
    write(tmp_path, HEAD, user("u1", "Hello?"), model("g1", "Hel"))
    place = next(item.place for item in read(tmp_path) if isinstance(item, Mark))
    write(tmp_path, HEAD, user("u1", "Hello?"), model("g1", "Hel"), model("g1", "Hello!"), user("u2", "Bye"))

    items = read(tmp_path, place)

    assert said(items) == ["Hello!", "Bye"]
    assert [len(item.uids) for item in items if isinstance(item, Rewound)] == [1]


def test_a_rewind_between_two_imports_takes_messages_back(tmp_path: Path) -> None:
    """What the user took back stays stored, and is no longer part of the conversation."""
    lines = [HEAD, user("u1", "Keep this"), model("g1", "Kept"), user("u2", "Drop that"), model("g2", "Dropped")]
    path = write(tmp_path, *lines)
    with Memory.open(tmp_path / "memory", user_home=tmp_path) as memory:
        first = memory.import_transcripts()
        write(tmp_path, *lines, {"$rewindTo": "u2"}, user("u3", "Do this instead"))
        second = memory.import_transcripts()

    assert path.exists()
    assert (first.messages, second.messages) == (4, 1)


def test_rewinding_to_a_message_that_is_not_there_takes_all_away(tmp_path: Path) -> None:
    """Gemini CLI itself then begins anew."""
    write(tmp_path, HEAD, user("u1", "One"), {"$rewindTo": "nobody"}, user("u2", "Two"))

    assert said(read(tmp_path)) == ["Two"]
    assert taken_back(read(tmp_path)) == ["One"]


def test_a_compression_takes_nothing_back(tmp_path: Path) -> None:
    """What the model is no longer shown was said all the same; copies under new names are not told again."""
    copies = [user("x1", "<state_snapshot>Goal</state_snapshot>"), user("x2", "Two")]
    write(tmp_path, HEAD, user("u1", "One"), model("g1", "1"), user("u2", "Two"), {"$set": {"messages": copies}})

    assert said(read(tmp_path)) == ["One", "1", "Two", "<state_snapshot>Goal</state_snapshot>"]


def test_rewinding_to_a_copy_is_rewinding_to_what_it_copies(tmp_path: Path) -> None:
    """After a compression messages are called by the names of their copies."""
    copies = {"$set": {"messages": [user("x1", "One"), user("x2", "Two")]}}
    write(tmp_path, HEAD, user("u1", "One"), user("u2", "Two"), copies, {"$rewindTo": "x2"}, user("u3", "Three"))

    assert said(read(tmp_path)) == ["One", "Three"]


def test_messages_that_stand_only_in_a_set_are_replaced_by_the_next(tmp_path: Path) -> None:
    """Some versions write the whole conversation each time."""
    first = {"$set": {"messages": [user("u1", "Hello"), model("g1", "Hel")]}}
    second = {"$set": {"messages": [user("u1", "Hello"), model("g1", "Hello!")]}}
    write(tmp_path, HEAD, first, second)

    assert said(read(tmp_path)) == ["Hello", "Hello!"]


def test_the_log_of_a_resumed_chat_stands_for_its_document(tmp_path: Path) -> None:
    """A chat that was copied from a document into a log is read once."""
    write(tmp_path, HEAD, user("u1", "Hello"), model("g1", "Hi"))
    write(tmp_path, {**HEAD, "messages": [user("u1", "Hello")]}, name="session-1.json")

    assert said(read(tmp_path)) == ["Hello", "Hi"]


def test_a_home_of_its_own_is_looked_at_instead(tmp_path: Path) -> None:
    """The variable names the folder in which `.gemini` lies."""
    write(tmp_path / "elsewhere", HEAD, user("u1", "Hello"))

    environ = {"GEMINI_CLI_HOME": str(tmp_path / "elsewhere")}
    assert [source.session for source in Gemini().find(tmp_path, environ)] == ["s-1"]
    assert not list(Gemini().find(tmp_path, {}))


def test_the_folder_of_a_project_may_say_where_it_is(tmp_path: Path) -> None:
    """A file in it names the path."""
    path = write(tmp_path, HEAD, user("u1", "Hello"))
    (path.parent.parent / ".project_root").write_text("/home/ana/code/my shop\n", encoding="utf-8")

    assert [item.cwd for item in read(tmp_path) if isinstance(item, Facts)] == ["/home/ana/code/my shop"]


@pytest.mark.parametrize("text", ["[]", '"chat"', "{}", "{", '{"turns": []}'])
def test_what_is_no_chat_is_skipped(tmp_path: Path, text: str) -> None:
    """A document of another kind gives no messages."""
    path = write(tmp_path, name="session-1.json")
    path.write_text(text, encoding="utf-8")

    items = read(tmp_path)
    assert [type(item) for item in items] == [Skipped]


def test_hostile_changes_are_survived(tmp_path: Path) -> None:
    """Fields of any type in a change cost that change."""
    odd: list[dict[str, Any]] = [
        {"$patch": {"id": 3, "updates": [None, {"id": "u1", "toolCalls": [1, {"id": []}]}], "removeIds": [[]]}},
        {"$patch": {"orderIds": [{}, "u1"], "toolCalls": "x"}},
        {"$set": {"messages": [None, 4, {"id": 5}], "summary": 7, "directories": [1]}},
        {"id": "g1", "type": "gemini", "content": {"text": 4}, "toolCalls": [None, {"result": 5, "args": [1]}]},
    ]
    write(tmp_path, HEAD, user("u1", "Hello"), *odd)

    assert said(read(tmp_path))[0] == "Hello"
