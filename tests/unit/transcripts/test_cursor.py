"""What the golden cases of Cursor cannot show: change, two accounts of one chat, and where they are."""

import json
import time
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from noctuary.transcripts.cursor import Cursor
from noctuary.transcripts.cursor_ide import has_chat
from noctuary.transcripts.foreign_sqlite import WAIT_MS
from noctuary.transcripts.items import Facts, Place, Said, Source
from tests.unit.transcripts.foreign_homes import change, counts, home_of, imports, read_twice, taken_back, texts

DATABASE = Path(".config/Cursor/User/globalStorage/state.vscdb")
SESSION = "0a1b2c3d-0000-4000-8000-000000000001"
PUT = "insert into cursorDiskKV values (?, ?)"
TRANSCRIPTS = 10


def read(home: Path, place: Place | None = None) -> list[str]:
    """What is said in all chats."""
    adapter = Cursor()
    return texts([item for source in adapter.find(home, {}) for item in adapter.read(source, place or Place())])


def test_an_answer_that_was_still_written_is_replaced(tmp_path: Path) -> None:
    """A bubble that grew is told anew, and nothing beside it."""
    home = home_of("cursor", "headers", tmp_path)
    bubble = json.dumps({"type": 2, "text": "There are none, I am sure.", "createdAt": "2026-03-01T09:00:31.000Z"})

    items = read_twice(
        Cursor(), home, home / DATABASE, f"insert into cursorDiskKV values ('bubbleId:c2:b2', '{bubble}')"
    )

    assert texts(items) == ["There are none, I am sure."]
    assert taken_back(items) == 1


def test_what_the_headers_no_longer_name_is_taken_back(tmp_path: Path) -> None:
    """Bubbles stay in the database when a chat is rewound; the headers are what counts."""
    home = home_of("cursor", "headers", tmp_path)
    composer = json.dumps({"createdAt": 1772355630000, "fullConversationHeadersOnly": [{"bubbleId": "b1"}]})

    items = read_twice(
        Cursor(), home, home / DATABASE, f"insert into cursorDiskKV values ('composerData:c2', '{composer}')"
    )

    assert (texts(items), taken_back(items)) == ([], 1)


def test_a_transcript_of_a_chat_in_the_database_tells_nothing(tmp_path: Path) -> None:
    """The database has times and results, so it is what is told of a chat that has a transcript, too."""
    home = home_of("cursor", "agent", tmp_path)
    keep(home, SESSION)

    assert read(home) == ["From the editor.", "Look for other places", "There are none.", "Wo liegen die Sitzungen?"]


def test_a_transcript_that_was_read_first_is_taken_back(tmp_path: Path) -> None:
    """When the chat appears in the database, what its transcript told goes with the next change of that."""
    home = home_of("cursor", "agent", tmp_path)
    with imports(tmp_path) as memory:
        memory.import_transcripts()
        keep(home, SESSION)
        path = next(home.rglob(f"{SESSION}.jsonl"))
        path.write_text(path.read_text() + '{"role":"assistant","message":{"content":"Done."}}\n')
        second = memory.import_transcripts()
        third = memory.import_transcripts()
        shown = [message.content for message in memory.show(SESSION).messages if message.hidden is None]

    assert counts(second) == (1, 5)
    assert counts(third) == (0, 0)
    assert shown == ["From the editor."]


def keep(home: Path, chat: str) -> None:
    """The editor has a chat of this name."""
    (home / DATABASE.parent).mkdir(parents=True)
    change(home / DATABASE, "create table cursorDiskKV (key text unique on conflict replace, value blob)")
    composer = {"createdAt": 1772355600000, "conversation": [{"type": 1, "text": "From the editor."}]}
    change(home / DATABASE, PUT, f"composerData:{chat}", json.dumps(composer))


