"""What the sessions of Pi and of the agents made of it become, where a golden case cannot show it."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

from noctuary import Memory
from noctuary.records import Relation, Role
from noctuary.testing import messages, write_lines
from noctuary.transcripts.items import Item, Mark, Place, Rewound, Skipped
from noctuary.transcripts.openclaw import OpenClaw
from noctuary.transcripts.pi import Pi

FOLDER = ".pi/agent/sessions/--shop--"
HEADER = {
    "type": "session",
    "version": 3,
    "id": "one",
    "timestamp": "2026-03-01T09:00:00.000Z",
    "cwd": "/home/ana/shop",
}


def said(name: str, parent: str | None, text: str, role: str = "user") -> dict[str, Any]:
    second = 10 + int(name, 36) % 49
    entry = {"type": "message", "id": name, "parentId": parent, "timestamp": f"2026-03-01T09:00:{second}.000Z"}
    return {**entry, "message": {"role": role, "content": text}}


def save(home: Path, *entries: dict[str, Any], name: str = "one", **header: Any) -> Path:
    return write_lines(home / FOLDER / f"2026-03-01T09-00-00-000Z_{name}.jsonl", [{**HEADER, **header}, *entries])


def read(home: Path, place: Place | None = None) -> list[Item]:
    return [item for source in Pi().find(home, {}) for item in Pi().read(source, place or Place())]


BRANCHES = [
    said("1", None, "Hello"),
    said("2", "1", "Go left"),
    said("3", "2", "Left it is", "assistant"),
    said("4", "1", "Go right"),
    said("5", "3", "Back to the left"),
    said("6", "1", "Or straight on"),
]


def test_going_back_and_forth(tmp_path: Path) -> None:
    """What was left is not part of the conversation, until somebody returns to it; and it can be left again."""
    home = tmp_path / "home"
    save(home, *BRANCHES)
    with Memory.open(tmp_path / "memory", user_home=home) as memory:
        memory.import_transcripts()
        window = memory.show(memory.sessions()[0].id)

    assert [message.content for message in window.messages] == ["Hello", "Or straight on"]


def test_read_in_pieces(tmp_path: Path) -> None:
    """A reading that goes on anywhere leaves and returns to the same branches, under the same names."""
    save(tmp_path, *BRANCHES)
    whole = [item for item in read(tmp_path) if not isinstance(item, Mark)]

    for count in range(1, len(BRANCHES)):
        path = save(tmp_path, *BRANCHES[:count])
        first = read(tmp_path)
        marks = [item for item in first if isinstance(item, Mark)]
        save(tmp_path, *BRANCHES)
        rest = read(tmp_path, marks[-1].place)
        assert [item for item in [*first, *rest] if not isinstance(item, Mark)] == whole
        path.unlink()


def test_a_lost_line_is_no_way_back(tmp_path: Path) -> None:
    """An entry whose parent is not in the file goes on where the file was."""
    save(tmp_path, said("1", None, "Hello"), said("3", "2", "Bye"), said("4", "3", "See you"))

    assert not any(isinstance(item, Rewound) for item in read(tmp_path))


def test_all_begins_anew(tmp_path: Path) -> None:
    """A prompt without a parent leaves everything; a note without one is only a note."""
    save(tmp_path, said("1", None, "Hello"), said("2", None, "Hi", "assistant"), said("3", None, "Other"))

    assert [len(item.uids) for item in read(tmp_path) if isinstance(item, Rewound)] == [1]


def test_a_fork_adds_what_its_parent_does_not_have(tmp_path: Path) -> None:
    """The beginning that a fork repeats stays with its parent, also if the parent has no ids of entries yet."""
    home = tmp_path / "home"
    begun = [said("1", None, "Hello"), said("2", "1", "Hi", "assistant")]
    old = [{key: value for key, value in each.items() if key not in ("id", "parentId")} for each in begun]
    save(home, *old, said("3", "2", "Go left"))
    save(home, *begun, said("4", "2", "Go right"), name="two", parentSession="C:\\x\\2026_one.jsonl")
    with Memory.open(tmp_path / "memory", user_home=home) as memory:
        first = memory.import_transcripts()
        save(home, *begun, said("3", "2", "Go left"), said("5", "3", "On"))  # brought to the new version
        second = memory.import_transcripts()

    assert (first.messages, second.messages) == (3 + 1, 1)


def test_chosen_folders(tmp_path: Path) -> None:
    """Pi is told by a variable where its folder is."""
    write_lines(tmp_path / "elsewhere/sessions/--shop--/2026_one.jsonl", [HEADER])

    assert [s.session for s in Pi().find(tmp_path, {"PI_CODING_AGENT_DIR": "~/elsewhere"})] == ["one"]
    assert [s.session for s in Pi().find(tmp_path, {"PI_SESSIONS_DIR": "~/elsewhere/sessions"})] == ["one"]


def test_openclaw_knows_who_made_a_session(tmp_path: Path) -> None:
    """A session that an agent made for another has a parent, and a title somebody gave; its prompts are the agent's."""
    folder = tmp_path / "state/agents/main/sessions"
    write_lines(folder / "child.jsonl", [HEADER, said("1", None, "Find a table")])
    made = '"b": {"sessionId": "child", "spawnedBy": "a", "label": "Table"}'
    (folder / "sessions.json").write_text('{"a": {"sessionId": "parent"}, ' + made + ', "c": 7}')

    (source,) = OpenClaw().find(tmp_path, {"OPENCLAW_STATE_DIR": str(tmp_path / "state")})

    assert (source.parent, source.relation, source.title) == ("parent", Relation.SUBAGENT, "Table")
    assert [message.role for message in messages(list(OpenClaw().read(source, Place())))] == [Role.ASSISTANT]


