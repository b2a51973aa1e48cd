"""Sessions complete: each message is in one epoch, however often and from wherever the end is told."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import pytest

from noctuary.dream.life.completing import converge, end_session, record_completion, resume_session, suspend_session
from noctuary.dream.life.healing import heal
from noctuary.dream.life.leasing import claim, complete
from noctuary.dream.life.run_lock import run_lock
from noctuary.dream.life.schedule import waiting_count
from noctuary.dream.night import Night
from noctuary.dreams import DreamStatus, Trigger
from noctuary.errors import BadChange, SessionNotFound, StoreDamaged
from noctuary.records import Status
from noctuary.testing import FakeClock
from tests.databases import where
from tests.unit.dream.nights import (
    OWNER,
    add_messages,
    add_session,
    damage,
    open_night,
    records,
    stored,
    write_mark,
)

pytestmark = pytest.mark.slow

RIVALS = 8
RECORDING = """
import sys
from pathlib import Path
from noctuary.dream.life.completing import record_completion
from noctuary.dream.night import Night
from noctuary.ledger.ledger import Ledger
from noctuary.testing import FakeClock
from tests.databases import store_at
home, place, owner, *sessions = sys.argv[1:]
night = Night(Ledger(store_at(place, owner), Path(home), owner, FakeClock()))
sys.stdin.readline()
for session in sessions:
    record_completion(night, session)
