"""A snapshot put back: the same answers, nothing newer replaced unasked, nothing deleted, nothing half done."""

import os
import re
import shutil
import threading
from contextlib import suppress
from pathlib import Path

import apsw
import pytest

from noctuary.app import Memory
from noctuary.dream.life.run_lock import run_lock
from noctuary.errors import BadInput, NotFound, NotFree, StoreError
from noctuary.forgetting import Forgotten
from noctuary.records import Message, Role
from noctuary.snapshot.manifest import state_name
from noctuary.snapshot.restoring import Restored
from noctuary.snapshot.state import state_of
from noctuary.store.dreams import DreamState
from noctuary.testing import FakeClock
from tests.unit.journal.test_file import files_of_at_most
from tests.unit.snapshot.memories import OWNER, WAITING, answers, files_of, open_memory, relist, write_page

pytestmark = pytest.mark.slow


def restore(snapshot: Path, home: Path, *, replace: bool = False, dry_run: bool = False) -> Restored:
    """Restore at the time of the tests."""
    return Memory.restore(snapshot, home, replace=replace, dry_run=dry_run, clock=FakeClock())


@pytest.fixture
def user(tmp_path: Path) -> Path:
    return tmp_path / "user"


@pytest.mark.parametrize("name", ["kept-too", "kept.tar.gz"])
def test_d63_into_a_missing_home(full: Memory, tmp_path: Path, user: Path, name: str) -> None:
    """Everything is there again: the same answers, the same eligibility, the same files byte for byte."""
    before, files = answers(full), files_of(full.settings.home)
    made = full.snapshot(tmp_path / name)

    restored = restore(made.path, tmp_path / "new")

    assert restored.warnings == []
    assert restored.aside is None
    with open_memory(tmp_path / "new", user) as again:
        assert answers(again) == before
    assert files_of(tmp_path / "new") == files
    assert {path.name for path in (tmp_path / "new").iterdir()} == {
        *("config.toml", "journal", "memory", "noctuary.db"),
    }


@pytest.mark.parametrize("is_there", [False, True])
def test_what_a_killed_restore_left_keeps_no_other_from_it(
    full: Memory, snapshot: Path, tmp_path: Path, user: Path, is_there: bool
) -> None:
    """In a container a process has the number of the one that was killed; what that left stops nobody, and stays."""
    before, home = answers(full), tmp_path / "new"
    if is_there:
        restore(snapshot, home)
    left = tmp_path / f"new.restoring-{os.getpid()}" if is_there else home / f".restoring-{os.getpid()}"
    left.mkdir(parents=True)

    restore(snapshot, home, replace=True)

    with open_memory(home, user) as again:
        assert answers(again) == before
    assert left.exists()


def test_into_a_home_without_a_memory(full: Memory, snapshot: Path, tmp_path: Path, user: Path) -> None:
    """Models and snapshots in a home are no memory: they stay, and the memory is put beside them."""
    (tmp_path / "new" / "models").mkdir(parents=True)
    (tmp_path / "new" / "models" / "big.onnx").write_text("model")

    restored = restore(snapshot, tmp_path / "new")

    assert restored.aside is None
    assert (tmp_path / "new" / "models" / "big.onnx").read_text() == "model"
    with open_memory(tmp_path / "new", user) as again:
        assert answers(again) == answers(full)


def test_c4_restored_database_opens_and_can_be_written_to(snapshot: Path, tmp_path: Path, user: Path) -> None:
    """It is the database it was: it is searched, its journal goes on, and the doctor finds nothing wrong."""
    restore(snapshot, tmp_path / "new")

    with open_memory(tmp_path / "new", user) as again:
        assert again.search("time zone").hits
        again.work("/home/ana/code/shop").note("finding", "Restored memories go on.")
        assert again.verify_journals() == []
    database = apsw.Connection(str(tmp_path / "new" / "noctuary.db"))
    assert database.pragma("integrity_check") == "ok"
    database.close()


