"""GitHub Copilot in VS Code: chats that are written anew, changed line by line, or kept in a database."""

import json
from pathlib import Path
from typing import Any

import apsw
import pytest

from noctuary import Memory
from noctuary.transcripts.copilot_chat import CopilotChat
from noctuary.transcripts.items import Facts, Item, Mark, Place, Said, Skipped
from noctuary.transcripts.uris import path_in
from noctuary.transcripts.vscode_log import Document
from tests.unit.transcripts.foreign_homes import as_shown, taken_back

AGENT = {"id": "github.copilot.default", "extensionId": {"value": "GitHub.copilot-chat"}}


def request(name: str, text: str, *response: Any, **more: Any) -> dict[str, Any]:
    said = {"message": {"text": text}, "response": list(response), "timestamp": 1_770_000_000_000}
    return {"requestId": name, "agent": AGENT, **said, **more}


def chat(*requests: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"version": 3, "sessionId": "s-1", "creationDate": 1_770_000_000_000, "requests": list(requests), **more}


def workspace(home: Path) -> Path:
    folder = home / ".config" / "Code" / "User" / "workspaceStorage" / "w1"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write(home: Path, *records: dict[str, Any], name: str = "s-1.json") -> Path:
    path = workspace(home) / "chatSessions" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def read(home: Path, place: Place | None = None) -> list[Item]:
    adapter = CopilotChat()
    return [item for source in adapter.find(home, {}) for item in adapter.read(source, place or Place())]


def said(items: list[Item]) -> list[str]:
    return [item.message.content for item in items if isinstance(item, Said)]


def test_an_answer_that_was_being_written_is_replaced(tmp_path: Path) -> None:
    """A second import adds what is new, and the finished answer for the unfinished one."""
    write(tmp_path, chat(request("r1", "Hello?", {"value": "Hel"})))
    with Memory.open(tmp_path / "memory", user_home=tmp_path) as memory:
        first = memory.import_transcripts()
        write(tmp_path, chat(request("r1", "Hello?", {"value": "Hello!"}), request("r2", "Bye", {"value": "Bye!"})))
        second = memory.import_transcripts()

    assert (first.messages, second.messages) == (2, 3)


def test_a_request_that_was_taken_back_is_rewound(tmp_path: Path) -> None:
    """Going back to a checkpoint hides what came after it; who reads it only then is told so."""
    write(tmp_path, chat(request("r1", "One", {"value": "1"}), request("r2", "Two", {"value": "2"})))
    place = next(item.place for item in read(tmp_path) if isinstance(item, Mark))
    hidden = request("r2", "Two", {"value": "2"}, isHidden=True)
    write(tmp_path, chat(request("r1", "One", {"value": "1"}), hidden))

    items = read(tmp_path, place)

    assert (taken_back(items), said(items)) == (2, [])
    assert as_shown(read(tmp_path)) == ["One", "1", "(Two)", "(2)"]


@pytest.mark.parametrize(
    "change",
    [
        {"kind": 2, "k": ["requests"], "i": 1, "v": []},
        {"kind": 3, "k": ["requests", 1]},
        {"kind": 1, "k": ["requests"], "v": [request("r1", "One")]},
        {"kind": 0, "v": chat(request("r1", "One"))},
    ],
)
def test_a_request_that_a_log_cuts_out_is_taken_back(tmp_path: Path, change: dict[str, Any]) -> None:
    """However a change cuts it out, it was said; a request that is put in again stays what it is."""
    whole = {"kind": 0, "v": chat(request("r1", "One"), request("r2", "Two"))}
    write(tmp_path, whole, change, {"kind": 2, "k": ["requests"], "v": [request("r3", "Three")]}, name="s-1.jsonl")
    write(tmp_path, whole, change, {"kind": 2, "k": ["requests"], "v": [request("r2", "Two")]}, name="s-2.jsonl")

    assert as_shown(read(tmp_path)) == ["One", "Three", "(Two)", "One", "Two"]


def test_the_log_stands_for_the_document_that_it_goes_on_from(tmp_path: Path) -> None:
    """A chat that is kept in both ways is read once."""
    write(tmp_path, chat(request("r1", "One")))
    write(tmp_path, {"kind": 0, "v": chat(request("r1", "One", {"value": "1"}))}, name="s-1.jsonl")

    assert said(read(tmp_path)) == ["One", "1"]


def test_chats_in_a_database_are_read_until_they_were_moved(tmp_path: Path) -> None:
    """VS Code moves them into files once; what it left in the database is then old."""
    connection = apsw.Connection(str(workspace(tmp_path) / "state.vscdb"))
    connection.execute("create table ItemTable (key text, value blob)")
    stored = json.dumps([chat(request("r1", "One", {"value": "1"}))])
    connection.execute("insert into ItemTable values ('interactive.sessions', ?)", (stored,))
    connection.close()
    assert said(read(tmp_path)) == ["One", "1"]

    write(tmp_path, chat(request("r1", "One", {"value": "1"}), request("r2", "Two")))
    assert said(read(tmp_path)) == ["One", "1", "Two"]


