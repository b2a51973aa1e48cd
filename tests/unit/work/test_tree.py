"""The work as a tree: order, depth, status, dependencies and how far it is."""

from datetime import timedelta

import pytest

from noctuary.authored import Event, EventType
from noctuary.errors import NodeNotFound
from noctuary.graph import NodeStatus, NodeType
from noctuary.testing import FakeClock
from noctuary.work.desk import Desk
from noctuary.work.tree import tree
from tests.unit.work.conftest import MakeDesk
from tests.unit.work.graphs import add, become, goal

pytestmark = pytest.mark.slow

S = NodeStatus


def shown(desk: Desk, root: str | None = None) -> list[tuple[int, str]]:
    return [(branch.depth, branch.node.title) for branch in tree(desk, root)]


def test_each_node_stands_below_what_contains_it(desk: Desk, clock: FakeClock) -> None:
    """Roots by age, and below each its parts by age, at any depth."""
    one = goal(desk, "One")
    clock.advance(timedelta(seconds=1))
    two = goal(desk, "Two")
    for title, parent in (("A", one), ("B", two), ("C", one)):
        clock.advance(timedelta(seconds=1))
        add(desk, title, parent=parent)
    clock.advance(timedelta(seconds=1))
    add(desk, "A1", parent=next(b.node for b in tree(desk) if b.node.title == "A"))
    clock.advance(timedelta(seconds=1))
    add(desk, "Loose")

    assert shown(desk) == [(0, "One"), (1, "A"), (2, "A1"), (1, "C"), (0, "Two"), (1, "B"), (0, "Loose")]
    assert shown(desk, one.id) == [(0, "One"), (1, "A"), (2, "A1"), (1, "C")]


def test_statuses_are_as_they_stand_and_dependencies_are_named(desk: Desk) -> None:
    """Ready is computed here too."""
    first = add(desk, "First")
    second = add(desk, "Second", after=(first,))

    by_id = {branch.node.id: branch for branch in tree(desk)}

    assert by_id[first.id].node.status is S.READY
    assert by_id[second.id].node.status is S.PENDING
    assert by_id[second.id].depends_on == [first.id]


def test_how_far_it_is_counts_tasks_at_any_depth(desk: Desk) -> None:
    """Of the tasks below a node, those done; what was cancelled is not counted, nor are other nodes."""
    whole = goal(desk)
    task = add(desk, parent=whole)
    become(desk, add(desk, parent=task), S.COMPLETED)
    become(desk, add(desk, parent=task), S.CANCELLED)
    add(desk, parent=task)
    become(desk, add(desk, parent=whole), S.FAILED)
    add(desk, kind=NodeType.DECISION, parent=whole)

    by_id = {branch.node.id: (branch.done, branch.total) for branch in tree(desk)}

    assert by_id[whole.id] == (1, 4)
    assert by_id[task.id] == (1, 2)


def test_a_tree_of_one_project_or_of_all(desk: Desk, make_desk: MakeDesk) -> None:
    """Never another owner's."""
    add(desk, "Here")
    add(make_desk("/elsewhere"), "There")
    add(make_desk(owner="eve"), "Hers")

    assert shown(desk) == [(0, "Here")]
    assert {branch.node.title for branch in tree(desk, everywhere=True)} == {"Here", "There"}


def test_an_unknown_root_is_an_error(desk: Desk) -> None:
    """Not an empty tree; an empty memory has one."""
    assert tree(desk) == []
    with pytest.raises(NodeNotFound):
        tree(desk, "g-nowhere")


def test_c29_a_circle_that_two_machines_made_is_shown_once(desk: Desk) -> None:
    """A merge can bring a circle of parts: each node is there, once, and nothing hangs."""
    a, b, c = add(desk, "A"), add(desk, "B"), add(desk, "C")
    for start, end in ((a, b), (b, c), (c, a)):
        change = {"edges": [{"type": "contains", "from": start.id, "to": end.id}]}
        desk.ledger.record(Event(type=EventType.LINK, project=desk.project, change=change))

    assert sorted(title for _, title in shown(desk)) == ["A", "B", "C"]
    assert sorted(title for _, title in shown(desk, b.id)) == ["A", "B", "C"]


def test_a_node_with_two_parents_after_a_merge_is_shown_once(desk: Desk) -> None:
    """Moved on two machines, it hangs where it is found first."""
    one, two, task = goal(desk, "One"), goal(desk, "Two"), add(desk, "Task")
    for whole in (one, two):
        change = {"edges": [{"type": "contains", "from": whole.id, "to": task.id}]}
        desk.ledger.record(Event(type=EventType.LINK, project=desk.project, change=change))

    assert [title for _, title in shown(desk)].count("Task") == 1
    assert (1, "Task") in shown(desk, one.id)
    assert (1, "Task") in shown(desk, two.id)


def test_a_tree_may_be_deep(desk: Desk) -> None:
    """Two thousand levels are no trouble."""
    nodes = [{"id": f"t-{i}", "type": "task", "title": str(i), "status": "pending"} for i in range(2_000)]
    edges = [{"type": "contains", "from": f"t-{i}", "to": f"t-{i + 1}"} for i in range(1_999)]
    with desk.writing() as write:
        write(EventType.OPEN, "deep", change={"nodes": nodes, "edges": edges})

    branches = tree(desk)

    assert branches[-1].depth == 1_999
    assert (branches[0].done, branches[0].total) == (0, 1_999)
