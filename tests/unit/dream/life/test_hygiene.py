"""What nobody does by hand: what was left is closed and recorded, and nothing that was said is lost."""

from datetime import timedelta
from pathlib import Path
from time import sleep

import pytest

from noctuary.dream.life.completing import end_session, record_completion, suspend_session
from noctuary.dream.life.healing import heal
from noctuary.dream.life.hygiene import Tidied, tidy
from noctuary.dream.night import Night
from noctuary.dream_settings import dream_settings
from noctuary.dreams import DreamStatus, Trigger
from noctuary.records import Status
from noctuary.store.dreams import DreamState, StoredRun
from noctuary.store.requests import KEPT_CHANGES, Mark
from noctuary.testing import FakeClock
from tests.unit.dream.nights import add_messages, add_session, damage, records, stored

DAY_MS = 86_400_000


def test_d67_idle_sessions_are_closed_now_and_recorded(night: Night, clock: FakeClock) -> None:
    """Ended is when it was closed, not when somebody spoke last; and it waits for a dream like any other."""
    add_session(night, "old", "Use tabs.", "Done.")
    clock.advance(timedelta(hours=24, seconds=1))
    add_session(night, "new", "Use tabs.")

    tidied = tidy(night)

    assert tidied == Tidied(is_due=True, closed=["old"], recorded=["old"])
    assert (stored(night, "old").status, stored(night, "old").ended_ms) == (Status.ENDED, night.now_ms())
    (record,) = records(night, "old")
    assert (record.status, record.trigger, record.last_id) == (DreamStatus.PENDING, Trigger.SESSION_COUNT, 2)
    assert (stored(night, "new").status, records(night, "new")) == (Status.ACTIVE, [])


def test_what_is_forced_and_finds_nothing_to_close_takes_no_turn(night: Night, clock: FakeClock) -> None:
    """Workers of a team ask all the time; what is due only by time is left for its time."""
    assert tidy(night).is_due
    before = night.store.dreams.state(night.owner)
    clock.advance(timedelta(hours=1))
    add_session(night, "new", "Use tabs.")

    assert not tidy(night, is_forced=True).closed
    assert night.store.dreams.state(night.owner) == before


def test_d68_c18_only_active_sessions_are_closed(night: Night, clock: FakeClock) -> None:
    """A suspended session is never closed, an ended one keeps its time."""
    add_session(night, "suspended", "Use tabs.")
    suspend_session(night, "suspended")
    add_session(night, "ended", "Use tabs.")
    end_session(night, "ended")
    ended_ms = night.now_ms()
    clock.advance(timedelta(days=500))

    assert tidy(night).closed == []
    assert stored(night, "suspended").status is Status.SUSPENDED
    assert records(night, "suspended") == []
    assert stored(night, "ended").ended_ms == ended_ms


def test_d65_d68_it_is_done_every_twelve_hours(night: Night, clock: FakeClock) -> None:
    """The first time at once; then not before half a day is over, unless somebody forces it."""
    assert tidy(night).is_due
    add_session(night, "old", "Use tabs.", ts_ms=night.now_ms() - 2 * DAY_MS)
    clock.advance(timedelta(hours=11, minutes=59))
    before = (night.store.dreams.state(night.owner), stored(night, "old"))

    assert tidy(night) == Tidied(is_due=False)
    assert (night.store.dreams.state(night.owner), stored(night, "old")) == before
    clock.advance(timedelta(minutes=1))
    assert tidy(night).closed == ["old"]
    add_session(night, "older", "Use tabs.", ts_ms=night.now_ms() - 2 * DAY_MS)
    assert tidy(night, is_forced=True).closed == ["older"]


def test_c22_d65_a_clock_set_back_does_not_stop_it(night: Night, clock: FakeClock) -> None:
    """A last time in the future tells nothing, so it is done."""
    clock.advance(timedelta(days=900))
    tidy(night)
    clock.advance(timedelta(days=-900))

    assert tidy(night).is_due
    assert not tidy(night).is_due


def test_r14_c18_how_long_and_how_often_are_settings(night: Night, clock: FakeClock) -> None:
    """Idle for an hour, looked for every minute, if the configuration says so."""
    given = dream_settings({"idle_hours": 1, "hygiene_hours": 0.01})
    quick = night._replace(settings=given)
    add_session(night, "s-1", "Use tabs.")
    assert tidy(quick).closed == []
    clock.advance(timedelta(minutes=59))
    assert tidy(quick).closed == []
    clock.advance(timedelta(minutes=2))

    assert tidy(quick).closed == ["s-1"]


