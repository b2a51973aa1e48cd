"""Nodes and edges in the database: the graph of the work."""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from noctuary.graph import Edge, EdgeType, Node, NodeStatus, NodeType, Priority
from noctuary.store.database import Database, Row
from noctuary.store.sessions import like_beginning

EVERYTHING = 1_000_000_000


class Waiting(NamedTuple):
    """Why a task is not ready: what it depends on and where that stands."""

    task: str
    on: str
    title: str
    status: NodeStatus


class Free(NamedTuple):
    """Tasks that nobody is at: those that can be begun, and those that wait for what will not be done any more."""

    ready: Sequence[Node]  # by priority, then by age
    stuck: Sequence[tuple[Node, Waiting]]  # a task as often as there is something it waits for


class Nodes:
    """The nodes and edges of all owners; every call names the owner."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def find(self, owner: str, node_id: str) -> Node | None:
        """One node, or None."""
        return self.by_id(owner, [node_id]).get(node_id)

    def by_id(self, owner: str, ids: Iterable[str]) -> dict[str, Node]:
        """The nodes with these ids."""
        rows = self.database.fetch("nodes_by_id", owner=owner, ids=json.dumps(list(ids)))
        return {row[2]: node_from(row) for row in rows}

    def beginning_with(self, owner: str, prefix: str) -> list[str]:
        """Ids that begin with the text, at most eleven."""
        return [row[0] for row in self.database.fetch("nodes_like", owner=owner, prefix=like_beginning(prefix))]

    def where(
        self,
        owner: str,
        *,
        project: str | None = None,
        types: Iterable[NodeType] | None = None,
        statuses: Iterable[NodeStatus] | None = None,
        idle_since: int | None = None,
        behind: tuple[int, str] | None = None,
        most: int = EVERYTHING,
    ) -> list[Node]:
        """Nodes of these kinds, the oldest first; what is None does not restrict.

        `behind` is when one was made and its id: only those that follow it are given.
        """
        behind_ms, behind_id = behind or (None, None)
        rows = self.database.fetch(
            "nodes_where",
            owner=owner,
            project=project,
            types=_list(types),
            statuses=_list(statuses),
            idle_since=idle_since,
            behind_ms=behind_ms,
            behind_id=behind_id,
            most=most,
        )
        return [node_from(row) for row in rows]

    def ended_tasks(
        self, owner: str, project: str | None, statuses: Iterable[NodeStatus], most: int, skip: int = 0
    ) -> list[Node]:
        """Tasks of these statuses, the one that ended last first."""
        rows = self.database.fetch(
            "ended_tasks", owner=owner, project=project, statuses=_list(statuses), most=most, skip=skip
        )
        return [node_from(row) for row in rows]

    def shares(self, owner: str, project: str | None = None) -> dict[tuple[NodeType, NodeStatus], int]:
        """How many nodes there are of each type and stored status."""
        rows = self.database.fetch("node_shares", owner=owner, project=project)
        return {(NodeType(kind), NodeStatus(status)): count for kind, status, count in rows}

    def children(self, owner: str, parent: str) -> list[Node]:
        """What a node contains directly, the oldest first."""
        return [node_from(row) for row in self.database.fetch("children", owner=owner, parent=parent)]

    def subtree(self, owner: str, root: str) -> list[Node]:
        """The node and all that it contains, the oldest first."""
        return [node_from(row) for row in self.database.fetch("subtree", owner=owner, root=root)]

    def free(self, owner: str, project: str | None, now_ms: int) -> Free:
        """Tasks that can be begun now, and those that never will if nobody does something about it.  One query."""
        rows = self.database.fetch("ready_tasks", owner=owner, project=project, now_ms=now_ms)
        waits = [row for row in rows if row[23] is not None]
        return Free(
            [node_from(row) for row in rows if row[23] is None],
            [(node_from(row), Waiting(row[2], row[23], row[24], NodeStatus(row[25]))) for row in waits],
        )

    def waiting(self, owner: str, ids: Iterable[str]) -> list[Waiting]:
        """What keeps these tasks from being ready."""
        rows = self.database.fetch("unmet_dependencies", owner=owner, ids=json.dumps(list(ids)))
        return [Waiting(task, on, title, NodeStatus(status)) for task, on, title, status in rows]

    def edges_of(self, owner: str, ids: Iterable[str], kind: EdgeType | None = None) -> list[Edge]:
        """The edges that begin or end at one of these nodes, the oldest first."""
        rows = self.database.fetch("edges_of", owner=owner, ids=json.dumps(list(ids)), type=kind)
        return [edge_from(row) for row in rows]

    def pairs(self, owner: str, kind: EdgeType) -> list[tuple[str, str]]:
        """All edges of a type: from which node to which."""
        return [(row[0], row[1]) for row in self.database.fetch("edges_of_type", owner=owner, type=kind)]

    def loose_edges(self, owner: str) -> list[tuple[str, str, str]]:
        """Edges that begin or end where there is no node: the edge, its project, and the id that there is not."""
        return [(row[0], row[1], row[2]) for row in self.database.fetch("loose_edges", owner=owner)]

    def is_reachable(self, owner: str, kinds: Iterable[EdgeType], start: str, end: str) -> bool:
        """Whether one comes from the one node to the other along edges of these types."""
        return bool(self.database.fetch("reachable", owner=owner, types=_list(kinds), from_id=start, to_id=end))

    def targets(self, owner: str, kind: EdgeType, start: str) -> list[str]:
        """Where the edges of the type lead from a node."""
        return [row[1] for row in self.database.fetch("edges_from", owner=owner, type=kind, from_id=start)]

    def matching(
        self,
        owner: str,
        match: str,
        *,
        project: str | None = None,
        types: Iterable[NodeType] | None = None,
        most: int = 1_000,
    ) -> list[Node]:
        """Nodes that match, in the words of the index, the best first."""
        numbers = [row[0] for row in self.database.fetch("matching_nodes", owner=owner, match=match, most=most)]
        rows = self.database.fetch(
            "nodes_by_number", owner=owner, numbers=json.dumps(numbers), project=project, types=_list(types)
        )
        by_number = {row[0]: node_from(row) for row in rows}
        return [by_number[number] for number in numbers if number in by_number]

    def renew_lease(self, owner: str, node: str, agent: str, until_ms: int) -> None:
        """The agent is alive and holds the node until then."""
        self.database.fetch("renew_lease", owner=owner, node=node, agent=agent, until_ms=until_ms)


def node_from(row: Row) -> Node:
    """The node of a row: its number, then the columns of `nodes`."""
    return Node(
        id=row[2],
        type=NodeType(row[3]),
        title=row[4],
        status=NodeStatus(row[5]),
        project=row[1],
        description=row[6],
        priority=Priority(row[7]) if row[7] else None,
        assigned_to=row[8],
        created_by=row[9],
        labels=_json_list(row[10]),
        parent=row[11],
        goal=row[12],
        outcome=row[13],
        outcome_tag=row[14],
        external=_json_list(row[15]),
        blocked_reason=row[16],
        created_ms=row[17],
        started_ms=row[18],
        completed_ms=row[19],
        last_ms=row[20],
        lease_ms=row[21],
        metadata=json.loads(row[22]) if row[22] != "{}" else {},
    )


def edge_from(row: Row) -> Edge:
    """The edge of a row."""
    edge_id, kind, from_id, to_id, label, created_ms = row
    return Edge(edge_id, EdgeType(kind), from_id, to_id, label, created_ms)


def _json_list(text: str) -> Sequence[str]:
    return tuple(json.loads(text)) if text != "[]" else ()


def _list(values: Iterable[str] | None) -> str | None:
    return None if values is None else json.dumps([str(value) for value in values])
