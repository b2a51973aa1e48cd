"""Who reads a completion: one run at a time, for as long as it is alive, and never twice."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import pytest

from noctuary.authored import Event, EventType
from noctuary.dream.life.completing import record_completion
from noctuary.dream.life.dreamt import dreamt
from noctuary.dream.life.leasing import claim, complete, fail, heartbeat, put_back, take_over, wait_ms
from noctuary.dream.night import Night
from noctuary.dreams import DreamRecord, DreamStatus, Trigger
from noctuary.errors import NotFree
from noctuary.testing import FakeClock
from tests.databases import where
from tests.unit.dream.nights import OWNER, PROJECT, add_session, damage, open_night, records, write_mark

RIVALS = 8
HOUR_MS = 3_600_000
CLAIMING = """
import os, sys
from pathlib import Path
from noctuary.dream.life.leasing import claim
from noctuary.dream.night import Night
from noctuary.ledger.ledger import Ledger
from noctuary.testing import FakeClock
from tests.databases import store_at
home, place, owner = sys.argv[1:]
night = Night(Ledger(store_at(place, owner), Path(home), owner, FakeClock()))
claim(night, "run-1", night.store.dreams.of_session(owner, "s-1")[0])
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def waiting(night: Night) -> DreamRecord:
    """A completion that waits."""
    add_session(night, "s-1", "Use tabs.", "Done.")
    return record_completion(night, "s-1")


def taken(night: Night, record: DreamRecord, run: str = "run-1") -> DreamRecord:
    found = claim(night, run, record)
    assert found is not None
    return found


def ready(night: Night, *, is_asked: bool = False) -> list[str]:
    """The sessions that a dream could read now."""
    return [one.session for one in night.store.dreams.waiting(night.owner, night.now_ms(), is_asked=is_asked)]


def test_d10_d13_a_completion_is_claimed_and_completed(night: Night, waiting: DreamRecord, clock: FakeClock) -> None:
    """Running belongs to a run for ten minutes; completed has its time, its reason and what came of it."""
    running = taken(night, waiting)
    assert (running.status, running.lease_owner, running.run) == (DreamStatus.RUNNING, "run-1", "run-1")
    assert running.lease_ms == night.now_ms() + 600_000
    assert running.last_attempt_ms == night.now_ms()
    clock.advance(timedelta(minutes=2))

    done = complete(night, running, run="run-1", trigger=Trigger.TIME_ELAPSED, artifacts=["e-1", "e-2"])

    assert records(night, "s-1") == [done]
    assert (done.status, done.trigger, done.run) == (DreamStatus.COMPLETED, Trigger.TIME_ELAPSED, "run-1")
    assert done.completed_ms == done.last_attempt_ms == night.now_ms()
    assert (done.artifacts, done.failure, done.lease_owner, done.lease_ms) == (("e-1", "e-2"), None, None, None)


def test_d10_d56_completed_is_the_end(night: Night, waiting: DreamRecord) -> None:
    """Neither a run that still has the old record nor one that fails late can change it."""
    running = taken(night, waiting)
    done = complete(night, running, run="run-1", trigger=Trigger.MANUAL, artifacts=())

    assert claim(night, "run-2", waiting) is None
    assert claim(night, "run-2", running) is None
    assert fail(night, running, "too late") == done
    assert put_back(night, running, "too late") == done
    with pytest.raises(NotFree, match="s-1 was taken over by another run"):
        complete(night, running, run="run-1", trigger=Trigger.MANUAL, artifacts=())
    assert records(night, "s-1") == [done]


def test_a_failure_is_forgotten_when_it_succeeds(night: Night, waiting: DreamRecord) -> None:
    """Completed after a failure has no failure; what models answered meanwhile is dropped."""
    failed = fail(night, taken(night, waiting), "the model did not answer")
    night.store.dreams.save_answer(night.owner, "s-1", "part-1", "{}")
    night.store.dreams.save_answer(night.owner, "s-2", "part-1", "{}")

    done = complete(night, taken(night, failed), run="run-1", trigger=Trigger.MANUAL, artifacts=())

    assert (done.failure, done.next_attempt_ms, done.attempts) == (None, 0, 1)
    assert night.store.dreams.answer(night.owner, "s-1", "part-1") is None
    assert night.store.dreams.answer(night.owner, "s-2", "part-1") == "{}"


def test_d56_d57_c5_failures_have_a_reason_and_wait_longer_each_time(
    night: Night, waiting: DreamRecord, clock: FakeClock
) -> None:
    """Five minutes, then four times as long; the fifth failure is the last until somebody asks."""
    waits = []
    for number in range(1, 6):
        failed = fail(night, taken(night, records(night, "s-1")[0]), f"no answer, {number}")
        assert (failed.status, failed.attempts, failed.failure) == (DreamStatus.FAILED, number, f"no answer, {number}")
        assert ready(night) == []
        assert ready(night, is_asked=True) == ["s-1"]
        waits.append(failed.next_attempt_ms - night.now_ms())
        clock.advance(timedelta(milliseconds=waits[-1]))
        assert ready(night) == (["s-1"] if number < 5 else [])

    assert [wait / 60_000 for wait in waits] == [5, 20, 80, 320, 1280]
    assert records(night, "s-1")[0].is_held
    assert taken(night, records(night, "s-1")[0]).status is DreamStatus.RUNNING