@pytest.mark.of_files
def test_r16_r25_one_failure_does_not_stop_the_rest(night: Night, home: Path, clock: FakeClock) -> None:
    """All idle sessions are closed, all but one recorded, the failure names its session, and the pass is finished."""
    for name in ("a", "b", "c"):
        add_session(night, name, "Use tabs.")
    record_completion(night, "b")
    add_messages(night, "b", "Done.")
    damage(home, "update dream_sessions set epoch = 'one'")
    clock.advance(timedelta(days=2))

    tidied = tidy(night)

    assert sorted(tidied.closed) == ["a", "b", "c"]
    assert sorted(tidied.recorded) == ["a", "c"]
    assert [failure.session for failure in tidied.failures] == ["b"]
    assert "epoch is 'one'" in tidied.failures[0].why
    assert not tidy(night).is_due


def test_r18_what_was_closed_but_not_recorded_is_found_later(night: Night, home: Path, clock: FakeClock) -> None:
    """When what stood in the way is gone, the next pass records it."""
    add_session(night, "b", "Use tabs.")
    record_completion(night, "b")
    add_messages(night, "b", "Done.")
    damage(home, "update dream_sessions set status = ''")
    clock.advance(timedelta(days=2))
    assert tidy(night).recorded == []
    heal(night)

    tidied = tidy(night, is_forced=True)

    assert (tidied.closed, tidied.recorded) == ([], ["b"])
    assert [(one.first_id, one.last_id) for one in records(night, "b")] == [(1, 1), (2, 2)]


def test_r17_exactly_those_that_are_closed_are_told(night: Night, clock: FakeClock) -> None:
    """A session that was active again before it could be closed is neither closed nor told."""
    add_session(night, "a", "Use tabs.")
    add_session(night, "b", "Use tabs.")
    clock.advance(timedelta(days=2))
    add_messages(night, "b", "Are you there?")

    assert tidy(night).closed == ["a"]
    assert [stored(night, name).status for name in ("a", "b")] == [Status.ENDED, Status.ACTIVE]


def test_changes_that_nobody_listened_to_are_not_kept_for_ever(night: Night, clock: FakeClock) -> None:
    """The last ten thousand are, whether or not there is a server that somebody listens to."""
    database = night.store.database
    add_session(night, "a", "Use tabs.")
    database.run_many("tell_of_event", [(night.owner, "/shop", f"e{number}", "finding") for number in range(10_005)])
    for _ in range(3_000):  # on a server a change is told when nobody writes who began before it, other tests too
        if night.store.requests.last_mark(night.owner).no > KEPT_CHANGES:
            break
        sleep(0.01)
    clock.advance(timedelta(days=2))

    tidy(night)

    kept = night.store.requests.changes_after(night.owner, Mark(), 20_000)
    assert len(kept) <= KEPT_CHANGES + 1  # that the session was closed is told, too
    assert night.store.requests.last_mark(night.owner).no > KEPT_CHANGES


def test_d66_old_reports_are_dropped_and_no_conversation_is(night: Night, clock: FakeClock) -> None:
    """After a year a report goes; the last one stays, and every message does."""
    for day in range(3):
        started_ms = night.now_ms()
        night.store.dreams.save_run(
            night.owner, StoredRun(f"run-{day}", "completed", "manual", started_ms, started_ms, None)
        )
        clock.advance(timedelta(days=200))
    add_session(night, "s-1", "Use tabs.", ts_ms=1)

    assert tidy(night).removed_reports == 2
    assert [run.id for run in night.store.dreams.runs(night.owner)] == ["run-2"]
    clock.advance(timedelta(days=4000))
    assert tidy(night).removed_reports == 0
    assert stored(night, "s-1").message_count == 1


def test_d66_reports_can_be_kept_for_ever(night: Night, clock: FakeClock) -> None:
    """Zero days mean no end."""
    for number in range(3):
        night.store.dreams.save_run(night.owner, StoredRun(f"run-{number}", "completed", "manual", 1, 1, None))
    keeping = night._replace(settings=dream_settings({"keep_reports_days": 0}))

    assert tidy(keeping).removed_reports == 0
    assert len(night.store.dreams.runs(night.owner)) == 3


def test_hygiene_changes_nothing_else_of_the_state(night: Night) -> None:
    """When the last dream was, and that somebody asked for one, stays known."""
    night.store.dreams.save_state(night.owner, DreamState(last_success_ms=5, follow_up=True))

    tidy(night)

    assert night.store.dreams.state(night.owner) == DreamState(5, night.now_ms(), follow_up=True)


def test_sessions_without_messages_are_closed_without_a_word(night: Night, clock: FakeClock) -> None:
    """There is nothing to dream of, and nothing failed."""
    add_session(night, "empty")
    clock.advance(timedelta(days=2))

    tidied = tidy(night)

    assert (tidied.closed, tidied.failures) == (["empty"], ())
    assert records(night, "empty")[0].status is DreamStatus.COMPLETED