def test_a_transcript_grows(tmp_path: Path) -> None:
    """Only the new lines are told; they were said when the file was written last."""
    home = home_of("cursor", "agent", tmp_path)
    with imports(tmp_path) as memory:
        memory.import_transcripts()
        path = next(home.rglob(f"{SESSION}.jsonl"))
        path.write_text(path.read_text() + '{"role":"assistant","message":{"content":"Done."}}\n')
        second = memory.import_transcripts()

    assert counts(second) == (1, 0)


def test_it_is_found_on_every_system(tmp_path: Path) -> None:
    """The editor's folder has another place on each system, and one on machines that it connects to."""
    places = ["Library/Application Support/Cursor/User", "AppData/Roaming/Cursor/User", ".cursor-server/data/User"]
    for place in places:
        (tmp_path / place / "globalStorage").mkdir(parents=True)
        change(tmp_path / place / "globalStorage/state.vscdb", "create table ItemTable (key text, value blob)")

    assert [source.path.parents[1] for source in Cursor().find(tmp_path, {})] == [tmp_path / place for place in places]


def test_the_windows_around_a_linux_is_looked_at(tmp_path: Path) -> None:
    """In WSL the editor runs in Windows, and keeps its chats there; elsewhere nobody looks for it."""
    users, home = tmp_path / "Users", tmp_path / "home"
    folder = users / "Ana/AppData/Roaming/Cursor/User/globalStorage"
    folder.mkdir(parents=True)
    change(folder / "state.vscdb", "create table ItemTable (key text, value blob)")

    assert [s.path for s in Cursor(users).find(home, {"WSL_DISTRO_NAME": "Debian"})] == [folder / "state.vscdb"]
    assert list(Cursor(users).find(home, {})) == []


@pytest.mark.parametrize(
    "bubble",
    [
        {"type": [1], "text": {"a": 1}},
        {"type": 1, "text": 7, "createdAt": [], "timingInfo": {"clientEndTime": "soon"}},
        {"type": 2, "toolFormerData": {"name": 3, "params": [1], "result": 5, "error": {"a": []}}},
        {"type": 2, "thinking": "no object", "workspaceUris": [3, "file://[", None], "modelInfo": 1},
        ["no object"],
    ],
)
def test_a_bubble_of_any_shape_costs_only_itself(tmp_path: Path, bubble: object) -> None:
    """Fields of the wrong type count as absent."""
    home = home_of("cursor", "headers", tmp_path)
    change(home / DATABASE, PUT, "bubbleId:c2:b1", json.dumps(bubble))

    assert read(home)[-1] == "There are none."


def test_a_sub_agent_belongs_to_its_session(tmp_path: Path) -> None:
    """The folder of a transcript tells whose sub-agent it is of."""
    home = home_of("cursor", "agent", tmp_path)

    by_session: dict[str, Source] = {source.session: source for source in Cursor().find(home, {})}

    assert by_session["0a1b2c3d-0000-4000-8000-000000000002"].parent == SESSION


def test_a_transcript_of_another_kind_says_nothing(tmp_path: Path) -> None:
    """Lines that are no messages are counted, and nothing is taken from them."""
    folder = tmp_path / ".cursor/projects/shop/agent-transcripts"
    folder.mkdir(parents=True)
    (folder / "notes.jsonl").write_text('{"type":"summary","text":"x"}\n["a"]\n')
    [source] = Cursor().find(tmp_path, {})

    items = list(Cursor().read(source, Place()))

    assert [item for item in items if isinstance(item, Said)] == []
    assert [item.title for item in items if isinstance(item, Facts)] == [None]


def test_nobody_waits_for_the_editor_once_for_every_transcript(tmp_path: Path) -> None:
    """Whether a locked database has a chat is asked for each of many transcripts, and each time soon given up."""
    keep(tmp_path, SESSION)
    with closing(apsw.Connection(str(tmp_path / DATABASE))) as editor:
        editor.execute("begin exclusive")
        began = time.monotonic()
        for _ in range(TRANSCRIPTS):
            with pytest.raises(OSError, match="locked"):
                has_chat(tmp_path / DATABASE, SESSION)

    assert time.monotonic() - began < TRANSCRIPTS * WAIT_MS / 1000 / 2