def test_a_database_without_chats_says_nothing(tmp_path: Path) -> None:
    """Every workspace has one."""
    connection = apsw.Connection(str(workspace(tmp_path) / "state.vscdb"))
    connection.execute("create table Other (key text)")
    connection.close()

    assert [type(item) for item in read(tmp_path)] == [Mark]


@pytest.mark.parametrize(
    ("agent", "is_read"),
    [
        (AGENT, True),
        ({"id": "github.copilot.workspace"}, True),
        ({}, True),
        ({"id": "acme.chat", "extensionId": {"value": "acme.chat"}}, False),
        ({"id": "continue", "extensionId": "continue.continue"}, False),
    ],
)
def test_only_chats_with_copilot_are_read(tmp_path: Path, agent: dict[str, Any], is_read: bool) -> None:
    """Other extensions keep their chats in the same place."""
    write(tmp_path, chat(request("r1", "Hello", agent=agent)))

    assert (said(read(tmp_path)) == ["Hello"]) is is_read


def test_a_chat_without_requests_is_no_session(tmp_path: Path) -> None:
    """Every window keeps an empty one."""
    write(tmp_path, chat())

    assert [type(item) for item in read(tmp_path)] == [Mark]


@pytest.mark.parametrize("text", ["[]", "3", "{}", '{"requests": {}}', "{", '{"kind": 0}'])
@pytest.mark.parametrize("name", ["s-1.json", "s-1.jsonl"])
def test_what_is_no_chat_is_skipped(tmp_path: Path, text: str, name: str) -> None:
    """It gives no messages."""
    write(tmp_path, name=name).write_text(text, encoding="utf-8")

    assert {type(item) for item in read(tmp_path)} == {Skipped}


def test_answers_of_any_type_are_survived(tmp_path: Path) -> None:
    """A field of the wrong type counts as absent."""
    odd: list[Any] = [
        None,
        3,
        {"kind": 5},
        {"kind": "thinking", "value": [1]},
        {"value": []},
        {"kind": "inlineReference"},
    ]
    calls = [{"kind": "toolInvocationSerialized", "toolSpecificData": [], "resultDetails": [1]}]
    result = {"metadata": {"toolCallRounds": [1, {"toolCalls": [None, {"id": []}]}], "toolCallResults": {"x": 3}}}
    write(tmp_path, chat(request("r1", "Hello", *odd, *calls, result=result), {"message": 4, "response": 5}))

    assert said(read(tmp_path))[0] == "Hello"


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"kind": 1},
        {"kind": 1, "k": []},
        {"kind": 1, "k": ["list", 5], "v": 0},
        {"kind": 1, "k": ["list", "0"], "v": 0},
        {"kind": 2, "k": ["text"], "v": [1]},
        {"kind": 3, "k": ["list", -1]},
        {"kind": True, "k": ["list"], "v": 0},
        {"kind": [], "k": [[]]},
    ],
)
def test_a_change_that_does_not_fit_changes_nothing(change: dict[str, Any]) -> None:
    """The document stays as it was."""
    document = Document()
    document.take({"kind": 0, "v": {"list": [1, 2], "text": "x"}})

    assert not document.take(change)
    assert document.value == {"list": [1, 2], "text": "x"}


def test_changes_in_turn() -> None:
    """Set, add, cut and add, delete."""
    document = Document()
    for change in (
        {"kind": 0, "v": {"list": [1, 2]}},
        {"kind": 1, "k": ["list", 0], "v": 7},
        {"kind": 2, "k": ["list"], "v": [3]},
        {"kind": 2, "k": ["list"], "i": 1, "v": [8]},
        {"kind": 2, "k": ["new"], "v": [1]},
        {"kind": 1, "k": ["gone"], "v": 1},
        {"kind": 3, "k": ["gone"]},
    ):
        assert document.take(change)

    assert document.value == {"list": [7, 8], "new": [1]}


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/ana/my%20shop", "/home/ana/my shop"),
        ("file:///c%3A/Users/ana", "c:/Users/ana"),
        ("vscode-remote://wsl%2Bubuntu/home/ana", "/home/ana"),
        ("https://example.com/a", None),
        ("file://[", None),
        ("", None),
    ],
)
def test_addresses_of_folders(uri: str, path: str | None) -> None:
    """An address of a file has a path; any other has none."""
    assert path_in(uri) == path


def test_the_storage_of_remote_machines_is_looked_at(tmp_path: Path) -> None:
    """There the folder is that of the server."""
    source = write(tmp_path, chat(request("r1", "Hello")))
    server = tmp_path / ".vscode-server" / "data" / "User" / "workspaceStorage" / "w1"
    server.parent.mkdir(parents=True)
    source.parent.parent.rename(server)
    (server / "workspace.json").write_text('{"folder": "file:///srv/shop"}', encoding="utf-8")

    assert [item.cwd for item in read(tmp_path) if isinstance(item, Facts)] == ["/srv/shop"]
