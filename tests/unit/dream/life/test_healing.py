"""State that cannot be read is kept as a copy and made again; it is never taken for none."""

import json
import os
import stat
from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.authored import Event, EventType
from noctuary.dream.life.completing import end_session, record_completion
from noctuary.dream.life.healing import Healed, check_state, heal
from noctuary.dream.life.leasing import claim, complete
from noctuary.dream.life.schedule import due, waiting_count
from noctuary.dream.life.state_file import state_bytes
from noctuary.dream.night import Night
from noctuary.dreams import DreamRecord, DreamStatus, Trigger
from noctuary.errors import StoreDamaged
from noctuary.proposals import Spent
from noctuary.store.dreams import DreamState, StoredRun
from noctuary.testing import FakeClock
from tests.unit.dream.nights import OWNER, PROJECT, add_messages, add_session, damage, open_night, records, write_mark


def dream_of(night: Night, session_id: str, run: str = "run-1") -> DreamRecord:
    """A run reads a session, and leaves its line in the journal."""
    claimed = claim(night, run, records(night, session_id)[-1])
    assert claimed is not None
    with night.ledger.writing(PROJECT):
        mark = write_mark(night, claimed, run, "e-1")
        return complete(night, claimed, run=run, trigger=Trigger.MANUAL, artifacts=("e-1", mark))


def spans(night: Night, session_id: str = "s-1") -> list[tuple[int, int, int, DreamStatus]]:
    return [(one.epoch, one.first_id, one.last_id, one.status) for one in records(night, session_id)]


@pytest.fixture
def life(night: Night) -> Night:
    """A session that was dreamt of, resumed, dreamt of again, and waits with its third part."""
    add_session(night, "s-1", "Use tabs.", "Done.")
    for _ in range(2):
        record_completion(night, "s-1")
        dream_of(night, "s-1")
        add_messages(night, "s-1", "No, spaces.", "Done.")
    end_session(night, "s-1")
    return night


READ, WAITS = DreamStatus.COMPLETED, DreamStatus.PENDING
LIFE = [(1, 1, 2, READ), (2, 3, 4, READ), (3, 5, 6, WAITS)]
DAMAGE = {
    "status": ("update dream_sessions set status = 'compl' where epoch = ?", "status|'compl'"),
    "json": ("update dream_sessions set artifacts = '[\"e-1' where epoch = ?", "Unterminated string"),
    "blob": ("update dream_sessions set artifacts = x'ff00' where epoch = ?", "artifacts is b"),
    "number": ("update dream_sessions set last_id = 'many' where epoch = ?", "last_id is 'many'"),
}


@pytest.mark.parametrize("kind", DAMAGE)
@pytest.mark.parametrize("epoch", [1, 2, 3])
@pytest.mark.of_files
def test_d59_r1_r26_a_damaged_record_is_set_aside_and_made_again(
    life: Night, home: Path, kind: str, epoch: int
) -> None:
    """Until then it is an error that names the session; then what was read is read, and what waits waits."""
    sql, why = DAMAGE[kind]
    damage(home, sql, epoch)
    with pytest.raises(StoreDamaged, match=rf"session 's-1' cannot be read \(.*({why}).*`noctuary dream heal`"):
        record_completion(life, "s-1")
    (problem,) = check_state(life)
    assert problem.startswith("The dream state of session s-1 cannot be read (")
    raw = life.store.dreams.dump(OWNER)["sessions"][epoch - 1]

    healed = heal(life)

    assert (healed.records, healed.removed) == (1, 1)
    assert spans(life) == LIFE
    assert healed.quarantined is not None
    (row,) = json.loads(healed.quarantined.read_text())["rows"]
    assert (row["table"], row["row"][:2]) == ("sessions", ["s-1", epoch])
    assert row["row"] == [{"bytes": "ff00"} if value == b"\xff\x00" else value for value in raw]
    assert check_state(life) == []
    assert heal(life) == Healed(None, 0)
    assert waiting_count(life) == 1


def test_r1_the_copy_has_its_time_and_its_owner_only(life: Night, home: Path) -> None:
    """Two copies of the same second are two files."""
    names = []
    for _ in range(2):
        damage(home, "update dream_sessions set status = '' where epoch = 1")
        healed = heal(life)
        assert healed.quarantined is not None
        names.append(healed.quarantined.name)
        if os.name == "posix":
            assert stat.S_IMODE(healed.quarantined.stat().st_mode) == 0o600

    assert names == ["dream-state.corrupt-20260301T120000Z.json", "dream-state.corrupt-20260301T120000Z-1.json"]
    assert sorted(path.name for path in (home / "state").iterdir()) == sorted(names)


def test_nothing_wrong_nothing_healed(life: Night, home: Path) -> None:
    """A whole state is left as it is, and there is no copy of nothing."""
    before = state_bytes(life.store, OWNER)

    healed = heal(life)

    assert (healed.quarantined, healed.records, healed.removed) == (None, 0, 0)
    assert state_bytes(life.store, OWNER) == before
    assert not (home / "state").exists()


def test_d26_d58_tables_that_are_gone_are_made_again(life: Night, home: Path) -> None:
    """From the journal comes what was read, from the sessions what was completed: nothing is read twice or lost."""
    before = records(life, "s-1")
    damage(home, "delete from dream_sessions")
    assert len(check_state(life)) == 3

    assert heal(life).records == 3

    assert spans(life) == LIFE
    assert [one.artifacts for one in records(life, "s-1")] == [one.artifacts for one in before]
    assert [one.run for one in records(life, "s-1")] == ["run-1", "run-1", None]


