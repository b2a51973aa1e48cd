"""What may be done to the graph: checked before an event is written, while nobody else can write.

Nothing here changes anything.  What is refused is refused with the reason and the names, so that whoever asked can ask
for something else.
"""

from collections.abc import Mapping
from typing import Any

from noctuary.errors import BadChange, NodeNotFound
from noctuary.graph import ENDED, TRANSITIONS, EdgeType, Node, NodeStatus, NodeType, may_follow
from noctuary.store.nodes import Nodes

_N = NodeType
_WORK = frozenset({_N.GOAL, _N.TASK})
_ANY = frozenset(NodeType)
# Between which types of nodes an edge of each type may run.
ENDS: Mapping[EdgeType, tuple[frozenset[NodeType], frozenset[NodeType]]] = {
    EdgeType.CONTAINS: (frozenset({_N.GOAL, _N.TASK, _N.DECISION}), _ANY - {_N.GOAL}),
    EdgeType.DEPENDS_ON: (_WORK | {_N.DECISION}, _WORK | {_N.DECISION}),
    EdgeType.LEADS_TO: (_ANY - {_N.OBSERVATION}, _ANY - {_N.GOAL}),
    EdgeType.CHOSEN: (frozenset({_N.DECISION}), frozenset({_N.OPTION})),
    EdgeType.REJECTED: (frozenset({_N.DECISION}), frozenset({_N.OPTION})),
    EdgeType.SUPERSEDES: (_ANY, _ANY),
    EdgeType.INFORMS: (frozenset({_N.OBSERVATION, _N.OUTCOME, _N.REVISIT}), _ANY),
    EdgeType.DISCOVERED_FROM: (_ANY, _ANY),
}
ACYCLIC = (EdgeType.CONTAINS, EdgeType.DEPENDS_ON, EdgeType.SUPERSEDES)


def check_change(nodes: Nodes, owner: str, change: Mapping[str, Any], *, is_verb: bool = False) -> None:
    """Raise BadChange or NodeNotFound unless the change is allowed as things stand.

    With `is_verb` a status may jump to its end: closing and superseding are verbs of their own, and say why.
    """
    made = {node["id"]: _made(nodes, owner, node) for node in change.get("nodes", ())}
    changed = {*change.get("set", {})}
    ends = {edge[end] for edge in (*change.get("edges", ()), *change.get("unlink", ())) for end in ("from", "to")}
    known = nodes.by_id(owner, (changed | ends) - made.keys()) | made
    for name in (*changed, *ends):
        if name not in known:
            raise NodeNotFound(f"There is no node {name!r}; `noctuary tree` shows what there is.")
    for name, fields in change.get("set", {}).items():
        if "status" in fields and name not in made:
            _check_status(known[name], fields["status"], is_verb=is_verb)
    for edge in change.get("edges", ()):
        _check_edge(nodes, owner, edge, known, change)


def _made(nodes: Nodes, owner: str, node: Mapping[str, Any]) -> Node:
    kind, status = NodeType(node["type"]), str(node["status"])
    if nodes.find(owner, node["id"]):
        raise BadChange(f"There is a node {node['id']} already.")
    if status not in TRANSITIONS[kind]:
        raise BadChange(f"A {kind} cannot be {status}; it can be {_listed(TRANSITIONS[kind])}.")
    return Node(id=node["id"], type=kind, title=str(node["title"]), status=NodeStatus(status))


def _check_status(node: Node, status: str, *, is_verb: bool) -> None:
    allowed = TRANSITIONS[node.type]
    if status not in allowed:
        raise BadChange(f"{node.id} is a {node.type} and cannot be {status}; it can be {_listed(allowed)}.")
    new = NodeStatus(status)
    if is_verb and new in ENDED and node.status not in ENDED:
        return
    if not may_follow(node.type, node.status, new):
        nexts = _listed(allowed[node.status]) or "nothing else any more"
        raise BadChange(f"{node.id} is {node.status} and cannot become {status} from there; it can become {nexts}.")


def _check_edge(
    nodes: Nodes, owner: str, edge: Mapping[str, Any], known: Mapping[str, Node], change: Mapping[str, Any]
) -> None:
    kind, start, end = EdgeType(edge["type"]), known[edge["from"]], known[edge["to"]]
    if start.id == end.id:
        raise BadChange(f"{start.id} cannot stand in the relation {kind} to itself.")
    starts, targets = ENDS[kind]
    if start.type not in starts or end.type not in targets:
        raise BadChange(f"A {start.type} ({start.id}) and a {end.type} ({end.id}) cannot be joined by {kind}.")
    taken_off = {(old["type"], old["from"], old["to"]) for old in change.get("unlink", ())}
    is_elsewhere = kind is EdgeType.CONTAINS and end.parent not in (None, start.id)
    if is_elsewhere and (str(kind), end.parent, end.id) not in taken_off:
        raise BadChange(f"{end.id} is part of {end.parent} already; take it out of there first.")
    if kind in ACYCLIC and (circle := circle_closed_by(nodes, owner, kind, start.id, end.id)):
        raise BadChange(f"That would close a circle of {kind}: {' → '.join(circle)}.")


def circle_closed_by(nodes: Nodes, owner: str, kind: EdgeType, start: str, end: str) -> list[str]:
    """The circle that an edge would close: from its start, by its end, back to its start; none if it closes none."""
    if not nodes.is_reachable(owner, kind, end, start):
        return []
    came_from = {end: ""}
    pending = [end]
    for name in pending:  # grows while it is walked: the nearest first
        if name == start:
            break
        for target in nodes.targets(owner, kind, name):
            if target not in came_from:
                came_from[target] = name
                pending.append(target)
    path = [start]
    while path[-1] != end:
        path.append(came_from[path[-1]])
    return [start, *reversed(path)]


def _listed(values: Any) -> str:
    return ", ".join(sorted(str(value) for value in values))
