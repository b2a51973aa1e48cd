"""What an event does to the graph, spelled out: the shape of `change`, and whether a record has it.

    nodes     [{"id", "type", "title", …}]           made, unless there is one with this id
    set       {"id": {"status": …, "title": …}}      fields of nodes; null clears one
    edges     [{"type", "from", "to", "label"?}]     made, or labelled anew
    unlink    [{"type", "from", "to"}]
    sessions  [{"id", "goal", …}]                    sessions of work, made or filled in
    memories  [{"id", "kind", "text", …}]            made or changed

Whoever writes an event makes sure that the change is allowed (`work/rules.py`).  Whoever folds one only makes sure
that it has this shape: what two machines did while they did not see each other may not fit together, and must still
be read.
"""

from collections.abc import Mapping
from typing import Any

from noctuary.errors import BadEvent
from noctuary.graph import TRANSITIONS, EdgeType, NodeType, Priority
from noctuary.store.memories import MemoryKind, MemoryStatus

TEXTS = frozenset({"title", "status", "description", "priority", "assigned_to", "created_by", "goal", "outcome",
                   "outcome_tag", "blocked_reason"})  # fmt: skip
LISTS = frozenset({"labels", "external"})
TIMES = frozenset({"lease_ms", "created_ms", "started_ms", "completed_ms"})
FIELDS = TEXTS | LISTS | TIMES | {"metadata"}
_NEVER_EMPTY = frozenset({"title", "status"})
_KEYS = frozenset({"nodes", "set", "edges", "unlink", "sessions", "memories"})
_STATUSES = {status for by_type in TRANSITIONS.values() for status in by_type}


def check_shape(change: Mapping[str, Any]) -> None:
    """Raise BadEvent if the change is not of the shape that can be folded."""
    if not isinstance(change, dict) or not _KEYS.issuperset(change):
        raise BadEvent("its change has parts that are not known")
    for node in _records(change, "nodes"):
        if not isinstance(node.get("id"), str) or node.get("type") not in set(NodeType):
            raise BadEvent("its change has a node without id or type")
        _check_fields({key: value for key, value in node.items() if key not in ("id", "type")})
        if not node.get("title") or node.get("status") not in TRANSITIONS[NodeType(node["type"])]:
            raise BadEvent(f"its node {node['id']} has no title, or a status that such a node cannot have")
    settings = change.get("set", {})
    if not isinstance(settings, dict) or not all(isinstance(fields, dict) for fields in settings.values()):
        raise BadEvent("its change sets nothing that can be set")
    for fields in settings.values():
        _check_fields(fields)
    for edge in (*_records(change, "edges"), *_records(change, "unlink")):
        ends = (edge.get("from"), edge.get("to"), edge.get("label", ""))
        if edge.get("type") not in set(EdgeType) or not all(isinstance(end, str) for end in ends):
            raise BadEvent("its change has an edge without type or ends")
    _check_others(change)


def _check_others(change: Mapping[str, Any]) -> None:
    for session in _records(change, "sessions"):
        if not isinstance(session.get("id"), str) or not isinstance(session.get("goal", ""), str):
            raise BadEvent("its change has a session of work without id")
    for memory in _records(change, "memories"):
        is_known = memory.get("kind", "fact") in set(MemoryKind) and memory.get("status", "active") in set(MemoryStatus)
        if not isinstance(memory.get("id"), str) or not isinstance(memory.get("text", ""), str) or not is_known:
            raise BadEvent("its change has a memory without id, or of no kind")


def _records(change: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    records = change.get(key, [])
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise BadEvent(f"its change has {key} that are no list of records")
    return records


def _check_fields(fields: Mapping[str, Any]) -> None:
    for key, value in fields.items():
        if key not in FIELDS:
            raise BadEvent(f"its change sets {key!r}, which no node has")
        if value is None:
            if key in _NEVER_EMPTY:
                raise BadEvent(f"its change takes away the {key} of a node")
        elif not _has_type(key, value):
            raise BadEvent(f"its change sets {key} to {str(value)[:80]!r}")


def _has_type(key: str, value: object) -> bool:
    if key == "status":
        return value in _STATUSES
    if key == "priority":
        return value in set(Priority)
    if key in TEXTS:
        return isinstance(value, str)
    if key in LISTS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if key in TIMES:
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 62
    return isinstance(value, dict) and all(isinstance(item, (str, type(None))) for item in value.values())
