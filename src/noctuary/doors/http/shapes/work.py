"""Tasks, goals, decisions, the graph they are, and what was written down about them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from noctuary.authored import Author, Entry, EventSource, EventStatus, EventType, Strength, Trust
from noctuary.doors.http.shapes.shape import (
    By,
    Given,
    KnownSession,
    Mark,
    Name,
    ProjectName,
    Shape,
    Text,
    Title,
    Words,
)
from noctuary.graph import Edge, EdgeType, Node, NodeStatus, NodeType, Priority
from noctuary.work.completeness import Check
from noctuary.work.gaps import Severity
from noctuary.work.tree import Branch

PriorityName = Literal["critical", "high", "medium", "low"]
_Minutes = Annotated[float, Field(ge=1, le=7 * 24 * 60)]


class NodeShape(Shape):
    """A goal, task, decision, option, outcome, observation or revisit."""

    id: str
    type: NodeType
    title: str
    status: NodeStatus
    project: str
    description: str
    priority: Priority | None
    assigned_to: str | None
    created_by: str | None
    labels: list[str]
    parent: str | None
    goal: str | None
    outcome: str | None
    outcome_tag: str | None
    external: list[str]
    blocked_reason: str | None
    created_ms: int
    started_ms: int | None
    completed_ms: int | None
    last_ms: int
    lease_ms: int | None
    metadata: dict[str, str]

    @classmethod
    def of(cls, node: Node) -> "NodeShape":
        """The node."""
        return cls.model_validate(node)


class EdgeShape(Shape):
    """A relation between two nodes."""

    id: str
    type: EdgeType
    from_id: str
    to_id: str
    label: str | None
    created_ms: int

    @classmethod
    def of(cls, edge: Edge) -> "EdgeShape":
        """The edge."""
        return cls.model_validate(edge)


class MessageRefShape(Shape):
    """A message that an event rests on, and the words in it."""

    session: str
    id: int
    quote: str
    line: int | None


class RefsShape(Shape):
    """What an event rests on."""

    messages: list[MessageRefShape]
    commits: list[str]
    files: list[str]
    events: list[str]


class EntryShape(Shape):
    """An event of the journal as it stands now, after all that was said about it later."""

    id: str
    type: EventType
    acts_as: EventType
    text: str
    project: str
    node: str | None
    ts_ms: int
    recorded_ms: int
    author: Author
    source: EventSource
    session: str | None
    confidence: float | None
    strength: Strength | None
    refs: RefsShape
    corrects: str | None
    supersedes: str | None
    status: EventStatus
    trust: Trust
    hidden_by: str | None
    superseded_by: str | None

    @classmethod
    def of(cls, entry: Entry) -> "EntryShape":
        """The entry and its event in one."""
        stands = {name: getattr(entry, name) for name in ("acts_as", "status", "hidden_by", "superseded_by")}
        return cls.model_validate({**_shown(entry.event._asdict()), **stands})


def _shown(event: Mapping[str, Any]) -> dict[str, Any]:
    """What an event says, without what it does to tables and whose it is."""
    return {name: event[name] for name in EntryShape.model_fields if name in event}


class NodeView(Shape):
    """A node, and all that is said about it."""

    node: NodeShape
    entries: list[EntryShape]
    children: list[NodeShape]
    edges: list[EdgeShape]
    related: dict[str, NodeShape]


class ClosedShape(Shape):
    """A node that was ended, and what is to be said about that."""

    node: NodeShape
    notes: list[str]


class WaitingShape(Shape):
    """Something that a task waits for."""

    on: str
    title: str
    status: NodeStatus


class StuckShape(Shape):
    """A task that waits for what will not be done any more."""

    task: NodeShape
    on: list[WaitingShape]
    behind: int


class ReadyShape(Shape):
    """Tasks that can be begun, the most important first, and those that are stuck."""

    tasks: list[NodeShape]
    stuck: list[StuckShape]


class NextShape(Shape):
    """The task to begin with, and why; null if none is ready."""

    task: NodeShape | None
    others: int
    why: list[str]


class GapShape(Shape):
    """Something that the record of a task lacks."""

    kind: str
    severity: Severity
    detail: str
    fix: str


class CheckShape(Shape):
    """How complete the record of a task is."""

    score: int
    gaps: list[GapShape]

    @classmethod
    def of(cls, check: Check) -> "CheckShape":
        """The check."""
        return cls.model_validate(check)


class BranchShape(Shape):
    """A node in the tree."""

    node: NodeShape
    depth: int
    depends_on: list[str]
    done: int
    total: int

    @classmethod
    def of(cls, branch: Branch) -> "BranchShape":
        """The branch."""
        return cls.model_validate(branch)


class TreeShape(Shape):
    """Nodes, each before its parts."""

    branches: list[BranchShape]


class GraphShape(Shape):
    """All nodes and edges there are."""

    nodes: list[NodeShape]
    edges: list[EdgeShape]


class EdgesShape(Shape):
    """The edges of a node."""

    edges: list[EdgeShape]


class LinkedShape(Shape):
    """An edge, and whether it is new."""

    edge: EdgeShape
    is_new: bool


class WorkSessionShape(Shape):
    """A session of work on a goal, and the notes for the next."""

    id: str
    project: str
    goal: str
    started_ms: int
    ended_ms: int | None
    notes: str | None
    agents: list[str]
    summary: str | None


class NewTask(Given):
    """A task to open."""

    title: Title
    goal: Words = Field(default="", description="What it is for.")
    context: Words = Field(default="", description="How it came up.")
    parent: Name | None = Field(default=None, description="The id of what it is part of.")
    project: ProjectName | None = None
    priority: PriorityName | None = None
    labels: list[Mark] = Field(default=[], max_length=50)
    external: list[Mark] = Field(default=[], max_length=50)
    by: By = "agent"
    session: KnownSession | None = Field(default=None, description="Of the agent.")


class NewGoal(Given):
    """A goal to open."""

    title: Title
    description: Words = ""
    project: ProjectName | None = None
    priority: PriorityName | None = None
    labels: list[Mark] = Field(default=[], max_length=50)
    by: By = "agent"


class AmendedNode(Given):
    """What to set of a node; what is not named stays."""

    title: Title | None = None
    goal: Words | None = None
    description: Words | None = None
    priority: PriorityName | None = None
    labels: Annotated[list[Mark], Field(max_length=50)] | None = None
    external: Annotated[list[Mark], Field(max_length=50)] | None = None
    by: By = "agent"
    session: KnownSession | None = None


class Ending(Given):
    """How a task or goal ends."""

    tag: Literal["done", "abandoned", "superseded", "failed"] = "done"
    outcome: Words = ""
    reason: Words = ""
    by: By = "agent"
    session: KnownSession | None = Field(default=None, description="Of the agent; who holds the task may end it.")


class Reason(Given):
    """Why."""

    reason: Words = ""
    by: By = "agent"


class Claiming(Given):
    """Who takes a task, and for how long."""

    agent: Mark
    minutes: _Minutes = 30.0


class Releasing(Given):
    """Who gives a task back, and why."""

    agent: Mark
    reason: Words = ""


class OtherWords(Given):
    """What to say instead."""

    text: Text
    by: By = "agent"


class PerhapsOtherWords(Given):
    """What to say instead, if anything."""

    text: Words = ""


class NewEdge(Given):
    """Two nodes to join."""

    type: Literal["contains", "depends_on", "leads_to", "supersedes", "informs", "discovered_from"]
    from_id: Name
    to_id: Name
    label: Annotated[str, Field(max_length=2_000)] | None = None
    by: By = "agent"


class HandingOver(Given):
    """What a session of work did."""

    goal: Name
    summary: Text
    agents: list[Mark] = Field(default=[], max_length=20)
    by: By = "agent"
