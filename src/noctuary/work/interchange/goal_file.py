"""The file of a goal: what it says, as tables of plain values, and back.

    [meta]            version, goal_id, project, content_hash
    [nodes."t-…"]     node_type, title, status, …, created_at and, below it, metadata; what is empty is left out
    [edges."e-…"]     edge_type, from_node, to_node, label, created_at; both ends are in the file
    [outside."e-…"]   the same of edges that leave the goal, so that none is lost without a word
    [base."t-…"]      a digest for each field, by which a change in the file is told from one in the memory

There is no time of export: the same goal is always the same file.  A digest in `base` is what the field was when the
memory that wrote the file received it from elsewhere; behind a `=` it is what the field was when the file was written,
because that memory knows of no other.  Whoever edits the file by hand leaves `base` alone.
"""

import json
import tomllib
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from noctuary.digests import digest
from noctuary.errors import BadEvent, BadInput
from noctuary.graph import TRANSITIONS, Edge, EdgeType, Node, NodeStatus
from noctuary.journal.lines import moment, stamp
from noctuary.ledger.changes import is_id
from noctuary.ledger.fold import edge_id
from noctuary.ledger.ledger import LONGEST_TEXT
from noctuary.redact import redact
from noctuary.text import clean
from noctuary.work.interchange.toml import dumps
from noctuary.work.rules import edge_type_named, node_type_named, priority_named, status_named
from noctuary.work.wording import title_of

VERSION = 1
HEADING = "# A goal of Noctuary: `noctuary graph import` reads it. Edit nodes and edges; leave [base] as it is.\n\n"
METADATA = "metadata."
TEXTS = ("title", "status", "description", "priority", "assigned_to", "created_by", "goal", "outcome", "outcome_tag",
         "blocked_reason")  # fmt: skip
LISTS = ("labels", "external")
# What is a time in the file, and what it is called in a change.
TIMES = {
    "created_at": "created_ms",
    "started_at": "started_ms",
    "completed_at": "completed_ms",
    "lease_until": "lease_ms",
}
_NODE_KEYS = {"node_type", "project_id", "metadata", *TEXTS, *LISTS, *TIMES}
_EDGE_KEYS = {"edge_type", "from_node", "to_node", "label", "created_at"}
_SECTIONS = ("meta", "nodes", "edges", "outside", "base")
_DIGEST_BYTES = 6

Value = str | list[str] | None
Fields = dict[str, Value]  # of a node; metadata is spread out, as metadata.key
Ends = tuple[str, str, str]  # type, from, to


class Mark(NamedTuple):
    """What a field was: when it was received from elsewhere, or else when the file was written."""

    digest: str
    is_received: bool = False

    def __str__(self) -> str:
        return self.digest if self.is_received else f"={self.digest}"


class GoalFile(NamedTuple):
    """What a file says."""

    goal: str
    project: str
    nodes: Mapping[str, Fields]
    edges: Mapping[Ends, Fields]  # label and created_at of each
    outside: Mapping[Ends, Fields]
    marks: Mapping[str, Mapping[str, Mark]]  # by the id of a node or edge, and field
    is_edited: bool = False  # since it was written


def value_digest(value: Value) -> str:
    """A few letters that stand for a value; what is empty is as if it were not there."""
    return digest(json.dumps(value or None, ensure_ascii=False).encode(), size=_DIGEST_BYTES).hex()


NOTHING = value_digest(None)


def parse_mark(text: str) -> Mark:
    """The mark as it is written in a file."""
    return Mark(text.removeprefix("="), is_received=not text.startswith("="))


def node_fields(node: Node) -> Fields:
    """The fields of a node as a file has them."""
    fields: Fields = {"node_type": str(node.type)}
    fields |= {key: str(value) for key in TEXTS if (value := getattr(node, key))}
    fields |= {key: list(value) for key in LISTS if (value := getattr(node, key))}
    fields |= {key: stamp(value) for key, name in TIMES.items() if (value := getattr(node, name))}
    return fields | {METADATA + key: value for key, value in sorted(node.metadata.items())}


def edge_fields(edge: Edge) -> Fields:
    """The fields of an edge as a file has them."""
    return {**({"label": edge.label} if edge.label else {}), "created_at": stamp(edge.created_ms)}


def parents_in(edges: Mapping[Ends, Fields]) -> dict[str, str]:
    """Which node each node is part of."""
    return {end: start for kind, start, end in sorted(edges) if kind == EdgeType.CONTAINS}


def write_goal_file(file: GoalFile) -> str:
    """The text of the file."""
    content = _content(file)
    meta = {
        "version": VERSION,
        "goal_id": file.goal,
        "project": file.project,
        "content_hash": _content_hash(content),
    }
    base = {name: {key: str(mark) for key, mark in marks.items()} for name, marks in file.marks.items()}
    sections = {"meta": meta, **content, "base": base}
    return HEADING + "\n".join(dumps({name: sections[name]}) for name in _SECTIONS if sections[name])


def read_goal_file(text: str) -> GoalFile:
    """What the text says; BadInput, which says where, if it is no file of a goal."""
    data = _parsed(text)
    meta = _table(data, "meta")
    _check_version(meta.get("version"))
    if unknown := set(data) - set(_SECTIONS):
        raise BadInput(
            f"The file has a part {_shown(min(unknown))} that is not known; there are {', '.join(_SECTIONS)}."
        )
    file = GoalFile(
        goal=_text(meta, "goal_id", "meta"),
        project=_text(meta, "project", "meta"),
        nodes={_id(name): _read_node(name, node) for name, node in _table(data, "nodes").items()},
        edges=_read_edges(data, "edges"),
        outside=_read_edges(data, "outside"),
        marks=_read_marks(_table(data, "base")),
    )
    if file.goal not in file.nodes:
        raise BadInput(f"The file has no node {_shown(file.goal)}, which it says it is about.")
    return file._replace(is_edited=meta.get("content_hash") != _content_hash(_content(file)))


