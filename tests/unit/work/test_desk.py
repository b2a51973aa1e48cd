"""The desk: names of nodes and events, whole or by their beginning."""

import pytest

from noctuary.authored import EventType
from noctuary.errors import EventNotFound, NodeNotFound
from noctuary.graph import NodeType
from noctuary.work.corrections import retract
from noctuary.work.desk import PREFIXES, Desk
from noctuary.work.notes import note
from noctuary.work.tasks import open_goal, open_task
from tests.unit.work.conftest import MakeDesk


def test_a_node_is_named_by_its_beginning(desk: Desk) -> None:
    """As much of an id as says which one is enough; more than one, none, and another type are refused."""
    task, other = open_task(desk, "Cache"), open_task(desk, "Index")
    goal = open_goal(desk, "Fast")

    assert desk.node(task.id) == task
    assert desk.node(goal.id[:3]) == goal
    with pytest.raises(NodeNotFound, match="More than one id begins with 't-'") as refusal:
        desk.node("t-")
    assert task.id in str(refusal.value)
    assert other.id in str(refusal.value)
    with pytest.raises(NodeNotFound, match="is a task, not a goal"):
        desk.node(task.id, NodeType.GOAL)
    for name in ("", "t-0000000000", "%", "_"):
        with pytest.raises(NodeNotFound):
            desk.node(name)


def test_an_event_is_named_by_its_beginning(desk: Desk, make_desk: MakeDesk) -> None:
    """Events too, in any case; another owner's are not there."""
    first, second = note(desk, "finding", "one"), note(desk, "finding", "two")

    assert desk.entry(first.event.id.lower()) == first
    assert desk.entry(second.event.id[:25]) in (first, second)
    with pytest.raises(EventNotFound, match="More than one event begins with '01'"):
        desk.entry("01")
    for name in ("", "8", "%", "t-0000000000"):
        with pytest.raises(EventNotFound, match="There is no event"):
            desk.entry(name)
    with pytest.raises(EventNotFound):
        make_desk(owner="bob").entry(first.event.id)


def test_entries_are_of_their_types_and_the_newest_first(desk: Desk) -> None:
    """What was said about a node: of the types asked for, as many as wanted."""
    task = open_task(desk, "Cache")
    for text in ("one", "two", "three"):
        note(desk, "finding", text, node=task.id)

    assert [entry.event.text for entry in desk.entries(task.id, [EventType.FINDING], 2)] == ["three", "two"]
    assert len(desk.entries(task.id)) == 4


def test_recent_entries_are_of_a_node_or_of_the_project(desk: Desk, make_desk: MakeDesk) -> None:
    """The newest first, of a node or of all that is said in the project; suggestions alone, and what was taken back."""
    task = open_task(desk, "Cache")
    first = note(desk, "finding", "one", node=task.id)
    guess = note(desk, "hypothesis", "two", node=task.id, suggested=True)
    loose = note(desk, "finding", "three")
    retract(desk, first.event.id)
    note(make_desk(project="/elsewhere"), "finding", "four")
    said = [EventType.FINDING, EventType.HYPOTHESIS]

    assert [entry.event.id for entry in desk.recent(types=said)] == [loose.event.id, guess.event.id]
    assert [entry.event.id for entry in desk.recent(types=said, most=1)] == [loose.event.id]
    assert [entry.event.id for entry in desk.recent(task.id[:5], said)] == [guess.event.id]
    assert len(desk.recent(task.id, said, hidden=True)) == 2
    assert [entry.event.id for entry in desk.recent(suggested=True)] == [guess.event.id]
    assert [entry.event.id for entry in desk.recent(task.id, suggested=True)] == [guess.event.id]
    with pytest.raises(NodeNotFound):
        desk.recent("t-0000000000")


def test_new_ids_say_what_they_are_of(desk: Desk) -> None:
    """Each type of node has its own beginning of ids, and no two are the same."""
    ids = [desk.new_id(kind) for kind in NodeType]

    assert [name.split("-")[0] for name in ids] == [PREFIXES[kind] for kind in NodeType]
    assert len({desk.new_id(NodeType.TASK) for _ in range(1000)}) == 1000
