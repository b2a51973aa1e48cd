"""What went wrong with journals, states and locks in the systems before us, seen from the work."""

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.errors import JournalDamaged
from noctuary.journal.contract import Journal
from noctuary.ledger.ledger import Ledger
from noctuary.ledger.verifying import Kind, verify
from noctuary.testing import FakeClock
from noctuary.work.corrections import retract
from noctuary.work.desk import Desk, Writer
from noctuary.work.notes import note
from noctuary.work.remembering import list_memories, remember, retire
from noctuary.work.sessions import end_session, list_sessions, start_session
from noctuary.work.tasks import close_node, open_goal
from tests.databases import store_in, where
from tests.unit.ledger.writing import overwrite
from tests.unit.ledger.writing import written as lines_of
from tests.unit.work.conftest import OWNER, PROJECT
from tests.unit.work.graph_maker import make, node
from tests.unit.work.graphs import written
from tests.unit.work.machines import machine

pytestmark = pytest.mark.slow

WRITERS, EACH = 4, 25
WRITING = """
import sys
from datetime import timedelta
from pathlib import Path
from noctuary.clock import SystemClock
from noctuary.ledger.ledger import Ledger
from noctuary.work.desk import Desk, Writer
from noctuary.work.notes import note
from tests.databases import store_at
home, place, owner, project, name, how_many = sys.argv[1:]
desk = Desk(Ledger(store_at(place, owner), Path(home), owner, SystemClock()), project, Writer())
for number in range(int(how_many)):
    note(desk, "finding", f"{name} {number}")
"""
HOLDING = """
import sys
from datetime import timedelta
from pathlib import Path
from noctuary.clock import SystemClock
from noctuary.ledger.ledger import Ledger
from tests.databases import store_at
home, place, owner, project = sys.argv[1:]
with Ledger(store_at(place, owner), Path(home), owner, SystemClock()).writing(project):
    print("held", flush=True)
    sys.stdin.readline()
"""


def journal_of(desk: Desk) -> Journal:
    return desk.ledger.journal(desk.project)


def texts(desk: Desk) -> list[str]:
    """All that was noted, the oldest first."""
    return [entry.event.text for entry in reversed(desk.recent(most=10_000))]


def test_r1_a_bad_byte_costs_one_line(desk: Desk) -> None:
    """It is named, all others are read, and what is written next leaves every byte where it was."""
    for word in ("first", "second", "third"):
        note(desk, "finding", word)
    damaged = lines_of(desk.ledger).replace(b'"second"', b'"sec\xff\xfed"'[:8])
    overwrite(desk.ledger, damaged)

    desk.ledger.rebuild()
    found = verify(desk.ledger)
    note(desk, "finding", "fourth")

    assert texts(desk) == ["first", "third", "fourth"]
    assert (Kind.MALFORMED, 2) in [(finding.kind, finding.line) for finding in found]
    assert lines_of(desk.ledger).startswith(damaged)


@pytest.mark.of_files
@pytest.mark.parametrize("left", [0, 100])
def test_d59_r1_a_lost_state_is_never_taken_for_an_empty_one(desk: Desk, left: int) -> None:
    """A journal that was shortened is an error that names it, for readers and writers, until somebody decides."""
    note(desk, "finding", "first")
    path = journal_of(desk).path
    path.write_bytes(path.read_bytes()[:left])

    with pytest.raises(JournalDamaged, match=path.name):
        desk.ledger.catch_up()
    with pytest.raises(JournalDamaged, match=path.name):
        note(desk, "finding", "second")

    assert path.stat().st_size == left
    assert texts(desk) == ["first"]


def test_r4_threads_that_write_at_once_lose_nothing(desk: Desk, home: Path, clock: FakeClock) -> None:
    """Each with a connection of its own: all entries are there, in one sound chain."""

    def write(name: int) -> None:
        store = store_in(home)
        own = Desk(Ledger(store, home, OWNER, clock), PROJECT, Writer())
        for number in range(EACH):
            note(own, "finding", f"{name} {number}")
        store.close()

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write, range(WRITERS)))
    desk.ledger.catch_up()

    assert sorted(texts(desk)) == sorted(f"{name} {number}" for name in range(WRITERS) for number in range(EACH))
    assert verify(desk.ledger) == []


def test_r4_processes_that_write_at_once_lose_nothing(desk: Desk, home: Path) -> None:
    """Nor do processes."""
    note(desk, "finding", "before")
    command = [sys.executable, "-c", WRITING, str(home), where(home), OWNER, PROJECT]
    running = [subprocess.Popen([*command, str(name), str(EACH)]) for name in range(WRITERS)]

    assert [process.wait(timeout=120) for process in running] == [0] * WRITERS
    desk.ledger.catch_up()
    assert len(set(texts(desk))) == WRITERS * EACH + 1
    assert verify(desk.ledger) == []


