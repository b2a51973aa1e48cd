"""What the file backend promises beyond the contract: its files are plain, private, and survive a crash."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from noctuary.errors import StoreReadOnly
from noctuary.recall.file import FileRecall
from noctuary.recall.query import parse
from noctuary.records import Message, Role, Session
from noctuary.testing import FakeClock

OWNER = "ana"


@pytest.fixture
def recall(tmp_path: Path) -> FileRecall:
    """An empty store."""
    return FileRecall(tmp_path / "recall", FakeClock())


def say(recall: FileRecall, text: str, session: str = "s") -> int:
    """Append one message of the user."""
    return recall.append(OWNER, session, Message(role=Role.USER, content=text, ts_ms=1000))


def find(recall: FileRecall, text: str) -> list[tuple[str, int]]:
    """Sessions and messages found."""
    return [(hit.session.id, hit.anchor_id) for hit in recall.search(OWNER, parse(text, 0)).hits]


def messages_file(recall: FileRecall, session: str = "s") -> Path:
    """Where the messages of the session are."""
    return recall.root / OWNER / f"{session}.jsonl"


def write_after(path: Path, data: bytes) -> None:
    """Add bytes to a file, as a dying process would."""
    with path.open("ab") as file:
        file.write(data)


def test_files_are_plain_json_lines(recall: FileRecall) -> None:
    """One readable object a line, in any script, with what is not known left out."""
    say(recall, "支付 \n second line")

    line = messages_file(recall).read_text(encoding="utf-8")
    assert line == '{"id": 1, "role": "user", "kind": "text", "ts_ms": 1000, "content": "支付 \\n second line"}\n'


def test_files_are_private(recall: FileRecall) -> None:
    """Only their owner may read the files and list the folders."""
    say(recall, "hello")
    write_after(messages_file(recall), b"torn")
    say(recall, "hello")

    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in [recall.root, *recall.root.rglob("*")]}
    assert len(modes) == 6
    assert all(mode == (0o700 if path.is_dir() else 0o600) for path, mode in modes.items())


@pytest.mark.parametrize("junk", [b"not json", b"{}", b"[1]", b"null", b'{"id": "x"}', b"", b"\xff\xfe", b"[" * 5000])
def test_malformed_lines_are_passed_over(recall: FileRecall, junk: bytes) -> None:
    """A line nobody can read costs no id and hides nothing after it."""
    say(recall, "first apricot")
    write_after(messages_file(recall), junk + b"\n")

    assert say(recall, "second cherry") == 2
    assert find(recall, "cherry") == [("s", 2)]
    assert find(recall, "apricot") == [("s", 1)]


def test_a_torn_line_is_set_aside(recall: FileRecall) -> None:
    """The next line is never glued to half a line; the half is kept for whoever wants to look."""
    say(recall, "first apricot")
    write_after(messages_file(recall), b'{"id": 2, "role": "user", "content": "tor')
    assert find(recall, "apricot") == [("s", 1)]

    assert say(recall, "second cherry") == 2
    assert find(recall, "cherry") == [("s", 2)]
    assert messages_file(recall).with_name("s.jsonl.torn").read_bytes().startswith(b'{"id": 2, "role"')
    assert [json.loads(line)["id"] for line in messages_file(recall).read_text().splitlines()] == [1, 2]


def test_a_line_that_was_not_counted_is_found_again(recall: FileRecall) -> None:
    """A writer that died between the line and the meta file has lost nothing."""
    say(recall, "first")
    write_after(messages_file(recall), b'{"id": 2, "role": "user", "ts_ms": 2000, "content": "apricot"}\n')

    assert recall.recent(OWNER)[0].message_count == 2
    assert find(recall, "apricot") == [("s", 2)]
    assert say(recall, "third") == 3
    assert recall.recent(OWNER)[0].last_ms == 2000


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"id": "s"}'])
def test_a_damaged_meta_file_costs_no_message(recall: FileRecall, damage: bytes) -> None:
    """The lines alone are enough to go on."""
    say(recall, "first apricot")
    say(recall, "second")
    messages_file(recall).with_name("s.meta.json").write_bytes(damage)

    assert find(recall, "apricot") == [("s", 1)]
    assert recall.recent(OWNER)[0].message_count == 2
    assert say(recall, "third") == 3


def test_a_lost_meta_file_costs_no_message(recall: FileRecall) -> None:
    """A session's name can be read back from its file's."""
    say(recall, "apricot", session="Änderung/1")
    for path in (recall.root / OWNER).glob("*.meta.json"):
        path.unlink()

    assert find(recall, "apricot") == [("Änderung/1", 1)]


def test_ids_are_not_given_twice_after_a_cut(recall: FileRecall) -> None:
    """If somebody takes lines away, the ids go on from the highest ever given."""
    for text in ("one", "two", "three"):
        say(recall, text)
    lines = messages_file(recall).read_bytes().splitlines(keepends=True)
    messages_file(recall).write_bytes(lines[0])

    assert say(recall, "four") == 4
    assert recall.recent(OWNER)[0].message_count == 2
    assert find(recall, "three") == []


def test_appending_reads_only_what_is_new(recall: FileRecall) -> None:
    """The cost of a message does not grow with the session: what is counted is not read again."""
    for text in ("one", "two"):
        say(recall, text)
    path = messages_file(recall)
    path.write_bytes(b"\0" * (path.stat().st_size - 1) + b"\n")  # unreadable, but of the size that is known

    assert say(recall, "three") == 3


def test_a_session_written_anew_is_read_anew(recall: FileRecall, tmp_path: Path) -> None:
    """Another process may delete a session and begin it again, longer than before."""
    say(recall, "apricot")
    assert find(recall, "apricot") == [("s", 1)]
    other = FileRecall(recall.root, FakeClock())
    other.delete_session(OWNER, "s")
    say(other, "cherry, and much more than there was before")

    assert find(recall, "apricot") == []
    assert find(recall, "cherry") == [("s", 1)]


def test_deleting_leaves_no_file(recall: FileRecall) -> None:
    """Nothing of the session stays on the disk."""
    say(recall, "apricot")
    write_after(messages_file(recall), b"torn")
    say(recall, "cherry")
    recall.delete_session(OWNER, "s")

    assert [path.name for path in (recall.root / OWNER).iterdir()] == [".lock"]


def test_other_files_in_the_folder_do_no_harm(recall: FileRecall) -> None:
    """What is not ours is left alone."""
    say(recall, "apricot")
    for name in ("notes.txt", "%ff%fe.jsonl", "bad.meta.json", "UPPER.jsonl"):
        (recall.root / OWNER / name).write_text('{"id": 1, "role": "user", "content": "apricot"}\n')

    assert find(recall, "apricot") == [("s", 1)]
    assert len(recall.recent(OWNER)) == 1


def test_looking_makes_no_files(recall: FileRecall) -> None:
    """Reading an empty store leaves no trace."""
    find(recall, "apricot")
    recall.recent(OWNER)
    recall.scroll(OWNER, "s", 1)
    recall.delete_session(OWNER, "s")

    assert not recall.root.exists()


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_folder_that_cannot_be_written(recall: FileRecall) -> None:
    """The error is ours and says what to do."""
    recall.root.mkdir(mode=0o500)

    with pytest.raises(StoreReadOnly, match="permissions"):
        recall.ensure_session(OWNER, Session(id="s"))
