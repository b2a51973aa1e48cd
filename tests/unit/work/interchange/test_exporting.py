"""A goal as a file: all of it, always the same."""

from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.authored import EventType
from noctuary.errors import NodeNotFound
from noctuary.testing import FakeClock
from noctuary.work.desk import Desk
from noctuary.work.interchange.exporting import export_goal
from noctuary.work.interchange.importing import import_goal
from noctuary.work.tasks import open_goal, open_task
from tests.unit.work.conftest import PROJECT
from tests.unit.work.machines import make_goal

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parents[1] / "golden" / "goal.toml"


def test_the_file_is_exactly_this(here: Desk) -> None:
    """Sections, keys and their order are a format: a change of it is a change for everyone who keeps files."""
    nodes = [
        {"id": "g-1", "type": "goal", "title": "Ship it", "status": "active", "description": "Two\nlines"},
        {"id": "t-1", "type": "task", "title": "Build", "status": "completed", "labels": ["x", "y"],
         "outcome": "built"},
        {"id": "t-2", "type": "task", "title": "Test", "status": "blocked", "blocked_reason": "no \"key\"",
         "priority": "high", "metadata": {"size": "S"}},
        {"id": "t-3", "type": "task", "title": "Elsewhere", "status": "pending"},
    ]  # fmt: skip
    edges = [
        {"type": "contains", "from": "g-1", "to": "t-1"},
        {"type": "contains", "from": "g-1", "to": "t-2"},
        {"type": "depends_on", "from": "t-2", "to": "t-1", "label": "build first"},
        {"type": "depends_on", "from": "t-2", "to": "t-3"},
    ]
    with here.writing() as write:
        write(EventType.OPEN, node="g-1", change={"nodes": nodes, "edges": edges})

    assert export_goal(here, "g-1") == GOLDEN.read_text(encoding="utf-8")


def test_b9_an_export_is_byte_stable(here: Desk, clock: FakeClock) -> None:
    """No time of export: the same goal gives the same bytes, later and after a rebuild."""
    goal = make_goal(here, clock)
    before = export_goal(here, goal.id)

    clock.advance(timedelta(days=30))
    open_task(here, "Something else")
    here.ledger.rebuild()

    assert export_goal(here, goal.id) == before


def test_c24_c25_export_import_export_is_identical(here: Desk, there: Desk, clock: FakeClock) -> None:
    """Into an empty memory everything arrives at once: fields, times, metadata, edges and their labels."""
    goal = make_goal(here, clock)
    file = export_goal(here, goal.id)
    clock.advance(timedelta(days=3))

    plan = import_goal(there, file)

    assert export_goal(there, goal.id) == file
    assert len(plan.added_nodes) == len(plan.added_edges) == 4
    assert there.store.nodes.subtree(there.owner, goal.id) == [
        node._replace(last_ms=clock.now_ms()) for node in here.store.nodes.subtree(here.owner, goal.id)
    ]
    assert there.store.events.count(there.owner) == 1


def test_b9_edges_that_leave_the_goal_stand_apart_and_survive(here: Desk, there: Desk, clock: FakeClock) -> None:
    """What leads out is not lost without a word: it waits until its other end is known, and is exported again."""
    goal, other = make_goal(here, clock), open_goal(here, "Another")
    task, outside = open_task(here, "Inside", parent=goal.id), open_task(here, "Outside", parent=other.id)
    with here.writing() as write:
        edge = {"type": "depends_on", "from": task.id, "to": outside.id, "label": "why"}
        write(EventType.LINK, node=task.id, change={"edges": [edge]})
    one, two = export_goal(here, goal.id), export_goal(here, other.id)

    plan = import_goal(there, one)
    assert plan.waiting == [("depends_on", task.id, outside.id)]
    assert export_goal(there, goal.id) == one

    import_goal(there, two)
    assert [edge.label for edge in there.store.nodes.edges_of(there.owner, [outside.id]) if edge.label] == ["why"]
    assert (export_goal(there, goal.id), export_goal(there, other.id)) == (one, two)


def test_a_task_can_be_exported_with_all_below_it(here: Desk, there: Desk) -> None:
    """Work that has no goal can travel too; that it was a part of something is kept."""
    whole = open_task(here, "Whole")
    part = open_task(here, "Part", parent=whole.id)
    open_task(here, "Part of the part", parent=part.id)
    file = export_goal(here, part.id)

    import_goal(there, file)

    assert export_goal(there, part.id) == file
    assert f'from_node = "{whole.id}"' in file
    assert there.node(part.id).parent is None


def test_an_unknown_goal_is_refused(here: Desk) -> None:
    """There is no empty file of a goal that does not exist."""
    with pytest.raises(NodeNotFound):
        export_goal(here, "g-nowhere")


def test_a_goal_of_a_hundred_levels_is_exported(here: Desk, there: Desk) -> None:
    """How deep the work goes is nobody's limit."""
    goal = open_goal(here, "Deep")
    nodes = [{"id": f"t-{i}", "type": "task", "title": f"Level {i}", "status": "pending"} for i in range(100)]
    edges = [{"type": "contains", "from": f"t-{i - 1}" if i else goal.id, "to": f"t-{i}"} for i in range(100)]
    with here.writing() as write:
        write(EventType.OPEN, node=goal.id, change={"nodes": nodes, "edges": edges})
    file = export_goal(here, goal.id)

    import_goal(there, file)

    assert export_goal(there, goal.id) == file
    assert there.project == PROJECT
