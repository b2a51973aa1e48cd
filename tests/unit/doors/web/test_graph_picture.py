"""A part of the graph as a picture."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.doors.web.graph_picture import HEIGHT, STANDINGS, WIDTH, draw, shape, standing
from noctuary.graph import Edge, EdgeType, Node, NodeStatus, NodeType


def node(name: str, title: str = "", kind: NodeType = NodeType.TASK) -> Node:
    return Node(name, kind, title or name, NodeStatus.READY)


def edge(kind: EdgeType, start: str, end: str) -> Edge:
    return Edge(f"{start}-{kind}-{end}", kind, start, end)


NAMES = [f"n{number}" for number in range(9)]
EDGES = st.lists(
    st.builds(edge, st.sampled_from(EdgeType), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    unique_by=lambda one: one.id,
)


@given(edges=EDGES)
def test_every_node_has_its_own_place_within_the_picture(edges: list[Edge]) -> None:
    """Boxes are within the picture, no two of them overlap, and every edge between two nodes is a line."""
    drawing = draw([node(name) for name in NAMES], edges)

    assert [box.node.id for box in drawing.boxes] == NAMES
    for place, box in enumerate(drawing.boxes):
        assert WIDTH / 2 <= box.x <= drawing.width - WIDTH / 2
        assert HEIGHT / 2 <= box.y <= drawing.height - HEIGHT / 2
        for other in drawing.boxes[:place]:
            assert abs(box.x - other.x) >= WIDTH or abs(box.y - other.y) >= HEIGHT
    assert [line.edge for line in drawing.lines] == [one for one in edges if one.from_id != one.to_id]
    assert all(re.fullmatch(r"M[\d .-]+(C[\d .-]+)+", line.path) for line in drawing.lines)
    assert draw([node(name) for name in NAMES], edges) == drawing


def test_parts_stand_to_the_right_and_what_waits_behind_what_it_waits_for() -> None:
    """What contains or comes first is always further to the left."""
    drawing = draw(
        [node("goal", kind=NodeType.GOAL), node("second"), node("first")],
        [
            edge(EdgeType.CONTAINS, "goal", "first"),
            edge(EdgeType.CONTAINS, "goal", "second"),
            edge(EdgeType.DEPENDS_ON, "second", "first"),
        ],
    )
    x = {box.node.id: box.x for box in drawing.boxes}

    assert x["goal"] < x["first"] < x["second"]


def test_an_edge_out_of_the_picture_is_left_out() -> None:
    """A line needs both of its ends."""
    assert draw([node("a")], [edge(EdgeType.CONTAINS, "a", "elsewhere")]).lines == []


def test_an_empty_picture_is_one() -> None:
    """Without nodes there is nothing to draw, and nothing breaks."""
    drawing = draw([], [])

    assert (drawing.boxes, drawing.lines) == ([], [])


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("Short", ["Short"]),
        ("", ["(no title)"]),
        ("One two three four five six and so on", ["One two three four five", "six and so on"]),
        ("Tests of retries and of time-outs", ["Tests of retries and of", "time-outs"]),
        ("Tests of everything and time-outs", ["Tests of everything and", "time-outs"]),
        (f"{'long ' * 5}{'longer ' * 9}", ["long long long long long", "longer longer longer…"]),
        ("セッションを移す前に索引を作り直すこと", ["セッションを移す前に索引を", "作り直すこと"]),
        ("x" * 500, ["x" * 21, "x" * 20 + "…"]),
        ("W" * 500, ["W" * 13, "W" * 12 + "…"]),
        ("i" * 500, ["i" * 34, "i" * 31 + "…"]),
        ("e\u0301" * 19, ["e\u0301" * 19]),
    ],
)
def test_titles_fit_into_two_lines(title: str, lines: list[str]) -> None:
    """What is too long is cut and says so; letters take the room that they have."""
    assert draw([node("a")._replace(title=title)], []).boxes[0].lines == lines


def test_titles_of_goals_are_shorter() -> None:
    """They are bold, in a shape that is round."""
    title = "Take the whole checkout apart, and the bank"
    goal, task = node("a", kind=NodeType.GOAL)._replace(title=title), node("b")._replace(title=title)

    assert [box.lines[0] for box in draw([goal, task], []).boxes] == ["Take the whole", "Take the whole checkout"]


def test_every_type_has_a_shape_of_its_own_and_every_status_a_colour() -> None:
    """No two types look the same, and no status is without a standing."""
    assert len({shape(kind) for kind in NodeType}) == len(NodeType)
    assert {standing(status) for status in NodeStatus} == {*STANDINGS}
    assert sum(map(len, STANDINGS.values())) == len(NodeStatus)