def test_live_memory_is_refused_and_says_what_is_newer(full: Memory, snapshot: Path) -> None:
    """What came since the snapshot is named, and so is what --replace would do; nothing is changed."""
    full.append(WAITING, Message(role=Role.USER, content="And what about the cache?", ts_ms=1))
    full.work("/home/ana/code/shop").note("finding", "The cache stays.")
    write_page(full.settings.home, "# Shop\n\nRewritten.\n")
    before, files = answers(full), files_of(full.settings.home)

    with pytest.raises(BadInput) as refused:
        restore(snapshot, full.settings.home)

    said = str(refused.value)
    assert "newer: messages of ana: 7 there, 6 in the snapshot" in said
    assert "newer: events of ana:" in said
    assert ".jsonl: " in said
    assert "bytes more than in the snapshot" in said
    assert "MEMORY.md: not what is in the snapshot" in said
    assert f"--replace that memory is first moved to {full.settings.home}.before-restore-2026-03-01T12-00-00Z" in said
    assert answers(full) == before
    assert files_of(full.settings.home) == files


def test_live_memory_that_forgot_something_is_refused(full: Memory, snapshot: Path) -> None:
    """No restore brings back unasked what somebody had forgotten: fewer messages may be newer."""
    full.forget(Forgotten(session=WAITING))

    with pytest.raises(BadInput) as refused:
        restore(snapshot, full.settings.home)
    assert re.search(r"newer: things forgotten of ana: \d+ there, 0 in the snapshot", str(refused.value))
    assert "fewer: sessions of ana: 1 there, 2 in the snapshot" in str(refused.value)


def test_later_dream_is_newer(full: Memory, snapshot: Path) -> None:
    """A dream since the snapshot is not undone unasked."""
    full.store.dreams.save_state(OWNER, DreamState(last_success_ms=full.clock.now_ms() + 1))

    with pytest.raises(BadInput, match="newer: the last dream of ana was later there"):
        restore(snapshot, full.settings.home)


def test_same_memory_is_refused_too(full: Memory, snapshot: Path) -> None:
    """Where nothing is newer, that is said; a memory is still not replaced unasked."""
    with pytest.raises(BadInput, match="nothing was counted there that the snapshot does not have"):
        restore(snapshot, full.settings.home)


def test_replace_moves_the_live_memory_aside(full: Memory, snapshot: Path, tmp_path: Path, user: Path) -> None:
    """With --replace the memory is the snapshot's; the one that was there is whole beside it, models stay in place."""
    then = answers(full)
    full.append(WAITING, Message(role=Role.USER, content="And what about the cache?", ts_ms=1))
    write_page(full.settings.home, "# Shop\n\nRewritten.\n")
    now, home = answers(full), full.settings.home
    (home / "models").mkdir()
    full.close()

    restored = restore(snapshot, home, replace=True)

    assert restored.aside == tmp_path / "live.before-restore-2026-03-01T12-00-00Z"
    assert (home / "models").exists()
    assert not (restored.aside / "models").exists()
    with open_memory(home, user) as again, open_memory(restored.aside, user) as old:
        assert answers(again) == then
        assert answers(old) == now
    assert [path.read_text() for path in (restored.aside / "memory").rglob("*.md")] == ["# Shop\n\nRewritten.\n"]
    assert [path.name for path in tmp_path.iterdir() if "restoring" in path.name] == []


def test_who_has_the_replaced_memory_open_writes_nothing_more(
    full: Memory, snapshot: Path, tmp_path: Path, user: Path
) -> None:
    """Nothing is acknowledged that the memory in its place does not have: whoever writes is told to start again."""
    then, home = answers(full), full.settings.home
    files = files_of(home)
    restored = restore(snapshot, home, replace=True)

    with pytest.raises(StoreError, match=r"replaced.*Nothing was written\. Start this one again"):
        full.append(WAITING, Message(role=Role.USER, content="And what about the cache?", ts_ms=1))
    with pytest.raises(StoreError, match="Start this one again"):
        full.work("/home/ana/code/shop").note("finding", "The cache stays.")
    full.close()

    assert restored.aside
    for place in (home, restored.aside):
        with open_memory(place, user) as again:
            assert answers(again) == then
    assert files_of(home) == files


