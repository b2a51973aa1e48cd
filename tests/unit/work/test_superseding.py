"""What holds no longer, by whichever id it is named."""

import pytest

from noctuary.authored import EventType
from noctuary.errors import BadChange, BadInput, NotFound
from noctuary.graph import EdgeType, NodeStatus
from noctuary.work.corrections import correct, retract, supersede
from noctuary.work.decisions import choose_option, log_decision, record_observation
from noctuary.work.desk import Desk
from noctuary.work.notes import note
from noctuary.work.remembering import find_memory, remember
from noctuary.work.superseding import successor
from noctuary.work.tasks import close_node, open_goal, open_task
from tests.unit.work.conftest import MakeDesk

WAYS: list[dict[str, object]] = [{"option": "LRU", "chosen": True}, {"option": "LFU"}]


def edges(desk: Desk, name: str) -> list[tuple[str, str]]:
    """What supersedes what, around a node."""
    found = desk.store.nodes.edges_of(desk.owner, [name], EdgeType.SUPERSEDES)
    return [(edge.from_id, edge.to_id) for edge in found]


def test_j7_15_a_task_id_is_superseded(desk: Desk) -> None:
    """A task is superseded by its id: it is cancelled, says so, and an edge leads from the new one."""
    old, new = open_task(desk, "Cache"), open_task(desk, "Better cache")

    entry = supersede(desk, old.id, "The new one does both", by=new.id)

    node = desk.node(old.id)
    assert (node.status, node.outcome_tag) == (NodeStatus.CANCELLED, "superseded")
    assert edges(desk, old.id) == [(new.id, old.id)]
    assert (entry.event.type, entry.event.supersedes, entry.event.node) == (EventType.SUPERSEDE, old.id, old.id)
    desk.ledger.rebuild()
    assert desk.node(old.id) == node
    with pytest.raises(BadChange, match="superseded already"):
        supersede(desk, old.id)


def test_j7_15_the_event_that_opened_a_task_stands_for_it(desk: Desk) -> None:
    """Given the id of its first event, the task is superseded all the same; goals too."""
    goal, task = open_goal(desk, "Fast"), open_task(desk, "Cache")

    for node in (goal, task):
        supersede(desk, desk.entries(node.id)[-1].event.id)

    assert [desk.node(node.id).status for node in (goal, task)] == [NodeStatus.CANCELLED] * 2


def test_what_was_done_stays_done(desk: Desk) -> None:
    """A completed task that is superseded later is still completed."""
    task = open_task(desk, "Cache")
    close_node(desk, task.id)

    supersede(desk, task.id)

    assert (desk.node(task.id).status, desk.node(task.id).outcome_tag) == (NodeStatus.COMPLETED, "superseded")


@pytest.mark.parametrize("by_node", [True, False])
def test_j7_15_a_decision_is_superseded_by_event_or_node(desk: Desk, *, by_node: bool) -> None:
    """The entry is marked and the node is superseded, whichever id was given, also without a task."""
    for task in (None, open_task(desk, "Cache").id):
        old = note(desk, "decision", "LRU", node=task, alternatives=WAYS)
        new = note(desk, "decision", "LFU", node=task, alternatives=WAYS)
        node, other = (entry.event.meta["decision"] for entry in (old, new))

        entry = supersede(desk, node if by_node else old.event.id, "Too slow", by=new.event.id)

        assert desk.node(node).status is NodeStatus.SUPERSEDED
        assert desk.entry(old.event.id).superseded_by == entry.event.id
        assert edges(desk, node) == [(other, node)]
        with pytest.raises(BadChange, match="superseded"):
            supersede(desk, node if by_node else old.event.id)


def test_a_decision_without_alternatives_is_superseded(desk: Desk) -> None:
    """An entry without a node is marked; what took its place is said."""
    old, new = note(desk, "decision", "LRU"), note(desk, "decision", "LFU")

    entry = supersede(desk, old.event.id[:24], by=new.event.id)

    assert desk.entry(old.event.id).superseded_by == entry.event.id
    assert entry.event.meta == {"by": new.event.id}


