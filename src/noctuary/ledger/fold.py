"""Events become tables: the same for one event as for all of them.

A fold knows the few rows it has touched and reads the rest when it is needed; `flush` writes them.  The order is that
of the events' ids, which is the order in which they were recorded, wherever that was.  Nothing here can refuse an
event: what is allowed was decided when it was written.
"""

import json
from collections.abc import Mapping
from typing import Any

from noctuary.authored import EventStatus, EventType
from noctuary.graph import ENDED, STARTED, EdgeType, Priority
from noctuary.ids import derived_id
from noctuary.journal.lines import moment
from noctuary.ledger.changes import check_shape
from noctuary.store.database import Database, Row
from noctuary.text import searchable

_RANKS = {str(priority): rank for rank, priority in enumerate(Priority)}
_LAST_RANK = len(_RANKS)
_ABOUT_EVENTS = frozenset({EventType.CORRECTION, EventType.CONFIRM, EventType.RETRACT})
_SILENT = frozenset({EventType.STATUS, EventType.LINK, EventType.UNLINK, EventType.AMEND, EventType.RENAME})
_PAGE = 20_000
# The columns of a node in the order of `save_node`, behind its number and owner.
_COLUMNS = ("project", "id", "type", "title", "status", "description", "priority", "rank", "assigned_to", "created_by",
            "labels", "parent", "goal", "outcome", "outcome_tag", "external", "blocked_reason", "created_ms",
            "started_ms", "completed_ms", "last_ms", "lease_ms", "metadata")  # fmt: skip
_READ = tuple(column for column in _COLUMNS if column != "rank")
_JSON = ("labels", "external", "metadata")
_INDEXED = ("title", "description", "goal", "outcome")

NodeRow = dict[str, Any]