def test_replaced_while_somebody_writes(full: Memory, snapshot: Path, tmp_path: Path, user: Path) -> None:
    """All that was acknowledged is in the memory that was moved aside or in the one in its place: once, and sound."""
    home, acknowledged, is_over = full.settings.home, list[str](), threading.Event()
    full.close()

    def write() -> None:
        while not is_over.is_set():
            with suppress(StoreError), open_memory(home, user) as other:
                while not is_over.is_set():
                    text = f"Finding number {len(acknowledged)} of many."
                    other.work("/home/ana/code/shop").note("finding", text)
                    acknowledged.append(text)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        places = [restore(snapshot, home, replace=True).aside for _ in range(4)]
    finally:
        is_over.set()
        writer.join()

    found: list[str] = []
    for place in (home, *places):
        assert place
        with open_memory(place, user) as memory:
            found += [each.event.text for each in memory.work("/home/ana/code/shop").entries(limit=10_000)]
            assert memory.verify_journals() == []
    assert acknowledged
    assert {text: found.count(text) for text in acknowledged} == dict.fromkeys(acknowledged, 1)


def test_second_replace_has_a_place_of_its_own(full: Memory, snapshot: Path) -> None:
    """What was moved aside before stays, also within a second."""
    home = full.settings.home
    full.close()

    first, second = (restore(snapshot, home, replace=True).aside for _ in range(2))

    assert first
    assert second
    assert second.name == f"{first.name}-2"
    assert first.exists()


def test_c3_empty_memory_gives_way_unasked(full: Memory, snapshot: Path, tmp_path: Path, user: Path) -> None:
    """A home in which something made an empty database holds nothing that could be missed; it is moved aside."""
    open_memory(tmp_path / "new", user).close()

    restored = restore(snapshot, tmp_path / "new")

    assert restored.aside is not None
    with open_memory(tmp_path / "new", user) as again:
        assert answers(again) == answers(full)


def test_config_of_an_empty_home_is_not_replaced_unasked(snapshot: Path, tmp_path: Path) -> None:
    """Settings that somebody wrote are theirs."""
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "config.toml").write_text('owner = "bea"\n')

    with pytest.raises(BadInput, match=r"config\.toml: not what is in the snapshot"):
        restore(snapshot, tmp_path / "new")
    assert (tmp_path / "new" / "config.toml").read_text() == 'owner = "bea"\n'


def test_restore_that_was_killed_can_be_repeated(full: Memory, snapshot: Path, tmp_path: Path, user: Path) -> None:
    """Files that a restore put in place before it was killed are the snapshot's own, so the next one goes on."""
    for name in ("journal", "memory"):
        shutil.copytree(snapshot / name, tmp_path / "new" / name)

    restore(snapshot, tmp_path / "new")

    with open_memory(tmp_path / "new", user) as again:
        assert answers(again) == answers(full)


def test_damaged_live_database_is_replaced_only_when_asked(snapshot: Path, tmp_path: Path) -> None:
    """This is what snapshots are for; what is left of the database is kept, too."""
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "noctuary.db").write_bytes(b"no database" * 1000)

    with pytest.raises(BadInput, match="its database cannot be read"):
        restore(snapshot, tmp_path / "new")
    restored = restore(snapshot, tmp_path / "new", replace=True)

    assert restored.aside
    assert (restored.aside / "noctuary.db").read_bytes() == b"no database" * 1000


def test_running_dream_is_not_disturbed(full: Memory, snapshot: Path) -> None:
    """While a dream writes to the memory it is not moved away."""
    before = answers(full)

    with run_lock(full.settings.home), pytest.raises(NotFree, match="A dream is running"):
        restore(snapshot, full.settings.home, replace=True)
    assert answers(full) == before


def test_dry_run_changes_nothing(full: Memory, snapshot: Path, tmp_path: Path) -> None:
    """It says what would be done and what stands in the way, and leaves no file."""
    there = sorted(tmp_path.rglob("*"))

    would = restore(snapshot, tmp_path / "new", dry_run=True)
    refused = restore(snapshot, full.settings.home, dry_run=True)

    assert would.is_dry
    assert not would.refusal
    assert "--replace" in refused.refusal
    assert sorted(tmp_path.rglob("*")) == there


def test_dry_run_finds_what_is_damaged(snapshot: Path, tmp_path: Path) -> None:
    """It reads everything, as the restore would."""
    database = snapshot / "noctuary.db"
    content = bytearray(database.read_bytes())
    content[5000] ^= 1
    database.write_bytes(content)

    with pytest.raises(StoreError, match=r"noctuary\.db in .* is not what it was"):
        restore(snapshot, tmp_path / "new", dry_run=True)


