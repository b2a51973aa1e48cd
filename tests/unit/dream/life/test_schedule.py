"""When a dream is due: enough sessions wait, or some have waited long enough, whoever looks."""

from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.dream.life.completing import record_completion
from noctuary.dream.life.leasing import claim, complete, fail, put_back
from noctuary.dream.life.schedule import due, waiting_count
from noctuary.dream.night import Night
from noctuary.dream.run import Wanted, dream
from noctuary.dream_settings import DreamSettings, dream_settings
from noctuary.dreams import DreamRecord, Trigger
from noctuary.errors import BadSettings
from noctuary.store.dreams import DreamState
from noctuary.testing import FakeClock
from tests.unit.dream.nights import add_messages, add_session, open_night, records
from tests.unit.dream.reading_by_script import Verbatim


def wait(night: Night, *names: str) -> None:
    """These sessions complete now."""
    for name in names:
        add_session(night, name, "Use tabs.")
        record_completion(night, name)


def succeeded(night: Night) -> None:
    """A dream has just ended well."""
    night.store.dreams.save_state(night.owner, DreamState(last_success_ms=night.now_ms()))


def claimed(night: Night, session_id: str) -> DreamRecord:
    found = claim(night, "run-1", records(night, session_id)[-1])
    assert found is not None
    return found


def test_d30_d32_five_sessions_make_a_dream_due(night: Night) -> None:
    """By default it is the fifth session, even if the last dream has just been."""
    succeeded(night)
    wait(night, "a", "b", "c", "d")
    assert due(night) is None

    wait(night, "e")

    assert due(night) is Trigger.SESSION_COUNT
    assert waiting_count(night) == 5
    assert (DreamSettings().session_count, DreamSettings().time_hours) == (5, 24)


def test_d32_a_day_after_the_last_dream_one_session_is_enough(night: Night, clock: FakeClock) -> None:
    """Not an hour before the day is over; and the count wins over the time."""
    succeeded(night)
    wait(night, "a")
    clock.advance(timedelta(hours=23, minutes=59))
    assert due(night) is None

    clock.advance(timedelta(minutes=1))

    assert due(night) is Trigger.TIME_ELAPSED
    wait(night, "b", "c", "d", "e")
    assert due(night) is Trigger.SESSION_COUNT


def test_a_dream_that_had_nothing_to_do_makes_nobody_wait(night: Night, clock: FakeClock) -> None:
    """Whoever asks for a dream of nothing does not put off the next: the clock of the last one goes on."""
    wait(night, "a")
    dream(night, Verbatim(), trigger=Trigger.MANUAL)
    clock.advance(timedelta(hours=23))
    assert dream(night, Verbatim(), trigger=Trigger.MANUAL).processed == 0
    wait(night, "b")
    assert due(night) is None

    clock.advance(timedelta(hours=1))

    assert due(night) is Trigger.TIME_ELAPSED


def test_what_the_last_dream_did_not_read_waits_no_longer_for_it(night: Night, clock: FakeClock) -> None:
    """Dreams over other sessions, however many, do not put off one that has waited for a day."""
    wait(night, "a")
    for name in ("b", "c"):
        assert due(night) is None
        clock.advance(timedelta(hours=12))
        wait(night, name)
        assert dream(night, Verbatim(), trigger=Trigger.MANUAL, wanted=Wanted(sessions=(name,))).processed == 1

    assert due(night) is Trigger.TIME_ELAPSED


def test_c8_the_first_session_ever_does_not_fire_at_once(night: Night, clock: FakeClock) -> None:
    """Without a dream before, a day counts from the first completion."""
    wait(night, "a")
    assert due(night) is None
    clock.advance(timedelta(hours=20))
    wait(night, "b")
    assert due(night) is None

    clock.advance(timedelta(hours=4))

    assert due(night) is Trigger.TIME_ELAPSED


def test_d33_nothing_waits_nothing_is_due(night: Night, clock: FakeClock) -> None:
    """However long ago the last dream was, and whoever talks meanwhile."""
    succeeded(night)
    wait(night, "a")
    complete(night, claimed(night, "a"), run="run-1", trigger=Trigger.MANUAL, artifacts=())
    add_session(night, "b", "Use tabs.")
    clock.advance(timedelta(days=400))

    assert due(night) is None
    assert waiting_count(night) == 0


def test_r6_epochs_of_one_session_count_as_one(night: Night) -> None:
    """A session that ends and goes on five times is not five sessions."""
    succeeded(night)
    wait(night, "a")
    for _ in range(5):
        add_messages(night, "a", "And then?")
        record_completion(night, "a")

    assert due(night) is None
    assert waiting_count(night) == 1


