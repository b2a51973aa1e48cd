"""Handoff notes: where the work on a goal stands, in lines that the next session reads first.

The notes follow from the graph alone; no model is asked.  The four sections at the beginning are a format that other
tools read, so every byte of them is fixed: a title, its lines or `(none)`, an empty line.  A goal that contains nothing
has the titles only.  Work that is under way or has failed follows in sections of its own, if there is any.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from noctuary.authored import EventType
from noctuary.graph import STARTED, EdgeType, Node, NodeStatus, NodeType
from noctuary.work.desk import Desk
from noctuary.work.markdown import one_line
from noctuary.work.ready import as_they_stand

_S = NodeStatus
_DONE = (_S.COMPLETED, _S.DECIDED)
_REMAINING = (_S.READY, _S.PENDING, _S.IN_PROGRESS)
_FAILED = (_S.FAILED, _S.CANCELLED)
_ENDINGS = (EventType.CLOSE, EventType.STATUS)
_MOST_LOOKED_AT = 10


class _Choice(NamedTuple):
    option: str  # its title
    rationale: str | None


def handoff(desk: Desk, goal: str) -> str:
    """The notes on a goal, or on a task and its subtasks; NodeNotFound if there is no such goal or task."""
    return notes_on(desk, desk.node(goal, NodeType.GOAL, NodeType.TASK).id)


def notes_on(desk: Desk, root: str) -> str:
    """The notes on all that the node with this id contains."""
    nodes = [node for node in desk.store.nodes.subtree(desk.owner, root) if node.id != root]
    return _written(as_they_stand(desk, nodes), _choices(desk, nodes), _reasons(desk, nodes))


def _reasons(desk: Desk, nodes: list[Node]) -> dict[str, str]:
    """Why what failed did so: what the node says, else what was said when it came to its status."""
    return {node.id: _told(node) or _said(desk, node) for node in nodes if node.status in _FAILED}


def _told(node: Node) -> str:
    return node.blocked_reason or node.outcome or ""


def _said(desk: Desk, node: Node) -> str:
    for entry in desk.entries(node.id, _ENDINGS, _MOST_LOOKED_AT):
        if entry.event.change.get("set", {}).get(node.id, {}).get("status") == node.status:
            return entry.event.text
    return ""


def _choices(desk: Desk, nodes: list[Node]) -> dict[str, _Choice]:
    """What each decision came to: the option it chose first, and why."""
    decided = {node.id for node in nodes if _is_decided(node)}
    if not decided:
        return {}
    edges = [
        edge for edge in desk.store.nodes.edges_of(desk.owner, decided, EdgeType.CHOSEN) if edge.from_id in decided
    ]
    options = desk.store.nodes.by_id(desk.owner, {edge.to_id for edge in edges})
    choices: dict[str, _Choice] = {}
    for edge in edges:  # the oldest first
        if edge.to_id in options:
            choices.setdefault(edge.from_id, _Choice(options[edge.to_id].title, edge.label))
    return choices


def _written(nodes: list[Node], choices: Mapping[str, _Choice], reasons: Mapping[str, str]) -> str:
    """The sections; nodes come by age."""
    by_end = sorted(nodes, key=_end_and_age)
    none = ["(none)"] if nodes else []
    sections = {
        "Done": _lines(by_end, _DONE, lambda node: f"({node.status})") or none,
        "Remaining": _lines(nodes, _REMAINING, lambda node: f"[{node.status}]") or none,
        "Blocked": _lines(nodes, (_S.BLOCKED,), lambda node: _because(node.blocked_reason)) or none,
        "Decisions Made": [_line(node, _chosen(choices.get(node.id))) for node in nodes if _is_decided(node)] or none,
    }
    extras = {
        "In Progress": _lines(nodes, STARTED, _held),
        "Failed": _lines(by_end, _FAILED, lambda node: _ended_badly(node, reasons[node.id])),
    }
    sections |= {title: lines for title, lines in extras.items() if lines}
    return "".join(_section(title, lines) for title, lines in sections.items())


def _end_and_age(node: Node) -> tuple[int, int, str]:
    return (-1 if node.completed_ms is None else node.completed_ms, node.created_ms, node.id)


def _section(title: str, lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in (f"## {title}", *lines, ""))


def _lines(nodes: Iterable[Node], statuses: Collection[NodeStatus], rest: Callable[[Node], str]) -> list[str]:
    return [_line(node, rest(node)) for node in nodes if node.status in statuses]


def _line(node: Node, rest: str) -> str:
    return " ".join(_parts(f"- {node.id}: {one_line(node.title)}", rest))


def _parts(*texts: str) -> Iterator[str]:
    return (text for text in texts if text)


def _is_decided(node: Node) -> bool:
    return node.type is NodeType.DECISION and node.status is NodeStatus.DECIDED


def _chosen(choice: _Choice | None) -> str:
    if choice is None:
        return ""
    rationale = one_line(choice.rationale or "").strip()
    return f"→ {one_line(choice.option)} ({rationale})" if rationale else f"→ {one_line(choice.option)}"


def _because(reason: str | None) -> str:
    told = one_line(reason or "").strip()
    return f"— {told}" if told else ""


def _held(node: Node) -> str:
    return f"[{node.status} by {one_line(node.assigned_to)}]" if node.assigned_to else f"[{node.status}]"


def _ended_badly(node: Node, reason: str) -> str:
    return " ".join(_parts(f"[{node.status}]", _because(reason)))