"""


def read(night: Night, session_id: str) -> None:
    """A run reads the last completion of a session."""
    claimed = claim(night, "run", records(night, session_id)[-1])
    assert claimed is not None
    complete(night, claimed, run="run", trigger=Trigger.MANUAL, artifacts=())


def test_d8_d9_d11_a_completion_waits_with_all_that_is_known_of_it(night: Night) -> None:
    """A new record is pending, of the messages so far, recorded now; nobody has tried it."""
    add_session(night, "s-1", "Use tabs.", "Done.", "Thanks.")

    record = record_completion(night, "s-1")

    assert record._asdict() == {
        "session": "s-1",
        "epoch": 1,
        "status": DreamStatus.PENDING,
        "trigger": Trigger.SESSION_COUNT,
        "first_id": 1,
        "last_id": 3,
        "recorded_ms": night.now_ms(),
        "attempts": 0,
        "next_attempt_ms": 0,
        "last_attempt_ms": None,
        "completed_ms": None,
        "lease_owner": None,
        "lease_ms": None,
        "run": None,
        "artifacts": (),
        "failure": None,
        "is_held": False,
    }
    assert [record] == records(night, "s-1")
    assert {str(status) for status in DreamStatus} == {"pending", "running", "completed", "failed"}
    assert {str(trigger) for trigger in Trigger} == {"time_elapsed", "session_count", "manual"}


def test_d23_d29_r6_the_same_completion_twice_is_one(night: Night, clock: FakeClock) -> None:
    """Recording again, before or after a dream, gives the record there is, unchanged, and counts nothing."""
    add_session(night, "s-1", "Use tabs.")
    first = record_completion(night, "s-1")
    clock.advance(timedelta(hours=1))

    assert record_completion(night, "s-1", trigger=Trigger.MANUAL) == first
    assert end_session(night, "s-1") == first
    assert waiting_count(night) == 1
    read(night, "s-1")
    assert record_completion(night, "s-1") == records(night, "s-1")[0]
    assert [one.status for one in records(night, "s-1")] == [DreamStatus.COMPLETED]


def test_c17_a_resumed_session_completes_anew_for_what_is_new_only(night: Night) -> None:
    """Messages after a completion are an epoch of their own that begins where the last one ended."""
    add_session(night, "s-1", "Use tabs.", "Done.")
    end_session(night, "s-1")
    read(night, "s-1")
    add_messages(night, "s-1", "No, spaces.", "Done.", "Thanks.")

    record = end_session(night, "s-1")

    assert (record.epoch, record.first_id, record.last_id, record.status) == (2, 3, 5, DreamStatus.PENDING)
    assert records(night, "s-1")[0].status is DreamStatus.COMPLETED


def test_c17_what_is_new_while_the_first_part_waits_is_no_second_session(night: Night) -> None:
    """A session that ends after every turn has several epochs, but waits as one."""
    add_session(night, "s-1", "Use tabs.")
    for number in range(2, 7):
        record_completion(night, "s-1")
        add_messages(night, "s-1", f"And {number}.")
    record_completion(night, "s-1")

    spans = [(one.first_id, one.last_id) for one in records(night, "s-1")]
    assert spans == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)]
    assert waiting_count(night) == 1


def test_r3_an_id_that_begins_with_another_is_another(night: Night) -> None:
    """`sess-12` says nothing about `sess-1`."""
    add_session(night, "sess-12", "Use tabs.")
    record_completion(night, "sess-12")
    read(night, "sess-12")
    add_session(night, "sess-1", "Use spaces.")

    assert record_completion(night, "sess-1").status is DreamStatus.PENDING
    assert records(night, "sess-12")[0].status is DreamStatus.COMPLETED


def test_r7_ids_that_differ_by_case_are_two(night: Night) -> None:
    """`SessA` and `sessa` each have their own completion."""
    add_session(night, "SessA", "Use tabs.")
    add_session(night, "sessa", "Use spaces.", "Done.")

    assert record_completion(night, "SessA").last_id == 1
    assert record_completion(night, "sessa").last_id == 2
    assert waiting_count(night) == 2


def test_d3_a_session_nobody_knows_cannot_complete(night: Night) -> None:
    """The error says how to find the right name, and nothing is recorded."""
    with pytest.raises(SessionNotFound, match=r"no session 'nowhere'; `noctuary sessions`"):
        record_completion(night, "nowhere")
    with pytest.raises(SessionNotFound, match="no session 'nowhere'"):
        end_session(night, "nowhere")
    assert not night.store.dreams.is_any(OWNER)


def test_a_session_without_messages_is_completed_at_once(night: Night) -> None:
    """There is nothing to read, so nothing waits; what is said later is read from the first message on."""
    add_session(night, "s-1")

    empty = end_session(night, "s-1")

    assert (empty.status, empty.first_id, empty.last_id) == (DreamStatus.COMPLETED, 1, 0)
    assert end_session(night, "s-1") == empty
    assert waiting_count(night) == 0
    add_messages(night, "s-1", "Use tabs.")
    later = record_completion(night, "s-1")
    assert (later.epoch, later.first_id, later.last_id, later.status) == (2, 1, 1, DreamStatus.PENDING)


def test_d18_d28_ending_a_session_ends_it_and_records_it_once(night: Night, clock: FakeClock) -> None:
    """The session is ended with its time first, then its completion waits; ending it again leaves the time alone."""
    add_session(night, "s-1", "Use tabs.")
    ended_ms = night.now_ms()

    record = end_session(night, "s-1")
    clock.advance(timedelta(hours=3))
    end_session(night, "s-1")

    assert (stored(night, "s-1").status, stored(night, "s-1").ended_ms) == (Status.ENDED, ended_ms)
    assert records(night, "s-1") == [record]


def test_d19_r18_an_end_that_could_not_be_recorded_stays_and_is_recorded_later(
    night: Night, home: Path, clock: FakeClock
) -> None:
    """If recording fails the session has ended nevertheless, and the next pass finds it."""
    add_session(night, "s-1", "Use tabs.")
    record_completion(night, "s-1")
    add_messages(night, "s-1", "No, spaces.")
    damage(home, "update dream_sessions set status = 'pendin'")

    with pytest.raises(StoreDamaged, match="session 's-1'"):
        end_session(night, "s-1")
    assert stored(night, "s-1").status is Status.ENDED
    heal(night)
    clock.advance(timedelta(hours=25))

    assert converge(night).recorded == ["s-1"]
    assert [(one.first_id, one.last_id) for one in records(night, "s-1")] == [(1, 1), (2, 2)]


def test_r16_r25_one_that_cannot_be_recorded_does_not_keep_others_from_it(night: Night, home: Path) -> None:
    """The failure names its session; the sessions before and after it are recorded."""
    for name in ("a", "b", "c"):
        add_session(night, name, "Use tabs.", status=Status.ENDED)
    record_completion(night, "b")
    damage(home, "update dream_sessions set artifacts = '[' where session = 'b'")
    damage(home, "update sessions set covered_id = 0 where id = 'b'")

    converged = converge(night)

    assert converged.recorded == ["a", "c"]
    (failure,) = converged.failures
    assert failure.session == "b"
    assert str(failure).startswith("Session b: The dream state of session 'b' cannot be read")
    assert "noctuary dream heal" in failure.why


def test_d21_an_ended_session_is_recorded_whoever_ended_it(night: Night) -> None:
    """One that was imported as ended has the same completion as one that somebody ends."""
    add_session(night, "imported", "Use tabs.", "Done.", status=Status.ENDED)
    add_session(night, "ended", "Use tabs.", "Done.")
    add_session(night, "active", "Use tabs.", "Done.")
    end_session(night, "ended")

    assert converge(night).recorded == ["imported"]
    assert records(night, "imported") == [records(night, "ended")[0]._replace(session="imported")]
    assert records(night, "active") == []
    assert list(converge(night).recorded) == []


def test_c17_what_is_said_after_the_end_is_recorded_when_it_is_quiet_again(night: Night, clock: FakeClock) -> None:
    """A session that goes on after its end is not cut in pieces while somebody is talking."""
    add_session(night, "s-1", "Use tabs.")
    end_session(night, "s-1")
    add_messages(night, "s-1", "No, spaces.")

    assert list(converge(night).recorded) == []
    clock.advance(timedelta(hours=24, seconds=1))
    assert converge(night).recorded == ["s-1"]
    assert records(night, "s-1")[-1].first_id == 2


def test_d76_active_and_suspended_change_places_and_ended_is_the_end(night: Night) -> None:
    """Suspending and resuming go back and forth; of an ended session neither is possible, and it stays ended."""
    add_session(night, "s-1", "Use tabs.")

    assert suspend_session(night, "s-1").status is Status.SUSPENDED
    assert stored(night, "s-1").status is Status.SUSPENDED
    assert suspend_session(night, "s-1").status is Status.SUSPENDED
    assert resume_session(night, "s-1").status is Status.ACTIVE
    assert stored(night, "s-1").status is Status.ACTIVE
    suspend_session(night, "s-1")
    end_session(night, "s-1")
    with pytest.raises(BadChange, match="s-1 has ended, so it cannot be resumed"):
        resume_session(night, "s-1")
    with pytest.raises(BadChange, match="s-1 has ended, so it cannot be suspended"):
        suspend_session(night, "s-1")
    with pytest.raises(SessionNotFound):
        suspend_session(night, "nowhere")
    assert stored(night, "s-1").status is Status.ENDED


def test_d37_c14_recording_does_not_wait_for_a_run_and_a_run_not_for_it(night: Night, home: Path) -> None:
    """While a run holds the lock completions are recorded; while one is recorded a run can begin."""
    add_session(night, "s-1", "Use tabs.")

    with run_lock(home) as is_mine:
        assert is_mine
        assert record_completion(night, "s-1").status is DreamStatus.PENDING
    with night.store.database.transaction():
        record_completion(night, "s-1")
        with run_lock(home) as is_mine:
            assert is_mine


def test_r4_r26_threads_that_record_at_the_same_time_lose_nothing(night: Night, home: Path) -> None:
    """Every session has its one completion, whoever records it and how many do at once."""
    names = [f"s-{number}" for number in range(RIVALS)]
    for name in names:
        add_session(night, name, "Use tabs.", "Done.")
    barrier = Barrier(RIVALS)

    def record(shift: int) -> None:
        with open_night(home, FakeClock()) as own:
            barrier.wait()
            for name in names[shift:] + names[:shift]:
                record_completion(own, name)

    with ThreadPoolExecutor(RIVALS) as pool:
        list(pool.map(record, range(RIVALS)))

    assert [[(one.epoch, one.last_id) for one in records(night, name)] for name in names] == [[(1, 2)]] * RIVALS


def test_r4_r26_processes_that_record_at_the_same_time_lose_nothing(night: Night, home: Path) -> None:
    """Processes are no different."""
    names = [f"s-{number}" for number in range(20)]
    for name in names:
        add_session(night, name, "Use tabs.", "Done.")
    given = [sys.executable, "-c", RECORDING, str(home), where(home), OWNER]
    calls = [[*given, *names[shift:], *names[:shift]] for shift in (0, 5, 10)]
    rivals = [subprocess.Popen(call, stdin=subprocess.PIPE, text=True) for call in calls]
    for rival in rivals:
        assert rival.stdin
        rival.stdin.write("go\n")
        rival.stdin.flush()

    for rival in rivals:
        rival.communicate(timeout=60)
        assert rival.returncode == 0
    assert [[(one.epoch, one.last_id) for one in records(night, name)] for name in names] == [[(1, 2)]] * 20


def test_d26_a_completion_that_the_journal_knows_is_not_read_again(night: Night, home: Path) -> None:
    """If the tables are lost, recording finds in the journal what was read, and only what is new waits."""
    add_session(night, "s-1", "Use tabs.", "Done.")
    add_session(night, "s-2", "Use spaces.")
    first = record_completion(night, "s-1")
    mark = write_mark(night, first, "run-1", "e-1")
    damage(home, "delete from dream_sessions")
    damage(home, "update sessions set covered_id = 0")

    healed = record_completion(night, "s-1")

    assert (healed.status, healed.run, healed.artifacts) == (DreamStatus.COMPLETED, "run-1", ("e-1", mark))
    assert record_completion(night, "s-2").status is DreamStatus.PENDING
    add_messages(night, "s-1", "No, spaces.")
    assert record_completion(night, "s-1").first_id == 3


def test_a_session_made_anew_under_an_old_name_is_read_from_its_beginning(night: Night, home: Path) -> None:
    """Completions that go further than the session are not its own: nothing of it is passed over."""
    add_session(night, "s-1", "Use tabs.", "Done.", "Thanks.")
    record_completion(night, "s-1")
    damage(home, "update sessions set last_id = 2, covered_id = 0")

    record = record_completion(night, "s-1")

    assert (record.epoch, record.first_id, record.last_id) == (2, 1, 2)
    assert record_completion(night, "s-1") == record


@pytest.mark.parametrize("owner", ["bo"])
def test_another_owner_knows_nothing_of_it(night: Night, home: Path, owner: str) -> None:
    """What is recorded for one is not there for another."""
    add_session(night, "s-1", "Use tabs.")
    record_completion(night, "s-1")

    with open_night(home, FakeClock(), owner=owner) as other:
        assert waiting_count(other) == 0
        with pytest.raises(SessionNotFound):
            record_completion(other, "s-1")