class Fold:
    """Folds the events of one owner's project."""

    def __init__(self, database: Database, owner: str, project: str) -> None:
        self.database = database
        self.owner = owner
        self.project = project
        self._next_event = int(database.fetch("newest_event")[0][0]) + 1
        self._next_node = int(database.fetch("newest_node")[0][0]) + 1
        self._is_first = self._next_node == 1  # there is no node to read, so none is asked for
        self._events: dict[str, list[Any]] = {}  # rows that are not written yet, by id
        self._texts: dict[int, str] = {}  # to be indexed, by number
        self._nodes: dict[str, NodeRow | None] = {}
        self._changed: dict[str, NodeRow] = {}
        self._edges: dict[tuple[str, str, str], tuple[Any, ...] | None] = {}  # None: to be removed
        self._spoken: set[str] = set()  # nodes whose words have changed

    def add(self, record: Mapping[str, Any], body: str) -> None:
        """Fold one event: its record, and the line it was read from.  BadEvent, and nothing done, if it is none."""
        change, kind = record.get("change"), record["type"]
        ts_ms = moment(record["timestamp"])
        if change:
            check_shape(change)
        number, self._next_event = self._next_event, self._next_event + 1
        meta, text = record.get("meta") or {}, record.get("text", "")
        books = bool(meta.get("bookkeeping")) or (kind in ("confirm", "retract") and not text)
        row = [
            number, self.owner, self.project, record["event_id"], record.get("node"), kind, ts_ms,
            record.get("author", "user"), record.get("status", "confirmed"), record.get("session"), books, None, None,
            body,
        ]  # fmt: skip
        if kind in _ABOUT_EVENTS:
            self._apply_to_event(row, record.get("corrects") or "", text)
        if record.get("supersedes"):
            self._set_event(record["supersedes"], superseded_by=record["event_id"])
        self._events[record["event_id"]] = row
        if text and not books and kind not in _SILENT:
            self._texts[number] = text
        if change:
            self._apply(change, ts_ms, record)
        if record.get("node") and not books:
            self._touch(record["node"], ts_ms)
        if len(self._events) >= _PAGE:
            self.flush()

    def flush(self) -> None:
        """Write what was folded."""
        run = self.database.run_many
        run("add_event", self._events.values())
        run("index_event", [(number, searchable(text)) for number, text in self._texts.items()])
        if self._spoken:
            spoken = [(row["no"], row) for row in (self._changed[name] for name in self._spoken)]
            if not self._is_first:
                run("unindex_node", [(number,) for number, _ in spoken])
            run("index_node", [(number, searchable(_words(row))) for number, row in spoken])
        run("save_node", [self._as_row(row) for row in self._changed.values()])
        run("remove_edge", [(self.owner, *ends) for ends, row in self._edges.items() if row is None])
        run("save_edge", [row for row in self._edges.values() if row is not None])
        for pending in (self._events, self._texts, self._changed, self._spoken, self._edges):
            pending.clear()

    def _apply_to_event(self, row: list[Any], target_id: str, text: str) -> None:
        """A correction hides what it corrects and stands in its place; so does a confirmation in other words."""
        target = self._event(target_id)
        if target is None:
            return
        _, target_type, _, _, _, node = target
        row[4] = row[4] or node
        if row[5] == EventType.CONFIRM:
            self._set_event(target_id, status=str(EventStatus.CONFIRMED))
        if row[5] == EventType.RETRACT:
            self._set_event(target_id, status=str(EventStatus.RETRACTED), hidden_by=row[3])
        elif text or row[5] == EventType.CORRECTION:
            self._set_event(target_id, hidden_by=row[3])
            row[5] = target_type if text else row[5]

    def _event(self, event_id: str) -> tuple[int, str, str, str | None, str | None, str | None] | None:
        if (pending := self._events.get(event_id)) is not None:
            number, kind, status, hidden, superseded = (pending[i] for i in (0, 5, 8, 11, 12))
            return number, kind, status, hidden, superseded, pending[4]
        rows = self.database.fetch("event_state", owner=self.owner, id=event_id)
        return rows[0] if rows else None

    def _set_event(self, event_id: str, **values: str) -> None:
        """Note what a later event says of an earlier one, and let search no longer find what is hidden."""
        if (pending := self._events.get(event_id)) is not None:
            for place, name in ((8, "status"), (11, "hidden_by"), (12, "superseded_by")):
                pending[place] = values.get(name, pending[place])
            if pending[11]:
                self._texts.pop(pending[0], None)
        elif known := self._event(event_id):
            number, kind, status, hidden_by, superseded_by, _ = known
            state = {"type": kind, "status": status, "hidden_by": hidden_by, "superseded_by": superseded_by} | values
            self.database.fetch("change_event", no=number, **state)
            if state["hidden_by"]:
                self.database.run_many("unindex_event", [(number,)])

    def _apply(self, change: Mapping[str, Any], ts_ms: int, record: Mapping[str, Any]) -> None:
        for node in change.get("nodes", ()):
            if self._node(node["id"]) is None:
                self._make(node, ts_ms, record.get("author"))
        for name, fields in change.get("set", {}).items():
            if (row := self._node(name)) is not None:
                self._set(row, fields, ts_ms)
        for edge in change.get("unlink", ()):
            self._edges[_ends(edge)] = None
            self._set_parent(edge, None)
        for edge in change.get("edges", ()):
            self._edges[_ends(edge)] = self._edge(edge, ts_ms)
            self._set_parent(edge, edge["from"])
        for session in change.get("sessions", ()):
            self._save_session(session, ts_ms)
        for memory in change.get("memories", ()):
            self._save_memory(memory, ts_ms, record)

    def _make(self, node: Mapping[str, Any], ts_ms: int, author: str | None) -> None:
        row: NodeRow = dict.fromkeys(_COLUMNS)
        row |= {"no": self._next_node, "project": self.project, "id": node["id"], "type": node["type"]}
        row |= {"description": "", "labels": [], "external": [], "metadata": {}, "rank": _LAST_RANK}
        row |= {
            "created_ms": ts_ms,
            "last_ms": ts_ms,
            "created_by": author,
            "status": node["status"],
        }
        self._next_node += 1
        self._nodes[row["id"]] = row
        self._set(row, {key: value for key, value in node.items() if key not in ("id", "type")}, ts_ms)

    def _set(self, row: NodeRow, fields: Mapping[str, Any], ts_ms: int) -> None:
        """Set fields of a node; a status brings its times with it, unless they are given."""
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
                merged = {**row["metadata"], **(value or {})}
                row["metadata"] = {name: text for name, text in merged.items() if text is not None}
            else:
                row[key] = value if value is not None else [] if key in _JSON else "" if key == "description" else None
        row["rank"] = _RANKS.get(row["priority"], _LAST_RANK)
        self._changed[row["id"]] = row
        if not fields.keys().isdisjoint(_INDEXED):
            self._spoken.add(row["id"])

    def _touch(self, name: str, ts_ms: int) -> None:
        """A late event, one of long ago, never makes a node older than it is known to be."""
        row = self._node(name)
        if row is not None and ts_ms > row["last_ms"]:
            row["last_ms"] = ts_ms
            self._changed[name] = row

    def _set_parent(self, edge: Mapping[str, Any], parent: str | None) -> None:
        row = self._node(edge["to"]) if edge["type"] == EdgeType.CONTAINS else None
        if row is not None and (parent or row["parent"] == edge["from"]):
            row["parent"] = parent
            self._changed[row["id"]] = row

    def _node(self, name: str) -> NodeRow | None:
        if name not in self._nodes:
            rows = [] if self._is_first else self.database.fetch("node_row", owner=self.owner, id=name)
            self._nodes[name] = _from_row(rows[0]) if rows else None
        return self._nodes[name]

    def _as_row(self, row: NodeRow) -> tuple[Any, ...]:
        values = (json.dumps(row[c], ensure_ascii=False) if c in _JSON else row[c] for c in _COLUMNS)
        return (row["no"], self.owner, *values)

    def _edge(self, edge: Mapping[str, Any], ts_ms: int) -> tuple[Any, ...]:
        ends = _ends(edge)
        return (self.owner, *ends, edge_id(*ends), self.project, edge.get("label"), edge.get("created_ms", ts_ms))

    def _save_session(self, session: Mapping[str, Any], ts_ms: int) -> None:
        rows = self.database.fetch("find_work_session", owner=self.owner, id=session["id"])
        known = dict(zip(("id", "project", "goal", "started_ms", "ended_ms", "notes", "agents", "summary"), rows[0],
                         strict=True)) if rows else {}  # fmt: skip
        agents = json.dumps(session["agents"], ensure_ascii=False) if "agents" in session else known.get("agents", "[]")
        row = (
            self.owner, self.project, session["id"], session.get("goal", known.get("goal", "")),
            known.get("started_ms", ts_ms), ts_ms if session.get("ended") else known.get("ended_ms"),
            session.get("notes", known.get("notes")), agents, session.get("summary", known.get("summary")),
        )  # fmt: skip
        self.database.run_many("save_work_session", [row])

    def _save_memory(self, memory: Mapping[str, Any], ts_ms: int, record: Mapping[str, Any]) -> None:
        rows = self.database.fetch("find_memory", owner=self.owner, id=memory["id"])
        old: Row = rows[0] if rows else (memory["id"], self.project, "fact", "", "active", ts_ms, None, None, "", "{}")
        status = memory.get("status", old[4])
        facts = json.loads(old[9]) | {k: v for k, v in memory.items() if k not in ("id", "kind", "text", "status")}
        row = (
            self.owner, memory["id"], old[1], memory.get("kind", old[2]), memory.get("text", old[3]), status, old[5],
            None if status in ("active", "proposed") else old[6] or ts_ms, facts.get("superseded_by", old[7]),
            record["event_id"] if "text" in memory else old[8], json.dumps(facts, ensure_ascii=False),
        )  # fmt: skip
        self.database.run_many("save_memory", [row])


def edge_id(kind: str, start: str, end: str) -> str:
    """The id of an edge: there is only one of a type between two nodes, so it is the same everywhere."""
    return derived_id("e", kind, start, end)


def _ends(edge: Mapping[str, Any]) -> tuple[str, str, str]:
    return str(edge["type"]), edge["from"], edge["to"]


def _from_row(row: Row) -> NodeRow:
    known: NodeRow = {"no": row[0], **dict(zip(_READ, row[1:], strict=True))}
    known |= {column: json.loads(known[column]) for column in _JSON}
    known["rank"] = _RANKS.get(known["priority"], _LAST_RANK)
    return known


def _words(row: NodeRow) -> str:
    return "\n".join(row[column] for column in _INDEXED if row[column])
