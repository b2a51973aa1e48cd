"""Statuses set by hand: legal steps, reasons, times, and notes on what is not done."""

from datetime import timedelta

import pytest

from noctuary.authored import Author, EventType
from noctuary.errors import BadChange, BadInput, NodeNotFound, NotFree
from noctuary.graph import NodeStatus, NodeType
from noctuary.testing import FakeClock
from noctuary.work.claims import claim
from noctuary.work.desk import Desk
from noctuary.work.statuses import set_status
from tests.unit.work.conftest import MakeDesk
from tests.unit.work.graphs import add, become, goal, state, written

HOUR_MS = 3_600_000


def test_a_legal_step_is_one_event_with_its_reason(desk: Desk) -> None:
    """The reason is kept with the event."""
    task = add(desk)
    before = written(desk)

    done = set_status(desk, task.id, "InProgress", reason="began with the tests")

    assert (done.node.status, done.notes) == (NodeStatus.IN_PROGRESS, [])
    assert written(desk) == before + 1
    assert desk.entries(task.id, [EventType.STATUS])[0].event.text == "began with the tests"


def test_c33_illegal_steps_and_names_are_refused_and_nothing_is_written(desk: Desk) -> None:
    """No status is dropped silently, and no unknown node succeeds."""
    task, insight = add(desk), add(desk, kind=NodeType.OBSERVATION)
    before = state(desk)

    with pytest.raises(BadChange, match="cannot become completed"):
        set_status(desk, task.id, "completed")
    with pytest.raises(BadInput, match="no status 'finished'"):
        set_status(desk, task.id, "finished")
    with pytest.raises(NodeNotFound, match="t-nowhere"):
        set_status(desk, "t-nowhere", "ready")
    with pytest.raises(BadChange, match=r"is an observation and cannot be pending; it can be active\."):
        set_status(desk, insight.id, "pending")
    assert state(desk) == before


def test_a_status_that_is_there_is_not_written_again(desk: Desk) -> None:
    """It is said so."""
    task = add(desk, status=NodeStatus.IN_PROGRESS)
    before = state(desk)

    assert set_status(desk, task.id, "in_progress").notes == [f"{task.id} is in_progress already; nothing was changed."]
    assert state(desk) == before


def test_blocked_says_why_until_it_is_not(desk: Desk) -> None:
    """The reason stays with the node while it is blocked, can be said anew, and goes with the status."""
    task = add(desk)

    assert set_status(desk, task.id, "blocked", reason="waiting for infra").node.blocked_reason == "waiting for infra"
    assert set_status(desk, task.id, "blocked", reason="waiting for Bo").node.blocked_reason == "waiting for Bo"
    assert set_status(desk, task.id, "ready").node.blocked_reason is None


def test_c26_times_follow_from_the_status(desk: Desk, clock: FakeClock) -> None:
    """Begun when first worked at, ended when it ends, and open again without an end."""
    task = add(desk)
    start = clock.now_ms()
    clock.advance(timedelta(hours=1))
    begun = set_status(desk, task.id, "in_progress").node
    clock.advance(timedelta(hours=1))
    review = set_status(desk, task.id, "review").node
    clock.advance(timedelta(hours=1))
    done = set_status(desk, task.id, "completed").node
    clock.advance(timedelta(hours=1))
    again = set_status(desk, task.id, "in_progress").node

    assert (begun.started_ms, begun.completed_ms) == (start + HOUR_MS, None)
    assert (review.started_ms, review.completed_ms) == (start + HOUR_MS, None)
    assert (done.started_ms, done.completed_ms) == (start + HOUR_MS, start + 3 * HOUR_MS)
    assert (again.started_ms, again.completed_ms) == (start + HOUR_MS, None)


@pytest.mark.parametrize("status", ["pending", "ready"])
@pytest.mark.parametrize("held", [NodeStatus.CLAIMED, NodeStatus.IN_PROGRESS])
def test_c26_a_task_that_is_given_back_is_nobodys(desk: Desk, held: NodeStatus, status: str) -> None:
    """Back to pending or ready it has neither agent nor lease."""
    task = add(desk)
    claim(desk, task.id, "ada")
    if held is NodeStatus.IN_PROGRESS:
        set_status(desk, task.id, "in_progress")

    back = set_status(desk, task.id, status).node

    assert (back.assigned_to, back.lease_ms) == (None, None)


def test_c26_work_in_progress_keeps_its_agent_and_lease(desk: Desk) -> None:
    """To begin what one has claimed loses nothing; under review there is no lease to lose."""
    task = add(desk)
    lease_ms = claim(desk, task.id, "ada").lease_ms

    begun = set_status(desk, task.id, "in_progress").node
    review = set_status(desk, task.id, "review").node

    assert (begun.assigned_to, begun.lease_ms) == ("ada", lease_ms)
    assert (review.assigned_to, review.lease_ms) == ("ada", None)


