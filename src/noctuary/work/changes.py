"""Pieces of a change, as verbs write them: the record of an edge, and two changes as one."""

from collections.abc import Mapping
from typing import Any

from noctuary.graph import Edge


def edge_record(kind: str, start: str, end: str, label: str = "") -> dict[str, Any]:
    """An edge to draw or, without a label, to take away."""
    return {"type": str(kind), "from": start, "to": end, **({"label": label} if label else {})}


def ends_of(edge: Edge) -> dict[str, Any]:
    """An edge that there is, to take away."""
    return edge_record(edge.type, edge.from_id, edge.to_id)


def both(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Two changes as one: lists behind each other, what is said by name together."""
    together = dict(one)
    for key, value in other.items():
        known = together.get(key)
        together[key] = value if not known else {**known, **value} if isinstance(value, Mapping) else [*known, *value]
    return together
