"""What is in a snapshot, whoever writes meanwhile, and what happens when it cannot be made."""

import json
import os
import stat
import tarfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.errors import BadInput, JournalDamaged, StoreError
from noctuary.ledger.ledger import Ledger
from noctuary.ledger.rewriting import rewrite
from noctuary.ledger.verifying import verify
from noctuary.records import Message, Role
from noctuary.snapshot.making import make_snapshot
from noctuary.snapshot.manifest import MANIFEST, decode_manifest, state_name
from noctuary.snapshot.state import state_of
from noctuary.store import Store, open_store
from noctuary.store.dreams import DreamState
from noctuary.store.sqlite import SqliteDatabase
from tests.unit.journal.test_file import files_of_at_most
from tests.unit.snapshot.memories import CONFIG, OWNER, PAGE, PROJECT, files_of, open_memory, write_page

pytestmark = pytest.mark.slow


def names(folder: Path) -> set[str]:
    """The names of all files below a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_everything_is_in_it(full: Memory, snapshot: Path) -> None:
    """Database, journals, pages, settings, dream state and manifest: that is all of a memory."""
    kept = names(snapshot)

    assert {name.split("/")[0] for name in kept} == {
        *("noctuary.db", "journal", "memory", "config.toml", "state", MANIFEST),
    }
    assert (snapshot / "config.toml").read_text() == CONFIG
    assert [path.read_text() for path in snapshot.rglob("MEMORY.md")] == [PAGE]
    ours = {name: content for name, content in files_of(full.settings.home).items() if name.startswith("journal/")}
    assert ours
    assert {name: (snapshot / name).read_bytes() for name in ours} == ours


def test_manifest_says_what_is_in_it(full: Memory, snapshot: Path) -> None:
    """Version, schema, time, how much of everything each owner has, and each file by size and digest."""
    manifest = decode_manifest((snapshot / MANIFEST).read_bytes())

    assert manifest.made_ms == full.clock.now_ms()
    held = manifest.owners[OWNER]
    assert (held.sessions, held.messages, held.dreamt, held.waiting, held.runs) == (2, 6, 1, 1, 1)
    assert held.events > 0
    assert held.memories > 0
    assert {*manifest.files} == names(snapshot) - {MANIFEST}
    assert all((snapshot / name).stat().st_size == kept.size for name, kept in manifest.files.items())


def test_r23_d60_dream_state_beside_it_is_byte_for_byte_that_of_the_database(full: Memory, snapshot: Path) -> None:
    """What is beside the database is what the state is written as, not another spelling of it."""
    assert (snapshot / state_name(OWNER)).read_bytes() == state_of(full.store, OWNER)


def test_r19_d61_dream_state_is_beside_an_empty_memory_too(tmp_path: Path) -> None:
    """Without a session, a memory or a dream there is a state; the snapshot has it, and says that it is empty."""
    with open_memory(tmp_path / "live", tmp_path / "user") as memory:
        made = memory.snapshot()

        assert (made.path / state_name(OWNER)).read_bytes() == state_of(memory.store, OWNER)
    assert made.manifest.is_empty


def test_r21_state_of_dreams_alone_is_in_it(tmp_path: Path) -> None:
    """When the last dream was is kept, though no session is there."""
    with open_memory(tmp_path / "live", tmp_path / "user") as memory:
        memory.store.dreams.save_state(OWNER, DreamState(last_success_ms=17))
        made = memory.snapshot()

    assert not made.manifest.is_empty
    assert json.loads((made.path / state_name(OWNER)).read_bytes())["state"]["last_success_ms"] == 17


def test_every_owner_is_in_it(full: Memory, tmp_path: Path) -> None:
    """A memory of several people is copied whole, with a dream state for each."""
    with open_memory(full.settings.home, tmp_path / "user", "Béa/B") as other:
        other.append("s-1", Message(role=Role.USER, content="Hello.", ts_ms=1))

    made = full.snapshot()

    assert {*made.manifest.owners} == {OWNER, "Béa/B"}
    assert {state_name(OWNER), state_name("Béa/B")} <= {*made.manifest.files}


def test_files_are_for_their_owner_only(snapshot: Path) -> None:
    """Nobody else reads what agents were told: files are 0600, folders 0700."""
    modes = {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in (snapshot, *snapshot.rglob("*"))}

    assert modes == {(True, 0o700), (False, 0o600)}


def test_c3_snapshots_have_names_of_their_own_below_the_home(full: Memory) -> None:
    """A snapshot never takes the place of another, also if both are made in the same second."""
    first, second = full.snapshot(), full.snapshot()

    assert first.path == full.settings.home / "snapshots" / "2026-03-01T12-00-00Z"
    assert second.path.name == "2026-03-01T12-00-00Z-2"
    assert first.path.exists()


def test_snapshots_and_models_are_not_in_it(full: Memory) -> None:
    """Neither other snapshots nor models are copied, nor what nobody knows."""
    full.snapshot()
    for name in ("models/big.onnx", "log/today.log", "notes.txt"):
        (full.settings.home / name).parent.mkdir(exist_ok=True)
        (full.settings.home / name).write_text("no part of the memory")

    again = full.snapshot()

    assert not any(name.startswith(("models", "log", "snapshots", "notes")) for name in names(again.path))


def test_archive_has_the_same_files(full: Memory, tmp_path: Path) -> None:
    """A name that ends in .tar.gz makes one file, readable by its owner only, the manifest first in it."""
    made = full.snapshot(tmp_path / "kept.tar.gz")

    with tarfile.open(made.path) as archive:
        members = archive.getnames()
    assert members[0] == MANIFEST
    assert {*members[1:]} == {*made.manifest.files}
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_an_empty_folder_may_be_named(full: Memory, tmp_path: Path) -> None:
    """A folder that was made for it is used."""
    (tmp_path / "ready").mkdir()

    assert full.snapshot(tmp_path / "ready").path == tmp_path / "ready"
    assert (tmp_path / "ready" / MANIFEST).exists()


@pytest.mark.parametrize("name", ["taken", "taken.tar.gz"])
def test_nothing_is_replaced(full: Memory, tmp_path: Path, name: str) -> None:
    """A name that is taken is refused, and what is there stays."""
    target = tmp_path / name
    there = target if name.endswith(".gz") else target / "a"
    there.parent.mkdir(exist_ok=True)
    there.write_text("x")

    with pytest.raises(BadInput, match="never replaces"):
        full.snapshot(target)
    assert there.read_text() == "x"


@pytest.mark.parametrize("inside", ["", "memory/kept", "kept.tar.gz"])
def test_target_inside_the_memory_is_refused(full: Memory, inside: str) -> None:
    """A snapshot among the pages would be in the next snapshot."""
    with pytest.raises(BadInput, match=r"inside the memory|never replaces"):
        full.snapshot(full.settings.home / inside)


def test_copy_is_of_one_moment_while_others_write(full: Memory, tmp_path: Path) -> None:
    """Events written while snapshots are made are in both journal and tables of a copy, or in neither."""
    stop = threading.Event()
    home, user_home = full.settings.home, full.settings.user_home

    def write() -> None:
        with open_memory(home, user_home) as other:
            number = 0
            while not stop.is_set():
                number += 1
                other.work("/home/ana/code/shop").note("finding", f"Finding number {number} of many.")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        made = [full.snapshot(tmp_path / f"kept-{number}") for number in range(6)]
    finally:
        stop.set()
        writer.join()

    counts = [each.manifest.owners[OWNER].events for each in made]
    assert counts[0] < counts[-1]
    for each in made:
        store = open_store(each.path / "noctuary.db")
        try:
            assert verify(Ledger(store, each.path, OWNER, full.clock)) == []
        finally:
            store.close()


class Awaited(SqliteDatabase):
    """A database for which somebody waits who does something as soon as a transaction has ended."""

    then: Callable[[], object] | None = None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """The same, and what comes then."""
        with super().transaction():
            yield
        then, self.then = self.then, None
        if then:
            then()


def test_journal_that_is_rewritten_while_it_is_copied_is_in_no_snapshot(full: Memory, tmp_path: Path) -> None:
    """What is forgotten just then makes its journal another than the copy of the database knows: none is made."""
    database = Awaited(full.settings.home / "noctuary.db")
    store = Store(database)
    database.then = lambda: rewrite(full.ledger, PROJECT, lambda line: line.replace(b"Redis", b"Sedis"), "forget")

    with pytest.raises(JournalDamaged, match="No snapshot was made; try again"):
        make_snapshot(store, full.settings.home, OWNER, full.clock, tmp_path / "made" / "kept")
    assert [*(tmp_path / "made").iterdir()] == []
    made = make_snapshot(store, full.settings.home, OWNER, full.clock, tmp_path / "made" / "kept")
    store.close()

    with open_memory(made.path, tmp_path / "user") as copy:
        assert copy.verify_journals() == []


def test_full_disk_leaves_nothing_half_made(full: Memory, tmp_path: Path) -> None:
    """Without room for the database there is no snapshot and nothing of it, and the memory goes on."""
    with files_of_at_most(40_000), pytest.raises(StoreError):
        full.snapshot(tmp_path / "made" / "kept")

    assert [*(tmp_path / "made").iterdir()] == []
    assert full.search("redis").hits


def test_page_that_is_being_written_is_not_in_it(full: Memory) -> None:
    """Half a page under its passing name is none; the page itself is."""
    page = write_page(full.settings.home)
    page.with_name(".MEMORY.md.noctuary").write_text("# Sh")
    page.with_name(".lock").touch()

    made = full.snapshot()

    assert [name for name in made.manifest.files if name.startswith("memory/")] == [
        page.relative_to(full.settings.home).as_posix()
    ]


def test_settings_that_are_a_folder(full: Memory) -> None:
    """What cannot be copied stops the snapshot: none without the settings passes for whole."""
    config = full.settings.home / "config.toml"
    config.unlink()
    config.mkdir()

    with pytest.raises(StoreError):
        full.snapshot()
    assert [*(full.settings.home / "snapshots").iterdir()] == []


def test_what_a_killed_snapshot_left_keeps_no_other_from_being_made(full: Memory, tmp_path: Path) -> None:
    """In a container a process has the number of the one that was killed; what that left stops nobody, and stays."""
    target = tmp_path / "kept"
    left = target.with_name(f".{target.name}.partial-{os.getpid()}")
    left.mkdir()
    (left / "noctuary.db").write_bytes(b"half")

    full.snapshot(target)

    assert (target / MANIFEST).exists()
    assert (left / "noctuary.db").read_bytes() == b"half"


def test_what_a_killed_snapshot_left_is_named(full: Memory) -> None:
    """Nothing is removed that somebody may still be writing; it is said instead."""
    left = full.settings.home / "snapshots" / ".2026-02-01T12-00-00Z.partial-1"
    left.mkdir(parents=True)

    made = full.snapshot()

    assert [str(left) in warning for warning in made.warnings] == [True]
    assert left.exists()


def test_journals_that_cannot_be_looked_into_are_not_left_out(full: Memory) -> None:
    """No snapshot passes for whole that lacks what could not be read."""
    journals = full.settings.home / "journal"
    journals.rename(full.settings.home / "elsewhere")
    journals.write_text("no folder")

    with pytest.raises(StoreError, match="journal cannot be looked into: Not a directory"):
        full.snapshot()
    assert [*(full.settings.home / "snapshots").iterdir()] == []


def test_damaged_memory_is_kept_and_said_to_be_damaged(full: Memory, snapshot: Path) -> None:
    """Its snapshot may be all there is, so it is made; but the older ones may have more, so they stay."""
    full.ledger.journal(PROJECT).path.unlink()

    made = full.snapshot(snapshot.with_name("later"), keep=1)

    assert [warning.partition(",")[0] for warning in made.warnings] == [f"The journal of {PROJECT} is gone"]
    assert made.failed == [
        "Older snapshots were not removed: they may have what this one lacks. Mend the memory, and make another."
    ]
    assert snapshot.exists()
    full.restore_journals()
    assert full.snapshot(snapshot.with_name("last"), keep=1).removed == [made.path, snapshot]


def test_journal_of_which_lines_were_just_rewritten_is_not_damaged(full: Memory, tmp_path: Path) -> None:
    """One who takes out what was forgotten may be killed before the tables know; the journal proves what it was."""
    full.close()
    home = full.settings.home
    kept = (home / "noctuary.db").read_bytes()
    with open_memory(home, tmp_path / "user") as memory:
        rewrite(memory.ledger, PROJECT, lambda line: line.replace(b"Redis", b"Sedis"), "forget")
    (home / "noctuary.db").write_bytes(kept)

    with open_memory(home, tmp_path / "user") as memory:
        made = memory.snapshot()

    assert (made.is_whole, made.warnings) == (True, [])
