"""The state of dreams as a file: the same bytes for the same state, read as strictly as it is written."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.dream.life.completing import end_session, record_completion
from noctuary.dream.life.eligibility import eligibility
from noctuary.dream.life.leasing import claim, complete, fail
from noctuary.dream.life.state_file import read_state, restore_state, state_bytes
from noctuary.dream.night import Night
from noctuary.dream.reports import to_json
from noctuary.dreams import DreamRecord, DreamStatus, Eligibility, Report, RunStatus, Trigger
from noctuary.errors import BadInput, StoreDamaged
from noctuary.proposals import Spent
from noctuary.store.dreams import DreamState, StoredRun
from noctuary.testing import FakeClock
from tests.unit.dream.nights import OWNER, add_messages, add_session, damage, open_night, records

RUN = "01J0000000000000000000RUN1"
EMPTY: dict[str, Any] = {"version": 1, "state": DreamState()._asdict(), "sessions": [], "runs": [], "spending": []}


def stored_run(status: RunStatus = RunStatus.COMPLETED, run: str = RUN) -> StoredRun:
    report = Report(run=run, trigger=Trigger.MANUAL, status=status, started_ms=1, finished_ms=2)
    return StoredRun(run, status, Trigger.MANUAL, 1, 2, to_json(report))


def read_it(night: Night, session_id: str, run: str = RUN) -> DreamRecord:
    """A run reads what waits of a session."""
    claimed = claim(night, run, records(night, session_id)[-1])
    assert claimed is not None
    return complete(night, claimed, run=run, trigger=Trigger.MANUAL, artifacts=("e-1",))


def fill(night: Night) -> None:
    """Sessions of every status, a run, and what it cost."""
    for name in ("done", "failed", "running", "pending"):
        add_session(night, name, "Use tabs.", "Done.")
        end_session(night, name)
    read_it(night, "done")
    claimed = claim(night, RUN, records(night, "failed")[0])
    assert claimed is not None
    fail(night, claimed, "the model did not answer: „nein“")
    claim(night, RUN, records(night, "running")[0])
    dreams = night.store.dreams
    dreams.save_run(OWNER, stored_run())
    dreams.spend(OWNER, "2026-03-01", Spent(2, 300, 40, 0.125))
    dreams.save_state(OWNER, DreamState(night.now_ms(), night.now_ms() - 5, follow_up=True))


def answers(night: Night) -> dict[str, Eligibility]:
    return {name: eligibility(night, name) for name in ("done", "failed", "running", "pending")}


def test_d27_d69_snapshot_wipe_restore_gives_the_same_answers(night: Night, home: Path) -> None:
    """After all state is gone and put back, every session stands where it stood, and the bytes are the same."""
    fill(night)
    content, before = state_bytes(night.store, OWNER), answers(night)
    for table in ("dream_sessions", "dream_runs", "dream_state", "dream_spending"):
        damage(home, f"delete from {table}")
    damage(home, "update sessions set covered_id = 0")

    restored = restore_state(night, content)

    assert (restored.records, restored.runs, restored.is_skipped) == (4, 1, False)
    assert answers(night) == before
    assert state_bytes(night.store, OWNER) == content
    assert set(before.values()) == {*Eligibility} - {Eligibility.NOT_COMPLETED}
    assert end_session(night, "done").status is DreamStatus.COMPLETED  # so it is not read a second time
    assert night.store.dreams.unrecorded(OWNER, night.now_ms()) == []


def test_r23_the_same_state_is_the_same_bytes(night: Night, home: Path) -> None:
    """Whoever writes it and however it came to be; another owner's is another."""
    fill(night)

    with open_night(home, FakeClock()) as other, open_night(home, FakeClock(), owner="bo") as bo:
        assert state_bytes(other.store, OWNER) == state_bytes(night.store, OWNER)
        assert json.loads(state_bytes(bo.store, "bo")) == EMPTY


def test_c15_the_file_says_its_version(night: Night) -> None:
    """A newer one is refused with what to do."""
    fill(night)
    given = json.loads(state_bytes(night.store, OWNER))
    assert given["version"] == 1

    with pytest.raises(BadInput, match="written by a newer Noctuary"):
        read_state(json.dumps({**given, "version": 2}).encode())


def test_r24_reading_gives_what_was_read(night: Night) -> None:
    """What is parsed is given back, not only checked."""
    fill(night)

    state = read_state(state_bytes(night.store, OWNER))

    assert state.records == night.store.dreams.where(OWNER)
    assert state.runs == night.store.dreams.runs(OWNER)
    assert state.spending == {"2026-03-01": Spent(2, 300, 40, 0.125)}
    assert state.state == night.store.dreams.state(OWNER)


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in EMPTY.items() if key != name}


