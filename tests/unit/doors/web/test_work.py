"""Pages of the work."""

from itertools import chain

import pytest

from noctuary.app import Memory
from noctuary.doors.web.work import nested
from noctuary.graph import Edge, EdgeType, Node, NodeStatus, NodeType
from tests.unit.doors.web.visiting import BLOG, SHOP, Shown, owner, visitor

pytestmark = pytest.mark.usefixtures("database")
EVIL = '<script>alert(1)</script> & "more"'


def titles(page: Shown) -> list[str]:
    return [one.said for one in page.all("a", class_="title")]


def columns(page: Shown) -> dict[str, str]:
    return {one.said.split(" ")[0]: one.said for one in page.all("section", class_="column")}


def test_the_board_has_a_column_for_every_standing(memory: Memory) -> None:
    """Ready, in progress, blocked and done, each with how many there are; what is stored stays text."""
    work = memory.work(SHOP)
    first = work.open_task(f"First {EVIL}")
    work.depend(work.open_task("Second"), first)
    work.claim(work.open_task("Third"), "claude-1")
    work.close(work.open_task("Fourth"))
    with visitor(memory) as ana:
        page = ana.see("/work")

    told = columns(page)
    assert told["Ready"].startswith(f"Ready 1 First {EVIL}")
    assert told["In"].startswith("In progress 1 Third by claude-1")
    assert told["Blocked"].startswith("Blocked 1 Second")
    assert told["Done"].startswith("Done 1 Fourth")
    assert all("static" in one.get("src") for one in page.all("script"))


def test_goals_and_projects_narrow_the_board(memory: Memory) -> None:
    """A goal shows what it contains; a project what is in it."""
    goal = memory.work(SHOP).open_goal("No Redis")
    memory.work(SHOP).open_task("Inside", parent=goal)
    memory.work(SHOP).open_task("Beside")
    memory.work(BLOG).open_task("Elsewhere")
    with visitor(memory) as ana:
        assert titles(ana.see(f"/work?goal={goal.id}")) == ["Inside"]
        assert sorted(titles(ana.see(f"/work?project={SHOP}"))) == ["Beside", "Inside"]
        assert sorted(titles(ana.see("/work"))) == ["Beside", "Elsewhere", "Inside"]
        ana.see("/work?goal=g-nothing", status=404)


def test_thousands_of_tasks_come_in_parts(memory: Memory) -> None:
    """The board shows the first of each column and leads to all; pages of a column have each task once."""
    work = memory.work(SHOP)
    with memory.ledger.writing(SHOP):
        for number in range(130):
            work.open_task(f"Open {number}")
        for number in range(70):
            work.close(work.open_task(f"Closed {number}"))
    with visitor(memory) as ana:
        board = ana.see("/work")
        seen, place = [], next(one.get("href") for one in board.all("a") if "column/ready" in one.get("href"))
        while place:
            page = ana.see(place)
            seen.append(titles(page))
            place = next((one.get("href") for one in page.all("a", rel="next")), "")
        done = ana.see("/work/column/done?page=2")
        ana.see("/work/column/nonsense", status=404)

    assert len(titles(board)) == 24
    assert "All 130" in board.said
    assert sorted(chain(*seen)) == sorted(f"Open {number}" for number in range(130))
    assert [len(part) for part in seen] == [60, 60, 10]
    assert len(titles(done)) == 10


def test_a_node_shows_all_that_is_said_about_it(memory: Memory) -> None:
    """What it belongs to, its parts, what it waits for, and its notes, the newest first."""
    work = memory.work(SHOP)
    goal = work.open_goal("No Redis", description="One file to **back up**.")
    task = work.open_task("Import", parent=goal, goal="Nobody logs in again")
    work.depend(task, work.open_task("Schema"))
    work.open_task("Count the rows", parent=task)
    work.note("finding", EVIL, node=task)
    with visitor(memory) as ana:
        page, above = ana.see(f"/work/{task.id}"), ana.see(f"/work/{goal.id}")

    assert page.one("a", href=f"/work/{goal.id}").said == "No Redis"
    assert titles(page) == ["Count the rows"]
    assert [(one.said, other.said) for one, other in zip(page.all("dt")[:1], page.all("dd")[:1], strict=True)] == [
        ("waits for", "Schema task, ready")
    ]
    assert page.all("li", class_="entry")[0].said.startswith(f"finding {EVIL}")
    assert "back up" in [one.said for one in above.all("strong")]


def test_a_decision_shows_what_was_chosen_and_why(memory: Memory) -> None:
    """Options with their reasons, and what came of it apart from them."""
    work = memory.work(SHOP)
    made = work.log_decision("Where do sessions live?", options=["SQLite", "Redis"])
    work.choose_option(made.node, made.options[0], "One file")
    work.record_outcome(made.node, "It is faster", success=True)
    with visitor(memory) as ana:
        page = ana.see(f"/work/{made.node.id}")

    assert [one.said for one in page.all("li", class_="option")] == [
        "SQLite chosen One file",
        "Redis rejected not chosen",
    ]
    assert "What came of it It is faster" in page.said


