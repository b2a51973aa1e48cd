"""The work a screenful at a time: a board of tasks, one node with what is said about it, and a part of the graph."""

from __future__ import annotations  # or the annotations would load the parts below

import re
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from noctuary.graph import ENDED, Edge, EdgeType, Node, NodeStatus, NodeType, Priority
from noctuary.work import ready as readiness

if TYPE_CHECKING:
    from noctuary.app.work import Work
    from noctuary.authored import Entry
    from noctuary.store.nodes import Nodes

# The columns of a board, and what stands in each.
COLUMNS: Mapping[str, frozenset[NodeStatus]] = {
    "ready": frozenset({NodeStatus.READY}),
    "in progress": frozenset({NodeStatus.CLAIMED, NodeStatus.IN_PROGRESS, NodeStatus.REVIEW}),
    "blocked": frozenset({NodeStatus.BLOCKED, NodeStatus.PENDING}),  # which is what waits for another task
    "done": ENDED,
}
_ID = re.compile(r"\b[a-z]{1,2}-[0-9a-z]{4,}\b")
_RANKS = {priority: rank for rank, priority in enumerate(Priority)}
_OPEN = [status for status in NodeStatus if status not in ENDED]
_WALKED = (EdgeType.CONTAINS, EdgeType.LEADS_TO, EdgeType.CHOSEN, EdgeType.REJECTED)  # from the whole to its parts


class Column(NamedTuple):
    """Some of the tasks that stand in a column."""

    name: str
    tasks: Sequence[Node]
    total: int


class Screen(NamedTuple):
    """A node and what a page shows beside it; of what there is too much of, how much there is."""

    node: Node
    above: Sequence[Node]  # what it is part of, the outermost first
    parts: Sequence[Node]
    parts_total: int
    edges: Sequence[Edge]  # without those that only say what it is part of
    related: Mapping[str, Node]
    entries: Sequence[Entry]  # the newest first
    has_more_entries: bool


class Picture(NamedTuple):
    """A part of the graph that can be drawn."""

    nodes: Sequence[Node]  # as they stand now
    edges: Sequence[Edge]  # between these
    total: int  # nodes that there are in all


