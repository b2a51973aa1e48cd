"""What the journals say was dreamt of, and which messages nobody has completed."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from noctuary.authored import Event, EventType
from noctuary.dream.life.completing import end_session, record_completion
from noctuary.dream.life.dreamt import dreamt, not_covered
from noctuary.dream.life.leasing import claim, complete
from noctuary.dream.night import Night
from noctuary.dream.run import dream
from noctuary.dreams import DreamRecord, DreamStatus, RunStatus, Trigger
from noctuary.store.dreams import StoredRun
from tests.unit.dream.nights import OWNER, PROJECT, add_session, damage, records, write_mark
from tests.unit.dream.reading_by_script import Verbatim


def test_each_line_is_a_completion_that_was_read(night: Night) -> None:
    """A line says which messages of which session a run read, when, and what came of it."""
    record = DreamRecord("s-1", 2, DreamStatus.RUNNING, Trigger.MANUAL, 3, 7, 0)
    mark = write_mark(night, record, "run-1", "e-1", "e-2", project="")

    (found,) = dreamt(night).values()

    assert (found.session, found.epoch, found.first_id, found.last_id) == ("s-1", 2, 3, 7)
    assert (found.status, found.run, found.artifacts) == (DreamStatus.COMPLETED, "run-1", ("e-1", "e-2", mark))
    assert found.recorded_ms == found.completed_ms == found.last_attempt_ms == night.now_ms()


def test_d26_one_lost_completion_is_found_by_the_session_of_its_line(night: Night, home: Path) -> None:
    """If the line says whose it is, recording finds it although the other sessions are all known."""
    for name in ("a", "b"):
        add_session(night, name, "Use tabs.")
        record_completion(night, name)
        claimed = claim(night, "run-1", records(night, name)[0])
        assert claimed is not None
        complete(night, claimed, run="run-1", trigger=Trigger.MANUAL, artifacts=())
        read: dict[str, object] = {"session": name, "epoch": 1, "first": 1, "last": 1, "run": "run-1", "events": []}
        meta = {"bookkeeping": True, "dream": read}
        night.ledger.record(Event(EventType.STATUS, project=PROJECT, session=name, meta=meta))
    damage(home, "delete from dream_sessions where session = 'b'")

    assert record_completion(night, "b").status is DreamStatus.COMPLETED


def test_d26_what_a_run_writes_names_its_session(night: Night, home: Path) -> None:
    """One lost record heals when its session is recorded again, and the task of the session is what it was."""
    for name in ("a", "b"):
        add_session(night, name, f"Always use tabs in {name}.")
        end_session(night, name)
    dream(night, Verbatim(), trigger=Trigger.MANUAL)
    (read,) = records(night, "b")
    damage(home, "delete from dream_sessions where session = 'b'")

    healed = record_completion(night, "b")

    assert (healed.status, healed.artifacts, healed.run) == (DreamStatus.COMPLETED, read.artifacts, read.run)
    assert night.store.events.task_of_session(OWNER, "b") is None
    assert dream(night, Verbatim(), trigger=Trigger.MANUAL).considered == 0


def test_a_run_that_was_undone_is_known_by_its_status_too(night: Night) -> None:
    """Whether the journal or the list of runs says it: what was taken back was not read."""
    write_mark(night, DreamRecord("s-1", 1, DreamStatus.RUNNING, Trigger.MANUAL, 1, 2, 0), "run-1")
    night.store.dreams.save_run(OWNER, StoredRun("run-1", RunStatus.UNDONE, "manual", 1, 2, None))

    assert dreamt(night)["s-1", 1].is_held


spans = st.tuples(st.integers(1, 12), st.integers(0, 5)).map(lambda pair: (pair[0], pair[0] + pair[1] - 1))


@given(given_spans=st.lists(spans, max_size=5), until_id=st.integers(0, 15))
def test_what_is_not_covered_is_covered_then_and_nothing_twice(
    given_spans: list[tuple[int, int]], until_id: int
) -> None:
    """Whatever the completions there are cover, together with the new ones it is every message, each new one once."""
    have = [
        DreamRecord("s-1", epoch, DreamStatus.COMPLETED, Trigger.MANUAL, first, last, 0)
        for epoch, (first, last) in enumerate(given_spans, 1)
    ]

    made = not_covered("s-1", have, until_id, now_ms=5)

    before = {message for one in have for message in range(one.first_id, one.last_id + 1)}
    after = [message for one in made for message in range(one.first_id, one.last_id + 1)]
    wanted = set(range(1, max([until_id, *(one.first_id - 1 for one in have)]) + 1))
    assert sorted(after) == sorted(wanted - before)
    assert {one.status for one in made} <= {DreamStatus.PENDING}
    epochs = [one.epoch for one in (*have, *made)]
    assert sorted(epochs) == list(range(1, len(epochs) + 1))
