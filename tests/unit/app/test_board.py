"""The work a screenful at a time: columns of tasks, one node, a part of the graph."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.app.board import Board, Column
from noctuary.app.work import Work
from noctuary.graph import EdgeType, NodeStatus
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests import databases

SHOP, BLOG = "/code/shop", "/code/blog"


@pytest.fixture
def memory(tmp_path: Path, database: str) -> Iterator[Memory]:
    """A memory whose clock stands still, on either database."""
    home = tmp_path / "home"
    settings = Settings(home, "ana", tmp_path, {}, database_url=databases.url_of(home))
    with Memory.from_settings(settings, FakeClock()) as opened:
        yield opened


@pytest.fixture
def work(memory: Memory) -> Work:
    """The work of a shop in it."""
    return memory.work(SHOP)


def titles(column: Column) -> list[str]:
    return [task.title for task in column.tasks]


def test_every_task_stands_in_the_column_of_its_status_now(work: Work) -> None:
    """Free tasks are ready, what waits for another is blocked, what somebody is at is in progress, the rest is done."""
    schema, load = work.open_task("Write the schema"), work.open_task("Load the data")
    work.depend(load, schema)
    work.claim(work.open_task("Name the tables"), "ana")
    work.set_status(work.open_task("Buy a server"), "blocked", reason="No money")
    work.close(work.open_task("Choose a database"))
    work.close(work.open_task("Learn COBOL"), tag="abandoned", reason="No")

    ready, doing, blocked, done = Board(work, SHOP).columns(None, 10)

    assert titles(ready) == ["Write the schema"]
    assert titles(doing) == ["Name the tables"]
    assert sorted(titles(blocked)) == ["Buy a server", "Load the data"]
    assert sorted(titles(done)) == ["Choose a database", "Learn COBOL"]
    assert [column.total for column in (ready, doing, blocked, done)] == [1, 1, 2, 2]


def test_a_column_comes_in_parts_and_what_is_urgent_first(work: Work) -> None:
    """However many tasks there are, as many are given as are asked for."""
    for number in range(7):
        work.open_task(f"Task {number}", priority="critical" if number == 6 else None)
    for number in range(5):
        work.close(work.open_task(f"Old {number}"))
    board = Board(work, SHOP)

    first, second = board.column("ready", None, 4), board.column("ready", None, 4, skip=4)
    ended, more = board.column("done", None, 3), board.column("done", None, 3, skip=3)

    assert titles(first)[0] == "Task 6"
    assert {*titles(first), *titles(second)} == {f"Task {number}" for number in range(7)}
    assert (len(titles(ended)), len(titles(more)), ended.total) == (3, 2, 5)
    assert {*titles(ended), *titles(more)} == {f"Old {number}" for number in range(5)}


def test_a_goal_narrows_the_board_to_what_it_contains(work: Work) -> None:
    """At any depth; what has ended as well."""
    goal = work.open_goal("No Redis")
    task = work.open_task("Import sessions", parent=goal)
    work.open_task("Check the counts", parent=task)
    work.close(work.open_task("Write the schema", parent=goal))
    work.open_task("Rename the README")

    ready, _, _, done = Board(work, SHOP).columns(goal.id, 10)

    assert sorted(titles(ready)) == ["Check the counts", "Import sessions"]
    assert titles(done) == ["Write the schema"]


def test_a_board_is_of_one_project_or_of_all(memory: Memory) -> None:
    """Goals and tasks of another project are on the board of all alone."""
    memory.work(SHOP).open_task("Sell things")
    memory.work(BLOG).open_goal("Write more")
    memory.work(BLOG).open_task("Write a post")

    assert titles(Board(memory.work(SHOP), SHOP).column("ready", None, 9)) == ["Sell things"]
    assert len(Board(memory.work(""), None).column("ready", None, 9).tasks) == 2
    assert Board(memory.work(SHOP), SHOP).goals(9) == []
    assert [goal.title for goal in Board(memory.work(BLOG), BLOG).goals(9)] == ["Write more"]


def test_a_screen_shows_some_of_what_there_is(work: Work) -> None:
    """Parts and entries up to a number, how many there are, what it belongs to, and edges that are no mere parts."""
    goal = work.open_goal("No Redis")
    task = work.open_task("Import sessions", parent=goal)
    other = work.open_task("Write the schema")
    work.depend(task, other)
    for number in range(4):
        work.open_task(f"Part {number}", parent=task)
        work.note("finding", f"Finding {number}", node=task)

    screen = Board(work, SHOP).screen(task.id, parts=3, entries=2)
    older = Board(work, SHOP).screen(task.id, parts=3, entries=9, skip=2)

    assert (len(screen.parts), screen.parts_total) == (3, 4)
    assert [node.id for node in screen.above] == [goal.id]
    assert [(edge.type, edge.to_id) for edge in screen.edges] == [(EdgeType.DEPENDS_ON, other.id)]
    assert [*screen.related] == [other.id]
    assert (len(screen.entries), screen.has_more_entries, older.has_more_entries) == (2, True, False)
    assert not {entry.event.id for entry in screen.entries} & {entry.event.id for entry in older.entries}
    assert screen.node.status is NodeStatus.PENDING


def test_a_decision_shows_what_was_chosen_and_what_was_not(work: Work) -> None:
    """Options are its parts, and the edges to them say why."""
    decision = work.log_decision("Where do sessions live?", options=["SQLite", "Redis"])
    work.choose_option(decision.node, decision.options[0], "One file")

    screen = Board(work, SHOP).screen(decision.node.id, parts=9, entries=9)

    assert {edge.type for edge in screen.edges} >= {EdgeType.CHOSEN, EdgeType.REJECTED}
    assert len(screen.parts) == 2


def test_a_picture_holds_what_is_nearest(work: Work) -> None:
    """The root and its direct parts before what lies deeper; edges only between what is there."""
    goal = work.open_goal("No Redis")
    near = [work.open_task(f"Near {number}", parent=goal) for number in range(3)]
    deep = [work.open_task(f"Deep {number}", parent=near[0]) for number in range(3)]
    work.open_task("Elsewhere")

    few, everything = Board(work, SHOP).picture(goal.id, 4), Board(work, SHOP).picture(goal.id, 100)

    assert {node.id for node in few.nodes} == {goal.id, *(task.id for task in near)}
    assert {node.id for node in everything.nodes} == {goal.id, *(task.id for task in [*near, *deep])}
    assert few.total == everything.total == 7
    names = {node.id for node in few.nodes}
    assert few.edges
    assert all({edge.from_id, edge.to_id} <= names for edge in few.edges)


def test_a_picture_of_no_node_holds_what_was_touched_last(work: Work) -> None:
    """What has not ended first; an empty project is an empty picture."""
    assert Board(work, SHOP).picture(None, 5).nodes == []
    work.close(work.open_task("Old"))
    work.open_task("New")

    assert [node.title for node in Board(work, SHOP).picture(None, 1).nodes] == ["New"]
    assert Board(work, SHOP).picture(None, 1).total == 2
