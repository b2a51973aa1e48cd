"""Old snapshots go only when somebody asks, and what cannot go is said."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from noctuary.app import Memory
from noctuary.errors import BadInput, StoreError
from noctuary.snapshot.copying import remove_tree
from noctuary.testing import FakeClock
from tests.unit.snapshot.memories import open_memory

pytestmark = pytest.mark.slow

NOBODY = 65_534
_REMOVE = """
import os, sys
from pathlib import Path
from noctuary.errors import StoreError
from noctuary.snapshot.copying import remove_tree
if os.geteuid() == 0:
    os.setuid(int(sys.argv[2]))
try:
    remove_tree(Path(sys.argv[1]))
except StoreError as error:
    print(error)
"""


def make(memory: Memory, clock: FakeClock, count: int, ending: str = "") -> list[Path]:
    """Snapshots of one day after the other."""
    made: list[Path] = []
    for number in range(count):
        clock.advance(timedelta(days=1))
        target = memory.settings.home / "snapshots" / f"day-{9 - number}{ending}"  # names say nothing of their age
        made.append(memory.snapshot(target).path)
    return made


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def kept(tmp_path: Path, clock: FakeClock) -> Memory:
    """An empty memory whose clock can be told."""
    memory = open_memory(tmp_path / "live", tmp_path / "user")
    memory.clock = clock
    return memory


def test_all_are_kept_unless_somebody_asks(kept: Memory, clock: FakeClock) -> None:
    """However many there are."""
    made = [*make(kept, clock, 3), kept.snapshot().path]

    assert all(path.exists() for path in made)


@pytest.mark.parametrize("ending", ["", ".tar.gz"])
def test_newest_are_kept(kept: Memory, clock: FakeClock, ending: str) -> None:
    """By when they were made, whatever they are called; the one just made counts."""
    made = make(kept, clock, 4, ending)
    clock.advance(timedelta(days=1))

    last = kept.snapshot(keep=2)

    assert [*last.removed] == [made[2], made[1], made[0]]
    assert {path.name for path in last.path.parent.iterdir()} == {last.path.name, made[3].name}


def test_only_snapshots_are_removed(kept: Memory, clock: FakeClock) -> None:
    """Other files and folders, damaged snapshots and links beside them stay."""
    first, damaged = make(kept, clock, 2)
    (damaged / "noctuary.db").write_bytes(b"cut")
    folder = damaged.parent
    (folder / "notes").mkdir()
    (folder / "notes.tar.gz").write_text("no archive")
    (folder / "link").symlink_to(first)

    last = kept.snapshot(keep=1)

    assert [*last.removed] == [first]
    assert {path.name for path in folder.iterdir()} == {damaged.name, "notes", "notes.tar.gz", "link", last.path.name}


def test_removal_that_was_cut_short_is_finished(kept: Memory, clock: FakeClock) -> None:
    """What is left of a snapshot of which a killed process had removed a part goes with the next, or with a scrub."""
    folder = make(kept, clock, 1)[0].parent
    for verb in (lambda: kept.snapshot(keep=1), kept.scrub):
        left = folder / ".day-9.removing-0123abcd"
        left.mkdir()
        (left / "noctuary.db").write_bytes(b"half of it")

        verb()

        assert not left.exists()


def test_at_least_one_is_kept(kept: Memory) -> None:
    """Nobody makes a snapshot to remove it, and none is made then."""
    with pytest.raises(BadInput, match="say 1 or more"):
        kept.snapshot(keep=0)
    assert not (kept.settings.home / "snapshots").exists()


def test_r22_what_cannot_be_removed_is_said() -> None:
    """A folder that may not be changed is no snapshot that is gone: the file and the reason are named."""
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "src")}
    with TemporaryDirectory() as place:  # where nobody, too, can look
        Path(place).chmod(0o711)
        file = Path(place) / "locked" / "file"
        file.parent.mkdir()
        file.touch()
        file.parent.chmod(0o555)
        command = [sys.executable, "-c", _REMOVE, str(file.parent), str(NOBODY)]
        ran = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
        file.parent.chmod(0o755)

        assert "could not be removed: Permission denied" in ran.stdout
        assert "check its permissions and delete it" in ran.stdout
        assert file.exists()


def test_r22_removal_of_what_is_gone_is_said(tmp_path: Path) -> None:
    """Nothing is swallowed, not even that there was nothing."""
    with pytest.raises(StoreError, match="could not be removed: No such file"):
        remove_tree(tmp_path / "gone")
