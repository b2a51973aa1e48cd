"""The folders that have a brief: who asked, and who is still there."""

from pathlib import Path

import pytest

from noctuary import brief_file
from noctuary.app.brief_folders import DAYS, MOST, BriefFolder, is_a_folder, known_folders, remember

DAY_MS = 86_400_000
NOW_MS = 1_772_500_000_000
SHOP, TILL = BriefFolder("", "/code/shop", NOW_MS - 5), BriefFolder("work", "/code/till", NOW_MS - 9)


def lay_ready(home: Path, folder: BriefFolder) -> list[Path]:
    """Files as a sweep writes them for a folder."""
    paths = [Path(of(str(home), folder.owner, folder.folder)) for of in (brief_file.path_of, brief_file.recall_path_of)]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_text("told", encoding="utf-8")
    return paths


def test_who_asked_is_remembered(tmp_path: Path) -> None:
    """The one used last first, each by its owner and its folder."""
    remember(tmp_path, [TILL], [], NOW_MS)

    assert remember(tmp_path, [SHOP], [], NOW_MS) == known_folders(tmp_path) == [SHOP, TILL]


def test_use_is_noted_only_of_who_asked(tmp_path: Path) -> None:
    """A note that speaks of a folder keeps its brief; it makes none."""
    remember(tmp_path, [SHOP, TILL], [], NOW_MS)
    used = TILL._replace(used_ms=NOW_MS)
    earlier = SHOP._replace(used_ms=NOW_MS - DAY_MS)

    assert remember(tmp_path, [], [used, earlier, TILL._replace(owner="")], NOW_MS) == [used, SHOP]


def test_what_nobody_uses_goes_with_its_files(tmp_path: Path) -> None:
    """After two months; the files of others stay."""
    remember(tmp_path, [SHOP, TILL], [], NOW_MS)
    theirs, others = lay_ready(tmp_path, TILL), lay_ready(tmp_path, SHOP)
    later = NOW_MS + DAYS * DAY_MS
    used = SHOP._replace(used_ms=later)

    assert remember(tmp_path, [], [used], later) == [used]
    assert [path.exists() for path in (*theirs, *others)] == [False, False, True, True]


def test_no_more_than_some_are_kept(tmp_path: Path) -> None:
    """Those used last."""
    asked = [BriefFolder("", f"/tmp/{number}", NOW_MS - number) for number in range(MOST + 20)]

    assert remember(tmp_path, asked, [], NOW_MS) == asked[:MOST]


def test_nothing_is_written_if_nothing_changed(tmp_path: Path) -> None:
    """A sweep with nothing to note leaves the file as it is, or none."""
    remember(tmp_path, [], [], NOW_MS)
    assert list(tmp_path.iterdir()) == []
    remember(tmp_path, [SHOP], [], NOW_MS)
    before = (tmp_path / "state" / "folders.json").stat()

    remember(tmp_path, [SHOP], [SHOP], NOW_MS)

    assert (tmp_path / "state" / "folders.json").stat().st_ino == before.st_ino
    assert before.st_mode & 0o777 == 0o600


@pytest.mark.parametrize("path", ["/", "/code/shop", "/code/läden/二", "/with space"])
def test_where_an_agent_can_work(path: str) -> None:
    """Any absolute path, whether or not it is there."""
    assert is_a_folder(path)


@pytest.mark.parametrize("path", ["", "shop", "./shop", "~/shop", "/a\0b", "/\ud800", "/" + "x" * 5_000])
def test_where_none_can(path: str) -> None:
    """What no file system holds, and what depends on where one stands."""
    assert not is_a_folder(path)
