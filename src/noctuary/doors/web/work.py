"""Pages of the work: a board of tasks, one node with all that is said about it, and the graph as a picture."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from noctuary.access import Caller
from noctuary.app import Memory
from noctuary.app.board import COLUMNS, Board, Screen
from noctuary.app.browsing import Browsing
from noctuary.authored import Entry, EventType
from noctuary.doors.web.choosing import EVERYWHERE, may_see, part_of, project_of, word
from noctuary.doors.web.filters import address
from noctuary.doors.web.frame import Frame
from noctuary.doors.web.graph_picture import STANDINGS, draw, shape, standing
from noctuary.doors.web.outcome import page
from noctuary.errors import NodeNotFound
from noctuary.graph import Edge, EdgeType, Node, NodeType

_CARDS, _A_COLUMN, _PARTS, _ENTRIES, _DRAWN, _GOALS = 12, 60, 60, 25, 120, 100
# What an edge says of the node that it begins at, and of the one where it ends.
RELATIONS = {
    EdgeType.CONTAINS: ("contains", "is part of"),
    EdgeType.DEPENDS_ON: ("waits for", "is awaited by"),
    EdgeType.LEADS_TO: ("leads to", "comes from"),
    EdgeType.CHOSEN: ("chose", "was chosen in"),
    EdgeType.REJECTED: ("rejected", "was rejected in"),
    EdgeType.SUPERSEDES: ("supersedes", "is superseded by"),
    EdgeType.INFORMS: ("informs", "is informed by"),
    EdgeType.DISCOVERED_FROM: ("was discovered from", "led to"),
}


class Relation(NamedTuple):
    """How a node is joined with another."""

    said: str
    node: Node
    why: str


class Leaf(NamedTuple):
    """A node of the nested list."""

    node: Node
    said: Sequence[str]  # how it is joined with others that are not above it
    parts: Sequence["Leaf"]


def add(app: FastAPI, frame: Frame) -> None:
    """Let the server tell of the work."""

    @app.get("/work", include_in_schema=False)
    def board(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
        asked = _asked(request)
        with frame.memory(caller) as memory:
            table = _board(memory, caller, request)
            goal = _goal(table, caller, asked["goal"])
            return page(
                frame,
                request,
                caller,
                "board.html",
                columns=table.columns(goal.id if goal else None, _CARDS),
                goals=table.goals(_GOALS),
                goal=goal,
                asked=asked,
                projects=Browsing(memory).projects() if caller.project is None else [],
                everywhere=EVERYWHERE,
                at=lambda path, **changed: address(path, asked, **changed),
            )

    @app.get("/work/column/{name}", include_in_schema=False)
    def column(request: Request, name: str, caller: Caller = frame.reader) -> HTMLResponse:
        if name not in COLUMNS:
            raise NodeNotFound(f"There is no column {name!r}; there are {', '.join(COLUMNS)}.")
        asked, part = _asked(request), part_of(request.query_params, _A_COLUMN)
        with frame.memory(caller) as memory:
            table = _board(memory, caller, request)
            goal = _goal(table, caller, asked["goal"])
            found = table.column(name, goal.id if goal else None, part.size, part.skip)
            at = address(f"/work/column/{name}", asked)
            return page(frame, request, caller, "column.html", column=found, goal=goal, part=part, at=at)

    _add_graph(app, frame)
    _add_node(app, frame)


def _add_graph(app: FastAPI, frame: Frame) -> None:
    @app.get("/work/graph", include_in_schema=False)
    def graph(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
        asked = _asked(request)
        with frame.memory(caller) as memory:
            table = _board(memory, caller, request)
            root = _goal(table, caller, asked["goal"])
            picture = table.picture(root.id if root else None, _DRAWN)
            return page(
                frame,
                request,
                caller,
                "graph.html",
                root=root,
                drawing=draw(picture.nodes, picture.edges),
                picture=picture,
                leaves=nested(picture.nodes, picture.edges),
                goals=table.goals(_GOALS),
                shape=shape,
                standing=standing,
                types=[kind for kind in NodeType if any(node.type is kind for node in picture.nodes)],
                standings=[name for name in STANDINGS if any(standing(node.status) == name for node in picture.nodes)],
                asked=asked,
                projects=Browsing(memory).projects() if caller.project is None else [],
                everywhere=EVERYWHERE,
                at=lambda path, **changed: address(path, asked, **changed),
            )


def _add_node(app: FastAPI, frame: Frame) -> None:
    @app.get("/work/{name}", include_in_schema=False)
    def node(request: Request, name: str, caller: Caller = frame.reader) -> HTMLResponse:
        part = part_of(request.query_params, _ENTRIES)
        with frame.memory(caller) as memory:
            known = _node(memory, caller, name)
            screen = Board(memory.work(""), None).screen(known.id, parts=_PARTS, entries=part.size, skip=part.skip)
            cited = (message.session for entry in screen.entries for message in entry.event.refs.messages)
            return page(
                frame,
                request,
                caller,
                "node.html",
                screen=screen,
                titles=Browsing(memory).titles(cited, caller.project),
                above=[each for each in screen.above if may_see(caller, each.project)],
                options=[part for part in screen.parts if part.type is NodeType.OPTION],
                others=[part for part in screen.parts if part.type is not NodeType.OPTION],
                relations=[*_relations(screen, caller)],
                verdicts=_verdicts(screen),
                said=_said,
                standing=standing,
                part=part,
                at=f"/work/{known.id}",
            )

    @app.get("/work/{name}/{what}", include_in_schema=False)
    def text(request: Request, name: str, what: str, caller: Caller = frame.reader) -> HTMLResponse:
        with frame.memory(caller) as memory:
            known = _node(memory, caller, name)
            work = memory.work(known.project)
            verbs = {"pack": lambda: work.pack(known), "handoff": lambda: work.handoff(known)}
            if what not in verbs:
                raise NodeNotFound(f"There is no page {what!r} of a node; there are pack and handoff.")
            told = Board(work, caller.project).own_lines(verbs[what]())
            return page(frame, request, caller, "node_text.html", node=known, what=what, text=told)


def nested(nodes: Sequence[Node], edges: Sequence[Edge]) -> list[Leaf]:
    """The nodes below what contains them, each once, with how else they are joined; circles begin somewhere."""
    by_id = {node.id: node for node in nodes}
    below: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        if edge.type is EdgeType.CONTAINS:
            below[edge.from_id].append(edge.to_id)
    contained = {part for parts in below.values() for part in parts}
    seen: set[str] = set()

    def leaf(name: str) -> Leaf:
        seen.add(name)
        said = [*_joined(by_id[name], edges, by_id)]
        return Leaf(by_id[name], said, [leaf(part) for part in below[name] if part not in seen])

    first = [name for name in by_id if name not in contained]
    return [leaf(name) for name in [*first, *by_id] if name not in seen]


def _joined(node: Node, edges: Sequence[Edge], by_id: dict[str, Node]) -> Iterator[str]:
    for edge in edges:
        is_part = edge.type is EdgeType.CONTAINS or by_id[edge.to_id].parent == node.id  # which stands below it
        if edge.from_id == node.id and not is_part:
            yield f"{RELATIONS[edge.type][0]} {by_id[edge.to_id].title}"


def _asked(request: Request) -> dict[str, str]:
    return {name: word(request.query_params, name) for name in ("project", "goal")}


def _board(memory: Memory, caller: Caller, request: Request) -> Board:
    return Board(memory.work(""), project_of(caller, request.query_params))


def _goal(board: Board, caller: Caller, name: str) -> Node | None:
    """The node that everything is narrowed to, if one is asked for."""
    return _seen(board.work.node(name), caller) if name else None


def _node(memory: Memory, caller: Caller, name: str) -> Node:
    try:
        return _seen(memory.work("").node(name), caller)
    except NodeNotFound:
        if caller.project is None:
            raise
        raise NodeNotFound(f"There is no node {name!r}.") from None  # not even which others begin so


def _seen(node: Node, caller: Caller) -> Node:
    if not may_see(caller, node.project):
        raise NodeNotFound(f"There is no node {node.id!r}.")
    return node


def _relations(screen: Screen, caller: Caller) -> Iterator[Relation]:
    parts = {part.id for part in screen.parts}
    for edge in screen.edges:
        is_start = edge.from_id == screen.node.id
        other = screen.related.get(edge.to_id if is_start else edge.from_id)
        if other and may_see(caller, other.project) and other.id not in parts:
            yield Relation(RELATIONS[edge.type][not is_start], other, edge.label or "")


def _verdicts(screen: Screen) -> dict[str, str]:
    """Why each option of a decision was chosen or not."""
    edges = [edge for edge in screen.edges if edge.type in (EdgeType.CHOSEN, EdgeType.REJECTED)]
    return {edge.to_id: edge.label or "" for edge in edges}


def _said(entry: Entry) -> str:
    """What an entry says; of a change without words what it changed."""
    event = entry.event
    fields = event.change.get("set", {}).get(event.node, {})
    if event.type is EventType.STATUS and "status" in fields:
        return f"{fields['status']}: {event.text}" if event.text else str(fields["status"])
    return event.text or ", ".join(f"{name}: {value}" for name, value in fields.items() if value is not None)
