"""Secrets that were stored before redaction knew them are found, and gone from every row, line, page and byte."""

import os
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.dream.life.run_lock import dream_lock
from noctuary.errors import StoreBusy
from noctuary.journal.rewritings import generations
from noctuary.ledger.ledger import Ledger
from noctuary.ledger.verifying import verify
from noctuary.memory_file import read_page
from noctuary.work.exchange import import_journal
from tests.unit.importing.machine import indexed, said
from tests.unit.scrubbing.planting import PLACEHOLDER, SECRET, SHOP, leaks, open_in, plant

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("database")]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "memory"


def test_a_look_says_what_is_where_and_changes_nothing(home: Path) -> None:
    """Kinds and numbers, never the secret; all is as it was."""
    with open_in(home) as memory:
        plant(memory)
        before = said(memory, "s-1")

        tally = memory.scrub(dry_run=True)

        assert tally.found["messages"]["github-token"] >= 2
        assert tally.found["titles"]["github-token"] == 1
        assert tally.found["journal"]["github-token"] >= 2
        assert {"memory", "log", "inbox", "state", "sessions"} <= tally.found.keys()
        assert SECRET not in repr(tally)
        assert said(memory, "s-1") == before


def test_all_of_it_goes_and_all_else_stays(home: Path) -> None:
    """A placeholder stands in its place everywhere, neighbours are found as before, and the memory is sound."""
    with open_in(home) as memory:
        plant(memory)

        tally = memory.scrub()

        assert tally.warnings == []
        assert said(memory, "s-1")[0].startswith(f"Please deploy with {PLACEHOLDER}")
        assert said(memory, "s-1")[0].endswith("to staging.")
        assert (memory.session("s-1").title or "").startswith(f"Deploy with {PLACEHOLDER}")
        assert indexed(memory, SECRET[4:].lower()) == []
        assert memory.search("staging deploy").hits
        assert any("The vault is sealed." in row[-1] for row in memory.store.events.all("ana", SHOP))
        assert verify(memory.ledger) == []
        assert memory.doctor().is_healthy
        assert not any(SECRET in row[-1] for row in memory.store.events.all("ana", SHOP))
        assert memory.scrub(dry_run=True).total == 0


@pytest.mark.of_files
def test_no_byte_is_left_in_any_file(home: Path) -> None:
    """Not in unused pages, nor in the log, nor in an index, nor in a copy: in no file of the memory."""
    with open_in(home) as memory:
        plant(memory)
        memory.snapshot()
        memory.snapshot(home.parent / "elsewhere.tar.gz")
        (home / "noctuary.db.schema-7.backup").write_bytes(_copy_of(memory))
        assert "noctuary.db.schema-7.backup" in set(leaks(home))

        memory.scrub(snapshots_at=[home.parent / "elsewhere.tar.gz"])

        assert [*leaks(home)] == []
    assert [*leaks(home)] == []
    for number, snapshot in enumerate([home.parent / "elsewhere.tar.gz", *(home / "snapshots").iterdir()]):
        restored = home.parent / f"restored-{number}"
        Memory.restore(snapshot, restored)
        assert [*leaks(restored)] == []
        with open_in(restored) as memory:
            assert said(memory, "s-1")[0].startswith(f"Please deploy with {PLACEHOLDER}")
            assert verify(memory.ledger) == []


def test_a_snapshot_that_lost_its_name_has_it_again(home: Path) -> None:
    """Where folders cannot trade names, a kill between two changes of names hides a snapshot from nobody for long."""
    with open_in(home) as memory:
        plant(memory)
        kept = memory.snapshot().path
        kept.rename(kept.with_name(f".{kept.name}.partial-aside"))

        assert not memory.scrub().warnings

    assert [path.name for path in kept.parent.iterdir()] == [kept.name]
    assert not [*leaks(home)]


def test_a_snapshot_that_somebody_looked_into_is_scrubbed(home: Path) -> None:
    """What SQLite leaves beside a database that was only read is no reason to refuse it."""
    with open_in(home) as memory:
        plant(memory)
        kept = memory.snapshot().path
        (kept / "noctuary.db-shm").write_bytes(bytes(32_768))
        (kept / "noctuary.db-wal").touch()

        assert not memory.scrub().warnings

    assert sorted(path.name for path in kept.glob("noctuary.db*")) == ["noctuary.db"]
    assert not [*leaks(home)]


