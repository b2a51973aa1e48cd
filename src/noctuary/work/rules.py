"""What may be done to the graph: checked before an event is written, while nobody else can write.

Nothing here changes anything.  What is refused is refused with the reason and the names, so that whoever asked can ask
for something else.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from noctuary.errors import BadChange, BadInput, NodeNotFound
from noctuary.graph import ENDED, TRANSITIONS, EdgeType, Node, NodeStatus, NodeType, Priority, may_follow
from noctuary.store.nodes import Nodes
from noctuary.work.circles import refuse_circles
from noctuary.work.wording import with_article

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
_BETWEEN_LETTERS = str.maketrans("", "", " _-")
_LONGEST_SHOWN = 60
Name = TypeVar("Name", bound=StrEnum)


def status_named(text: str) -> NodeStatus:
    """The status that was typed, in any case, such as in_progress, InProgress or `in progress`; else BadInput."""
    return _named(NodeStatus, text, "status")


def node_type_named(text: str) -> NodeType:
    """The type of node that was typed; else BadInput."""
    return _named(NodeType, text, "type of node")


def edge_type_named(text: str) -> EdgeType:
    """The type of edge that was typed, such as depends_on, dependson or `Depends On`; else BadInput."""
    return _named(EdgeType, text, "type of edge")


def priority_named(text: str) -> Priority:
    """The priority that was typed; else BadInput."""
    return _named(Priority, text, "priority")


def check_change(
    nodes: Nodes,
    owner: str,
    change: Mapping[str, Any],
    *,
    project: str | None = None,
    is_verb: bool = False,
    is_import: bool = False,
    revived: Collection[str] = (),
) -> None:
    """Raise BadChange or NodeNotFound unless the change is allowed as things stand.

    With `is_verb` a status may jump to its end: closing and superseding are verbs of their own, and say why.  With
    `is_import` any status may follow: how it came about elsewhere is a fact, not a request.  Nodes that are `revived`
    go back to where they were, for what had ended them is retracted by the same event.  `project` is the one whose
    journal the change is written to.  Each journal is folded for itself, in any order, so what it
    changes must be its own; only what an edge leads to may be elsewhere.
    """
    made = _made_by(nodes, owner, change, project)
    edges, unlinked = change.get("edges", ()), change.get("unlink", ())
    changed = {*change.get("set", {})}
    ends = {edge[end] for edge in (*edges, *unlinked) for end in ("from", "to")}
    known = nodes.by_id(owner, (changed | ends) - made.keys()) | made
    for name in (*changed, *ends):
        if name not in known:
            raise NodeNotFound(f"There is no node {name!r}; `noctuary tree` shows what there is.")
    _check_project(project, known, {*changed, *(edge["from"] for edge in (*edges, *unlinked))})
    for name, fields in change.get("set", {}).items():
        if "status" in fields:
            is_free = is_import or name in made or name in revived
            _check_status(known[name], fields["status"], is_verb=is_verb, is_free=is_free)
    taken_off = {(old["type"], old["from"], old["to"]) for old in unlinked}
    for edge in edges:
        _check_edge(edge, known, taken_off)
    _check_parents(edges)
    if edges:
        refuse_circles(nodes, owner, change)


def _made_by(nodes: Nodes, owner: str, change: Mapping[str, Any], project: str | None) -> dict[str, Node]:
    made: dict[str, Node] = {}
    records = change.get("nodes", ())
    taken = nodes.by_id(owner, [record["id"] for record in records]) if records else {}
    for record in records:
        if record["id"] in made or record["id"] in taken:
            raise BadChange(f"There is a node {record['id']} already; nothing was changed.")
        kind = _known(NodeType, record["type"], "type of node")
        node = Node(id=record["id"], type=kind, title=str(record["title"]), status=NodeStatus.PENDING)
        status = _status_of(node, record["status"])
        made[node.id] = node._replace(status=status, project=project or "")
    return made


def _check_project(project: str | None, known: Mapping[str, Node], names: Iterable[str]) -> None:
    for name in names if project is not None else ():
        if known[name].project != project:
            where = known[name].project or "no project"
            raise BadChange(f"{name} is of another project ({where}) and can be changed only together with that.")


def _check_status(node: Node, status: str, *, is_verb: bool, is_free: bool) -> None:
    new = _status_of(node, status)
    if is_free or (is_verb and new in ENDED and node.status not in ENDED):
        return
    if not may_follow(node.type, node.status, new):
        nexts = _listed(TRANSITIONS[node.type][node.status]) or "nothing else any more"
        raise BadChange(f"{node.id} is {node.status} and cannot become {status} from there; it can become {nexts}.")


def _status_of(node: Node, status: str) -> NodeStatus:
    allowed = TRANSITIONS[node.type]
    if status not in allowed:
        raise BadChange(f"{node.id} is {with_article(node.type)} and cannot be {status}; it can be {_listed(allowed)}.")
    return NodeStatus(status)


def _check_edge(edge: Mapping[str, Any], known: Mapping[str, Node], taken_off: set[tuple[str, str, str]]) -> None:
    kind = _known(EdgeType, edge["type"], "type of edge")
    start, end = known[edge["from"]], known[edge["to"]]
    if start.id == end.id:
        raise BadChange(f"{start.id} cannot stand in the relation {kind} to itself.")
    starts, targets = ENDS[kind]
    if start.type not in starts or end.type not in targets:
        raise BadChange(
            f"{start.id}, {with_article(start.type)}, and {end.id}, {with_article(end.type)}, "
            f"cannot be joined by {kind}; it leads from {_listed(starts)} to {_listed(targets)}."
        )
    if kind is not EdgeType.CONTAINS:
        return
    if end.parent not in (None, start.id) and (str(kind), end.parent, end.id) not in taken_off:
        raise BadChange(f"{end.id} is part of {end.parent} already; move it, or take it out of there first.")
    if start.project != end.project:
        raise BadChange(f"{end.id} is of another project than {start.id} and cannot be part of it; depend on it.")


def _check_parents(edges: Iterable[Mapping[str, Any]]) -> None:
    pairs = {(edge["from"], edge["to"]) for edge in edges if edge["type"] == EdgeType.CONTAINS}
    for name, count in Counter(child for _, child in pairs).items():
        if count > 1:
            raise BadChange(f"{name} cannot be part of {count} nodes; name the one it belongs to.")


def _named(names: type[Name], text: str, what: str) -> Name:
    wanted = text.translate(_BETWEEN_LETTERS).casefold()
    for name in names:
        if name.translate(_BETWEEN_LETTERS) == wanted:
            return name
    shown = text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
    raise BadInput(f"There is no {what} {shown!r}; there are {', '.join(names)}.")


def _known(names: type[Name], text: str, what: str) -> Name:
    """The name as it is spelled; changes are written to the journal, where there is one spelling."""
    if text not in set(names):
        raise BadChange(f"There is no {what} {str(text)[:_LONGEST_SHOWN]!r}; there are {', '.join(names)}.")
    return names(text)


def _listed(values: Iterable[str]) -> str:
    return ", ".join(sorted(str(value) for value in values))
