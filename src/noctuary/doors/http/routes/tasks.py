"""Tasks and goals: opened, amended, claimed, ended; what can be begun, and how complete a record is."""

from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from noctuary.app.within import Within
from noctuary.app.work import Work
from noctuary.doors.http.asked import Adding, Asked, Changing, Reading
from noctuary.doors.http.document import told
from noctuary.doors.http.paging import DEFAULT, Cursor, Limit, Place, cut
from noctuary.doors.http.problems import Problem
from noctuary.doors.http.routes.names import ProjectQuery, ThingName, ThingQuery
from noctuary.doors.http.shapes.shape import Page, TextShape
from noctuary.doors.http.shapes.work import (
    AmendedNode,
    CheckShape,
    Claiming,
    ClosedShape,
    EdgeShape,
    Ending,
    EntryShape,
    NewGoal,
    NewTask,
    NextShape,
    NodeShape,
    NodeView,
    ReadyShape,
    Reason,
    Releasing,
    StuckShape,
    WaitingShape,
)
from noctuary.graph import Node
from noctuary.work.desk import Writer
from noctuary.work.ready import Stuck

router = APIRouter(tags=["tasks"])
_LEAST_PACK, _MOST_PACK = 500, 100_000
_JOINED = "It is joined with work of another project, and this key is for one alone."
StatusQuery = Annotated[
    Literal[
        "open", "closed", "pending", "active", "ready", "claimed", "in_progress", "review", "completed", "blocked",
        "failed", "cancelled",
    ]
    | None,
    Query(description="Where they stand; `open` and `closed` are several."),
]  # fmt: skip


@router.get("/tasks", response_model=Page[NodeShape])
def list_tasks(
    asked: Reading,
    project: ProjectQuery = None,
    status: StatusQuery = None,
    limit: Limit = DEFAULT,
    cursor: Cursor = None,
) -> Response:
    """Tasks, the oldest first."""
    own = asked.project(project)
    with asked.memory() as within:
        return _listed(asked, within.work(own).tasks(status=status, everywhere=own is None), cursor, limit)


@router.get("/goals", response_model=Page[NodeShape])
def list_goals(
    asked: Reading,
    project: ProjectQuery = None,
    status: StatusQuery = None,
    limit: Limit = DEFAULT,
    cursor: Cursor = None,
) -> Response:
    """Goals, the oldest first."""
    own = asked.project(project)
    with asked.memory() as within:
        return _listed(asked, within.work(own).goals(status=status, everywhere=own is None), cursor, limit)


def _listed(asked: Asked, nodes: list[Node], cursor: str | None, limit: int) -> Response:
    part = cut(nodes, cursor, limit, lambda node: Place(node.created_ms, node.id))
    return asked.tell(Page[NodeShape].of(part, [NodeShape.of(node) for node in part.rows]))


@router.post("/tasks", status_code=201, response_model=NodeShape, responses=told(404, 409))
def open_task(asked: Adding, body: NewTask) -> Response:
    """Open a task."""
    writer, project = asked.writer(body.by, body.session), asked.project(body.project)

    def write(within: Within) -> tuple[int, NodeShape]:
        parent = within.node(body.parent) if body.parent else None
        node = within.work(parent.project if parent else project, writer).open_task(
            body.title,
            goal=body.goal,
            context=body.context,
            parent=parent,
            priority=body.priority,
            labels=body.labels,
            external=body.external,
        )
        return HTTPStatus.CREATED, NodeShape.of(node)

    return asked.once(body, write)


@router.post("/goals", status_code=201, response_model=NodeShape, responses=told(409))
def open_goal(asked: Adding, body: NewGoal) -> Response:
    """Open a goal, which tasks and decisions can be parts of."""
    writer, project = asked.writer(body.by), asked.project(body.project)

    def write(within: Within) -> tuple[int, NodeShape]:
        node = within.work(project, writer).open_goal(
            body.title, description=body.description, priority=body.priority, labels=body.labels
        )
        return HTTPStatus.CREATED, NodeShape.of(node)

    return asked.once(body, write)


@router.get("/tasks/{task}", response_model=NodeView, responses=told(404))
def show_task(asked: Reading, task: ThingName) -> Response:
    """A task, goal or decision, and all that is said about it."""
    with asked.memory() as within:
        return asked.tell(node_view(within, task))


def node_view(within: Within, name: str) -> NodeView:
    """A node and what is around it, as far as that may be seen."""
    node = within.node(name)
    view = within.work(node.project).show(node)
    return NodeView(
        node=NodeShape.of(view.node),
        entries=[EntryShape.of(within.shown(entry)) for entry in view.entries],
        children=[NodeShape.of(child) for child in view.children if within.sees(child.project)],
        edges=[EdgeShape.of(edge) for edge in within.edges([node.id])],
        related={key: NodeShape.of(other) for key, other in view.related.items() if within.sees(other.project)},
    )


@router.patch("/tasks/{task}", response_model=NodeView, responses=told(404, 409))
def amend_task(asked: Changing, task: ThingName, body: AmendedNode) -> Response:
    """Set title, goal, description, priority, labels or names elsewhere."""
    writer = asked.writer(body.by, body.session)
    named = body.model_fields_set - {"by", "session"}
    with asked.memory() as within, within.at_once():
        node = within.node(task)
        asked.require_match(lambda: node_view(within, node.id))
        work = within.work(node.project, writer)
        if body.title is not None:
            work.rename(node, body.title)
        if fields := {name: getattr(body, name) for name in sorted(named - {"title"})}:
            work.amend(node, **fields)
        return asked.tell(node_view(within, node.id))


