"""`noctuary snapshot` and `noctuary restore` as people and scripts use them."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.conftest import SAMPLES, Cli


@pytest.fixture
def shop(tmp_path: Path) -> Cli:
    """A memory with the sample home imported, that may be changed."""
    cli = Cli(tmp_path / "memory", SAMPLES)
    assert cli("import").code == 0
    return cli


def told(cli: Cli) -> list[str]:
    """What some commands print."""
    commands = (("search", "why did we drop redis?"), ("sessions",), ("task", "list"), ("memory", "list"))
    return [cli(*command).out for command in commands]


@pytest.mark.parametrize("name", ["kept", "kept.tar.gz"])
def test_there_and_back(shop: Cli, tmp_path: Path, name: str) -> None:
    """A snapshot, the memory gone, a restore: the same answers, and both commands say what they did."""
    shop("remember", "Prices are whole cents.", cwd=tmp_path)
    before, target = told(shop), tmp_path / name

    made = shop("snapshot", target)
    shutil.rmtree(shop.memory)
    restored = shop("restore", target)

    assert made.code == restored.code == 0
    assert made.out.startswith(f"Wrote {target} (")
    assert "7 sessions, 89 messages, 1 event, 1 memory." in made.out
    assert f"To put it back: noctuary restore {target}" in made.out
    assert restored.out.startswith(f"Restored {target} of ")
    assert f"UTC to {shop.memory}: 7 sessions, 89 messages" in restored.out
    assert told(shop) == before
    assert shop("doctor").code == 0


def test_default_place_is_below_the_home(shop: Cli) -> None:
    """Named after the time, one beside the other."""
    for _ in range(2):
        assert shop("snapshot").code == 0

    assert len([*(shop.memory / "snapshots").iterdir()]) == 2


def test_keep_removes_older_ones(shop: Cli) -> None:
    """Only when asked, and it says which."""
    shop("snapshot")

    kept = shop("snapshot", "--keep", "1")

    assert kept.code == 0
    assert "Removed " in kept.out
    assert len([*(shop.memory / "snapshots").iterdir()]) == 1


def test_live_memory_is_not_replaced(shop: Cli, tmp_path: Path) -> None:
    """It is refused with what is newer; --replace moves it aside, and says where it is."""
    shop("snapshot", tmp_path / "kept")
    shop("remember", "Releases are cut on Tuesdays.", cwd=tmp_path)
    before = told(shop)

    refused = shop("restore", tmp_path / "kept")

    assert refused.code == 2
    assert "newer: memories of ana: 1 there, 0 in the snapshot" in refused.err
    assert "With --replace that memory is first moved to" in refused.err
    assert told(shop) == before
    replaced = shop("restore", tmp_path / "kept", "--replace")
    assert replaced.code == 0
    aside = next(tmp_path.glob("memory.before-restore-*"))
    assert f"What was there is in {aside} now." in replaced.out
    assert told(Cli(aside, SAMPLES)) == before
    assert "Tuesdays" not in shop("memory", "list").out


def test_into_another_folder(shop: Cli, tmp_path: Path) -> None:
    """To look at what was, without touching what is."""
    shop("snapshot", tmp_path / "kept")

    assert shop("restore", tmp_path / "kept", "--into", tmp_path / "look").code == 0
    assert told(Cli(tmp_path / "look", SAMPLES)) == told(shop)


def test_dry_run_says_what_would_be_done(shop: Cli, tmp_path: Path) -> None:
    """Nothing is changed; that it would be refused is an exit code, too."""
    shop("snapshot", tmp_path / "kept")

    would = shop("restore", tmp_path / "kept", "--into", tmp_path / "look", "--dry-run")
    refused = shop("restore", tmp_path / "kept", "--dry-run")

    assert (would.code, refused.code) == (0, 2)
    assert "is sound: 7 sessions" in would.out
    assert "Nothing was changed: this was a dry run." in would.out
    assert "holds a memory already" in refused.out
    assert not (tmp_path / "look").exists()


def test_json(shop: Cli, tmp_path: Path) -> None:
    """Programs read all of it."""
    made = shop("snapshot", tmp_path / "kept", "--json").json
    restored = shop("restore", tmp_path / "kept", "--into", tmp_path / "look", "--json").json

    assert made["path"] == str(tmp_path / "kept")
    assert made["manifest"]["owners"]["ana"]["messages"] == 89
    assert restored["home"] == str(tmp_path / "look")
    assert restored["warnings"] == []


def test_empty_memory_says_so(cli: Cli, tmp_path: Path) -> None:
    """A snapshot of nothing is no backup of something, so it is said; no memory is made for it."""
    made = cli("snapshot", tmp_path / "kept")

    assert made.code == 0
    assert "This memory is empty, and so is its snapshot." in made.out
    assert not cli.database.exists()
    assert [*(tmp_path / "kept" / "state").rglob("dream_state.json")]


def test_bad_dream_state_is_a_warning(shop: Cli, tmp_path: Path) -> None:
    """The memory is restored, and stderr says what is wrong beside it."""
    shop("snapshot", tmp_path / "kept")
    next((tmp_path / "kept" / "state").rglob("*.json")).write_text("no state")

    restored = shop("restore", tmp_path / "kept", "--into", tmp_path / "look")

    assert restored.code == 0
    assert "dream_state.json is not what it was when it was made." in restored.err


@pytest.mark.parametrize(
    ("spoil", "code", "said"),
    [
        (shutil.rmtree, 3, "There is no snapshot at"),
        (lambda kept: (kept / "manifest.json").unlink(), 4, "has no manifest.json"),
        (lambda kept: (kept / "manifest.json").write_text("{}"), 4, "cannot be read"),
        (lambda kept: os.truncate(kept / "noctuary.db", 999), 4, "is not as long as when it was made"),
    ],
    ids=["gone", "no manifest", "empty manifest", "cut"],
)
def test_bad_snapshots(shop: Cli, tmp_path: Path, spoil: Callable[[Path], object], code: int, said: str) -> None:
    """One line that says what is wrong, and an exit code; nothing is made."""
    shop("snapshot", tmp_path / "kept")
    spoil(tmp_path / "kept")

    refused = shop("restore", tmp_path / "kept", "--into", tmp_path / "look")

    assert refused.code == code
    assert said in refused.err
    assert not (tmp_path / "look").exists()


def test_taken_name(shop: Cli, tmp_path: Path) -> None:
    """Nothing is written over."""
    (tmp_path / "kept.tar.gz").write_text("mine")

    assert shop("snapshot", tmp_path / "kept.tar.gz").code == 2
    assert (tmp_path / "kept.tar.gz").read_text() == "mine"
