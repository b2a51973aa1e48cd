"""What is remembered of files that stay as they are, so that looking for transcripts opens none of them."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from noctuary.transcripts.agents import adapters
from noctuary.transcripts.unchanged import while_unchanged
from tests.unit.transcripts.golden_cases import cases

LONG_AGO_NS = 1_700_000_000_000_000_000

watched: list[list[str]] = []  # whoever wants to know which files are opened


def note(event: str, args: tuple[object, ...]) -> None:
    for opened in watched if event == "open" else ():
        opened.append(str(args[0]))


sys.addaudithook(note)


def settle(*paths: Path) -> None:
    for path in paths:
        os.utime(path, ns=(LONG_AGO_NS, LONG_AGO_NS))


def test_read_once_while_nothing_changes(tmp_path: Path) -> None:
    """What was read is given again, until the file or the write-ahead log beside it is another."""
    path, log = tmp_path / "file", tmp_path / "file-wal"
    path.write_text("one")
    settle(path)
    read = []

    @while_unchanged
    def words(path: Path) -> str:
        read.append(path)
        return path.read_text()

    assert [words(path), words(path)] == ["one", "one"]
    assert len(read) == 1
    log.touch()
    settle(log)
    assert [words(path), words(path)] == ["one", "one"]
    assert len(read) == 2
    path.write_text("two")
    assert words(path) == "two"


def test_what_changed_just_now_is_read_again(tmp_path: Path) -> None:
    """Within the grain of a disk's times a file may change twice."""
    path = tmp_path / "file"
    words = while_unchanged(Path.read_text)
    path.write_text("one")
    stat = path.stat()
    assert words(path) == "one"

    path.write_text("two")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert words(path) == "two"


def test_what_failed_is_tried_again(tmp_path: Path) -> None:
    """A file that is not there is read as soon as it is."""
    words = while_unchanged(Path.read_text)
    with pytest.raises(FileNotFoundError):
        words(tmp_path / "file")
    (tmp_path / "file").write_text("one")
    assert words(tmp_path / "file") == "one"


def test_looking_again_opens_nothing(tmp_path: Path) -> None:
    """Where every agent left transcripts and none wrote since, they are found by looks at folders and files alone."""
    home = tmp_path / "home"
    for number, case in enumerate(cases()):
        shutil.copytree(case.laid_out(tmp_path / str(number)), home, dirs_exist_ok=True)
    settle(home, *home.rglob("*"))
    first = [source for adapter in adapters() for source in adapter.find(home, {})]

    opened: list[str] = []
    watched.append(opened)
    second = [source for adapter in adapters() for source in adapter.find(home, {})]
    watched.clear()

    assert [path for path in opened if path.startswith(str(home))] == []
    assert second == first
    assert len({source.adapter for source in first}) >= 25