@router.post("/tasks/{task}/close", response_model=ClosedShape, responses=told(404, 409))
def close_task(asked: Adding, task: ThingName, body: Ending) -> Response:
    """End a task or a goal."""
    writer = asked.writer(body.by, body.session)

    def write(within: Within) -> tuple[int, ClosedShape]:
        node, work = _at_work(within, task, writer)
        closed = work.close(node, reason=body.reason, outcome=body.outcome, tag=body.tag)
        notes = [] if within.is_joined_elsewhere(node.id) else list(closed.notes)
        return HTTPStatus.OK, ClosedShape(node=NodeShape.of(closed.node), notes=notes)

    return asked.once(body, write)


@router.post("/tasks/{task}/reopen", response_model=NodeShape, responses=told(404, 409))
def reopen_task(asked: Adding, task: ThingName, body: Reason) -> Response:
    """Go on with what was ended."""
    writer = asked.writer(body.by)

    def write(within: Within) -> tuple[int, NodeShape]:
        node, work = _at_work(within, task, writer)
        return HTTPStatus.OK, NodeShape.of(work.reopen(node, reason=body.reason))

    return asked.once(body, write)


@router.post("/tasks/{task}/claim", response_model=NodeShape, responses=told(404, 409))
def claim_task(asked: Adding, task: ThingName, body: Claiming) -> Response:
    """Take a task, so that nobody else does; or say that one is still at it."""

    def write(within: Within) -> tuple[int, NodeShape]:
        node, work = _at_work(within, task, asked.writer("agent", body.agent))
        return HTTPStatus.OK, NodeShape.of(work.claim(node, body.agent, minutes=body.minutes))

    return asked.once(body, write)


@router.post("/tasks/{task}/release", response_model=NodeShape, responses=told(404, 409))
def release_task(asked: Adding, task: ThingName, body: Releasing) -> Response:
    """Give a task back."""

    def write(within: Within) -> tuple[int, NodeShape]:
        node, work = _at_work(within, task, asked.writer("agent", body.agent))
        return HTTPStatus.OK, NodeShape.of(work.release(node, body.agent, reason=body.reason))

    return asked.once(body, write)


def _at_work(within: Within, name: str, writer: Writer) -> tuple[Node, Work]:
    node = within.node(name)
    return node, within.work(node.project, writer)


@router.get("/tasks/{task}/check", response_model=CheckShape, responses=told(404))
def check_task(asked: Reading, task: ThingName) -> Response:
    """How complete the record of a task is, and what it lacks."""
    with asked.memory() as within:
        node = _alone(within, task)
        return asked.tell(CheckShape.of(within.work(node.project).check(node)))


@router.get("/tasks/{task}/pack", response_model=TextShape, responses=told(404))
def pack(
    asked: Reading,
    task: ThingName,
    budget: Annotated[int, Query(ge=_LEAST_PACK, le=_MOST_PACK, description="Characters.")] = 8_000,
) -> Response:
    """All one needs to resume a task."""
    with asked.memory() as within:
        node = _alone(within, task)
        return asked.tell(TextShape(text=within.work(node.project).pack(node, budget=budget)))


def _alone(within: Within, name: str) -> Node:
    """A node about which a text can be written that tells nothing of other projects, if that matters."""
    node = within.node(name)
    if within.is_joined_elsewhere(node.id):
        raise Problem(HTTPStatus.FORBIDDEN, _JOINED)
    return node


@router.get("/work/ready", response_model=ReadyShape, responses=told(404))
def ready(asked: Reading, project: ProjectQuery = None, below: ThingQuery = None) -> Response:
    """Tasks that can be begun now, the most important first, and those that wait for what will not come."""
    own = asked.project(project)
    with asked.memory() as within:
        top = within.node(below).id if below else None
        found = within.work(own).ready(top, everywhere=own is None)
        tasks = [NodeShape.of(task) for task in found.tasks if within.sees(task.project)]
        stuck = [_stuck(within, each) for each in found.stuck if within.sees(each.task.project)]
        return asked.tell(ReadyShape(tasks=tasks, stuck=stuck))


def _stuck(within: Within, stuck: Stuck) -> StuckShape:
    waits = [WaitingShape.model_validate({"on": one.on, "title": one.title, "status": one.status}) for one in stuck.on]
    seen = waits if within.project is None else [one for one in waits if _is_seen(within, one.on)]
    return StuckShape(task=NodeShape.of(stuck.task), on=seen, behind=stuck.behind)


def _is_seen(within: Within, name: str) -> bool:
    node = within.memory.store.nodes.find(within.memory.owner, name)
    return node is not None and within.sees(node.project)


@router.get("/work/next", response_model=NextShape, responses=told(404))
def next_task(asked: Reading, project: ProjectQuery = None, below: ThingQuery = None) -> Response:
    """The task to begin with, and why."""
    own = asked.project(project)
    with asked.memory() as within:
        top = within.node(below).id if below else None
        ranked = within.work(own).next_task(top, everywhere=own is None)
        if ranked is None or not within.sees(ranked.task.project):
            return asked.tell(NextShape(task=None, others=0, why=[]))
        return asked.tell(NextShape(task=NodeShape.of(ranked.task), others=ranked.others, why=list(ranked.why)))