def _check_version(version: object) -> None:
    if not isinstance(version, int) or isinstance(version, bool) or version < VERSION:
        raise BadInput(
            "This is no file of a goal: its [meta] names no version that there is; nothing was changed. "
            "`noctuary graph export GOAL` writes such a file."
        )
    if version > VERSION:
        raise BadInput(
            f"The file has version {str(version)[:20]}, and only {VERSION} is known here; nothing was changed. "
            "Upgrade with: pip install -U noctuary"
        )


def _content(file: GoalFile) -> dict[str, Any]:
    return {
        "nodes": {name: _node_table(fields) for name, fields in file.nodes.items()},
        "edges": _edge_tables(file.edges),
        "outside": _edge_tables(file.outside),
    }


def _content_hash(content: Mapping[str, Any]) -> str:
    return digest(json.dumps(content, ensure_ascii=False, sort_keys=True).encode(), size=16).hex()


def _node_table(fields: Fields) -> dict[str, Any]:
    table: dict[str, Any] = {key: value for key, value in fields.items() if not key.startswith(METADATA)}
    metadata = {key.removeprefix(METADATA): value for key, value in fields.items() if key.startswith(METADATA)}
    return {**table, "metadata": metadata} if metadata else table


def _edge_tables(edges: Mapping[Ends, Fields]) -> dict[str, Any]:
    return {
        edge_id(*ends): {"edge_type": ends[0], "from_node": ends[1], "to_node": ends[2], **fields}
        for ends, fields in edges.items()
    }


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(clean(text).removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise BadInput(f"The file is no TOML: {why}.") from None


def _read_node(name: str, node: object) -> Fields:
    where = f"nodes.{name}"
    table = _as_table(node, where)
    if unknown := set(table) - _NODE_KEYS:
        raise BadInput(f"{where} has {_shown(min(unknown))}, which no node has.")
    kind = node_type_named(_text(table, "node_type", where))
    status = status_named(_text(table, "status", where))
    if status not in TRANSITIONS[kind]:
        raise BadInput(f"{where}: a {kind} cannot be {status}; it can be {', '.join(TRANSITIONS[kind])}.")
    fields: Fields = {"node_type": str(kind)}
    fields |= {key: _text(table, key, where) for key in TEXTS if table.get(key, "") != ""}
    fields |= {"title": title_of(_text(table, "title", where)), "status": str(NodeStatus(status))}
    if "priority" in fields:
        fields["priority"] = str(priority_named(str(fields["priority"])))
    fields |= {key: _texts(table, key, where) for key in LISTS if table.get(key)}
    fields |= {key: _time(table[key], f"{where}.{key}") for key in TIMES if key in table}
    metadata = _as_table(table.get("metadata", {}), f"{where}.metadata")
    return fields | {METADATA + key: _text(metadata, key, f"{where}.metadata") for key in metadata}


def _read_edges(data: Mapping[str, Any], section: str) -> dict[Ends, Fields]:
    edges: dict[Ends, Fields] = {}
    for name, edge in _table(data, section).items():
        where = f"{section}.{name}"
        table = _as_table(edge, where)
        if unknown := set(table) - _EDGE_KEYS:
            raise BadInput(f"{where} has {_shown(min(unknown))}, which no edge has.")
        kind = str(edge_type_named(_text(table, "edge_type", where)))
        ends = (kind, _id(_text(table, "from_node", where)), _id(_text(table, "to_node", where)))
        if ends in edges:
            raise BadInput(f"{where} says again that {ends[1]} {kind} {ends[2]}; there is one edge of a type only.")
        edges[ends] = {"label": _text(table, "label", where)} if table.get("label") else {}
        if "created_at" in table:
            edges[ends]["created_at"] = _time(table["created_at"], f"{where}.created_at")
    return edges


def _read_marks(base: Mapping[str, Any]) -> dict[str, dict[str, Mark]]:
    return {
        name: {key: parse_mark(_text(table, key, f"base.{name}")) for key in table}
        for name, fields in base.items()
        for table in [_as_table(fields, f"base.{name}")]
    }


def _table(data: Mapping[str, Any], section: str) -> Mapping[str, Any]:
    return _as_table(data.get(section, {}), section)


def _as_table(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise BadInput(f"{where} should be a table.")
    return value


def _id(name: str) -> str:
    if not is_id(name):
        raise BadInput(f"{_shown(name)} is no id of a node.")
    return name


def _text(table: Mapping[str, Any], key: str, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str):
        raise BadInput(f"{where} has no {key}." if value is None else f"{where}.{key} should be a text.")
    if len(value) > LONGEST_TEXT:
        raise BadInput(f"{where}.{key} has {len(value):,} characters; {LONGEST_TEXT:,} are the most.")
    return redact(clean(value))


def _texts(table: Mapping[str, Any], key: str, where: str) -> list[str]:
    values = table[key]
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise BadInput(f"{where}.{key} should be a list of texts.")
    return [_text({key: value}, key, where) for value in values]


def _time(value: object, where: str) -> str:
    """The time in our own spelling; one that TOML knows as such is as good as a text."""
    text = value.isoformat() if isinstance(value, datetime) else value
    try:
        if isinstance(text, str):
            return stamp(moment(text))
    except BadEvent:
        pass
    raise BadInput(f"{where} should be a time, such as 2026-05-01T14:00:00.000Z.")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:60] + "…")