def test_c5_nothing_waits_for_more_than_a_day() -> None:
    """However often it failed."""
    assert [wait_ms(attempts) / HOUR_MS for attempts in (6, 7, 100, 10**6)] == [24] * 4


def test_d57_how_often_to_try_is_a_setting(night: Night, waiting: DreamRecord) -> None:
    """With one attempt the first failure is the last."""
    once = night._replace(settings=night.settings._replace(max_attempts=1))

    assert fail(once, taken(night, waiting), "no answer").is_held


def test_d73_a_reason_has_no_secrets_and_an_end(night: Night, waiting: DreamRecord) -> None:
    """What a server answers may be long, and may hold a key."""
    key = "sk-ant-api03-" + "A1b2C3d4" * 12
    failed = fail(night, taken(night, waiting), f"401 for {key}: " + "no " * 5_000)

    assert failed.failure is not None
    assert key not in failed.failure
    assert failed.failure.startswith("401 for")
    assert len(failed.failure) <= 2_000


def test_put_back_is_as_if_nothing_had_been(night: Night, waiting: DreamRecord) -> None:
    """It waits again at once, untried, with the reason."""
    back = put_back(night, taken(night, waiting), "the budget of this run is spent")

    assert back == waiting._replace(
        failure="the budget of this run is spent", last_attempt_ms=night.now_ms(), run="run-1"
    )
    assert ready(night) == ["s-1"]


def test_put_back_for_longer_than_a_day_is_a_day(night: Night, waiting: DreamRecord) -> None:
    """What lies further ahead would look like a clock that was set back."""
    back = put_back(night, taken(night, waiting), "no money", not_before_ms=night.now_ms() + 100 * HOUR_MS)

    assert back.next_attempt_ms == night.now_ms() + 24 * HOUR_MS
    assert ready(night) == []


def test_d58_a_killed_runs_lease_ends_and_the_next_takes_over(
    night: Night, waiting: DreamRecord, clock: FakeClock
) -> None:
    """While it lives nobody else has it; when it is silent for too long, the next run does, and it counts as tried."""
    taken(night, waiting)
    clock.advance(timedelta(minutes=9))
    assert claim(night, "run-2", waiting) is None
    heartbeat(night, "run-1")
    clock.advance(timedelta(minutes=9))
    assert claim(night, "run-2", waiting) is None
    clock.advance(timedelta(minutes=1))

    second = taken(night, records(night, "s-1")[0], "run-2")

    assert (second.run, second.attempts) == ("run-2", 1)


def test_d58_whoever_lost_a_lease_writes_nothing(night: Night, waiting: DreamRecord, clock: FakeClock) -> None:
    """The run that was thought dead finds out at the end, and all it wrote in that transaction is taken back."""
    slow = taken(night, waiting)
    clock.advance(timedelta(minutes=10))
    second = taken(night, records(night, "s-1")[0], "run-2")

    def write_down() -> None:
        with night.ledger.writing(PROJECT) as write:
            event = write(Event(EventType.FINDING, "Tabs are used."))
            complete(night, slow, run="run-1", trigger=Trigger.MANUAL, artifacts=(event.id,))

    with pytest.raises(NotFree, match="nothing of this one was written"):
        write_down()
    heartbeat(night, "run-1")

    assert fail(night, slow, "too late") == put_back(night, slow, "too late") == second
    assert night.store.events.count(OWNER) == 0
    assert records(night, "s-1") == [second]


def test_r9_who_holds_the_run_lock_need_not_wait_for_leases(night: Night, waiting: DreamRecord) -> None:
    """Nobody else can be alive then, so what a killed run had is read at once; what was completed stays so."""
    add_session(night, "s-2", "Use spaces.")
    done = taken(night, record_completion(night, "s-2"))
    done = complete(night, done, run="run-1", trigger=Trigger.MANUAL, artifacts=())
    taken(night, waiting)
    assert ready(night) == []

    take_over(night)

    assert ready(night) == ["s-1"]
    assert taken(night, waiting, "run-2").attempts == 1
    assert records(night, "s-2") == [done]


def test_a_slow_run_that_nobody_replaced_may_finish(night: Night, waiting: DreamRecord, clock: FakeClock) -> None:
    """A lease that ended is still its own as long as nobody took it."""
    slow = taken(night, waiting)
    clock.advance(timedelta(hours=2))

    assert complete(night, slow, run="run-1", trigger=Trigger.MANUAL, artifacts=()).status is DreamStatus.COMPLETED