WRONG: dict[str, tuple[Any, str]] = {
    "no object": ([], "it is no object"),
    "a field is missing": (without("runs"), "too few: runs"),
    "a field nobody knows": ({**EMPTY, "more": 1}, "too many or too few: more"),
    "no version": ({**EMPTY, "version": "1"}, "its version is '1'"),
    "no list": ({**EMPTY, "sessions": {}}, "no list of sessions"),
    "times that are none": ({**EMPTY, "state": {**DreamState()._asdict(), "last_success_ms": "1"}}, "its state: "),
    "a negative time": ({**EMPTY, "state": {**DreamState()._asdict(), "last_hygiene_ms": -1}}, "its state: "),
    "no day": ({**EMPTY, "spending": [{"day": 5, **Spent()._asdict()}]}, "day 1: what was spent on 5"),
    "no number": ({**EMPTY, "spending": [{"day": "d", **Spent()._asdict(), "calls": 1.5}]}, "day 1: "),
    "half a character": ({**EMPTY, "spending": [{"day": "\ud800", **Spent()._asdict()}]}, "surrogates"),
}


@pytest.mark.parametrize("name", WRONG)
def test_c15_what_is_wrong_with_a_file_is_named(name: str) -> None:
    """BadInput, never a state that is a little different."""
    content, why = WRONG[name]

    with pytest.raises(BadInput, match=why):
        read_state(json.dumps(content).encode())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("status", "done"),
        ("trigger", ""),
        ("epoch", 0),
        ("epoch", True),
        ("first_id", 0),
        ("first_id", 4),
        ("last_id", 1 << 63),
        ("attempts", None),
        ("recorded_ms", "yesterday"),
        ("artifacts", "e-1"),
        ("artifacts", [1]),
        ("failure", 5),
        ("is_held", 2),
        ("session", None),
    ],
)
@pytest.mark.of_files
def test_c15_the_tables_and_the_file_are_read_equally_strictly(
    night: Night, home: Path, field: str, value: object
) -> None:
    """What the file is refused for, the tables are refused for, and the other way round."""
    add_session(night, "s-1", "Use tabs.", "Done.")
    record_completion(night, "s-1")
    given = json.loads(state_bytes(night.store, OWNER))
    given["sessions"][0][field] = value
    with pytest.raises(BadInput, match="session 1: "):
        read_state(json.dumps(given).encode())

    columns = {"is_held": "held", "trigger": '"trigger"'}
    kept = json.dumps(value) if isinstance(value, list) else value
    if value in (None, True, 1 << 63, 5):
        return  # the tables refuse it, or make something of it that can be read
    damage(home, f"update dream_sessions set {columns.get(field, field)} = ?", kept)

    with pytest.raises(StoreDamaged, match="noctuary dream heal"):
        state_bytes(night.store, OWNER)


def test_c15_a_report_that_cannot_be_shown_is_not_restored(night: Night) -> None:
    """A report that passes here can be read by whoever shows it."""
    run = stored_run()._replace(report='{"status": "completed"}')._asdict()

    with pytest.raises(BadInput, match=f"run 1: the report of run '{RUN}' cannot be read"):
        read_state(json.dumps({**EMPTY, "runs": [run]}).encode())
    with pytest.raises(BadInput, match="run 1: "):
        read_state(json.dumps({**EMPTY, "runs": [{**run, "report": 5}]}).encode())
    with pytest.raises(BadInput, match="run 1: 'ended'"):
        read_state(json.dumps({**EMPTY, "runs": [{**run, "report": None, "status": "ended"}]}).encode())
    with pytest.raises(BadInput, match=f"run 1: run '{RUN}' is from 'noon'"):
        read_state(json.dumps({**EMPTY, "runs": [{**run, "started_ms": "noon"}]}).encode())
    night.store.dreams.save_run(OWNER, stored_run()._replace(report="{"))
    with pytest.raises(StoreDamaged, match="the report of run"):
        state_bytes(night.store, OWNER)


def test_what_is_there_twice_is_refused(night: Night) -> None:
    """One completion has one record; and there is one order."""
    fill(night)
    given = json.loads(state_bytes(night.store, OWNER))
    given["sessions"].append(given["sessions"][-1])

    with pytest.raises(BadInput, match="sessions are not in order"):
        read_state(json.dumps(given).encode())


def test_a_file_that_is_refused_changes_nothing(night: Night) -> None:
    """A bad file is an error before anything is written, also if it was to replace what is newer."""
    fill(night)
    before = state_bytes(night.store, OWNER)

    for is_asked in (False, True):
        with pytest.raises(BadInput, match="Nothing was changed"):
            restore_state(night, before[:-20], over_newer=is_asked)
    assert state_bytes(night.store, OWNER) == before


