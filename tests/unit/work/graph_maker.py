"""Nodes as a test needs them: any status and any time, with ids that can be read."""

from typing import Any

from noctuary.authored import Event, EventType
from noctuary.work.desk import Desk

DAY_MS = 86_400_000
KINDS = {"g": "goal", "t": "task", "d": "decision", "o": "option", "oc": "outcome", "ob": "observation", "r": "revisit"}


def node(name: str, status: str, title: str = "", **fields: Any) -> dict[str, Any]:
    """A node as a change makes it; its type is told by its id, its title too if none is given."""
    kind = KINDS[name.partition("-")[0]]
    return {"id": name, "type": kind, "title": title or f"Title of {name}", "status": status, **fields}


def edge(kind: str, start: str, end: str, label: str | None = None) -> dict[str, str]:
    """An edge as a change makes it."""
    return {"type": kind, "from": start, "to": end, **({} if label is None else {"label": label})}


def make(desk: Desk, *nodes: dict[str, Any], below: str | None = None, edges: tuple[dict[str, str], ...] = ()) -> None:
    """Make nodes in one event, all part of one node if that is given."""
    parts = tuple(edge("contains", below, made["id"]) for made in nodes) if below else ()
    with desk.writing() as write:
        write(EventType.OPEN, "made", change={"nodes": list(nodes), "edges": [*parts, *edges]})


def set_fields(desk: Desk, name: str, **fields: Any) -> None:
    """Set fields of a node, whatever its status."""
    with desk.writing() as write:
        write(EventType.AMEND, "set", node=name, change={"set": {name: fields}}, is_verb=True)


def make_many(desk: Desk, nodes: list[dict[str, Any]], edges: list[dict[str, str]]) -> None:
    """Make what a merge could bring: folded, not checked, for that takes its time with thousands."""
    change = {"nodes": nodes, "edges": edges}
    desk.ledger.record(Event(type=EventType.OPEN, text="made", project=desk.project, change=change))
