"""Whether a dream would read a session now: one answer for each state, and asking changes nothing."""

from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.dream.life.completing import end_session, record_completion
from noctuary.dream.life.eligibility import eligibility
from noctuary.dream.life.leasing import claim, complete, fail, heartbeat, put_back
from noctuary.dream.night import Night
from noctuary.dreams import DreamRecord, Eligibility, Trigger
from noctuary.errors import SessionNotFound, StoreDamaged
from noctuary.testing import FakeClock
from tests.unit.dream.nights import add_messages, add_session, damage, records


def claimed(night: Night, session_id: str = "s-1", run: str = "run-1") -> DreamRecord:
    found = claim(night, run, records(night, session_id)[-1])
    assert found is not None
    return found


def test_d15_d16_a_session_nobody_completed_is_not_read(night: Night) -> None:
    """Messages alone complete nothing, however many there are."""
    add_session(night, "s-1", *["Use tabs."] * 40)

    assert eligibility(night, "s-1") is Eligibility.NOT_COMPLETED
    assert night.store.dreams.waiting(night.owner, night.now_ms(), is_asked=True) == []


def test_d15_each_state_has_its_answer(night: Night) -> None:
    """Pending is eligible, running busy, put back eligible again, completed consolidated."""
    add_session(night, "s-1", "Use tabs.")
    end_session(night, "s-1")
    seen = [eligibility(night, "s-1")]
    record = claimed(night)
    seen.append(eligibility(night, "s-1"))
    put_back(night, record, "interrupted")
    seen.append(eligibility(night, "s-1"))
    complete(night, claimed(night), run="run-1", trigger=Trigger.MANUAL, artifacts=())
    seen.append(eligibility(night, "s-1"))

    assert seen == [
        Eligibility.ELIGIBLE,
        Eligibility.BUSY,
        Eligibility.ELIGIBLE,
        Eligibility.ALREADY_CONSOLIDATED,
    ]


def test_r5_a_failed_session_is_told_from_a_fresh_one(night: Night) -> None:
    """What failed is to be tried again, which is not the same as never tried."""
    add_session(night, "s-1", "Use tabs.")
    end_session(night, "s-1")

    fail(night, claimed(night), "the model did not answer")

    assert eligibility(night, "s-1") is Eligibility.RETRY_AFTER_FAILURE


def test_d17_busy_lasts_as_long_as_the_lease(night: Night, clock: FakeClock) -> None:
    """Who runs is left alone while they show that they are alive; then the session is free."""
    add_session(night, "s-1", "Use tabs.")
    end_session(night, "s-1")
    claimed(night)

    clock.advance(timedelta(minutes=9))
    assert eligibility(night, "s-1") is Eligibility.BUSY
    heartbeat(night, "run-1")
    clock.advance(timedelta(minutes=9))
    assert eligibility(night, "s-1") is Eligibility.BUSY
    clock.advance(timedelta(minutes=1))
    assert eligibility(night, "s-1") is Eligibility.ELIGIBLE


def test_c22_a_lease_of_before_the_clock_was_set_back_has_ended(night: Night, clock: FakeClock) -> None:
    """A lease that would last for a year was not given by the present clock."""
    add_session(night, "s-1", "Use tabs.")
    end_session(night, "s-1")
    claimed(night)

    clock.advance(timedelta(days=-365))

    assert eligibility(night, "s-1") is Eligibility.ELIGIBLE
    assert len(night.store.dreams.waiting(night.owner, night.now_ms(), is_asked=False)) == 1


def test_d24_c17_consolidated_until_something_new_is_said(night: Night) -> None:
    """After a dream nothing is left to read; new messages have to be completed first."""
    add_session(night, "s-1", "Use tabs.")
    end_session(night, "s-1")
    complete(night, claimed(night), run="run-1", trigger=Trigger.MANUAL, artifacts=())

    end_session(night, "s-1")
    assert eligibility(night, "s-1") is Eligibility.ALREADY_CONSOLIDATED
    add_messages(night, "s-1", "No, spaces.")
    assert eligibility(night, "s-1") is Eligibility.NOT_COMPLETED
    record_completion(night, "s-1")
    assert eligibility(night, "s-1") is Eligibility.ELIGIBLE


def test_of_several_epochs_the_first_unread_one_counts(night: Night) -> None:
    """A failure of the first part is not hidden by a second part that waits."""
    add_session(night, "s-1", "Use tabs.")
    record_completion(night, "s-1")
    fail(night, claimed(night), "the model did not answer")
    add_messages(night, "s-1", "No, spaces.")
    record_completion(night, "s-1")

    assert eligibility(night, "s-1") is Eligibility.RETRY_AFTER_FAILURE
    claimed(night)
    assert eligibility(night, "s-1") is Eligibility.BUSY


@pytest.mark.of_files
def test_d15_asking_changes_nothing(night: Night) -> None:
    """The same question has the same answer, and the database is what it was."""
    add_session(night, "s-1", "Use tabs.")
    end_session(night, "s-1")
    before = night.store.changes()

    assert [eligibility(night, "s-1") for _ in range(3)] == [Eligibility.ELIGIBLE] * 3
    assert night.store.changes() == before


def test_d59_r1_state_that_cannot_be_read_is_no_answer(night: Night, home: Path) -> None:
    """A damaged record is an error that names the session and what to do, never `not completed`."""
    add_session(night, "s-1", "Use tabs.")
    end_session(night, "s-1")
    damage(home, "update dream_sessions set status = 'complet'")

    with pytest.raises(StoreDamaged, match=r"session 's-1' cannot be read \('complet' .*`noctuary dream heal`"):
        eligibility(night, "s-1")


def test_a_session_nobody_knows_has_no_state(night: Night) -> None:
    """A mistyped name is said to be one."""
    with pytest.raises(SessionNotFound, match="no session 's-2'"):
        eligibility(night, "s-2")
