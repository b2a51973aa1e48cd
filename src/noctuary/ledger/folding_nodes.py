"""The graph of the work, as the changes of events make it: nodes and edges of one project, kept until they are written.

Times come with a status: begun when it is first held, ended when it ends, and not ended any more when it is reopened.
"""

import json
from collections.abc import Mapping
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple

from noctuary.graph import ENDED, STARTED, EdgeType, Priority
from noctuary.ids import derived_id
from noctuary.store.database import Database, Value
from noctuary.text import searchable

_RANKS = {str(priority): rank for rank, priority in enumerate(Priority)}
_LAST_RANK = len(_RANKS)
# The columns of a node in the order of `save_node` and `node_row`, behind its number and owner.
_COLUMNS = ("project", "id", "type", "title", "status", "description", "priority", "rank", "assigned_to", "created_by",
            "labels", "parent", "goal", "outcome", "outcome_tag", "external", "blocked_reason", "created_ms",
            "started_ms", "completed_ms", "last_ms", "lease_ms", "metadata")  # fmt: skip
_NEW = dict.fromkeys(_COLUMNS) | {"description": "", "labels": "[]", "external": "[]", "metadata": "{}"}
_EMPTY = {"description": "", "labels": "[]", "external": "[]"}  # what else is cleared becomes null
_INDEXED = ("title", "description", "goal", "outcome", "labels", "external", "metadata")
_MARKS = ("true", "false")
_as_row = itemgetter("no", "owner", *_COLUMNS)

NodeRow = dict[str, Any]
EdgeRow = tuple[Value, ...]  # owner, type, from, to, id, project, label, created_ms
Ends = tuple[str, str, str]


class Scope(NamedTuple):
    """Where events are folded to, and what they spoke of although it belongs to another project."""

    database: Database
    owner: str
    project: str
    foreign: set[str]
    absent: set[str]  # ids of memories of which it is known that there are none


