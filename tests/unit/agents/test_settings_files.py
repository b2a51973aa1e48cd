"""Files are replaced through symlinks, whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from noctuary.agents import settings_files
from noctuary.errors import BadSettings, StoreError
from tests.unit.agents.machine import Machine


def test_a_symlink_is_followed(tmp_path: Path) -> None:
    """Also to a file that is not there yet, if its folder is."""
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "file")

    assert settings_files.target_of(link) == tmp_path / "file"
    assert settings_files.text_of(tmp_path / "file") is None


def test_a_symlink_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    """No folders are made where it happens to point, and no circle is followed."""
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "missing" / "file")
    circle = tmp_path / "circle"
    circle.symlink_to(circle)

    for path in (link, circle):
        with pytest.raises(BadSettings, match="symlink"):
            settings_files.target_of(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """Nobody waits for a pipe, neither at install nor at uninstall."""
    machine = Machine.below(tmp_path)
    agent = machine.with_agent("gemini")
    assert agent.hooks
    os.mkfifo(agent.hooks)

    for path in (tmp_path, agent.hooks):
        with pytest.raises(BadSettings, match="not a file"):
            settings_files.text_of(path)
    assert "not a file" in machine.install()[0].problems[0]
    assert machine.uninstall() == []


class Looking(str):
    """A text that looks, when it is about to be written, who may read what lies beside its file."""

    __slots__ = ("folder", "seen")

    folder: Path
    seen: set[int]

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        """The same as of any text."""
        self.seen = {stat.S_IMODE(path.stat().st_mode) for path in self.folder.iterdir()}
        return super().encode(encoding, errors)


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_what_is_for_its_owner_only_is_never_for_others(tmp_path: Path) -> None:
    """Settings have keys in them: not even while they are being written may others read them."""
    path = tmp_path / "settings.json"
    path.write_text("old")
    path.chmod(0o600)
    text = Looking("new")
    text.folder = tmp_path
    settings_files.replace(path, text)

    assert text.seen == {0o600}
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o600)


def test_mode_and_bytes_are_kept(tmp_path: Path) -> None:
    """Line ends and marks are what they were, and nothing is left beside the file."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o604)
    settings_files.replace(path, "\ufeffa\r\nb\r")

    assert path.read_bytes() == "\ufeffa\r\nb\r".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert [*tmp_path.iterdir()] == [path]


def test_what_a_killed_one_left_is_not_in_the_way(tmp_path: Path) -> None:
    """In a container a process has the number of the one that was killed."""
    path, left = tmp_path / "file", tmp_path / f".file.noctuary-{os.getpid()}"
    left.write_bytes(b"half")

    settings_files.replace(path, "new")

    assert path.read_bytes() == b"new"


def test_what_cannot_be_written_stays(tmp_path: Path) -> None:
    """A folder in the place of the file, for one; what was begun beside it goes."""
    (tmp_path / "file").mkdir()
    (tmp_path / "file" / "inner").touch()
    with pytest.raises(StoreError, match="cannot be written"):
        settings_files.replace(tmp_path / "file", "new")

    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_folders_go_as_long_as_they_are_empty(tmp_path: Path) -> None:
    """From the innermost out; one that holds something ends it."""
    path = tmp_path / "a" / "b" / "c" / "file"
    made = settings_files.folders_missing(path)
    settings_files.replace(path, "x")
    (tmp_path / "a" / "theirs").touch()
    settings_files.remove(path, made)

    assert made == tuple(str(tmp_path / name) for name in ("a/b/c", "a/b", "a"))
    assert [each.name for each in (tmp_path / "a").iterdir()] == ["theirs"]