@pytest.mark.parametrize(
    ("kind", "status", "verb"),
    [
        (NodeType.TASK, "claimed", "noctuary claim"),
        (NodeType.OPTION, "chosen", "noctuary decide"),
        (NodeType.OPTION, "rejected", "noctuary reject"),
    ],
)
def test_statuses_that_say_more_have_verbs_of_their_own(desk: Desk, kind: NodeType, status: str, verb: str) -> None:
    """A claim without an agent, or a choice without its decision, is not set by hand."""
    node = add(desk, kind=kind)

    with pytest.raises(BadInput, match=verb):
        set_status(desk, node.id, status)


def test_c35_a_goal_is_completed_only_when_asked_and_says_what_is_not_done(desk: Desk) -> None:
    """Blocked and pending tasks below it are named, by the rule of `close`: what has ended, however, is not open."""
    whole = goal(desk)
    for title, status in (("Done", "completed"), ("Broken", "failed"), ("Stuck", "blocked"), ("Gone", "cancelled")):
        become(desk, add(desk, title, parent=whole), NodeStatus(status))
    assert desk.node(whole.id).status is NodeStatus.ACTIVE

    done = set_status(desk, whole.id, "completed")

    assert done.node.status is NodeStatus.COMPLETED
    (note,) = done.notes
    assert note.startswith("Still open below it: ")
    assert note.endswith(" Stuck.")
    assert not any(title in note for title in ("Broken", "Done", "Gone"))


def test_c35_a_goal_never_completes_by_itself(desk: Desk) -> None:
    """When its last task is done, the goal stands where it stood."""
    whole = goal(desk)
    task = add(desk, parent=whole, status=NodeStatus.IN_PROGRESS)

    assert set_status(desk, task.id, "completed").notes == []
    assert desk.node(whole.id).status is NodeStatus.ACTIVE
    assert set_status(desk, whole.id, "completed").notes == []


def test_many_that_are_not_done_are_counted(desk: Desk, clock: FakeClock) -> None:
    """Five are named, the rest is a number."""
    whole = goal(desk)
    for number in range(8):
        add(desk, f"Task {number}", parent=whole)
        clock.advance(timedelta(seconds=1))

    assert set_status(desk, whole.id, "completed").notes[0].endswith("Task 4 and 3 more.")


def test_to_begin_before_what_it_depends_on_is_noted(desk: Desk) -> None:
    """It is allowed, for people know better; and said."""
    first = add(desk, "First")
    second = add(desk, after=(first,))

    notes = set_status(desk, second.id, "in_progress").notes

    assert notes == [f"It depends on what is not done: {first.id} First (pending)."]


def test_what_is_opened_again_has_no_ending_any_more(desk: Desk) -> None:
    """The tag that said how it ended goes with the end."""
    task = add(desk, status=NodeStatus.IN_PROGRESS)
    with desk.writing() as write:
        fields = {"status": "completed", "outcome_tag": "done"}
        write(EventType.CLOSE, node=task.id, change={"set": {task.id: fields}})

    assert set_status(desk, task.id, "pending").node.outcome_tag is None


def test_a_rebuild_gives_the_same_nodes(desk: Desk, clock: FakeClock) -> None:
    """Statuses, times and reasons are all in the journal."""
    task = add(desk)
    clock.advance(timedelta(hours=1))
    set_status(desk, task.id, "in_progress")
    set_status(desk, task.id, "blocked", reason="no key")
    before = desk.node(task.id)

    desk.ledger.rebuild()

    assert desk.node(task.id) == before


def test_an_agent_leaves_alone_what_another_holds(desk: Desk, make_desk: MakeDesk) -> None:
    """It is told who holds it; nothing is changed."""
    task = add(desk)
    claim(make_desk(session="s-1", author=Author.AGENT), task.id, "ana-1")
    before = state(desk)

    for other in (make_desk(session="s-2", author=Author.AGENT), make_desk(author=Author.AGENT)):
        with pytest.raises(NotFree, match="held by ana-1 until"):
            set_status(other, task.id, "in_progress")
    assert state(desk) == before


def test_who_holds_a_task_and_people_may_set_its_status(desk: Desk, make_desk: MakeDesk) -> None:
    """The holder is known by its session: the one that claimed the task, or the one it is called by."""
    task, other = add(desk), add(desk)
    agent = make_desk(session="s-1", author=Author.AGENT)
    claim(agent, task.id, "ana-1")
    claim(desk, other.id, "s-1")

    assert set_status(agent, task.id, "in_progress").node.status is NodeStatus.IN_PROGRESS
    assert set_status(agent, other.id, "in_progress").node.status is NodeStatus.IN_PROGRESS
    assert set_status(desk, task.id, "blocked").node.status is NodeStatus.BLOCKED


def test_a_lease_that_is_over_keeps_no_agent_away(desk: Desk, make_desk: MakeDesk, clock: FakeClock) -> None:
    """Its holder may be dead."""
    task = add(desk)
    claim(make_desk(session="s-1", author=Author.AGENT), task.id, "ana-1")
    clock.advance(timedelta(hours=1))

    done = set_status(make_desk(session="s-2", author=Author.AGENT), task.id, "in_progress")

    assert done.node.status is NodeStatus.IN_PROGRESS
