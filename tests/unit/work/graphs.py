"""Small graphs for tests: nodes in any status, edges as they come, and how much was written."""

import hashlib

from noctuary.authored import EventType
from noctuary.graph import FIRST_STATUS, EdgeType, Node, NodeStatus, NodeType
from noctuary.work.desk import Desk


def add(
    desk: Desk,
    title: str = "Do it",
    kind: NodeType = NodeType.TASK,
    status: NodeStatus | None = None,
    *,
    parent: Node | None = None,
    after: tuple[Node, ...] = (),
    **fields: object,
) -> Node:
    """A node in the status, part of the parent, waiting for those it comes after."""
    new = desk.new_id(kind)
    edges = [{"type": "contains", "from": parent.id, "to": new}] if parent else []
    edges += [{"type": "depends_on", "from": new, "to": other.id} for other in after]
    node = {"id": new, "type": str(kind), "title": title, "status": str(status or FIRST_STATUS[kind]), **fields}
    with desk.writing(parent.project if parent else None) as write:
        write(EventType.OPEN, title, node=new, change={"nodes": [node], "edges": edges})
    return desk.node(new)


def goal(desk: Desk, title: str = "Ship it") -> Node:
    """A goal."""
    return add(desk, title, NodeType.GOAL)


def become(desk: Desk, node: Node, status: NodeStatus) -> Node:
    """The node, closed by a verb of its own or gone a legal step."""
    with desk.writing(node.project) as write:
        write(EventType.STATUS, node=node.id, change={"set": {node.id: {"status": str(status)}}}, is_verb=True)
    return desk.node(node.id)


def edges_of(desk: Desk, kind: EdgeType) -> set[tuple[str, str]]:
    """All edges of a type."""
    return set(desk.store.nodes.pairs(desk.owner, kind))


def written(desk: Desk) -> int:
    """How many events there are."""
    return desk.store.events.count(desk.owner)


def state(desk: Desk) -> str:
    """A digest of the journals: what was refused leaves it as it was."""
    journals = [desk.ledger.journal(project) for project in desk.ledger.projects()]
    return hashlib.sha256(b"\n".join(line.content for journal in journals for line in journal.read())).hexdigest()
