"""Files are replaced whole, by however many at once, and through nothing that somebody else put there."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from noctuary.errors import StoreError
from noctuary.files import replace_file, replace_private, sync_tree, translated

Replace = Callable[[Path, bytes], None]
each_way = pytest.mark.parametrize("replace", [replace_file, replace_private])
AT_ONCE, TIMES, BYTES = 8, 40, 50_000


@each_way
def test_several_at_once_replace_a_file_whole(tmp_path: Path, replace: Replace) -> None:
    """Threads of one process, or processes of two containers, have the same number: each has a name of its own."""
    path = tmp_path / "file"

    def write(number: int) -> list[bytes]:
        seen = []
        for _ in range(TIMES):
            replace(path, bytes([number]) * BYTES)
            seen.append(path.read_bytes())
        return seen

    with ThreadPoolExecutor(AT_ONCE) as many:
        seen = [content for each in many.map(write, range(AT_ONCE)) for content in each]

    assert {(len(content), len(set(content))) for content in seen} == {(BYTES, 1)}
    assert [*tmp_path.iterdir()] == [path]


@each_way
def test_a_link_that_somebody_put_beside_it_is_not_followed(tmp_path: Path, replace: Replace) -> None:
    """Nobody can guess what the file is called while it is written, so nothing of ours is written through a link."""
    (tmp_path / "theirs").write_text("theirs")
    for name in (f".file.{os.getpid()}", ".file.noctuary"):
        (tmp_path / name).symlink_to(tmp_path / "theirs")
    replace(tmp_path / "file", b"ours")

    assert (tmp_path / "file").read_bytes() == b"ours"
    assert (tmp_path / "theirs").read_text() == "theirs"
    assert not (tmp_path / "file").is_symlink()


def test_a_name_of_a_moment_is_not_told(tmp_path: Path) -> None:
    """What went wrong is said of the file that was meant, in the same words each time."""
    said = set()
    for _ in range(2):
        with pytest.raises(StoreError) as raised, translated(tmp_path / "gone" / "file"):
            replace_file(tmp_path / "gone" / "file", b"x")
        said.add(str(raised.value))

    (only,) = said
    assert ".noctuary" not in only


def test_whatever_is_below_a_folder_can_be_waited_for(tmp_path: Path) -> None:
    """Also what is read-only, as somebody may have made a page."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "page.md").write_text("x")
    (tmp_path / "a" / "b" / "page.md").chmod(0o400)

    sync_tree(tmp_path)
