"""Folders that trade places, and what stays where it was."""

import os
import sys
from pathlib import Path

import pytest

from noctuary.errors import BadInput, StoreError
from noctuary.files import RESTORED
from noctuary.snapshot.placing import exchange, finish, put_instead, put_into, step_aside


def folder(path: Path, **files: str) -> Path:
    """A folder with these files."""
    path.mkdir()
    for name, text in files.items():
        (path / name).write_text(text)
    return path


def read(path: Path) -> dict[str, str]:
    """The files of a folder."""
    return {each.name: each.read_text() for each in path.iterdir()}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets folders trade names")
def test_folders_trade_names(tmp_path: Path) -> None:
    """In one step, so that there is never a moment without a memory."""
    one, other = folder(tmp_path / "one", a="1"), folder(tmp_path / "other", b="2")

    assert exchange(one, other)
    assert (read(one), read(other)) == ({"b": "2"}, {"a": "1"})


def test_memory_is_moved_aside_and_the_rest_stays(tmp_path: Path) -> None:
    """What is no part of a snapshot is where it was; what is, is aside."""
    stage = folder(tmp_path / "stage", **{"noctuary.db": "new"})
    home = folder(tmp_path / "home", **{"noctuary.db": "old", "noctuary.db-wal": "log", "models": "m", "x": "y"})

    assert put_instead(stage, home, tmp_path / "aside") == []
    assert read(home) == {"noctuary.db": "new", "models": "m", "x": "y"}
    assert read(tmp_path / "aside") == {"noctuary.db": "old", "noctuary.db-wal": "log"}
    assert not stage.exists()


def test_memory_steps_aside_where_folders_cannot_trade_names(tmp_path: Path) -> None:
    """Two steps come to the same."""
    stage, home = folder(tmp_path / "stage", a="new"), folder(tmp_path / "home", a="old")

    step_aside(stage, home, tmp_path / "aside")

    assert (read(home), read(tmp_path / "aside")) == ({"a": "new"}, {"a": "old"})


def test_memory_comes_back_if_nothing_can_take_its_place(tmp_path: Path) -> None:
    """After an error between the two steps the memory is where it was."""
    home = folder(tmp_path / "home", a="old")

    with pytest.raises(FileNotFoundError):
        step_aside(tmp_path / "gone", home, tmp_path / "aside")
    assert read(home) == {"a": "old"}


def test_home_that_cannot_be_moved(tmp_path: Path) -> None:
    """Where a folder cannot change its name, as that of a mounted disk, nothing is changed and the way on is said."""
    stage = folder(tmp_path / "stage", **{"noctuary.db": "new"})

    with pytest.raises(BadInput, match=r"cannot be moved aside: .* Nothing was changed\. Restore into another folder"):
        put_instead(stage, Path("/proc/self"), tmp_path / "aside")
    assert read(stage) == {"noctuary.db": "new"}


def test_memory_that_came_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    """A database that another process made since it was looked at stays."""
    stage = folder(tmp_path / "stage", **{"noctuary.db": "new"})
    home = folder(tmp_path / "home", **{"noctuary.db": "just made"})

    with pytest.raises(StoreError, match="came to be meanwhile"):
        put_into(stage, home)
    assert read(home) == {"noctuary.db": "just made"}


def test_what_a_killed_restore_left_to_do_is_done_by_the_next(tmp_path: Path) -> None:
    """What is no part of a snapshot is brought back, once; nothing is from a folder that is gone or elsewhere."""
    folder(tmp_path / "aside", **{"noctuary.db": "old", "models": "m", "x": "y"})
    home = folder(tmp_path / "home", **{"noctuary.db": "new", "x": "made since", RESTORED: "aside"})

    assert finish(home) == []
    assert read(home) == {"noctuary.db": "new", "models": "m", "x": "made since"}
    assert read(tmp_path / "aside") == {"noctuary.db": "old", "x": "y"}

    for name in ("gone", "../aside", ""):
        (home / RESTORED).write_text(name)
        assert finish(home) == []
        assert read(home).keys() == {"noctuary.db", "models", "x"}


def test_names_that_are_no_text(tmp_path: Path) -> None:
    """A home can have any name, and what a restore left to do is known by it; a mark that is none hurts nobody."""
    home = tmp_path / os.fsdecode(b"h\xff")
    home.mkdir()
    (home / RESTORED).write_bytes(b"\xfe\0")
    assert finish(home) == []
    aside = home.with_name(f"{home.name}.before")
    (aside / "models").mkdir(parents=True)
    (home / RESTORED).write_bytes(os.fsencode(aside.name))

    assert finish(home) == []
    assert (home / "models").is_dir()


def test_what_could_not_be_brought_back_is_tried_again(tmp_path: Path) -> None:
    """It is said what, and whoever opens the memory next may have more luck."""
    folder(tmp_path / "aside")
    folder(tmp_path / "aside" / "models")
    home = folder(tmp_path / "home", **{RESTORED: "aside"})
    (home / "models").symlink_to(tmp_path / "nowhere")

    (said,) = finish(home)
    assert "models could not be moved back" in said
    (home / "models").unlink()
    assert finish(home) == []
    assert (home / "models").is_dir()
    assert not (home / RESTORED).exists()
