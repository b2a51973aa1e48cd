"""Sessions of work: begun with the notes of the last one, ended once, the same after a rebuild."""

from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.authored import Event, EventType
from noctuary.clock import SystemClock
from noctuary.errors import BadInput, NodeNotFound, NotFound, WorkSessionNotFound
from noctuary.ledger.ledger import LONGEST_TEXT, Ledger, entry_from
from noctuary.testing import FakeClock
from noctuary.work.desk import Desk
from noctuary.work.handoff import handoff
from noctuary.work.sessions import end_session, list_sessions, session_named, start_session
from noctuary.work.statuses import set_status
from tests.databases import store_in
from tests.unit.work.conftest import MakeDesk
from tests.unit.work.graph_maker import make, node


@pytest.fixture(autouse=True)
def goal(desk: Desk) -> None:
    make(desk, node("g-1", "active"), node("g-2", "active"))
    make(desk, node("t-1", "in_progress"), below="g-1")


def events(desk: Desk) -> list[Event]:
    """All that was written, in order."""
    return [entry_from(row).event for row in desk.store.events.all(desk.owner, None)]


def test_b6_a_session_ends_with_notes(desk: Desk, clock: FakeClock) -> None:
    """The end is noted with its time, the handoff as it stands, the agents and the summary."""
    started = start_session(desk, "g-1", ["ana"])
    clock.advance(timedelta(hours=1))

    ended = end_session(desk, summary=" Half way. ", agents=["ben", "ana"])

    assert started.session.id.startswith("ws-")
    assert (started.session.goal, started.session.project, started.session.ended_ms) == ("g-1", desk.project, None)
    assert ended.id == started.session.id
    assert ended.started_ms == started.session.started_ms
    assert ended.ended_ms == ended.started_ms + 3_600_000
    assert ended.notes == handoff(desk, "g-1")
    assert ended.agents == ("ana", "ben")
    assert ended.summary == "Half way."


def test_b6_start_and_end_are_one_event_each(desk: Desk) -> None:
    """They keep the books: nothing of it is a thought about the goal, or makes it recent."""
    before, touched = len(events(desk)), desk.node("g-1").last_ms
    start_session(desk, "g-1")
    end_session(desk)

    written = events(desk)[before:]
    assert [event.node for event in written] == ["g-1", "g-1"]
    assert all(event.meta == {"bookkeeping": True} for event in written)
    assert desk.node("g-1").last_ms == touched
    assert desk.entries("g-1", [EventType.STATUS]) == []


def test_c27_d28_a_second_end_changes_nothing(desk: Desk, clock: FakeClock) -> None:
    """What ended stays as it ended, whatever happened since, and nothing is written."""
    start_session(desk, "g-1", ["ana"])
    ended = end_session(desk, summary="First")
    before = len(events(desk))
    clock.advance(timedelta(days=1))
    set_status(desk, "t-1", "completed")

    again = end_session(desk, ended.id, summary="Second", agents=["ben"])

    assert again == ended
    assert len(events(desk)) == before + 1
    assert session_named(desk, ended.id) == ended


def test_c27_b13_the_next_start_loads_the_last_notes(desk: Desk, clock: FakeClock) -> None:
    """The notes are those of the session on this goal that ended last."""
    assert start_session(desk, "g-1").last_notes is None
    first = end_session(desk)
    clock.advance(timedelta(minutes=1))
    second = start_session(desk, "g-1")
    assert second.last_notes == first.notes
    set_status(desk, "t-1", "completed")
    clock.advance(timedelta(minutes=1))
    newer = end_session(desk)

    assert second.is_new
    assert newer.notes != first.notes
    assert start_session(desk, "g-1").last_notes == newer.notes
    assert start_session(desk, "g-2").last_notes is None


def test_starting_twice_joins_the_open_session(desk: Desk) -> None:
    """There is one open session of a goal: agents join it, and joining again writes nothing."""
    first = start_session(desk, "g-1", ["ana"])
    joined = start_session(desk, "g-1", ["ben", "ana"])
    before = len(events(desk))
    again = start_session(desk, "g-1", "ben")

    assert (first.is_new, joined.is_new, again.is_new) == (True, False, False)
    assert joined.session.id == again.session.id == first.session.id
    assert again.session.agents == ("ana", "ben")
    assert again.session.started_ms == first.session.started_ms
    assert len(events(desk)) == before


def test_c27_a_rebuild_gives_the_same_sessions(desk: Desk, clock: FakeClock) -> None:
    """Notes are kept in the journal: the work that went on since does not change them."""
    start_session(desk, "g-1", ["ana"])
    end_session(desk, summary="So far")
    clock.advance(timedelta(minutes=1))
    set_status(desk, "t-1", "completed")
    start_session(desk, "g-1", ["ben"])
    before = list_sessions(desk)

    desk.ledger.rebuild()

    assert list_sessions(desk) == before
    assert len(before) == 2