class FoldedNodes:
    """Nodes and edges that events have made or changed."""

    def __init__(self, scope: Scope, *, is_first: bool) -> None:
        self.database, self.owner, self.project, self._foreign, _ = scope
        self._is_first = is_first
        self._made = 0
        self._new: set[str] = set()  # nodes that are in no table or index yet
        self._nodes: dict[str, NodeRow | None] = {}
        self._changed: dict[str, NodeRow] = {}
        self._spoken: set[str] = set()  # nodes whose words have changed
        self._edges: dict[Ends, EdgeRow | None] = {}
        self._changed_edges: set[Ends] = set()

    def apply(self, change: Mapping[str, Any], ts_ms: int, author: str) -> None:
        """Do what an event says."""
        for node in change.get("nodes", ()):
            if self._node(node["id"]) is None and node["id"] not in self._foreign:
                self._make(node, ts_ms, author)
        for name, fields in change.get("set", {}).items():
            if (row := self._node(name)) is not None:
                self._set(row, fields, ts_ms)
        for edge in change.get("unlink", ()):
            self._unlink((edge["type"], edge["from"], edge["to"]))
        for edge in change.get("edges", ()):
            self._link((edge["type"], edge["from"], edge["to"]), edge, ts_ms)

    def touch(self, name: str, ts_ms: int) -> None:
        """Something happened to a node.  A late event, one of long ago, never makes it older than it is known to be."""
        row = self._node(name)
        if row is not None and ts_ms > row["last_ms"]:
            row["last_ms"] = ts_ms
            self._changed[name] = row

    def has(self, name: str) -> bool:
        """Whether there is such a node in this project."""
        return self._node(name) is not None

    def flush(self) -> None:
        """Write what was changed."""
        if not (self._changed or self._changed_edges):
            return
        run = self.database.run_many
        spoken = [self._changed[name] for name in self._spoken]
        run("unindex_node", [(row["no"],) for row in spoken if row["id"] not in self._new])
        run("index_node", [(row["no"], searchable(_words(row))) for row in spoken])
        run("save_node", map(_as_row, self._changed.values()))
        rows = [(ends, self._edges[ends]) for ends in self._changed_edges]
        run("remove_edge", [(self.owner, *ends) for ends, row in rows if row is None])
        run("save_edge", [row for _, row in rows if row is not None])
        for pending in (self._changed, self._spoken, self._changed_edges, self._new):
            pending.clear()

    @cached_property
    def _newest(self) -> int:
        """The number that was given last before; most events make no node, and then nobody asks."""
        return int(self.database.fetch("newest_node")[0][0])

    def _make(self, node: Mapping[str, Any], ts_ms: int, author: str) -> None:
        self._made += 1
        row: NodeRow = _NEW | {
            "no": self._newest + self._made,
            "owner": self.owner,
            "project": self.project,
            "id": node["id"],
        }
        row |= {"type": node["type"], "created_ms": ts_ms, "last_ms": ts_ms, "created_by": author}
        self._new.add(row["id"])
        self._nodes[row["id"]] = row
        self._set(row, {key: value for key, value in node.items() if key not in ("id", "type")}, ts_ms)

    def _set(self, row: NodeRow, fields: Mapping[str, Any], ts_ms: int) -> None:
        status = fields.get("status")
        if status is not None and status != row["status"]:
            row["completed_ms"] = ts_ms if status in ENDED else None
            if status in STARTED:
                row["started_ms"] = row["started_ms"] or ts_ms
            else:
                row["lease_ms"] = None
            row["blocked_reason"] = None
        for key, value in fields.items():
            if key == "metadata":
                row[key] = _merged(row[key], value)
            elif value is None:
                row[key] = _EMPTY.get(key)
            else:
                row[key] = json.dumps(value, ensure_ascii=False) if type(value) is list else value
            if key in _INDEXED:
                self._spoken.add(row["id"])
        row["rank"] = _RANKS.get(row["priority"], _LAST_RANK)
        self._changed[row["id"]] = row

    def _link(self, ends: Ends, edge: Mapping[str, Any], ts_ms: int) -> None:
        """Make the edge, or label it anew; its parent becomes that of the node it leads to, if it contains it."""
        old = self._edge(ends)
        if old is not None and old[5] != self.project:
            self._foreign.add(str(old[4]))
            return
        created_ms = edge.get("created_ms", ts_ms) if old is None else old[-1]
        self._edges[ends] = (self.owner, *ends, edge_id(*ends), self.project, edge.get("label"), created_ms)
        self._changed_edges.add(ends)
        if ends[0] == EdgeType.CONTAINS and (child := self._node(ends[2])) is not None:
            child["parent"] = ends[1]
            self._changed[child["id"]] = child

    def _unlink(self, ends: Ends) -> None:
        old = self._edge(ends)
        if old is None:
            return
        if old[5] != self.project:
            self._foreign.add(str(old[4]))
            return
        self._edges[ends] = None
        self._changed_edges.add(ends)
        if ends[0] == EdgeType.CONTAINS and (child := self._node(ends[2])) is not None and child["parent"] == ends[1]:
            child["parent"] = None
            self._changed[child["id"]] = child

    def _node(self, name: str) -> NodeRow | None:
        """The row of a node of this project; None if there is none."""
        try:
            return self._nodes[name]
        except KeyError:
            pass
        rows = [] if self._is_first else self.database.fetch("node_row", owner=self.owner, id=name)
        if rows and rows[0][2] != self.project:
            self._foreign.add(name)
            return None
        self._nodes[name] = dict(zip(("no", "owner", *_COLUMNS), rows[0], strict=True)) if rows else None
        return self._nodes[name]

    def _edge(self, ends: Ends) -> EdgeRow | None:
        if ends not in self._edges:
            kind, start, end = ends
            rows = [] if self._is_first else self.database.fetch(
                "edge_row", owner=self.owner, type=kind, from_id=start, to_id=end
            )  # fmt: skip
            self._edges[ends] = rows[0] if rows else None
        return self._edges[ends]


def edge_id(kind: str, start: str, end: str) -> str:
    """The id of an edge: there is only one of a type between two nodes, so it is the same everywhere."""
    return derived_id("e", kind, start, end)


def _merged(known: str, more: Mapping[str, str | None] | None) -> str:
    """Metadata with more of it; what is null goes, and all of it if there is nothing but null."""
    if more is None:
        return "{}"
    merged = {**json.loads(known), **more}
    return json.dumps({name: text for name, text in merged.items() if text is not None}, ensure_ascii=False)


def _words(row: NodeRow) -> str:
    """All that a node says, labels, names elsewhere and metadata, too; but not numbers and marks of the latter."""
    words = [row[column] for column in _INDEXED[:4] if row[column]]
    words += [mark for column in ("labels", "external") if row[column] != "[]" for mark in json.loads(row[column])]
    if row["metadata"] != "{}":
        words += [text for text in json.loads(row["metadata"]).values() if not text.isdigit() and text not in _MARKS]
    return "\n".join(words)
