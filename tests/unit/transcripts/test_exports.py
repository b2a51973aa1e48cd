"""Exports of ChatGPT and Claude.ai: archives, folders and files, however large, and one after the other."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from noctuary import Memory
from noctuary.importing.run import Importer
from noctuary.testing import messages
from noctuary.transcripts.chatgpt import ChatGpt
from noctuary.transcripts.claude_ai import ClaudeAi
from noctuary.transcripts.exports import array_items
from noctuary.transcripts.items import Place, Skipped
from tests.unit.transcripts.golden_cases import FOLDER

CHATGPT = FOLDER / "chatgpt/export/home/Downloads/conversations.json"
CLAUDE = FOLDER / "claude.ai/export/home/Downloads/conversations.json"


def contents(adapter: ChatGpt | ClaudeAi, path: Path) -> list[str]:
    items = [item for source in adapter.sources_in(path) for item in adapter.read(source, Place())]
    return [message.content for message in messages(items)]


def chat(*texts: str, shown: str | None = None) -> dict[str, Any]:
    """A conversation of ChatGPT whose answers all follow its first text."""
    nodes = {
        f"n{at}": {
            "parent": "n0" if at else None,
            "message": {"author": {"role": "assistant" if at else "user"}, "content": {"parts": [text]}},
        }
        for at, text in enumerate(texts)
    }
    return {"id": "c1", "update_time": len(texts), "current_node": shown, "mapping": nodes}


@pytest.mark.parametrize(("adapter", "file"), [(ChatGpt(), CHATGPT), (ClaudeAi(), CLAUDE)], ids=["chatgpt", "claude"])
def test_the_archive_says_what_its_file_says(tmp_path: Path, adapter: ChatGpt | ClaudeAi, file: Path) -> None:
    """The ZIP, its unpacked folder, a folder with that in it, and the file itself are the same export."""
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("data/conversations.json", file.read_bytes())
        made.writestr("data/users.json", "[]")
    (tmp_path / "outer/inner").mkdir(parents=True)
    (tmp_path / "outer/inner/conversations-000.json").write_bytes(file.read_bytes())

    expected = contents(adapter, file)

    assert len(expected) > 5
    paths = [archive, file.parent, tmp_path / "outer/inner", tmp_path / "outer"]
    assert [contents(adapter, path) for path in paths] == [expected] * len(paths)


def test_the_export_of_another_is_not_taken_for_ones_own(tmp_path: Path) -> None:
    """What it holds decides, not its name: nothing is told of it, and once that it is none."""
    (tmp_path / "notes.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    pairs: list[tuple[ChatGpt | ClaudeAi, Path]] = [(ChatGpt(), CLAUDE), (ClaudeAi(), CHATGPT)]
    for adapter, path in [*pairs, (ChatGpt(), tmp_path / "notes.zip")]:
        [source] = adapter.sources_in(path)
        items = list(adapter.read(source, Place()))

        assert messages(items) == []
        assert len([item for item in items if isinstance(item, Skipped)]) == 1
    assert list(ChatGpt().sources_in(tmp_path / "nowhere")) == []


def test_nothing_is_imported_that_nobody_named(tmp_path: Path) -> None:
    """An export in a folder of downloads is not looked for, nor taken because a hook names it."""
    path = tmp_path / "Downloads/conversations.json"
    path.parent.mkdir()
    path.write_bytes(CHATGPT.read_bytes())

    for adapter in (ChatGpt(), ClaudeAi()):
        assert [*adapter.find(tmp_path, {}), *adapter.find_at(path, tmp_path, {})] == []


def test_a_later_export_adds_only_what_is_new(tmp_path: Path) -> None:
    """It has other conversations and the same again; these are stored once, whatever file they came in."""
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps([chat("Hello", "Good day.")]))
    second = chat("Why?", "Because.") | {"id": "c2"}
    new.write_text(json.dumps([second, chat("Hello", "Good day.") | {"title": "Greetings"}]))
    with Memory.open(tmp_path / "memory", user_home=tmp_path) as memory:
        importer = Importer(memory.store, memory.owner)
        reports = [importer.run(ChatGpt().sources_in(path)) for path in (old, new, new)]

    assert [report.messages for report in reports] == [2, 2, 0]


def test_another_branch_takes_the_place_of_the_one_that_was_shown(tmp_path: Path) -> None:
    """An answer that was made again: the one that is shown counts, and the old is taken back."""
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([chat("Hello", "Good day.")]))
    with Memory.open(tmp_path / "memory", user_home=tmp_path) as memory:
        importer = Importer(memory.store, memory.owner)
        importer.run(ChatGpt().sources_in(path))
        path.write_text(json.dumps([chat("Hello", "Good day.", "Hi!", shown="n2")]))
        report = importer.run(ChatGpt().sources_in(path))
        window = memory.show("c1").messages

    assert (report.messages, report.rewound) == (1, 1)
    assert [message.content for message in window] == ["Hello", "Hi!"]


def test_a_circle_of_parents_ends() -> None:
    """A tree that is none is told as far as it is one."""
    talk = chat("Hello", "Good day.")
    talk["mapping"]["n0"]["parent"] = "n1"
    stream = io.BytesIO(json.dumps(talk).encode())

    assert list(array_items(stream)) == [talk]


@pytest.mark.parametrize("chunk", [1, 7, 64, 100_000])
def test_items_are_read_in_pieces_of_any_size(chunk: int) -> None:
    """Whatever is cut where, the items are those of the array; what is no text in them is replaced."""
    value = [{"a": "ü🦉", "b": [1, 2.5]}, 12345, "x", None, [], {"c": "\\u0000"}]
    raw = b"\xef\xbb\xbf" + json.dumps(value, ensure_ascii=False).replace("\\\\u0000", "\\u0000").encode()

    found = list(array_items(io.BytesIO(raw), chunk=chunk))

    assert found == [*value[:-1], {"c": "\ufffd"}]


@pytest.mark.parametrize(
    "raw", [b"", b"[", b"[1, 2", b'[{"a": ', b"{", b"nonsense", b"[" * 100_000, b'["' + b"x" * 5000 + b'"]']
)
def test_what_is_no_array_is_a_value_error(raw: bytes) -> None:
    """Neither what ends too early nor what is too long or too deep raises anything else."""
    with pytest.raises(ValueError, match=r".+"):
        list(array_items(io.BytesIO(raw), longest=1000, chunk=64))


def test_fields_of_any_type_raise_nothing(tmp_path: Path) -> None:
    """A field of the wrong type counts as absent, in both exports."""
    path = tmp_path / "conversations.json"
    odds: list[Any] = [None, 5, [], {}, "x", [5], {"parts": [5, {}]}, {"role": []}, {"content_type": []}]
    for odd in odds:
        message = {"author": odd, "content": odd, "metadata": odd, "recipient": odd, "create_time": odd}
        nodes = {"a": {"parent": odd, "message": message}, "b": odd, "c": {"parent": "a", "message": odd}}
        block = {"type": odd, "text": odd, "content": odd}
        said = {"uuid": odd, "sender": odd, "content": [odd, block], "attachments": [odd], "parent_message_uuid": odd}
        path.write_text(
            json.dumps(
                [
                    {"id": "c", "mapping": nodes, "current_node": "c", "title": odd, "update_time": odd},
                    {"uuid": "d", "chat_messages": [said, odd], "name": odd, "updated_at": odd},
                ]
            )
        )
        for adapter in (ChatGpt(), ClaudeAi()):
            contents(adapter, path)


def test_a_folder_with_a_file_for_each_conversation(tmp_path: Path) -> None:
    """A folder `conversations…` without the one file of an export is what a program on the desktop kept."""
    folder = tmp_path / "conversations-1"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.json").write_text(json.dumps({**chat(name), "id": name}))

    assert contents(ChatGpt(), folder) == ["one", "two"]
    assert contents(ChatGpt(), tmp_path) == []
