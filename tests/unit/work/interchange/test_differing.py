"""What is different between a file and the work, told without changing anything."""

import pytest

from noctuary.testing import FakeClock
from noctuary.work.desk import Desk
from noctuary.work.interchange.differing import diff
from noctuary.work.interchange.exporting import export_goal
from noctuary.work.interchange.importing import Difference
from noctuary.work.tasks import open_task, rename_node
from tests.unit.work.machines import link, make_goal

pytestmark = pytest.mark.slow


def test_c37_a_file_just_written_is_no_difference(here: Desk, clock: FakeClock) -> None:
    """Edges that leave the goal are in its file, so none is taken for removed."""
    goal = make_goal(here, clock)
    link(here, "depends_on", open_task(here, "Inside", parent=goal.id).id, open_task(here, "Outside").id)

    found = diff(here, export_goal(here, goal.id))

    assert found.is_empty
    assert (found.unchanged_nodes, found.unchanged_edges) == (5, 6)


def test_b9_what_is_added_changed_and_missing(here: Desk, clock: FakeClock) -> None:
    """Nodes and edges by their ids, fields with both values."""
    goal = make_goal(here, clock)
    gone = open_task(here, "Only in the file", parent=goal.id)
    file = export_goal(here, goal.id).replace('title = "Refund"', 'title = "Refunds"')
    file = file.replace(gone.id, "t-new")
    refund = next(node for node in here.store.nodes.subtree(here.owner, goal.id) if node.title == "Refund")
    rename_node(here, gone.id, "Only here")

    found = diff(here, file)

    assert found.added_nodes == ["t-new"]
    assert found.removed_nodes == [gone.id]
    assert found.changed == [Difference(refund.id, "title", "Refund", "Refunds")]
    assert found.added_edges == [("contains", goal.id, "t-new")]
    assert found.removed_edges == [("contains", goal.id, gone.id)]
    assert (found.unchanged_nodes, found.unchanged_edges) == (3, 4)


def test_of_a_goal_that_is_not_here_everything_is_added(here: Desk, there: Desk, clock: FakeClock) -> None:
    """The diff before a first import."""
    goal = make_goal(here, clock)

    found = diff(there, export_goal(here, goal.id))

    assert len(found.added_nodes) == 4
    assert len(found.added_edges) == 4
    assert there.store.events.count(there.owner) == 0