def test_c27_a_session_on_a_large_goal_ends(desk: Desk) -> None:
    """Notes of any length are kept whole."""
    make(desk, *(node(f"t-{i:04}", "pending", "x" * 400) for i in range(500)), below="g-2")
    start_session(desk, "g-2")

    notes = end_session(desk).notes
    assert notes == handoff(desk, "g-2")
    assert notes.count("\n- ") == 500


def test_b6_unknown_sessions_are_not_found(desk: Desk) -> None:
    """The error names what was looked for."""
    with pytest.raises(NotFound, match="session not found: ws-404"):
        end_session(desk, "ws-404")
    with pytest.raises(WorkSessionNotFound, match="session not found: "):
        end_session(desk, "")


def test_r3_an_id_is_not_taken_for_a_longer_one(desk: Desk) -> None:
    """A beginning is enough if only one session begins so; a whole id means that session only."""
    first, second = start_session(desk, "g-1").session, start_session(desk, "g-2").session

    assert session_named(desk, first.id[:-1]) == first
    assert session_named(desk, second.id) == second
    with pytest.raises(WorkSessionNotFound, match="More than one"):
        session_named(desk, "ws-")


def test_without_a_name_the_open_session_ends(desk: Desk, make_desk: MakeDesk) -> None:
    """The only one that is open in the project; none or several are refused with what to do."""
    with pytest.raises(WorkSessionNotFound, match="session start"):
        end_session(desk)
    first, second = start_session(desk, "g-1").session, start_session(desk, "g-2").session
    with pytest.raises(WorkSessionNotFound):
        end_session(make_desk(project="/elsewhere"))
    with pytest.raises(BadInput) as refused:
        end_session(desk)

    assert first.id in str(refused.value)
    assert second.id in str(refused.value)
    assert [session.ended_ms for session in list_sessions(desk)] == [None, None]
    assert end_session(desk, first.id).ended_ms is not None
    assert end_session(desk).id == second.id


def test_a_session_belongs_to_the_project_of_its_goal(desk: Desk, make_desk: MakeDesk) -> None:
    """Started from another project, it is listed and ended where the goal is."""
    other = make_desk(project="/elsewhere")
    session = start_session(other, "g-1").session

    assert session.project == desk.project
    assert list_sessions(other) == []
    assert list_sessions(desk) == list_sessions(other, everywhere=True) == list_sessions(other, "g-1") == [session]
    assert end_session(other, session.id).project == desk.project


def test_d75_owners_do_not_see_each_others_sessions(desk: Desk, make_desk: MakeDesk) -> None:
    """Neither in lists nor by name."""
    session = start_session(desk, "g-1").session
    stranger = make_desk(owner="eve")

    assert list_sessions(stranger, everywhere=True) == []
    with pytest.raises(WorkSessionNotFound):
        end_session(stranger, session.id)


def test_sessions_are_listed_newest_first(desk: Desk, clock: FakeClock) -> None:
    """Of a goal, as many as asked for."""
    names = []
    for _ in range(3):
        names.append(start_session(desk, "g-1").session.id)
        end_session(desk)
        clock.advance(timedelta(seconds=1))

    assert [session.id for session in list_sessions(desk, "g-1")] == names[::-1]
    assert list_sessions(desk, "g-2") == []


def test_what_cannot_be_is_refused_and_changes_nothing(desk: Desk) -> None:
    """Unknown goals, agents without a name, endless summaries."""
    make(desk, node("d-1", "active"))
    session = start_session(desk, "g-2").session
    before = len(events(desk))

    for name in ("g-404", "d-1", ""):
        with pytest.raises(NodeNotFound):
            start_session(desk, name)
    with pytest.raises(BadInput):
        start_session(desk, "g-1", ["ana", " \n"])
    with pytest.raises(BadInput, match="summary"):
        end_session(desk, summary="x" * (LONGEST_TEXT + 1))
    assert len(events(desk)) == before
    assert session_named(desk, session.id) == session


def test_a_session_survives_another_process(desk: Desk, home: Path) -> None:
    """Whoever opens the memory later can end it."""
    session = start_session(desk, "g-1", ["ana"]).session
    store = store_in(home)
    later = Desk(Ledger(store, home, desk.owner, SystemClock()), desk.project, desk.writer)

    ended = end_session(later)

    assert ended.id == session.id
    assert session_named(desk, session.id) == ended
    store.close()