def test_nothing_there(tmp_path: Path) -> None:
    """A name that is wrong is said to be."""
    with pytest.raises(NotFound, match="There is no snapshot"):
        restore(tmp_path / "nowhere", tmp_path / "new")


def test_home_that_is_a_file(snapshot: Path, tmp_path: Path) -> None:
    """A file is no place for a memory, and stays."""
    (tmp_path / "new").write_text("a file")

    with pytest.raises(BadInput, match="not a folder"):
        restore(snapshot, tmp_path / "new", replace=True)
    assert (tmp_path / "new").read_text() == "a file"


@pytest.mark.parametrize("content", [b"", b"{", b'{"version": 1}', None])
def test_r20_d64_bad_dream_state_beside_it_never_stops_a_restore(
    full: Memory, snapshot: Path, tmp_path: Path, user: Path, content: bytes | None
) -> None:
    """Empty, cut, changed or missing: it is said, and the state is that of the database."""
    beside = snapshot / state_name(OWNER)
    beside.unlink() if content is None else beside.write_bytes(content)

    restored = restore(snapshot, tmp_path / "new")

    assert len(restored.warnings) == 1
    assert state_name(OWNER) in restored.warnings[0]
    with open_memory(tmp_path / "new", user) as again:
        assert answers(again) == answers(full)


def test_r20_dream_state_of_nobody_never_stops_a_restore(snapshot: Path, tmp_path: Path) -> None:
    """One too many is passed over, with a word."""
    (snapshot / "state" / "more.json").write_text("{}")

    assert restore(snapshot, tmp_path / "new").warnings == ["state/more.json is not what it was when it was made."]
    assert not (tmp_path / "new" / "state").exists()


def test_state_that_only_the_file_has_is_restored_from_it(full: Memory, tmp_path: Path, user: Path) -> None:
    """Rows that cannot be read in the copied database are made again from the file beside it."""
    state, made = state_of(full.store, OWNER), full.snapshot(tmp_path / "kept").path
    spoil(made)

    restored = restore(made, tmp_path / "new")

    assert "could not be read; it is now that of the file beside it" in restored.warnings[0]
    with open_memory(tmp_path / "new", user) as again:
        assert state_of(again.store, OWNER) == state


@pytest.mark.parametrize("content", [b"{}", None])
def test_r20_state_that_nobody_has_is_healed_from_the_journal(
    full: Memory, tmp_path: Path, user: Path, content: bytes | None
) -> None:
    """If neither the database nor the file beside it has it, what the journal knows is made again, and it is said."""
    made = full.snapshot(tmp_path / "kept").path
    spoil(made)
    if content is None:
        (made / state_name(OWNER)).unlink()
    else:
        (made / state_name(OWNER)).write_bytes(content)
        relist(made, state_name(OWNER))

    restored = restore(made, tmp_path / "new")

    assert "it was made again from the journal" in restored.warnings[-1]
    assert [*(tmp_path / "new" / "state").glob("*.corrupt-*.json")]
    with open_memory(tmp_path / "new", user) as again:
        assert again.search("redis").hits
        assert state_of(again.store, OWNER)


def test_r21_last_dream_is_restored_without_any_session(tmp_path: Path, user: Path) -> None:
    """When the last dream was, and what it reported, does not depend on sessions being there."""
    with open_memory(tmp_path / "live", user) as memory:
        memory.store.dreams.save_state(OWNER, DreamState(last_success_ms=17))
        made = memory.snapshot()

    restore(made.path, tmp_path / "new")

    with open_memory(tmp_path / "new", user) as again:
        assert again.store.dreams.state(OWNER) == DreamState(last_success_ms=17)


def test_full_disk_changes_nothing(full: Memory, snapshot: Path, tmp_path: Path) -> None:
    """Without room for the copy nothing is moved, and what was copied is taken away."""
    before, there = answers(full), {path.name for path in tmp_path.iterdir()}

    with files_of_at_most(40_000), pytest.raises(StoreError):
        restore(snapshot, full.settings.home, replace=True)

    assert answers(full) == before
    assert {path.name for path in tmp_path.iterdir()} == there


def spoil(snapshot: Path) -> None:
    """Make the dream state in a snapshot's database unreadable, as if it had been when it was made."""
    database = apsw.Connection(str(snapshot / "noctuary.db"))
    database.execute("update dream_sessions set status = 'dancing'")
    database.close()
    relist(snapshot, "noctuary.db")