def test_what_a_killed_scrub_left_of_a_snapshot_is_not_in_the_way(home: Path) -> None:
    """In a container a process has the number of the one that was killed; what that left goes with the next scrub."""
    with open_in(home) as memory:
        plant(memory)
        kept = memory.snapshot(home.parent / "kept [1]").path
        left = kept.with_name(f".{kept.name}.partial-{os.getpid()}")
        left.mkdir()
        (left / "page.md").write_text(SECRET)

        tally = memory.scrub(snapshots_at=[kept])

    assert tally.warnings == []
    assert not left.exists()
    assert [*leaks(kept)] == []


def _copy_of(memory: Memory) -> bytes:
    memory.store.database.fetch("tidy_log")
    return memory.settings.database.read_bytes()


def test_what_is_needed_as_it_is_stays(home: Path) -> None:
    """Settings would not work without their secrets; they are named, those in snapshots too."""
    with open_in(home) as memory:
        is_folder = memory.settings.database_url is None
        home.mkdir(parents=True, exist_ok=True)
        (home / "config.toml").write_text(f'[dream]\napi_key = "{SECRET}"\n')
        kept = [str(memory.snapshot(home.parent / name).path) for name in ("kept", "kept.tar.gz")] if is_folder else []

        tally = memory.scrub(snapshots_at=kept)

        assert tally.left == [str(home / "config.toml"), *(f"{path}/config.toml" for path in kept)]
        assert SECRET in (home / "config.toml").read_text()


@pytest.mark.of_files
def test_a_page_does_not_count_as_edited(home: Path) -> None:
    """The mark of a page names the digest of what it says now, so the next dream writes it as its own."""
    with open_in(home) as memory:
        plant(memory)
        memory.scrub()

    page = read_page(home / "memory" / "ana" / "shop" / "MEMORY.md")
    assert page.block is not None
    assert PLACEHOLDER in page.block
    assert not page.is_edited


@pytest.mark.of_files
def test_a_scrub_that_was_killed_is_completed_by_the_next(home: Path) -> None:
    """Killed after the journal was replaced and before the tables were saved: it opens, verifies, and goes on."""
    with open_in(home) as memory:
        plant(memory)
        journal = memory.ledger.journal(SHOP).path
        old = journal.read_bytes()
        database = home.parent / "before.db"
        memory.store.database.fetch("tidy_log")
        database.write_bytes(memory.settings.database.read_bytes())
        memory.scrub()
        new = journal.read_bytes()
    (home / "noctuary.db").write_bytes(database.read_bytes())  # as if nothing of it had been saved

    with open_in(home) as memory:
        assert journal.read_bytes() == new != old
        memory.ledger.catch_up()
        assert verify(memory.ledger) == []
        memory.scrub()
        assert [*leaks(home)] == []
        assert memory.doctor().is_healthy


def test_another_machine_with_the_old_lines_brings_none_back(home: Path) -> None:
    """Lines of before, imported from elsewhere, are known by their events and stay out; what is new comes clean."""
    with open_in(home) as memory:
        plant(memory)
        theirs = [line.content for line in memory.ledger.journal(SHOP).read()]
        memory.scrub()

        import_journal(memory.ledger, theirs)

        assert not any(SECRET.encode() in line.content for line in memory.ledger.journal(SHOP).read())
        assert verify(memory.ledger) == []
        known = generations([line.content for line in memory.ledger.journal(SHOP).read()])
        assert known.unproven() == []


def test_nothing_is_scrubbed_while_a_dream_goes_on(home: Path) -> None:
    """A dream could write down afterwards what it had read before."""
    with open_in(home) as memory, open_in(home) as other, dream_lock(other.dreams.night) as is_mine:
        assert is_mine
        with pytest.raises(StoreBusy):
            memory.scrub()


@pytest.mark.of_files
def test_every_owner_of_a_folder_is_scrubbed(home: Path) -> None:
    """A folder is one person's, whatever names they use in it; on a server everybody sees their own rows only."""
    with open_in(home) as memory:
        plant(memory)
        ledger = Ledger(memory.store, home, "ben", memory.clock)
        path = ledger.journal(SHOP).path
        path.parent.mkdir(parents=True)
        path.write_bytes(memory.ledger.journal(SHOP).path.read_bytes())
        ledger.catch_up()

        memory.scrub()

        assert [*leaks(home)] == []
