"""What an event does to the graph, spelled out: the shape of `change`, and whether a record has it.

    nodes     [{"id", "type", "title", …}]           made, unless there is one with this id
    set       {"id": {"status": …, "title": …}}      fields of nodes; null clears one
    edges     [{"type", "from", "to", "label"?}]     made, or labelled anew
    unlink    [{"type", "from", "to"}]
    sessions  [{"id", "goal", …}]                    sessions of work, made or filled in
    memories  [{"id", "kind", "text", …}]            made or changed
    adopt     {"event": "node"}                      entries that were about nothing are about this node now

Whoever writes an event makes sure that the change is allowed (`work/rules.py`).  Whoever folds one only makes sure
that it has this shape: what two machines did while they did not see each other may not fit together, and must still
be read.  An id has a shape too, because it is typed, printed and looked for: see `is_id`.
"""

import re
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
_NEVER_EMPTY = frozenset({"title", "status", "created_ms"})
_KEYS = frozenset({"nodes", "set", "edges", "unlink", "sessions", "memories", "adopt"})
_BY_TYPE = {str(kind): frozenset(map(str, by_status)) for kind, by_status in TRANSITIONS.items()}
_STATUSES = frozenset(status for statuses in _BY_TYPE.values() for status in statuses)
_NODE_TYPES, _EDGE_TYPES, _PRIORITIES = (frozenset(map(str, kind)) for kind in (NodeType, EdgeType, Priority))
_MEMORY_KINDS, _MEMORY_STATUSES = (frozenset(map(str, kind)) for kind in (MemoryKind, MemoryStatus))
_LATEST = 1 << 62
_DEEPEST = 16
_ID = re.compile(r"\w[\w.:-]{0,99}")
_UNSEEN = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")  # what ends a line, or tells a terminal what to do


def is_id(value: object) -> bool:
    """Whether nodes, sessions of work and memories can be called so: letters, digits and _ - . : and 100 at most."""
    return type(value) is str and _ID.fullmatch(value) is not None


def check_shape(change: Mapping[str, Any]) -> None:
    """Raise BadEvent if the change is not of the shape that can be folded."""
    if not isinstance(change, dict) or not _KEYS.issuperset(change):
        raise BadEvent("its change has parts that are not known")
    if "nodes" in change:
        for node in _records(change, "nodes"):
            _check_node(node)
    if "set" in change:
        _check_set(change["set"])
    if "edges" in change:
        for edge in _records(change, "edges"):
            _check_edge(edge)
    if "unlink" in change:
        for edge in _records(change, "unlink"):
            _check_edge(edge)
    if "sessions" in change:
        for session in _records(change, "sessions"):
            _check_session(session)
    if "memories" in change:
        for memory in _records(change, "memories"):
            _check_memory(memory)
    if "adopt" in change:
        _check_adopted(change["adopt"])


def _records(change: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    records = change[key]
    if type(records) is not list or not {dict}.issuperset(map(type, records)):
        raise BadEvent(f"its change has {key} that are no list of records")
    return records


def _check_node(node: Mapping[str, Any]) -> None:
    kind = node.get("type")
    if not is_id(node.get("id")) or not isinstance(kind, str) or kind not in _NODE_TYPES:
        raise BadEvent("its change has a node without type, or with an id that is none")
    for key, value in node.items():
        if key not in ("id", "type"):
            _check_field(key, value)
    if "title" not in node or node.get("status") not in _BY_TYPE[kind]:
        raise BadEvent(f"its node {node['id']} has no title, or a status that such a node cannot have")


def _check_set(settings: object) -> None:
    if type(settings) is not dict:
        raise BadEvent("its change sets nothing that can be set")
    for name, fields in settings.items():
        if type(fields) is not dict or not is_id(name):
            raise BadEvent("its change sets nothing that can be set")
        for key, value in fields.items():
            _check_field(key, value)


def _check_adopted(adopted: object) -> None:
    if type(adopted) is not dict or not all(is_id(name) for pair in adopted.items() for name in pair):
        raise BadEvent("its change adopts what is no event, or for what is no node")


def _check_field(key: str, value: object) -> None:
    if key not in FIELDS:
        raise BadEvent(f"its change sets {key[:40]!r}, which no node has")
    if value is None:
        if key in _NEVER_EMPTY:
            raise BadEvent(f"its change takes away the {key} of a node")
    elif not _has_type(key, value):
        raise BadEvent(f"its change sets {key} to {str(value)[:80]!r}")


def _has_type(key: str, value: object) -> bool:
    if key in TEXTS:
        if not isinstance(value, str):
            return False
        if key == "status":
            return value in _STATUSES
        if key == "title":
            return value != "" and _UNSEEN.search(value) is None
        return value in _PRIORITIES if key == "priority" else True
    if key in LISTS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if key in TIMES:
        return _is_time(value)
    return isinstance(value, dict) and all(isinstance(item, (str, type(None))) for item in value.values())


def _check_edge(edge: Mapping[str, Any]) -> None:
    kind, label = edge.get("type"), edge.get("label")
    if not isinstance(kind, str) or kind not in _EDGE_TYPES or not (is_id(edge.get("from")) and is_id(edge.get("to"))):
        raise BadEvent("its change has an edge without type or ends")
    if not isinstance(label, (str, type(None))) or not _is_time(edge.get("created_ms", 0)):
        raise BadEvent("its change has an edge whose label is no text, or whose time is none")


def _check_session(session: Mapping[str, Any]) -> None:
    agents = session.get("agents", [])
    if not is_id(session.get("id")) or not isinstance(session.get("goal", ""), str):
        raise BadEvent("its change has a session of work without id, or whose goal is no name")
    if not all(isinstance(session.get(key), (str, type(None))) for key in ("notes", "summary")):
        raise BadEvent("its change has a session of work with notes that are no text")
    if not isinstance(agents, list) or not all(isinstance(agent, str) for agent in agents):
        raise BadEvent("its change has a session of work whose agents are no list of names")


def _check_memory(memory: Mapping[str, Any]) -> None:
    kind, status, superseded_by = (
        memory.get("kind", "fact"),
        memory.get("status", "active"),
        memory.get("superseded_by"),
    )
    if not is_id(memory.get("id")) or not isinstance(memory.get("text", ""), str):
        raise BadEvent("its change has a memory without id or text")
    if not (isinstance(kind, str) and isinstance(status, str) and isinstance(superseded_by, (str, type(None)))):
        raise BadEvent("its change has a memory whose kind, status or successor is no text")
    if kind not in _MEMORY_KINDS or status not in _MEMORY_STATUSES:
        raise BadEvent("its change has a memory of a kind or status that there is not")
    if not isinstance(memory.get("event", ""), str):
        raise BadEvent("its change has a memory that is said by no event")
    if _depth(memory) > _DEEPEST:
        raise BadEvent("its change has a memory that goes too deep")


def _is_time(value: object) -> bool:
    return type(value) is int and 0 <= value < _LATEST


def _depth(value: object) -> int:
    """How deep lists and objects stand in each other, up to a little more than is allowed."""
    level, depth = [value], 0
    while level and depth <= _DEEPEST:
        lists = [
            list(each.values()) if isinstance(each, dict) else each for each in level if isinstance(each, (dict, list))
        ]
        level, depth = [inner for each in lists for inner in each], depth + 1
    return depth