class Board:
    """The work of exactly one project, or of all if it is None."""

    def __init__(self, work: Work, project: str | None) -> None:
        self.work = work
        self._desk = work.desk
        self._owner = work.desk.owner
        self._project = project

    @property
    def _nodes(self) -> Nodes:
        return self._desk.store.nodes

    def goals(self, most: int) -> list[Node]:
        """Goals that are not reached, then those that are, each the last touched first."""
        found = self._nodes.where(self._owner, project=self._project, types=[NodeType.GOAL])
        return sorted(found, key=lambda node: (node.status in ENDED, -node.last_ms, node.id))[:most]

    def columns(self, goal: str | None, most: int) -> list[Column]:
        """Every column with its first tasks; of a goal and all it contains if one is named."""
        tasks = self._tasks(goal)
        return [self._column(name, tasks, goal, most) for name in COLUMNS]

    def column(self, name: str, goal: str | None, most: int, skip: int = 0) -> Column:
        """Some of the tasks of one column: what is urgent first, and of what has ended the last."""
        return self._column(name, self._tasks(goal), goal, most, skip)

    def _column(self, name: str, tasks: Sequence[Node], goal: str | None, most: int, skip: int = 0) -> Column:
        if name == "done" and goal is None:  # which were not even read
            shares = self._nodes.shares(self._owner, self._project)
            total = sum(count for (kind, status), count in shares.items() if kind is NodeType.TASK and status in ENDED)
            return Column(name, self._nodes.ended_tasks(self._owner, self._project, ENDED, most, skip), total)
        found = [task for task in tasks if task.status in COLUMNS[name]]
        if name == "done":
            found.sort(key=lambda task: (-(task.completed_ms or task.last_ms), task.id))
        return Column(name, found[skip : skip + most], len(found))

    def _tasks(self, goal: str | None) -> list[Node]:
        """Tasks as they stand now, the most important first: those of a goal, or all that have not ended."""
        if goal is not None:
            found = [node for node in self._nodes.subtree(self._owner, goal) if node.type is NodeType.TASK]
        else:
            found = self._nodes.where(self._owner, project=self._project, types=[NodeType.TASK], statuses=_OPEN)
        return sorted(readiness.as_they_stand(self._desk, found), key=_urgency)

    def screen(self, name: str, *, parts: int, entries: int, skip: int = 0) -> Screen:
        """A node by its whole id or the beginning of it, with some of its parts and entries."""
        node = self._desk.node(name)
        below = self._nodes.children(self._owner, node.id)
        known = {part.id for part in below}
        edges = [edge for edge in self._nodes.edges_of(self._owner, [node.id]) if _is_told(edge, node, known)]
        ends = {end for edge in edges for end in (edge.from_id, edge.to_id)} - {node.id}
        related = readiness.as_they_stand(self._desk, self._nodes.by_id(self._owner, ends).values())
        said = self._desk.entries(node.id, most=skip + entries + 1)[skip:]
        return Screen(
            node=readiness.as_they_stand(self._desk, [node])[0],
            above=[*self._desk.upwards(node.parent)][::-1],
            parts=readiness.as_they_stand(self._desk, below[:parts]),
            parts_total=len(below),
            edges=edges,
            related={other.id: other for other in related},
            entries=said[:entries],
            has_more_entries=len(said) > entries,
        )

    def picture(self, root: str | None, most: int) -> Picture:
        """What lies nearest to a node, from the whole to its parts; without one, what was touched last."""
        if root is None:
            found = self._nodes.where(self._owner, project=self._project)
            latest = sorted(found, key=lambda node: (node.status in ENDED, -node.last_ms, node.id))[:most]
            return self._drawn(latest, len(found))
        below = {node.id: node for node in self._nodes.subtree(self._owner, root)}
        edges = self._nodes.edges_of(self._owner, below)
        others = {end for edge in edges for end in (edge.from_id, edge.to_id)} - below.keys()
        everything = {**below, **self._nodes.by_id(self._owner, others)}
        inside = {name: node for name, node in everything.items() if self._project in (None, node.project)}
        order = _nearest(root, edges, inside)
        return self._drawn([inside[name] for name in order[:most]], len(inside))

    def own_lines(self, text: str) -> str:
        """A text without the lines that name a node of another project."""
        named = self._nodes.by_id(self._owner, {*_ID.findall(text)}) if self._project is not None else {}
        others = [name for name, node in named.items() if node.project != self._project]
        return "\n".join(line for line in text.splitlines() if not any(name in line for name in others))

    def _drawn(self, nodes: Sequence[Node], total: int) -> Picture:
        names = {node.id for node in nodes}
        edges = self._nodes.edges_of(self._owner, names) if names else []
        within = [edge for edge in edges if {edge.from_id, edge.to_id} <= names]
        return Picture(readiness.as_they_stand(self._desk, nodes), within, total)


def _urgency(task: Node) -> tuple[int, int, str]:
    return _RANKS[task.priority] if task.priority else len(_RANKS), task.created_ms, task.id


def _is_told(edge: Edge, node: Node, parts: Collection[str]) -> bool:
    """Whether an edge says more than what is part of what; what was chosen does, though an option is a part."""
    if edge.type in (EdgeType.CHOSEN, EdgeType.REJECTED):
        return True
    other = edge.to_id if edge.from_id == node.id else edge.from_id
    return edge.type is not EdgeType.CONTAINS and not (
        edge.type is EdgeType.LEADS_TO and (other in parts or other == node.parent)
    )


def _nearest(root: str, edges: Sequence[Edge], nodes: Mapping[str, Node]) -> list[str]:
    """All nodes, those first to which the fewest steps lead; parts before what is only joined."""
    ahead: dict[str, list[str]] = {}
    for edge in sorted(edges, key=lambda edge: edge.type not in _WALKED):
        ahead.setdefault(edge.from_id, []).append(edge.to_id)
        ahead.setdefault(edge.to_id, []).append(edge.from_id)
    found, pending = {root: None}, deque([root])
    while pending:
        for name in ahead.get(pending.popleft(), ()):
            if name in nodes and name not in found:
                found[name] = None
                pending.append(name)
    return [*found, *(name for name in nodes if name not in found)]
