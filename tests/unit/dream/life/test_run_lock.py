"""One run at a time, by a lock that ends with its process; and one run more if somebody came meanwhile."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import noctuary.dream.life.run_lock
from noctuary.dream.life.run_lock import ask_for_another, lock_path, run_lock, take_asked
from noctuary.dream.night import Night
from noctuary.errors import StoreError
from noctuary.store.dreams import DreamState
from noctuary.testing import FakeClock
from tests.unit.dream.nights import open_night

HOLDING = """
import sys
from pathlib import Path
from noctuary.dream.life.run_lock import run_lock
with run_lock(Path(sys.argv[1])) as is_mine:
    print(is_mine, flush=True)
    sys.stdin.read()
"""


def holder(home: Path) -> "subprocess.Popen[str]":
    """Another process that holds the lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == "True\n"
    return process


def test_d36_only_one_holds_the_lock(home: Path) -> None:
    """Whoever comes while it is held is told so at once; afterwards it is free."""
    with run_lock(home) as first, run_lock(home) as second:
        assert (first, second) == (True, False)
    with run_lock(home) as third:
        assert third


def test_d36_the_second_to_come_takes_nothing_from_the_first(home: Path) -> None:
    """When who was refused goes away the lock is still held."""
    with run_lock(home):
        with run_lock(home) as second:
            assert not second
        with run_lock(home) as third:
            assert not third


def test_d36_r11_the_lock_is_a_file_of_its_own_that_stays(home: Path) -> None:
    """`state/dream.lock`, for its owner only, is made if it is missing, and neither emptied nor removed."""
    with run_lock(home):
        assert lock_path(home) == home / "state" / "dream.lock"
    assert lock_path(home).exists()
    lock_path(home).write_text("left by somebody")

    with run_lock(home) as is_mine:
        assert is_mine

    assert lock_path(home).read_text() == "left by somebody"
    if os.name == "posix":
        assert stat.S_IMODE(lock_path(home).stat().st_mode) == 0o600
        assert stat.S_IMODE(lock_path(home).parent.stat().st_mode) == 0o700


def test_d39_a_file_that_was_left_over_is_no_lock(home: Path) -> None:
    """Only who holds it open and locked keeps others out."""
    lock_path(home).parent.mkdir(parents=True)
    lock_path(home).write_text("pid 12345")

    with run_lock(home) as is_mine:
        assert is_mine


def test_r9_a_killed_process_leaves_no_lock(home: Path) -> None:
    """While it lives the lock is held; after SIGKILL the next run has it, and nobody has to tidy up."""
    process = holder(home)
    with run_lock(home) as is_mine:
        assert not is_mine

    process.kill()
    process.communicate(timeout=60)

    with run_lock(home) as is_mine:
        assert is_mine


def test_r10_who_finds_the_lock_held_does_not_wait(home: Path) -> None:
    """An answer comes while the other process goes on holding it, so no thread of a server ever blocks."""
    process = holder(home)
    with run_lock(home) as is_mine:
        assert not is_mine
        assert process.poll() is None
    process.communicate(input="", timeout=60)


def test_an_error_in_a_run_frees_the_lock(home: Path) -> None:
    """However a run ends, the next one can begin."""
    with pytest.raises(ZeroDivisionError), run_lock(home):
        raise ZeroDivisionError

    with run_lock(home) as is_mine:
        assert is_mine


def test_a_folder_that_cannot_be_made_is_said_to_be(home: Path) -> None:
    """The error names the file, and says what to check."""
    home.write_text("no folder")

    with pytest.raises(StoreError, match=r"dream\.lock cannot be"), run_lock(home):
        pytest.fail("there is no lock to be had")


def test_r12_what_to_do_about_a_lock_is_written_down() -> None:
    """Whoever looks up the lock reads that there is nothing to delete."""
    assert "nothing to\nrecover after a crash" in (noctuary.dream.life.run_lock.__doc__ or "")


def test_c14_a_busy_run_is_asked_for_one_more(night: Night, home: Path) -> None:
    """However many come while a run is going on, one run follows; whoever takes the word takes it for all."""
    assert not take_asked(night)
    ask_for_another(night)
    with open_night(home, FakeClock()) as other:
        ask_for_another(other)

        assert take_asked(night)
        assert not take_asked(other)


def test_c14_asking_changes_nothing_else(night: Night) -> None:
    """When the last dream was stays known."""
    night.store.dreams.save_state(night.owner, DreamState(last_success_ms=5, last_hygiene_ms=7))

    ask_for_another(night)
    assert night.store.dreams.state(night.owner) == DreamState(5, 7, follow_up=True)
    take_asked(night)
    assert night.store.dreams.state(night.owner) == DreamState(5, 7)
