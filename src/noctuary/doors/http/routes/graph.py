"""The graph of the work: nodes, edges, the tree, all of it; and what is handed over."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import PlainTextResponse, Response

from noctuary.app import listing
from noctuary.app.within import Within
from noctuary.doors.http.asked import Adding, Asking, Reading, Writing
from noctuary.doors.http.document import told
from noctuary.doors.http.paging import DEFAULT, Cursor, Limit, Place, decode, part_of
from noctuary.doors.http.problems import Problem
from noctuary.doors.http.routes.names import ProjectQuery, ThingName, ThingQuery
from noctuary.doors.http.routes.tasks import node_view
from noctuary.doors.http.shapes.shape import Page, TextShape
from noctuary.doors.http.shapes.work import (
    BranchShape,
    EdgeShape,
    EdgesShape,
    GraphShape,
    HandingOver,
    LinkedShape,
    NewEdge,
    NodeShape,
    NodeView,
    TreeShape,
    WorkSessionShape,
)
from noctuary.graph import EdgeType, Node, NodeType
from noctuary.work.tree import Branch

router = APIRouter(tags=["graph"])
MOST_NODES = 10_000
_JOINED = "It is joined with work of another project, and this key is for one alone."
_TOO_MUCH = f"There are more than {MOST_NODES:,} nodes; read /graph/nodes in parts, or name a project."


@router.get("/graph/nodes", response_model=Page[NodeShape])
def list_nodes(
    asked: Reading,
    project: ProjectQuery = None,
    kind: Annotated[NodeType | None, Query(alias="type")] = None,
    limit: Limit = DEFAULT,
    cursor: Cursor = None,
) -> Response:
    """Nodes of every type, the oldest first."""
    own, behind = asked.project(project), decode(cursor)
    with asked.memory() as within:
        nodes = listing.nodes(within.work(own), kind, behind, limit + 1, everywhere=own is None)
        part = part_of(nodes, limit, lambda node: Place(node.created_ms, node.id))
        return asked.tell(Page[NodeShape].of(part, [NodeShape.of(node) for node in part.rows]))


@router.get("/graph/nodes/{node}", response_model=NodeView, responses=told(404))
def show_node(asked: Reading, node: ThingName) -> Response:
    """A node, and all that is said about it."""
    with asked.memory() as within:
        return asked.tell(node_view(within, node))


@router.get("/graph/nodes/{node}/edges", response_model=EdgesShape, responses=told(404))
def list_edges(asked: Reading, node: ThingName) -> Response:
    """How a node is joined with others."""
    with asked.memory() as within:
        edges = within.edges([within.node(node).id])
        return asked.tell(EdgesShape(edges=[EdgeShape.of(edge) for edge in edges]))


@router.post("/graph/edges", status_code=201, response_model=LinkedShape, responses=told(404, 409))
def link(asked: Adding, body: NewEdge) -> Response:
    """Join two nodes; joined so already, nothing is made twice."""
    writer = asked.writer(body.by)

    def write(within: Within) -> tuple[int, LinkedShape]:
        start, end = within.node(body.from_id), within.node(body.to_id)
        linked = within.work(start.project, writer).link(body.type, start, end, body.label)
        return HTTPStatus.CREATED, LinkedShape(edge=EdgeShape.of(linked.edge), is_new=linked.is_new)

    return asked.once(body, write)


@router.delete("/graph/edges/{kind}/{start}/{end}", response_model=EdgeShape, responses=told(404, 409))
def unlink(asked: Writing, kind: EdgeType, start: ThingName, end: ThingName) -> Response:
    """Remove the link between two nodes."""
    with asked.memory() as within:
        first, last = within.node(start), within.node(end)
        return asked.tell(EdgeShape.of(within.work(first.project, asked.writer("agent")).unlink(kind, first, last)))


@router.get("/graph/tree", response_model=TreeShape, responses=told(404, 409))
def tree(asked: Reading, project: ProjectQuery = None, root: ThingQuery = None) -> Response:
    """All that a node contains, or all there is, each before its parts."""
    own = asked.project(project)
    with asked.memory() as within:
        top = within.node(root).id if root else None
        branches = _few(within.work(own).tree(top, everywhere=own is None))
        shown = [branch for branch in branches if within.sees(branch.node.project)]
        return asked.tell(TreeShape(branches=[_branch(branch, within) for branch in shown]))


def _branch(branch: Branch, within: Within) -> BranchShape:
    """The branch; what it waits for is told as far as it may be seen."""
    if within.project is None or not branch.depends_on:
        return BranchShape.of(branch)
    edges = within.edges([branch.node.id])
    waits = [edge.to_id for edge in edges if edge.type is EdgeType.DEPENDS_ON and edge.from_id == branch.node.id]
    return BranchShape.of(branch._replace(depends_on=waits))


@router.get("/graph/export", response_model=GraphShape, responses=told(409))
def export_graph(asked: Reading, project: ProjectQuery = None) -> Response:
    """All nodes and edges, of a project or of all."""
    with asked.memory() as within:
        nodes = _all(within, asked.project(project))
        edges = within.edges([node.id for node in nodes])
        shape = GraphShape(nodes=[NodeShape.of(node) for node in nodes], edges=[EdgeShape.of(edge) for edge in edges])
        return asked.tell(shape)


@router.get(
    "/graph/nodes/{node}/export",
    response_class=PlainTextResponse,
    responses={**told(404), 200: {"content": {"application/toml": {"schema": {"type": "string"}}}}},
)
def export_goal(asked: Asking, node: ThingName) -> Response:
    """A goal or task and all that it contains, as the TOML that `noctuary graph import` reads."""
    with asked.memory() as within:
        known = _alone(within, node)
        return Response(within.work(known.project).export_goal(known), media_type="application/toml")


def _all(within: Within, project: str | None) -> list[Node]:
    """All nodes of a project, or of all, as they stand now."""
    branches = _few(within.work(project).tree(everywhere=project is None))
    return [branch.node for branch in branches if within.sees(branch.node.project)]


def _few(branches: list[Branch]) -> list[Branch]:
    if len(branches) > MOST_NODES:
        raise Problem(HTTPStatus.CONFLICT, _TOO_MUCH)
    return branches


def _alone(within: Within, name: str) -> Node:
    node = within.node(name)
    if within.is_joined_elsewhere(node.id):
        raise Problem(HTTPStatus.FORBIDDEN, _JOINED)
    return node


@router.get("/handoff", response_model=TextShape, responses=told(404), tags=["handoff"])
def handoff(asked: Reading, goal: Annotated[str, Query(min_length=1, max_length=200, pattern=r"^[!-~]+$")]) -> Response:
    """Where the work on a goal or a task stands, for whoever goes on with it."""
    with asked.memory() as within:
        node = _alone(within, goal)
        return asked.tell(TextShape(text=within.work(node.project).handoff(node)))


@router.post("/handoff", status_code=201, response_model=WorkSessionShape, responses=told(404, 409), tags=["handoff"])
def hand_over(asked: Adding, body: HandingOver) -> Response:
    """End a session of work on a goal; its notes are kept for the next."""
    writer = asked.writer(body.by)

    def write(within: Within) -> tuple[int, WorkSessionShape]:
        node = _alone(within, body.goal)
        work = within.work(node.project, writer)
        started = work.start_session(node, agents=body.agents)
        ended = work.end_session(started.session.id, summary=body.summary)
        return HTTPStatus.CREATED, WorkSessionShape.model_validate(ended)

    return asked.once(body, write)