def test_r21_d64_the_last_dream_and_its_report_are_restored_without_any_session(night: Night) -> None:
    """Zero records are no reason to drop the rest."""
    state = DreamState(last_success_ms=12, last_hygiene_ms=3)
    content = json.dumps({**EMPTY, "state": state._asdict(), "runs": [stored_run()._asdict()]}).encode()

    restored = restore_state(night, content)

    assert (restored.records, restored.runs, restored.is_skipped) == (0, 1, False)
    assert night.store.dreams.state(OWNER) == state
    assert night.store.dreams.runs(OWNER) == [stored_run()]


def test_c3_a_restore_never_replaces_what_is_newer(night: Night, clock: FakeClock) -> None:
    """What was read, failed or spent since the snapshot stays; the same file again does nothing."""
    fill(night)
    content = state_bytes(night.store, OWNER)
    clock.advance(timedelta(hours=1))
    read_it(night, "pending")
    night.store.dreams.spend(OWNER, "2026-03-01", Spent(1, 1, 1, 1.0))
    night.store.dreams.save_state(OWNER, DreamState(night.now_ms(), night.now_ms(), follow_up=True))
    newer = state_bytes(night.store, OWNER)

    restored = restore_state(night, content)

    assert (restored.records, restored.runs, restored.is_skipped) == (0, 0, True)
    assert "as new as the file, or newer" in restored.why
    assert state_bytes(night.store, OWNER) == newer


def test_asked_for_the_state_is_exactly_that_of_the_file(night: Night, clock: FakeClock) -> None:
    """What came later is gone, and what is not covered any more can be completed again."""
    fill(night)
    content = state_bytes(night.store, OWNER)
    read_it(night, "pending")
    add_session(night, "later", "Use spaces.")
    end_session(night, "later")

    restored = restore_state(night, content, over_newer=True)

    assert (restored.records, restored.is_skipped) == (4, False)
    assert state_bytes(night.store, OWNER) == content
    assert night.store.dreams.unrecorded(OWNER, night.now_ms()) == ["later"]


def test_asked_for_it_also_replaces_what_cannot_be_read(night: Night, home: Path) -> None:
    """A good file is a way out of damaged tables; unasked it is not taken."""
    fill(night)
    content = state_bytes(night.store, OWNER)
    damage(home, "update dream_sessions set status = 'x' where session = 'done'")

    with pytest.raises(StoreDamaged, match="'done'"):
        restore_state(night, content)
    restore_state(night, content, over_newer=True)
    assert state_bytes(night.store, OWNER) == content


def test_what_only_the_file_has_read_counts_as_read(night: Night, home: Path) -> None:
    """A database that is older than the file learns what was read, and does not read it again."""
    add_session(night, "s-1", "Use tabs.", "Done.")
    record_completion(night, "s-1")
    old = state_bytes(night.store, OWNER)
    done = read_it(night, "s-1")
    content = state_bytes(night.store, OWNER)
    restore_state(night, old, over_newer=True)
    assert records(night, "s-1")[0].status is DreamStatus.PENDING

    assert restore_state(night, content).records == 1
    assert records(night, "s-1") == [done]


def test_what_was_taken_back_since_stays_so(night: Night) -> None:
    """A session that is held because its run was undone is not completed by a file of before."""
    add_session(night, "s-1", "Use tabs.", "Done.")
    record_completion(night, "s-1")
    done = read_it(night, "s-1")
    content = state_bytes(night.store, OWNER)
    held = done._replace(status=DreamStatus.PENDING, run=None, artifacts=(), completed_ms=None, is_held=True)
    night.store.dreams.save(OWNER, [held])

    assert restore_state(night, content).is_skipped
    assert records(night, "s-1") == [held]