def test_r7_ids_that_differ_in_case_are_two(desk: Desk) -> None:
    """Other tools may give such ids; neither node is taken for the other."""
    make(desk, node("t-Sess", "pending", "Upper"), node("t-sess", "pending", "Lower"))
    desk.ledger.rebuild()

    assert (desk.node("t-Sess").title, desk.node("t-sess").title) == ("Upper", "Lower")


def test_r9_d36_the_lock_of_a_dead_process_holds_nobody(desk: Desk, home: Path) -> None:
    """A writer that is killed leaves the file of its lock behind, and the next one writes."""
    note(desk, "finding", "before")
    command = [sys.executable, "-c", HOLDING, str(home), where(home), OWNER, PROJECT]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"
    holder.kill()
    holder.communicate()

    note(desk, "finding", "after")

    journal = journal_of(desk)
    assert journal.path.with_name(journal.path.name + ".lock").exists() is journal.is_file
    assert texts(desk) == ["before", "after"]
    assert verify(desk.ledger) == []


def test_r18_d58_what_was_written_and_not_folded_is_found_later(tmp_path: Path, clock: FakeClock) -> None:
    """Killed between the journal and the tables, as a copy of both shows it: folded once, by whoever looks next."""
    first, second = tmp_path / "first", tmp_path / "second"
    with machine(first, clock) as desk:
        note(desk, "finding", "in both")
    shutil.copytree(first, second)
    with machine(first, clock) as desk:
        note(desk, "finding", "in the journal only")
        path = journal_of(desk).path
    shutil.copy(path, second / path.relative_to(first))

    with machine(second, clock) as desk:
        assert [finding.kind for finding in verify(desk.ledger)] == [Kind.BEHIND]
        for _ in range(2):
            assert desk.ledger.catch_up() == []
            assert texts(desk) == ["in both", "in the journal only"]
        assert verify(desk.ledger) == []


@pytest.mark.of_files
def test_j7_21_half_a_line_never_swallows_the_next(desk: Desk) -> None:
    """What a crash left is set aside before anything is written behind it."""
    note(desk, "finding", "first")
    journal = journal_of(desk)
    with journal.path.open("ab") as file:
        file.write(b'{"event_id":"01')

    note(desk, "finding", "second")
    desk.ledger.rebuild()

    assert texts(desk) == ["first", "second"]
    halves = journal.halves()
    assert halves is not None
    assert halves.read_bytes() == b'{"event_id":"01\n'


def test_j7_24_what_was_noted_can_be_taken_back_and_memories_retired(desk: Desk) -> None:
    """Nothing that was said has to be shown for ever."""
    wrong = note(desk, "finding", "Ada lives in Turin")
    kept = remember(desk, "Ada likes tea", kind="preference")

    retract(desk, wrong.event.id, "private")
    retire(desk, kept.id)
    desk.ledger.rebuild()

    assert "Ada lives in Turin" not in texts(desk)
    assert list_memories(desk) == []


def test_j7_25_only_what_is_new_is_read(desk: Desk, home: Path, clock: FakeClock) -> None:
    """Reading goes on at the byte where it ended, however long the journal is."""
    for number in range(50):
        note(desk, "finding", f"old {number}")
    place, journal = desk.ledger.place(PROJECT), journal_of(desk)
    assert place.offset == journal.size()
    store = store_in(home)
    note(Desk(Ledger(store, home, OWNER, clock), PROJECT, Writer()), "finding", "new")
    store.close()

    (line,) = journal.read(place)

    assert (line.number, line.start) == (51, place.offset)
    assert b'"new"' in line.content
    assert written(desk) == 51


def test_c22_a_clock_that_was_set_back_changes_no_order(desk: Desk, clock: FakeClock) -> None:
    """What is written later comes later in the journal, and work and sessions still end."""
    whole = open_goal(desk, "Ship")
    start_session(desk, whole.id)
    clock.advance(timedelta(days=-30))
    close_node(desk, whole.id)
    ended = end_session(desk)

    ids = [json.loads(line.content)["event_id"] for line in journal_of(desk).read()]
    assert ids == sorted(set(ids))
    assert ended.ended_ms is not None
    assert verify(desk.ledger) == []
    before = desk.node(whole.id)
    desk.ledger.rebuild()
    assert desk.node(whole.id) == before
    assert list_sessions(desk) == [ended]