def test_a_session_forgotten_while_it_is_read_leaves_nothing(night: Night, waiting: DreamRecord) -> None:
    """What was read of it must not be written; that there was nothing may be."""
    running = taken(night, waiting)
    night.store.dreams.remove(night.owner, "s-1")

    with pytest.raises(NotFree, match="s-1 was forgotten while it was read"):
        complete(night, running, run="run-1", trigger=Trigger.MANUAL, artifacts=("e-1",))
    assert fail(night, running, "gone") == running
    assert records(night, "s-1") == []


def test_c5_runs_that_die_without_a_word_are_bounded_too(night: Night, waiting: DreamRecord, clock: FakeClock) -> None:
    """A session that kills whoever reads it is left after `max_attempts`, until somebody asks."""
    tries = 0
    while ready(night):
        taken(night, records(night, "s-1")[0], f"run-{tries}")
        tries += 1
        clock.advance(timedelta(minutes=10))

    assert tries == night.settings.max_attempts + 1
    assert ready(night, is_asked=True) == ["s-1"]
    done = complete(night, taken(night, records(night, "s-1")[0]), run="run-9", trigger=Trigger.MANUAL, artifacts=())
    assert not done.is_held


def test_d26_d58_killed_between_journal_and_tables_it_is_not_read_again(
    night: Night, waiting: DreamRecord, clock: FakeClock
) -> None:
    """If the journal says what the killed run wrote of the session, the next run finds it completed."""
    taken(night, waiting)
    mark = write_mark(night, waiting, "run-1", "e-1")
    night.store.dreams.save_answer(night.owner, "s-1", "part-1", "{}")
    clock.advance(timedelta(minutes=10))

    assert claim(night, "run-2", records(night, "s-1")[0]) is None

    (healed,) = records(night, "s-1")
    assert (healed.status, healed.run, healed.artifacts) == (DreamStatus.COMPLETED, "run-1", ("e-1", mark))
    assert night.store.dreams.answer(night.owner, "s-1", "part-1") is None
    assert ready(night, is_asked=True) == []


def test_d26_d58_lines_that_the_tables_have_not_read_count_too(
    night: Night, waiting: DreamRecord, clock: FakeClock, home: Path
) -> None:
    """After a kill the lines are in the journal alone; who takes over reads them first, whatever they knew before."""
    taken(night, waiting)
    write_mark(night, waiting, "run-1", "e-1")
    for table in ("events", "journals"):
        damage(home, f"delete from {table}")
    clock.advance(timedelta(minutes=10))

    assert claim(night, "run-2", waiting) is None
    assert records(night, "s-1")[0].status is DreamStatus.COMPLETED


def test_d26_d58_another_runs_line_does_not_complete_it(night: Night, waiting: DreamRecord, clock: FakeClock) -> None:
    """What was read, taken back and is read again is not completed by the line of the first time."""
    write_mark(night, waiting, "run-0", "e-1")
    undone = Event(EventType.STATUS, project=PROJECT, meta={"bookkeeping": True, "dream": {"undo": "run-0"}})
    night.ledger.record(undone)
    taken(night, waiting, "run-1")
    clock.advance(timedelta(minutes=10))

    assert dreamt(night)["s-1", 1].is_held
    assert taken(night, records(night, "s-1")[0], "run-2").run == "run-2"


def test_of_threads_that_claim_at_once_one_wins(night: Night, waiting: DreamRecord, home: Path) -> None:
    """Only one run reads a completion."""
    barrier = Barrier(RIVALS)

    def rival(number: int) -> DreamRecord | None:
        with open_night(home, FakeClock()) as own:
            barrier.wait()
            return claim(own, f"run-{number}", waiting)

    with ThreadPoolExecutor(RIVALS) as pool:
        winners = [won for won in pool.map(rival, range(RIVALS)) if won is not None]

    assert records(night, "s-1") == winners


def test_c5_r9_a_process_killed_while_it_reads_keeps_nobody_out(
    night: Night, waiting: DreamRecord, home: Path, clock: FakeClock
) -> None:
    """After SIGKILL the session is running for as long as its lease, and free then."""
    killed = subprocess.run([sys.executable, "-c", CLAIMING, str(home), where(home), OWNER], check=False)
    assert killed.returncode == -9
    assert records(night, "s-1")[0].status is DreamStatus.RUNNING
    assert ready(night) == []

    clock.advance(timedelta(minutes=10))

    assert ready(night) == ["s-1"]
    assert taken(night, waiting, "run-2").run == "run-2"


def test_d14_sessions_are_read_in_the_order_in_which_they_went_on(night: Night) -> None:
    """The oldest conversation first, then by id: what was said later must be able to replace what was said earlier."""
    for name, age in (("b", 1), ("a", 1), ("c", 3), ("d", 2)):
        add_session(night, name, "Use tabs.", ts_ms=night.now_ms() - age * HOUR_MS)
        record_completion(night, name)

    assert ready(night) == ["c", "d", "a", "b"]
