"""A part of the graph as a picture: from the whole to its parts, and from what comes first to what waits for it.

Types have shapes, statuses have colours; lines that cross a column are led between its nodes.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from noctuary.doors.web.graph_layers import Net, islands, ranks_of, without_circles
from noctuary.doors.web.graph_titles import titled
from noctuary.graph import Edge, EdgeType, Node, NodeStatus, NodeType

WIDTH, HEIGHT = 196, 52  # of a node
_ACROSS, _BETWEEN, _THROUGH, _MARGIN = 84, 18, 12, 16  # between columns, nodes, and lines that pass; around all
_LEAST_ACROSS = 4  # of nodes that nothing joins
# Edges that say what comes after what they begin at; the others say what came before.
_FORWARD = frozenset({EdgeType.CONTAINS, EdgeType.LEADS_TO, EdgeType.CHOSEN, EdgeType.REJECTED, EdgeType.INFORMS})
STANDINGS: Mapping[str, frozenset[NodeStatus]] = {
    "ready": frozenset({NodeStatus.READY, NodeStatus.ACTIVE}),
    "doing": frozenset({NodeStatus.CLAIMED, NodeStatus.IN_PROGRESS, NodeStatus.REVIEW}),
    "waiting": frozenset({NodeStatus.PENDING, NodeStatus.BLOCKED}),
    "done": frozenset({NodeStatus.COMPLETED, NodeStatus.DECIDED, NodeStatus.CHOSEN}),
    "gone": frozenset(
        {
            NodeStatus.FAILED,
            NodeStatus.CANCELLED,
            NodeStatus.SUPERSEDED,
            NodeStatus.REJECTED,
            NodeStatus.ABANDONED,
        }
    ),
}


class Box(NamedTuple):
    """A node in the picture; x and y are its middle."""

    node: Node
    x: float
    y: float
    lines: Sequence[str]  # of its title


class Line(NamedTuple):
    """An edge in the picture, drawn from where it begins to where it ends."""

    edge: Edge
    path: str  # as SVG has it


class Drawing(NamedTuple):
    """A picture, and how large it is."""

    width: float
    height: float
    boxes: Sequence[Box]
    lines: Sequence[Line]


def standing(status: NodeStatus) -> str:
    """How a status is coloured: ready, doing, waiting, done or gone."""
    return next(name for name, statuses in STANDINGS.items() if status in statuses)


def shape(kind: NodeType) -> str:
    """The outline of a node around its middle, as SVG has it; each type has its own."""
    x, y = WIDTH / 2, HEIGHT / 2
    if kind is NodeType.GOAL:
        return f"M{y - x} {-y}H{x - y}A{y} {y} 0 0 1 {x - y} {y}H{y - x}A{y} {y} 0 0 1 {y - x} {-y}Z"
    if kind is NodeType.DECISION:
        return f"M{-x} 0L{14 - x} {-y}H{x - 14}L{x} 0L{x - 14} {y}H{14 - x}Z"
    if kind is NodeType.OPTION:
        return f"M{-x} {-y}H{x - 14}L{x} {14 - y}V{y}H{14 - x}L{-x} {y - 14}Z"
    if kind is NodeType.OUTCOME:
        return f"M{-x} {-y}H{x - 14}L{x} 0L{x - 14} {y}H{-x}Z"
    if kind is NodeType.REVISIT:
        return f"M{14 - x} {-y}H{x}L{x - 14} {y}H{-x}Z"
    round_by = 12 if kind is NodeType.OBSERVATION else 5
    corner = f"a{round_by} {round_by} 0 0 1"
    across, down = WIDTH - 2 * round_by, HEIGHT - 2 * round_by
    return (
        f"M{round_by - x} {-y}h{across}{corner} {round_by} {round_by}v{down}{corner} {-round_by} {round_by}"
        f"h{-across}{corner} {-round_by} {-round_by}v{-down}{corner} {round_by} {-round_by}Z"
    )


def draw(nodes: Sequence[Node], edges: Iterable[Edge]) -> Drawing:
    """The picture of these nodes and of the edges between them; what nothing joins stands in rows below the rest."""
    names = {node.id for node in nodes}
    inside = [edge for edge in edges if edge.from_id in names and edge.to_id in names and edge.from_id != edge.to_id]
    places: dict[str, tuple[float, float]] = {}
    paths: dict[str, str] = {}
    top = float(_MARGIN)
    found = islands([node.id for node in nodes], [(edge.from_id, edge.to_id) for edge in inside])
    for island in (each for each in found if len(each) > 1):
        within = [edge for edge in inside if edge.from_id in {*island}]
        stands, drawn = _island(island, within, top)
        top = max(y for _, y in stands.values()) + HEIGHT / 2 + _BETWEEN
        places |= stands
        paths |= drawn
    across = max(_LEAST_ACROSS, len({x for x, _ in places.values()}))
    for number, name in enumerate(each[0] for each in found if len(each) == 1):
        places[name] = (_x(number % across), top + HEIGHT / 2 + number // across * (HEIGHT + _BETWEEN))
    lowest = max((y for _, y in places.values()), default=0.0)
    return Drawing(
        width=max((x for x, _ in places.values()), default=0.0) + WIDTH / 2 + _MARGIN,
        height=lowest + HEIGHT / 2 + _MARGIN,
        boxes=[Box(node, *places[node.id], titled(node.title, node.type)) for node in nodes],
        lines=[Line(edge, paths[edge.id]) for edge in inside],
    )


def _island(
    names: Sequence[str], edges: Sequence[Edge], top: float
) -> tuple[dict[str, tuple[float, float]], dict[str, str]]:
    """Where nodes stand that are joined with each other, and where lines pass, the highest at `top`; and the lines."""
    ahead = without_circles(names, dict.fromkeys(_way(edge) for edge in edges))
    net = Net(ranks_of(names, ahead), ahead, node_room=HEIGHT + _BETWEEN, way_room=_THROUGH)
    net.order()
    heights = net.heights()
    down = top + HEIGHT / 2 - min(heights.values())
    places = {name: (_x(rank), heights[name] + down) for name, rank in net.ranks.items()}
    return places, {edge.id: _path(edge, net, places) for edge in edges}


def _x(column: int) -> float:
    return _MARGIN + WIDTH / 2 + column * (WIDTH + _ACROSS)


def _way(edge: Edge) -> tuple[str, str]:
    """From what stands to the left to what stands to the right."""
    return (edge.from_id, edge.to_id) if edge.type in _FORWARD else (edge.to_id, edge.from_id)


def _path(edge: Edge, net: Net, places: Mapping[str, tuple[float, float]]) -> str:
    """A line from side to side of the nodes, through the places it has in columns between; drawn as the edge points."""
    start, end = _way(edge)
    if (start, end) not in net.through:  # it closes a circle, so it goes back
        start, end = end, start
    between = net.through.get((start, end), [])
    (x1, y1), (x2, y2) = places[start], places[end]
    aside = WIDTH / 2 if x2 > x1 else 0.0
    passed = (point for name in between for point in _sides(places[name]))
    points = [(x1 + aside, y1), *passed, (x2 - aside, y2)]
    points = points if edge.from_id == start else points[::-1]
    drawn = [f"M{points[0][0]:.0f} {points[0][1]:.1f}"]
    for (xa, ya), (xb, yb) in pairwise(points):
        bend = (xb - xa) / 2
        drawn.append(f"C{xa + bend:.0f} {ya:.1f} {xb - bend:.0f} {yb:.1f} {xb:.0f} {yb:.1f}")
    return "".join(drawn)


def _sides(place: tuple[float, float]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a line comes into a column and where it leaves it: straight, so that it touches no node."""
    x, y = place
    return (x - WIDTH / 2, y), (x + WIDTH / 2, y)