def test_entries_of_a_node_come_in_parts(memory: Memory) -> None:
    """The newest first, each on one page."""
    work = memory.work(SHOP)
    task = work.open_task("Import")
    with memory.ledger.writing(SHOP):
        for number in range(40):
            work.note("finding", f"Finding {number}", node=task)
    with visitor(memory) as ana:
        first, second = ana.see(f"/work/{task.id}"), ana.see(f"/work/{task.id}?page=2")

    found = [[one.said.split(" 20")[0] for one in page.all("li", class_="entry")] for page in (first, second)]
    assert [len(part) for part in found] == [25, 16]
    assert found[0][0] == "finding Finding 39"
    assert len({*chain(*found)}) == 41


def test_packs_and_handoffs_are_pages(memory: Memory) -> None:
    """All that an agent would be handed; other words are no page."""
    work = memory.work(SHOP)
    goal = work.open_goal("No Redis")
    task = work.open_task("Import", parent=goal)
    with visitor(memory) as ana:
        assert "Import [ready]" in ana.see(f"/work/{task.id}/pack").said
        assert "No Redis" in ana.see(f"/work/{goal.id}/handoff").said
        ana.see(f"/work/{task.id}/secrets", status=404)


def test_the_graph_is_a_picture_and_a_list(memory: Memory) -> None:
    """Every node is a link in both, with its type and status in words; the legend names what is there."""
    work = memory.work(SHOP)
    goal = work.open_goal("No Redis")
    first = work.open_task(f"First {EVIL}", parent=goal)
    second = work.open_task("Second", parent=goal)
    work.depend(second, first)
    with visitor(memory) as ana:
        page = ana.see(f"/work/graph?goal={goal.id}")

    boxes = page.all("a", class_="node")
    assert {one.get("href") for one in boxes} == {f"/work/{node.id}" for node in (goal, first, second)}
    assert f"task, ready: First {EVIL}" in [one.get("aria-label") for one in boxes]
    assert len(page.all("path", class_="line")) == 3
    assert f"Second task, pending; waits for First {EVIL}" in page.one("ul", class_="tree").said
    assert page.all("ul", **{"aria-label": "Shapes"})[0].said == "goal task"


@pytest.mark.slow
def test_a_graph_of_very_many_nodes_is_drawn_in_part(memory: Memory) -> None:
    """No more is drawn than can be looked at, and it is said how much there is."""
    work = memory.work(SHOP)
    with memory.ledger.writing(SHOP):
        goal = work.open_goal("Everything")
        for number in range(300):
            work.open_task(f"Task {number}", parent=goal)
    with visitor(memory) as ana:
        whole, part = ana.see("/work/graph"), ana.see(f"/work/graph?goal={goal.id}")

    for page in (whole, part):
        assert len(page.all("a", class_="node")) == 120
        assert "120 of 301 nodes are drawn" in page.said
    assert f"/work/{goal.id}" in {one.get("href") for one in part.all("a", class_="node")}


@pytest.mark.parametrize("what", ["", "/pack", "/handoff"])
def test_a_key_for_one_project_sees_its_work_alone(memory: Memory, what: str) -> None:
    """Neither nodes, nor what they are joined with, nor their texts; the beginning of an id says nothing either."""
    goal = memory.work(BLOG).open_goal("A secret of the blog")
    mine = memory.work(SHOP).open_task("Mine")
    memory.work(SHOP).link("informs", memory.work(SHOP).record_observation("Seen", about=mine), goal)
    with visitor(memory, owner(SHOP)) as ana:
        pages = [
            ana.see("/work"),
            ana.see(f"/work?project={BLOG}"),
            ana.see("/work/graph"),
            ana.see(f"/work/{mine.id}"),
        ]
        missing = [ana.see(f"/work/{name}{what}", status=404) for name in (goal.id, goal.id[:4], "g-")]
        missing += [ana.see(f"{place}?goal={goal.id}", status=404) for place in ("/work", "/work/graph")]

    for page in (*pages, *missing):
        assert "secret" not in page.said
    assert titles(pages[0]) == ["Mine"]


def test_a_pack_names_no_node_of_another_project(memory: Memory) -> None:
    """A task may wait for one of another project; whoever has a key for the one alone is not told of the other."""
    secret = memory.work(BLOG).open_task("A secret of the blog")
    mine = memory.work(SHOP).open_task("Mine")
    memory.work(SHOP).depend(mine, secret)
    with visitor(memory, owner(SHOP)) as limited, visitor(memory) as ana:
        assert "A secret" in ana.see(f"/work/{mine.id}/pack").said
        pages = [limited.see(f"/work/{mine.id}{what}") for what in ("", "/pack")]

    assert [page.said.count("Mine") > 0 for page in pages] == [True, True]
    assert "A secret" not in pages[1].said


def test_a_circle_is_listed_once() -> None:
    """Nodes that contain each other, as two machines can make them, are in the list, each once."""
    nodes = [Node(name, NodeType.TASK, name, NodeStatus.READY) for name in "abc"]
    edges = [Edge(f"{one}{two}", EdgeType.CONTAINS, one, two) for one, two in ("ab", "bc", "ca")]

    leaves = nested(nodes, edges)

    assert [leaf.node.id for leaf in leaves] == ["a"]
    assert [part.node.id for part in leaves[0].parts[0].parts] == ["c"]


def test_without_work_it_is_said_how_to_begin(memory: Memory) -> None:
    """Neither board nor graph is an empty frame."""
    with visitor(memory) as ana:
        assert "noctuary task open" in ana.see("/work").said
        assert "noctuary goal open" in ana.see("/work/graph").said