def save_database(home: Path, *entries: dict[str, Any]) -> Path:
    """A session as Pi in Rust keeps it."""
    path = home / FOLDER / "2026-03-01T09-00-00-000Z_one.sqlite"
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(apsw.Connection(str(path))) as database:
        database.execute(
            "create table if not exists pi_session_header (id text primary key, json text not null);"
            "create table if not exists pi_session_entries (seq integer primary key, json text not null);"
            "delete from pi_session_header; delete from pi_session_entries"
        )
        database.execute("insert into pi_session_header values ('one', ?)", (json.dumps(HEADER),))
        for seq, entry in enumerate(entries, 1):
            database.execute("insert into pi_session_entries values (?, ?)", (seq, json.dumps(entry)))
    return path


class TestDatabases:
    """Sessions of Pi in Rust."""

    def test_a_database_says_what_a_log_says(self, tmp_path: Path) -> None:
        """Rows are the records of a log: the same messages under the same names, and the same are taken back."""
        save(tmp_path / "logs", *BRANCHES)
        save_database(tmp_path / "databases", *BRANCHES)

        [logged, kept] = [
            [item for item in read(tmp_path / each) if not isinstance(item, Mark)] for each in ("logs", "databases")
        ]

        assert kept == logged

    def test_reading_goes_on_behind_the_last_row(self, tmp_path: Path) -> None:
        """Only rows that were added are told, though one of them goes back to an early one."""
        save_database(tmp_path, *BRANCHES[:3])
        first = read(tmp_path)
        save_database(tmp_path, *BRANCHES)

        mark = first[-1]
        assert isinstance(mark, Mark)
        later = read(tmp_path, mark.place)

        save_database(tmp_path / "whole", *BRANCHES)
        whole = [item for item in read(tmp_path / "whole") if not isinstance(item, Mark)]
        assert [item for item in (*first, *later) if not isinstance(item, Mark)] == whole
        assert any(isinstance(item, Rewound) for item in later)

    def test_a_database_that_was_written_anew_is_read_anew(self, tmp_path: Path) -> None:
        """If the last row that was read is another by now, nothing that was read before counts."""
        save_database(tmp_path, *BRANCHES[:3])
        mark = read(tmp_path)[-1]
        save_database(tmp_path, said("1", None, "Something else"), said("2", "1", "Entirely"), said("3", "2", "New"))

        assert isinstance(mark, Mark)
        told = messages(read(tmp_path, mark.place))

        assert [message.content for message in told] == ["Something else", "Entirely", "New"]

    def test_another_database_is_no_session(self, tmp_path: Path) -> None:
        """A database without the tables of a session is passed over and said to be."""
        path = tmp_path / FOLDER / "2026-03-01T09-00-00-000Z_one.sqlite"
        path.parent.mkdir(parents=True)
        with closing(apsw.Connection(str(path))) as database:
            database.execute("create table shop (id integer)")

        assert [item.reason for item in read(tmp_path) if isinstance(item, Skipped)] == ["not a session of Pi"]