def test_a_logged_and_chosen_decision_is_superseded(desk: Desk) -> None:
    """A decision made by choosing is superseded by its node, and its choice is marked."""
    task = open_task(desk, "Cache")
    decision = log_decision(desk, "How to evict?", parent=task.id, options=["LRU", "LFU"])
    opened = desk.entries(task.id, [EventType.OPEN])[0]
    choose_option(desk, decision.node.id, decision.options[0].id, "simple")
    (choice,) = desk.entries(task.id, [EventType.DECISION])

    entry = supersede(desk, opened.event.id)

    assert desk.node(decision.node.id).status is NodeStatus.SUPERSEDED
    assert desk.node(task.id).status is NodeStatus.PENDING
    assert desk.entry(choice.event.id).superseded_by == entry.event.id


def test_a_memory_is_superseded_by_its_id_or_its_event(desk: Desk) -> None:
    """A memory that holds no longer says what holds instead."""
    old, older, new = (remember(desk, text) for text in ("Port 80", "Port 81", "Port 8080"))

    supersede(desk, old.id, by=new.id)
    supersede(desk, older.event, by=new.event)

    for memory in (find_memory(desk, old.id), find_memory(desk, older.id)):
        assert (memory.status, memory.superseded_by) == ("superseded", new.id)
        assert memory.retired_ms == desk.clock.now_ms()
        assert desk.entry(memory.event).superseded_by is not None
    with pytest.raises(BadChange, match="superseded already"):
        supersede(desk, old.id)


def test_what_cannot_be_superseded_is_refused(desk: Desk) -> None:
    """Options, observations, closings and what is not there: refused, and nothing is written."""
    task = open_task(desk, "Cache")
    decision = note(desk, "decision", "LRU", node=task.id, alternatives=WAYS)
    observation = record_observation(desk, "Slow")
    other = open_task(desk, "Index")
    close_node(desk, other.id)
    closing = desk.entries(other.id)[0].event.id
    count = desk.store.events.count(desk.owner)

    for name in (decision.event.meta["alternatives"][0]["id"], observation.id, closing):
        with pytest.raises(BadInput):
            supersede(desk, name)
    for name in ("t-0000000000", "m-0000000000", "01JZZ", ""):
        with pytest.raises(NotFound):
            supersede(desk, name)
        with pytest.raises(NotFound):
            supersede(desk, task.id, by=name or "x-")
    assert desk.store.events.count(desk.owner) == count


def test_nothing_supersedes_itself_or_in_a_circle(desk: Desk) -> None:
    """The new one is another one, and was not superseded by the old one."""
    one, two = open_task(desk, "Cache"), open_task(desk, "Index")
    entry, memory = note(desk, "decision", "LRU"), remember(desk, "Port 80")
    for name in (one.id, entry.event.id, memory.id):
        with pytest.raises(BadChange):
            supersede(desk, name, by=name)
    supersede(desk, one.id, by=two.id)
    with pytest.raises(BadChange, match="circle"):
        supersede(desk, two.id, by=one.id)


def test_what_was_taken_back_is_not_superseded_and_supersedes_nothing(desk: Desk) -> None:
    """The event that hid it is named."""
    task = open_task(desk, "Cache")
    old, gone = note(desk, "decision", "LRU"), note(desk, "decision", "LFU")
    new = correct(desk, old.event.id, "LRU, of sessions")
    retract(desk, gone.event.id)

    with pytest.raises(BadChange, match=new.event.id):
        supersede(desk, old.event.id)
    with pytest.raises(BadChange, match="retracted by"):
        supersede(desk, task.id, by=gone.event.id)


def test_another_project_may_take_the_place(desk: Desk, make_desk: MakeDesk) -> None:
    """A task is superseded by one of another project: the event says so, in the journal of the old one."""
    old, new = open_task(desk, "Cache"), open_task(make_desk("/home/ana/code/blog"), "Better cache")

    entry = supersede(desk, old.id, by=new.id)

    assert (entry.event.meta, entry.event.project) == ({"by": new.id}, desk.project)
    assert desk.node(old.id).outcome_tag == "superseded"


def test_a_successor_is_named_by_its_node(desk: Desk) -> None:
    """An event stands for the task, decision or memory it made, else for itself."""
    task, memory = open_task(desk, "Cache"), remember(desk, "Port 80")
    decision, finding = note(desk, "decision", "LRU", alternatives=WAYS), note(desk, "finding", "Slow")

    assert successor(desk, desk.entries(task.id)[0].event.id) == task.id
    assert successor(desk, memory.event) == memory.id
    assert successor(desk, decision.event.id) == decision.event.meta["decision"]
    assert successor(desk, finding.event.id) == finding.event.id