def test_d26_a_record_that_is_missing_is_told_and_made_again(life: Night, home: Path) -> None:
    """The doctor says which messages the journal knows were read, and which wait for nobody."""
    damage(home, "delete from dream_sessions where epoch > 1")

    first, second = check_state(life)

    assert first.startswith("Session s-1: the journal says that messages 3 to 4 were dreamt of, the tables do not")
    assert second.startswith("Session s-1: messages 5 to 6 were completed, but do not wait")
    assert "noctuary dream heal" in first
    heal(life)
    assert spans(life) == LIFE


def test_d26_what_the_journal_knows_was_read_does_not_wait(night: Night) -> None:
    """A record that is not completed although its line is written becomes so."""
    add_session(night, "s-1", "Use tabs.")
    record = record_completion(night, "s-1")
    write_mark(night, record, "run-1", "e-1")

    assert len(check_state(night)) == 1
    assert heal(night).records == 1
    assert spans(night) == [(1, 1, 1, READ)]


def test_what_was_undone_waits_and_is_held(night: Night, home: Path) -> None:
    """The journal also knows what was taken back, so healing does not count it as read."""
    add_session(night, "s-1", "Use tabs.")
    record_completion(night, "s-1")
    dream_of(night, "s-1", "run-7")
    undone = Event(EventType.STATUS, project=PROJECT, meta={"bookkeeping": True, "dream": {"undo": "run-7"}})
    night.ledger.record(undone)
    damage(home, "delete from dream_sessions")

    heal(night)

    (record,) = records(night, "s-1")
    assert (record.status, record.is_held, record.artifacts) == (WAITS, True, ())


def test_what_was_undone_and_dreamt_again_is_read(night: Night, home: Path) -> None:
    """The last line about an epoch counts."""
    add_session(night, "s-1", "Use tabs.")
    record = record_completion(night, "s-1")
    write_mark(night, record, "run-7")
    meta = {"bookkeeping": True, "dream": {"undo": "run-7"}}
    night.ledger.record(Event(EventType.STATUS, project=PROJECT, meta=meta))
    write_mark(night, record, "run-8")
    damage(home, "delete from dream_sessions")

    heal(night)

    assert [(one.status, one.run) for one in records(night, "s-1")] == [(READ, "run-8")]


@pytest.mark.parametrize("mark", [5, [], {"run": "r"}, {"session": "s-1", "epoch": "1", "first": 1, "last": 1}])
def test_other_bookkeeping_is_passed_over(night: Night, mark: object) -> None:
    """What is no line about a session that was read makes no record."""
    add_session(night, "s-1", "Use tabs.")
    meta = {"bookkeeping": True, "dream": mark}
    night.ledger.record(Event(EventType.STATUS, project=PROJECT, meta=meta))

    assert heal(night).records == 0
    assert record_completion(night, "s-1").status is WAITS


@pytest.mark.of_files
def test_a_damaged_whole_is_set_aside_too(life: Night, home: Path) -> None:
    """When the last dream was is known from the runs; a report that cannot be shown is dropped, its run is not."""
    dreams = life.store.dreams
    dreams.save_run(OWNER, StoredRun("run-1", "completed", "manual", 1, 20, "{"))
    dreams.save_run(OWNER, StoredRun("run-2", "went well", "manual", 1, 30, None))
    dreams.spend(OWNER, "2026-03-01", Spent(1, 2, 3, 0.5))
    dreams.spend(OWNER, "2026-03-02", Spent(1, 2, 3, 0.5))
    damage(home, "update dream_spending set dollars = 'much' where day = '2026-03-01'")
    damage(home, "insert into dream_state (owner, last_success_ms) values ('ana', 'soon')")
    with pytest.raises(StoreDamaged, match="last success"):
        due(life)
    problems = check_state(life)
    assert [problem.partition(" cannot")[0] for problem in problems] == [
        "The dream run-1",
        "The dream run-2",
        "What dreams cost on 2026-03-01",
        "The state of dreams as a whole",
    ]

    healed = heal(life)

    assert (healed.removed, healed.records) == (4, 0)
    assert dreams.state(OWNER) == DreamState(last_success_ms=20)
    assert dreams.runs(OWNER) == [StoredRun("run-1", "completed", "manual", 1, 20, None)]
    assert (dreams.spent_on(OWNER, "2026-03-01"), dreams.spent_on(OWNER, "2026-03-02").calls) == (Spent(), 1)
    assert check_state(life) == []


def test_a_forgotten_sessions_line_is_no_problem(night: Night, home: Path) -> None:
    """The journal may know of sessions that are not here any more, or not yet."""
    write_mark(night, DreamRecord("gone", 1, READ, Trigger.MANUAL, 1, 2, 0), "run-1")

    assert check_state(night) == []


def test_sessions_imported_after_the_tables_were_lost_are_not_read_again(night: Night) -> None:
    """On a new machine the journal comes first: what it says was read is read, whenever its transcript comes."""
    for name in ("a", "b"):
        write_mark(night, DreamRecord(name, 1, READ, Trigger.MANUAL, 1, 2, 0), "run-1")
    add_session(night, "a", "Use tabs.", "Done.")
    assert end_session(night, "a").status is READ
    add_session(night, "b", "Use tabs.", "Done.", "Thanks.")

    record = end_session(night, "b")

    assert (record.epoch, record.first_id, record.last_id) == (2, 3, 3)


def test_healing_is_for_its_owner_only(life: Night, home: Path, clock: FakeClock) -> None:
    """Another owner's damage stays where it is, and so does what is theirs."""
    damage(home, "update dream_sessions set owner = 'bo', status = 'x' where epoch = 3")
    clock.advance(timedelta(minutes=1))

    assert heal(life).removed == 0
    with open_night(home, clock, owner="bo") as bos:
        assert len(bos.store.dreams.dump("bo")["sessions"]) == 1
