"""How nodes relate: what waits for what, what is part of what, and any other edge.

Every verb writes one event, in the journal of the project that the edge begins in.  What is there already is not
written again.
"""

from typing import NamedTuple

from noctuary.authored import EventType
from noctuary.errors import BadChange, BadInput
from noctuary.graph import Edge, EdgeType, Node
from noctuary.text import clean
from noctuary.work.changes import edge_record, ends_of
from noctuary.work.desk import Desk
from noctuary.work.rules import edge_type_named

LONGEST_LABEL = 2_000
# Made by verbs that also change what the nodes are; an edge alone would contradict them.
_OWN_VERBS = {
    EdgeType.CHOSEN: "choose the option (`noctuary decide`), so that the decision is decided",
    EdgeType.REJECTED: "reject the option (`noctuary reject`), so that it says why",
}


class Linked(NamedTuple):
    """An edge, and whether it is new or said something else before."""

    edge: Edge
    is_new: bool


class Moved(NamedTuple):
    """A node where it is now, and whether it was elsewhere before."""

    node: Node
    is_new: bool


def depend(desk: Desk, task: str, on: str) -> Linked:
    """Let a task wait until another is done; BadChange, naming the circle, if that would wait for the first."""
    return link(desk, EdgeType.DEPENDS_ON, task, on)


def undepend(desk: Desk, task: str, on: str, *, reason: str = "") -> Edge:
    """Let a task wait no longer; BadChange if it does not wait for the other."""
    return unlink(desk, EdgeType.DEPENDS_ON, task, on, reason=reason)


def link(desk: Desk, kind: str, from_name: str, to_name: str, label: str | None = None) -> Linked:
    """Link two nodes.  Joined so already, the edge gets the label, if that is another, and nothing is made twice."""
    edge_type = _linkable(kind)
    start, end = desk.node(from_name), desk.node(to_name)
    words = _label(label)
    with desk.writing(start.project) as write:
        known = _edge(desk, edge_type, start, end)
        if known and (words is None or known.label == words):
            return Linked(known, is_new=False)
        record = edge_record(edge_type, start.id, end.id, words or "")
        text = f"{edge_type} {end.id} {end.title}" + (f": {words}" if words else "")
        write(EventType.LINK, text, node=_written_about(edge_type, start, end), change={"edges": [record]})
        return Linked(_sure_edge(desk, edge_type, start, end), is_new=True)


def unlink(desk: Desk, kind: str, from_name: str, to_name: str, *, reason: str = "") -> Edge:
    """Take an edge away; BadChange if there is none such.  The edge that was."""
    edge_type = _linkable(kind)
    start, end = desk.node(from_name), desk.node(to_name)
    with desk.writing(start.project) as write:
        known = _sure_edge(desk, edge_type, start, end)
        about = _written_about(edge_type, start, end)
        write(
            EventType.UNLINK,
            reason or f"{edge_type} {end.id} {end.title}",
            node=about,
            change={"unlink": [ends_of(known)]},
        )
        return known


def move(desk: Desk, name: str, parent: str | None) -> Moved:
    """Make a node part of another one, or of none; with all that it contains, in one event."""
    node = desk.node(name)
    to = desk.node(parent) if parent else None
    with desk.writing(node.project) as write:
        node = desk.node(node.id)
        if node.parent == (to.id if to else None):
            return Moved(node, is_new=False)
        change = {}
        if node.parent:
            change["unlink"] = [edge_record(EdgeType.CONTAINS, node.parent, node.id)]
        if to:
            change["edges"] = [edge_record(EdgeType.CONTAINS, to.id, node.id)]
        text = f"part of {to.id} {to.title}" if to else "part of nothing any more"
        write(EventType.LINK if to else EventType.UNLINK, text, node=node.id, change=change)
        return Moved(desk.node(node.id), is_new=True)


def _linkable(kind: str) -> EdgeType:
    edge_type = edge_type_named(kind)
    if edge_type in _OWN_VERBS:
        raise BadInput(f"An edge {edge_type} is not made or taken away by itself: {_OWN_VERBS[edge_type]}.")
    return edge_type


def _label(label: str | None) -> str | None:
    if label is None or not label.strip():
        return None
    if len(label) > LONGEST_LABEL:
        raise BadInput(f"The label has {len(label):,} characters; {LONGEST_LABEL:,} are the most. Make it a note.")
    return clean(label).strip()


def _written_about(kind: EdgeType, start: Node, end: Node) -> str:
    """Which of the two the edge says something new of: the part, not the whole; else what it begins at."""
    return end.id if kind is EdgeType.CONTAINS else start.id


def _edge(desk: Desk, kind: EdgeType, start: Node, end: Node) -> Edge | None:
    edges = desk.store.nodes.edges_of(desk.owner, [start.id], kind)
    return next((edge for edge in edges if (edge.from_id, edge.to_id) == (start.id, end.id)), None)


def _sure_edge(desk: Desk, kind: EdgeType, start: Node, end: Node) -> Edge:
    found = _edge(desk, kind, start, end)
    if found is None:
        raise BadChange(f"There is no edge {kind} from {start.id} to {end.id}; `noctuary tree` shows what there is.")
    return found
