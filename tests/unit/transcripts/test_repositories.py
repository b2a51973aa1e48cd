"""Where people's projects are looked for, and that looking again takes little."""

import os
from pathlib import Path

from noctuary.transcripts.repositories import AIDER, CRUSH, MOST, SPECSTORY, folders_with, walked_once

LONG_AGO_NS = 1_700_000_000_000_000_000


def leave(folder: Path, name: str = AIDER) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).touch()
    return folder


def settle(home: Path) -> None:
    """As if nothing had been changed for long."""
    for folder, _, _ in os.walk(home):
        os.utime(folder, ns=(LONG_AGO_NS, LONG_AGO_NS))


def test_where_somebody_may_work(tmp_path: Path) -> None:
    """The home folder, and folders a few levels below it, the nearest first; not inside of repositories."""
    near = [leave(tmp_path / way) for way in (".", "shop", "work/a", "work/a/b/c")]
    for way in (".cache/shop", "node_modules/shop", "Library/shop", "a/b/c/d/e", "shop/inner"):
        leave(tmp_path / way)
    (tmp_path / "shop/.git").mkdir()

    assert folders_with(tmp_path, AIDER) == near


def test_each_agent_has_its_own(tmp_path: Path) -> None:
    """A folder is named for what was left in it."""
    one, other = leave(tmp_path / "one", CRUSH), leave(tmp_path / "other", SPECSTORY)

    assert (folders_with(tmp_path, CRUSH), folders_with(tmp_path, SPECSTORY)) == ([one], [other])
    assert folders_with(tmp_path, AIDER) == []


def test_what_is_new_is_found_when_looked_for_again(tmp_path: Path) -> None:
    """What is left in a folder that was there, in a new one, and at once after another look."""
    (tmp_path / "old").mkdir()
    settle(tmp_path)
    assert folders_with(tmp_path, AIDER) == []

    new = leave(tmp_path / "new")
    assert folders_with(tmp_path, AIDER) == [new]

    old = leave(tmp_path / "old")
    assert folders_with(tmp_path, AIDER) == [new, old]
    (new / AIDER).unlink()
    assert folders_with(tmp_path, AIDER) == [old]


def test_a_folder_that_did_not_change_is_not_listed_again(tmp_path: Path) -> None:
    """What is put into it in secret, with its time as it was, is not seen."""
    shop = leave(tmp_path / "shop")
    settle(tmp_path)
    assert folders_with(tmp_path, CRUSH) == []

    leave(shop, CRUSH)
    settle(tmp_path)
    assert folders_with(tmp_path, CRUSH) == []

    os.utime(shop)
    assert folders_with(tmp_path, CRUSH) == [shop]


def test_one_walk_serves_all_who_ask_at_once(tmp_path: Path) -> None:
    """Within one search for transcripts, folders are looked at once."""
    with walked_once():
        assert folders_with(tmp_path, AIDER) == []
        shop = leave(tmp_path / "shop")
        assert folders_with(tmp_path, AIDER) == []
    assert folders_with(tmp_path, AIDER) == [shop]


def test_links_to_folders_elsewhere_are_followed_once(tmp_path: Path) -> None:
    """A disk that is linked into the home folder is looked at, loops end, and nothing is met twice."""
    home, disk = tmp_path / "home", tmp_path / "disk"
    shop, own, hidden = leave(disk / "shop"), leave(home / "work/own"), leave(home / ".data/notes")
    (home / "code").symlink_to(disk)
    (home / "again").symlink_to(disk)
    (home / "current").symlink_to(own)
    (home / "notes").symlink_to(hidden)
    (home / "up").symlink_to(tmp_path)
    (home / "self").symlink_to(home / "self")
    (disk / "loop").symlink_to(disk)
    (disk / "home").symlink_to(home)

    found = folders_with(home, AIDER)

    assert found == [own, home / "again" / shop.name, home / "notes"]


def test_no_more_than_so_many_folders(tmp_path: Path) -> None:
    """However many there are, a look takes no longer than that; the nearest are among them."""
    for number in range(MOST - 1):
        (tmp_path / f"{number:05}").mkdir()
    last = leave(tmp_path / f"{MOST - 2:05}")
    leave(tmp_path / "00000/inner")

    assert folders_with(tmp_path, AIDER) == [last]


def test_folders_that_cannot_be_read(tmp_path: Path) -> None:
    """A home folder that is not there, or is a file, holds nothing."""
    (tmp_path / "file").touch()

    for home in (tmp_path / "none", tmp_path / "file"):
        assert folders_with(home, AIDER) == []