@pytest.mark.parametrize(
    ("live", "given", "expected"),
    [
        ("1-2", "1-2 3-4", "1-2 3-4"),  # the file knows more
        ("1-2 3-4", "1-2", "1-2 3-4"),
        ("1-2 3-5", "1-2 3-4r", "1-2 3-4r"),  # only the file has read it
        ("1-2 3-5r", "1-2 3-4r", "1-2 3-5r"),  # both have
        ("1-2 3-5", "1-2 3-4", "1-2 3-5"),  # nobody has
        ("", "1-2 3-4r", "1-2 3-4r"),
        ("1-2", "1-2r", "1-2r"),
        ("1-2r", "1-2", "1-2r"),
    ],
)
def test_no_message_is_in_two_after_a_restore(night: Night, live: str, given: str, expected: str) -> None:
    """Where the file and the tables cut a session differently, one of them counts from there on."""

    def made(text: str) -> list[DreamRecord]:
        return [
            DreamRecord(
                "s-1",
                epoch,
                DreamStatus.COMPLETED if span.endswith("r") else DreamStatus.PENDING,
                Trigger.SESSION_COUNT,
                int(span.split("-")[0]),
                int(span.split("-")[1].rstrip("r")),
                0,
            )
            for epoch, span in enumerate(text.split(), 1)
        ]

    add_session(night, "s-1", *["Use tabs."] * 5)
    night.store.dreams.save(OWNER, made(given))
    content = state_bytes(night.store, OWNER)
    night.store.dreams.remove(OWNER)
    night.store.dreams.save(OWNER, made(live))

    restore_state(night, content)

    assert records(night, "s-1") == made(expected)
    covered = night.store.dreams.span(OWNER, "s-1")
    assert covered is not None
    if made(live) != made(expected):
        assert covered.covered_id == made(expected)[-1].last_id


def test_a_file_of_more_messages_than_there_are_hides_none_that_come(night: Night) -> None:
    """A session that is shorter here than where the file was written is read on from its own end."""
    add_session(night, "s-1", *["Use tabs."] * 5)
    record_completion(night, "s-1")
    read_it(night, "s-1")
    content = json.loads(state_bytes(night.store, OWNER))
    content["sessions"][0]["last_id"] = 9
    restore_state(night, json.dumps(content).encode(), over_newer=True)
    add_messages(night, "s-1", "No, spaces.")

    record = record_completion(night, "s-1")

    assert (record.first_id, record.last_id) == (6, 6)


def test_runs_of_both_are_kept_and_the_end_of_one_wins(night: Night) -> None:
    """A run that was still going on in the tables has ended if the file says so."""
    other = stored_run(run="01J0000000000000000000RUN2")
    night.store.dreams.save_run(OWNER, stored_run(RunStatus.RUNNING))
    night.store.dreams.save_run(OWNER, other)
    content = json.dumps({**EMPTY, "runs": [stored_run()._asdict()]}).encode()

    assert restore_state(night, content).runs == 1
    assert night.store.dreams.runs(OWNER) == [other, stored_run()]


ids = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8)
numbers = st.integers(0, (1 << 63) - 1)
dream_records = st.builds(
    DreamRecord,
    session=ids,
    epoch=st.integers(1, 4),
    status=st.sampled_from(DreamStatus),
    trigger=st.sampled_from(Trigger),
    first_id=st.just(1),
    last_id=st.integers(0, 9),
    recorded_ms=numbers,
    attempts=numbers,
    next_attempt_ms=numbers,
    last_attempt_ms=st.none() | numbers,
    completed_ms=st.none() | numbers,
    lease_owner=st.none() | ids,
    lease_ms=st.none() | numbers,
    run=st.none() | ids,
    artifacts=st.lists(ids, max_size=3).map(tuple),
    failure=st.none() | ids,
    is_held=st.booleans(),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(found=st.lists(dream_records, max_size=6), at=numbers, follow_up=st.booleans())
def test_whatever_is_stored_comes_back(night: Night, found: list[DreamRecord], at: int, follow_up: bool) -> None:
    """Any state that can be written can be restored, byte for byte."""
    night.store.dreams.remove(OWNER)
    night.store.dreams.save(OWNER, found)
    night.store.dreams.save_state(OWNER, DreamState(at, at, follow_up))
    content, kept = state_bytes(night.store, OWNER), night.store.dreams.where(OWNER)
    night.store.dreams.remove(OWNER)
    night.store.dreams.save_state(OWNER, DreamState())

    restore_state(night, content)

    assert night.store.dreams.where(OWNER) == kept
    assert state_bytes(night.store, OWNER) == content


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(content=st.binary(max_size=60))
def test_any_bytes_are_refused_in_words(content: bytes) -> None:
    """No file, however damaged, is anything but BadInput."""
    with pytest.raises(BadInput, match="no dream state that can be restored"):
        read_state(content)


@given(field=st.sampled_from(list(EMPTY)), value=json_values)
def test_any_value_in_any_place_is_a_state_or_refused(field: str, value: Any) -> None:
    """Whatever stands in a field: a state comes of it, or BadInput."""
    content = json.dumps({**EMPTY, field: value}).encode()

    try:
        state = read_state(content)
    except BadInput as error:
        assert "Nothing was changed" in str(error)  # noqa: PT017  # it may also be a state
    else:
        assert (state.records, state.runs) == ([], [])
