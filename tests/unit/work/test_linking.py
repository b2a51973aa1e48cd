"""Edges made and taken away, and nodes moved; each in one event."""

import pytest

from noctuary.authored import EventType
from noctuary.errors import BadChange, BadInput, NodeNotFound
from noctuary.graph import EdgeType, NodeType
from noctuary.work.desk import Desk
from noctuary.work.linking import depend, link, move, undepend, unlink
from noctuary.work.ready import ready
from tests.unit.work.conftest import MakeDesk
from tests.unit.work.graphs import add, edges_of, goal, state, written


def test_a_task_waits_for_another(desk: Desk) -> None:
    """A dependency is one event about the task that waits, and says for what."""
    first, second = add(desk, "First"), add(desk, "Second")
    before = written(desk)

    linked = depend(desk, second.id, first.id)

    assert linked.is_new
    assert (linked.edge.type, linked.edge.from_id, linked.edge.to_id) == (EdgeType.DEPENDS_ON, second.id, first.id)
    assert written(desk) == before + 1
    (entry,) = desk.entries(second.id, [EventType.LINK])
    assert entry.event.text == f"depends_on {first.id} First"


def test_c29_the_same_edge_twice_is_said_so_and_written_once(desk: Desk) -> None:
    """There is at most one edge of a type between two nodes, and no second event."""
    first, second = add(desk), add(desk)
    edge = depend(desk, second.id, first.id).edge
    before = state(desk)

    again = depend(desk, second.id, first.id)

    assert (again.edge, again.is_new) == (edge, False)
    assert state(desk) == before


def test_a_label_is_set_anew(desk: Desk) -> None:
    """The same edge with another label is labelled; with the same or none, nothing changes."""
    a, b = add(desk), add(desk)
    link(desk, "leads_to", a.id, b.id, "because of it")
    before = written(desk)

    assert link(desk, "leads_to", a.id, b.id, "for another reason").edge.label == "for another reason"
    assert link(desk, "LeadsTo", a.id, b.id).edge.label == "for another reason"
    assert not link(desk, "leadsto", a.id, b.id, " for another reason ").is_new
    assert written(desk) == before + 1
    assert edges_of(desk, EdgeType.LEADS_TO) == {(a.id, b.id)}


def test_c29_a_dependency_that_closes_a_circle_is_refused(desk: Desk) -> None:
    """The circle is named and nothing is written."""
    a, b, c = add(desk), add(desk), add(desk)
    depend(desk, a.id, b.id)
    depend(desk, b.id, c.id)
    before = state(desk)

    with pytest.raises(BadChange, match=f"{c.id} → {a.id} → {b.id} → {c.id}"):
        depend(desk, c.id, a.id)
    with pytest.raises(BadChange, match="to itself"):
        depend(desk, a.id, a.id)
    assert state(desk) == before


def test_c28_a_dependency_taken_away_counts_at_once(desk: Desk) -> None:
    """What waited is ready without anything else being done."""
    first, second = add(desk), add(desk)
    depend(desk, second.id, first.id)

    edge = undepend(desk, second.id, first.id, reason="not needed")

    assert (edge.from_id, edge.to_id) == (second.id, first.id)
    assert {task.id for task in ready(desk).tasks} == {first.id, second.id}
    assert desk.entries(second.id, [EventType.UNLINK])[0].event.text == "not needed"


def test_what_is_not_joined_cannot_be_taken_apart(desk: Desk) -> None:
    """An edge that is not there is an error, not a silent success."""
    a, b = add(desk), add(desk)

    with pytest.raises(BadChange, match=f"no edge depends_on from {a.id} to {b.id}"):
        undepend(desk, a.id, b.id)
    with pytest.raises(NodeNotFound):
        unlink(desk, "contains", "t-nowhere", b.id)


def test_names_of_edges_that_mean_nothing_are_refused(desk: Desk) -> None:
    """An unknown type names those there are."""
    a, b = add(desk), add(desk)

    with pytest.raises(BadInput, match="no type of edge 'blocks'; there are contains, depends_on"):
        link(desk, "blocks", a.id, b.id)
    with pytest.raises(BadInput, match=r"2,001 characters"):
        link(desk, "leads_to", a.id, b.id, "x" * 2_001)


def test_c34_a_choice_is_no_edge_alone(desk: Desk) -> None:
    """Chosen and rejected are made by the verbs that also decide; an edge alone would contradict the statuses."""
    decision, option = add(desk, kind=NodeType.DECISION), add(desk, kind=NodeType.OPTION)

    for kind in ("chosen", "rejected"):
        for verb in (link, unlink):
            with pytest.raises(BadInput, match=f"An edge {kind} is not made or taken away by itself"):
                verb(desk, kind, decision.id, option.id)


def test_c38_a_node_is_moved_with_all_it_contains_in_one_event(desk: Desk) -> None:
    """The old place is left and the new one taken at once, and ids stay what they are."""
    one, other = goal(desk, "One"), goal(desk, "Other")
    task = add(desk, parent=one)
    part = add(desk, parent=task)
    before = written(desk)

    moved = move(desk, task.id, other.id)

    assert (moved.node.parent, moved.is_new, moved.node.id) == (other.id, True, task.id)
    assert edges_of(desk, EdgeType.CONTAINS) == {(other.id, task.id), (task.id, part.id)}
    assert [node.id for node in desk.store.nodes.subtree(desk.owner, other.id)].count(part.id) == 1
    assert written(desk) == before + 1
    assert not move(desk, task.id, other.id).is_new
    assert written(desk) == before + 1


def test_a_node_can_be_moved_out(desk: Desk) -> None:
    """Part of nothing, it is a root of its own."""
    task = add(desk, parent=goal(desk))

    assert move(desk, task.id, None).node.parent is None
    assert edges_of(desk, EdgeType.CONTAINS) == set()
    assert not move(desk, task.id, None).is_new


def test_a_node_cannot_be_moved_into_itself(desk: Desk) -> None:
    """Nor into one of its own parts."""
    task = add(desk, parent=goal(desk))
    part = add(desk, parent=task)
    before = state(desk)

    for to in (task, part):
        with pytest.raises(BadChange):
            move(desk, task.id, to.id)
    assert state(desk) == before


def test_c38_dependencies_reach_across_projects_but_parts_do_not(desk: Desk, make_desk: MakeDesk) -> None:
    """A task may wait for one of another project; the event is in the journal of the one that waits."""
    there = make_desk("/elsewhere")
    here, far = add(desk), add(there)

    depend(there, here.id, far.id)

    assert [task.id for task in ready(desk).tasks] == []
    (entry,) = desk.entries(here.id, [EventType.LINK])
    assert entry.event.project == desk.project
    with pytest.raises(BadChange, match="of another project"):
        move(desk, here.id, far.id)
    desk.ledger.rebuild()
    assert edges_of(desk, EdgeType.DEPENDS_ON) == {(here.id, far.id)}