def test_d35_every_process_judges_alike(night: Night, home: Path) -> None:
    """What is due is read from what is stored: another process, just started, says the same."""
    wait(night, "a", "b", "c", "d", "e")

    with open_night(home, FakeClock()) as other:
        assert due(other) is due(night) is Trigger.SESSION_COUNT
        wait(other, "f")
    assert waiting_count(night) == 6


def test_r14_settings_are_honoured(night: Night, clock: FakeClock) -> None:
    """Two sessions or half an hour, if the configuration says so."""
    given = dream_settings({"session_count": 2, "time_hours": 0.5})
    quick = night._replace(settings=given)
    wait(quick, "a")
    assert due(quick) is None
    clock.advance(timedelta(minutes=30))
    assert (due(quick), due(night)) == (Trigger.TIME_ELAPSED, None)

    wait(quick, "b")

    assert (due(quick), due(night)) == (Trigger.SESSION_COUNT, None)


@pytest.mark.parametrize("name", ["session_count", "time_hours", "idle_hours", "hygiene_hours"])
@pytest.mark.parametrize("value", [0, -1])
def test_d31_r15_thresholds_of_nothing_are_refused(name: str, value: int) -> None:
    """A threshold that would always be reached is an error that names it."""
    with pytest.raises(BadSettings, match=f"dream.{name} must be greater than zero"):
        dream_settings({name: value})


def test_d7_switched_off_nothing_is_due_but_sessions_complete(night: Night, clock: FakeClock) -> None:
    """Without dreams sessions end as ever, and wait for when somebody asks."""
    off = night._replace(settings=dream_settings({"enabled": False}))
    wait(off, "a", "b", "c", "d", "e", "f")
    clock.advance(timedelta(days=3))

    assert due(off) is None
    assert waiting_count(off) == 6
    assert len(night.store.dreams.waiting(night.owner, night.now_ms(), is_asked=True)) == 6


def test_c22_a_clock_set_back_makes_a_dream_due_and_not_impossible(night: Night, clock: FakeClock) -> None:
    """A last dream in the future was long ago; the next one sets it right."""
    clock.advance(timedelta(days=1000))
    succeeded(night)
    clock.advance(timedelta(days=-1000))
    wait(night, "a")

    assert due(night) is Trigger.TIME_ELAPSED
    succeeded(night)
    assert due(night) is None


def test_d32_d57_what_failed_counts_when_its_time_has_come(night: Night, clock: FakeClock) -> None:
    """A failure waits, and makes nothing due meanwhile; then it counts like any other."""
    only_one = night._replace(settings=night.settings._replace(session_count=1))
    wait(night, "a")
    fail(night, claimed(night, "a"), "the model did not answer")
    assert due(only_one) is None
    assert waiting_count(night) == 1

    clock.advance(timedelta(minutes=5))

    assert due(only_one) is Trigger.SESSION_COUNT


def test_c22_a_failure_of_before_the_clock_was_set_back_is_tried_again(night: Night, clock: FakeClock) -> None:
    """Nothing waits for longer than a day."""
    only_one = night._replace(settings=night.settings._replace(session_count=1))
    wait(night, "a")
    fail(night, claimed(night, "a"), "the model did not answer")

    clock.advance(timedelta(days=-30))

    assert due(only_one) is Trigger.SESSION_COUNT
    assert len(night.store.dreams.waiting(night.owner, night.now_ms(), is_asked=False)) == 1


def test_c5_what_a_killed_run_left_waits_when_its_lease_has_ended(night: Night, clock: FakeClock) -> None:
    """A session that is being read does not wait; one whose reader is silent does."""
    only_one = night._replace(settings=night.settings._replace(session_count=1))
    wait(night, "a")
    claimed(night, "a")
    assert (due(only_one), waiting_count(night)) == (None, 0)

    clock.advance(timedelta(minutes=10))

    assert (due(only_one), waiting_count(night)) == (Trigger.SESSION_COUNT, 1)


def test_what_is_held_makes_nothing_due(night: Night, clock: FakeClock) -> None:
    """What was taken back waits only for somebody to ask."""
    wait(night, "a")
    night.store.dreams.save(night.owner, [records(night, "a")[0]._replace(is_held=True)])
    clock.advance(timedelta(days=3))

    assert (due(night), waiting_count(night)) == (None, 0)
    assert len(night.store.dreams.waiting(night.owner, night.now_ms(), is_asked=True)) == 1


def test_what_was_put_back_can_wait_for_its_time(night: Night, clock: FakeClock) -> None:
    """A spent budget makes no dream due until there is money again."""
    only_one = night._replace(settings=night.settings._replace(session_count=1))
    wait(night, "a")
    tomorrow_ms = night.now_ms() + 12 * 3_600_000
    put_back(night, claimed(night, "a"), "the budget of today is spent", not_before_ms=tomorrow_ms)

    assert (due(only_one), waiting_count(night)) == (None, 1)
    clock.advance(timedelta(hours=12))
    assert due(only_one) is Trigger.SESSION_COUNT
