"""Journals of Task-Journal: every line becomes an event of ours, with its id, its time and its words.

    {"event_id":"01J…","schema_version":"1.0","task_id":"tj-…","type":"decision","timestamp":"…","author":"agent",
     "source":"chat","text":"…","refs":{},"status":"confirmed","meta":{"alternatives":[…]}}

Its tasks are tasks here, under the same ids.  What has no place of its own among our fields is kept in `meta` under
"task_journal".  What was only suggested changes nothing, and a task that is spoken of but was never opened is made from
the first that is said of it.  Nothing depends on when it is imported, so importing it again adds nothing.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from noctuary.authored import Author, Event, EventSource, EventStatus, EventType, Refs, Strength, Trust
from noctuary.errors import BadEvent, BadInput
from noctuary.graph import EdgeType, Node, NodeStatus, NodeType
from noctuary.ids import derived_id, is_ulid, moment_of
from noctuary.journal.lines import stamp
from noctuary.ledger.changes import is_id
from noctuary.work.alternatives import decision_change, read_alternatives
from noctuary.work.changes import both, edge_record
from noctuary.work.exchange import SetAside, checked
from noctuary.work.foreign.lines import (
    Found,
    Read,
    closes_circle,
    derived_ulid,
    objects_in,
    text_in,
    time_in,
    title_from,
)
from noctuary.work.tasks import ENDINGS, REOPENED

NAME = "task_journal"
_KEYS = {"event_id", "schema_version", "task_id", "type", "timestamp", "author", "source", "confidence",
         "evidence_strength", "text", "refs", "corrects", "supersedes", "status", "meta"}  # fmt: skip
_CHOICES = {"author": Author, "source": EventSource, "status": EventStatus, "evidence_strength": Strength}
_REFS = ("commits", "files", "events")
_TYPES = {
    str(kind): kind
    for kind in (
        EventType.OPEN, EventType.HYPOTHESIS, EventType.FINDING, EventType.EVIDENCE, EventType.DECISION,
        EventType.REJECTION, EventType.CONSTRAINT, EventType.CORRECTION, EventType.REOPEN, EventType.SUPERSEDE,
        EventType.CLOSE, EventType.REDIRECT, EventType.RENAME, EventType.AMEND,
    )
}  # fmt: skip
_COMPACTED = "Conversation compacted at "  # a mark of the books that it writes as a decision
_MODULE = "mod:"  # parts of the system, which are no tasks


def is_task_journal(record: Mapping[str, Any]) -> bool:
    """Whether a line is one of Task-Journal."""
    return {"event_id", "task_id", "type"} <= record.keys() and isinstance(record.get("schema_version", ""), str)


def read_task_journal(lines: Iterable[str | bytes], latest_ms: int) -> Read:
    """The events of a journal; BadInput, and nothing read, if it is of a newer version than is known here."""
    reading = _Reading(latest_ms)
    found = [each for each in objects_in(lines, reading.bad) if reading.is_line(each)]
    found.sort(key=lambda each: event_id(each.record))
    reading.opened = {
        task: each.record
        for each in reversed(found)
        if each.record["type"] == EventType.OPEN and (task := _task(each.record))
    }
    reading.tasks = {task for each in found if (task := _task(each.record))}
    reading.names = {text_in(each.record, "event_id"): event_id(each.record) for each in found}
    for each in found:
        reading.add(each)
    return Read(reading.events, sorted(reading.bad), reading.notes)


def event_id(record: Mapping[str, Any]) -> str:
    """The id of the event: its own, or if that is none of ours, one that always belongs to it."""
    own = text_in(record, "event_id")
    return ours(own, time_in(record, "timestamp") or 0)


def ours(name: str, moment_ms: int = 0) -> str:
    """An id as it is called here."""
    return name.upper() if is_ulid(name.upper()) else derived_ulid(moment_ms, NAME, name)


def _task(record: Mapping[str, Any]) -> str:
    return _task_called(text_in(record, "task_id"))


def _task_called(name: str) -> str:
    """What a task is called here: the same, if that can be an id; empty if it is none."""
    task = name.strip()
    if not task or task.startswith(_MODULE):
        return ""
    return task if is_id(task) else derived_id("tj", NAME, task)


class _Reading:
    """One journal while it is read, in the order of its ids."""

    def __init__(self, latest_ms: int) -> None:
        self.latest_ms = latest_ms
        self.events: list[Event] = []
        self.bad: list[SetAside] = []
        self.notes: list[SetAside] = []
        self.opened: Mapping[str, Mapping[str, Any]] = {}  # what opens each task
        self.tasks: set[str] = set()  # that anything is said of
        self.names: dict[str, str] = {}  # events, and what they are called here
        self.made: dict[str, str] = {}  # tasks and their titles
        self.ended: set[str] = set()
        self.parents: dict[str, tuple[str]] = {}
        self.external: dict[str, list[str]] = {}
        self.decisions: dict[str, str] = {}  # the node that a decision's event made

    def is_line(self, found: Found) -> bool:
        """Whether the object can be an event; if not, it is set aside."""
        record = found.record
        version = str(record.get("schema_version", "1.0"))
        major, _, _ = version.partition(".")
        if major.isdecimal() and major.lstrip("0") not in ("", "1"):
            raise BadInput(
                f"Line {found.number} is of version {version[:20]} of Task-Journal's format, and 1 is known here; "
                "nothing was changed."
            )
        missing = [key for key in ("event_id", "type") if not text_in(record, key)]
        wrong = [key for key in ("text", "task_id") if not isinstance(record.get(key, ""), str)]
        wrong += [key for key in ("meta", "refs") if not isinstance(record.get(key) or {}, dict)]
        if missing or wrong:
            why = f"it has no {missing[0]}" if missing else f"its {wrong[0]} is not what it should be"
            self.bad.append(SetAside(found.number, why, found.line))
        return not missing and not wrong

    def add(self, found: Found) -> None:
        """Read one line."""
        before = dict(self.made)
        try:
            self.events.append(checked(self._event(found), self.latest_ms))
        except BadEvent as error:
            self.made = before
            self.bad.append(SetAside(found.number, str(error), found.line))

    def _event(self, found: Found) -> Event:
        record, meta = found.record, _meta(found.record)
        name, task, text = event_id(record), _task(record), text_in(record, "text")
        kind = _TYPES.get(record["type"], EventType.FINDING)
        status = _one_of(EventStatus, record.get("status", "confirmed"), EventStatus.SUGGESTED)
        ts_ms = time_in(record, "timestamp")
        planned = self._planned(found, name) if kind is EventType.DECISION else {}
        change = self._made(found, task) if task else {}
        if status is EventStatus.CONFIRMED and task:
            change = both(change, self._change(kind, record, task, planned))
        refs = record.get("refs") or {}
        confidence = record.get("confidence")
        return Event(
            type=kind,
            text=text,
            id=name,
            node=task or None,
            ts_ms=moment_of(name) if ts_ms is None else ts_ms,
            recorded_ms=moment_of(name),
            author=_one_of(Author, record.get("author"), Author.AGENT),
            source=_one_of(EventSource, record.get("source"), EventSource.IMPORT),
            session=text_in(meta, "session_id") or None,
            confidence=confidence if _is_share(confidence) else None,
            strength=_one_of(Strength, record.get("evidence_strength"), None),
            refs=Refs(commits=_names(refs.get("commits")), files=_names(refs.get("files")), events=self._events(refs)),
            corrects=self._called(text_in(record, "corrects")),
            supersedes=self._called(text_in(record, "supersedes")),
            status=status,
            trust=Trust.IMPORT,
            meta={**_our_meta(record, meta, kind), **planned, NAME: _rest(record)},
            change=change,
        )

    def _called(self, name: str) -> str | None:
        """What an event or a task is called here."""
        if not name:
            return None
        task = _task_called(name)
        return task if task in self.tasks else self.names.get(name, ours(name))

    def _events(self, refs: Mapping[str, Any]) -> list[str]:
        return [called for name in _names(refs.get("events")) if (called := self._called(name))]

    def _made(self, found: Found, task: str) -> dict[str, Any]:
        """What makes the task, if nothing has yet: what opens it, or else the first that is said of it."""
        if task in self.made:
            return {}
        opening = self.opened.get(task)
        if opening is None:
            self.notes.append(
                SetAside(found.number, f"{task} was never opened; it was made from this line", found.line)
            )
        record = opening or found.record
        meta, text = _meta(record), text_in(record, "text")
        title = title_from(text_in(meta, "title"), text, task)
        node = {"id": task, "type": str(NodeType.TASK), "title": title, "status": str(NodeStatus.PENDING)}
        if opening is not None:
            described = {"description": text if text.strip() != title else "", "goal": text_in(meta, "goal")}
            node |= {key: value for key, value in described.items() if value}
        self.made[task] = title
        parent = _task_called(text_in(meta, "parent_id")) if opening is not None else ""
        return self._placed(found, {"nodes": [node]}, task, parent)

    def _placed(self, found: Found, change: dict[str, Any], task: str, parent: str) -> dict[str, Any]:
        """The change with the task as a part of its parent, which is made too if nothing at all is said of it."""
        if not parent:
            return change
        if closes_circle(self.parents, task, parent):
            self.notes.append(SetAside(found.number, f"{task} cannot be a part of {parent}: a circle", found.line))
            return change
        self.parents[task] = (parent,)
        if parent not in self.tasks and parent not in self.made:
            self.made[parent] = title_from(parent)
            whole = {"id": parent, "type": str(NodeType.TASK), "title": self.made[parent], "status": "pending"}
            change["nodes"].insert(0, whole)
        change["edges"] = [edge_record(EdgeType.CONTAINS, parent, task)]
        return change

    def _planned(self, found: Found, name: str) -> dict[str, Any]:
        """The alternatives of a decision, with the ids of their nodes; none if they are no alternatives."""
        given = _meta(found.record).get("alternatives")
        try:
            options = read_alternatives(given) if isinstance(given, list) else []
        except BadInput as error:
            self.notes.append(SetAside(found.number, f"its alternatives are no nodes: {error}", found.line))
            return {}
        if not options:
            return {}
        kept = [
            {**option._asdict(), "id": derived_id("o", NAME, name, str(place))} for place, option in enumerate(options)
        ]
        return {"decision": derived_id("d", NAME, name), "alternatives": kept}

    def _change(
        self, kind: EventType, record: Mapping[str, Any], task: str, planned: Mapping[str, Any]
    ) -> dict[str, Any]:
        if planned:
            self.decisions[event_id(record)] = planned["decision"]
            parent = Node(id=task, type=NodeType.TASK, title=self.made[task], status=NodeStatus.PENDING)
            title = title_from("", text_in(record, "text"), "Decision")
            return decision_change(text_in(record, "text").strip() or title, planned, parent)
        if kind is EventType.SUPERSEDE:
            return self._end_superseded(text_in(record, "supersedes"))
        fields = self._fields(kind, record, task)
        return {"set": {task: fields}} if fields else {}

    def _fields(self, kind: EventType, record: Mapping[str, Any], task: str) -> dict[str, Any]:
        meta, text = _meta(record), text_in(record, "text")
        fields: dict[str, Any] = {}
        if kind is EventType.CLOSE:
            tag = text_in(meta, "outcome_tag")
            self.ended.add(task)
            ending = str(ENDINGS.get(tag, NodeStatus.COMPLETED))
            fields = {"status": ending, "outcome_tag": tag, "outcome": text_in(meta, "outcome")}
        elif kind is EventType.REOPEN:
            self.ended.discard(task)
            return {"status": str(NodeStatus.PENDING), **REOPENED}
        elif kind is EventType.RENAME:
            fields = {"title": title_from(text_in(meta, "title"), text, self.made[task])}
        elif kind is EventType.AMEND:
            fields = {"goal": text_in(meta, "goal"), "outcome": text_in(meta, "outcome")}
            if added := _names(meta.get("external_add")) or _names([meta.get("external_add")]):
                known = self.external.setdefault(task, [])
                known += [name for name in added if name not in known]
                fields["external"] = list(known)
        return {key: value for key, value in fields.items() if value}

    def _end_superseded(self, name: str) -> dict[str, Any]:
        """A decision's node holds no longer; a task that is given instead of a decision is at its end."""
        called = self._called(name) or ""
        if decision := self.decisions.get(called):
            return {"set": {decision: {"status": str(NodeStatus.SUPERSEDED)}}}
        if called in self.tasks and called not in self.ended:
            self.ended.add(called)
            return {"set": {called: {"status": str(NodeStatus.CANCELLED), "outcome_tag": "superseded"}}}
        return {}


def _meta(record: Mapping[str, Any]) -> dict[str, Any]:
    return record.get("meta") or {}


def _our_meta(record: Mapping[str, Any], meta: Mapping[str, Any], kind: EventType) -> dict[str, Any]:
    kept = {"artifacts": meta["artifacts"]} if isinstance(meta.get("artifacts"), dict) else {}
    is_mark = kind is EventType.DECISION and text_in(record, "text").startswith(_COMPACTED)
    return {**kept, "bookkeeping": True} if is_mark or meta.get("bookkeeping") is True else kept


def _rest(record: Mapping[str, Any]) -> dict[str, Any]:
    """All of the line that our fields do not say in the same words."""
    kept = {"schema_version": record.get("schema_version", "1.0")}
    kept |= {key: value for key, value in record.items() if key not in _KEYS}
    ts_ms, refs = time_in(record, "timestamp"), record.get("refs") or {}
    said = {
        "event_id": event_id(record),
        "task_id": _task(record),
        "type": str(_TYPES.get(record["type"], "")),
        "timestamp": stamp(ts_ms) if ts_ms is not None else None,
        **{key: _one_of(kind, record.get(key), None) for key, kind in _CHOICES.items()},
        "confidence": record.get("confidence") if _is_share(record.get("confidence")) else None,
        "corrects": ours(text_in(record, "corrects")) if record.get("corrects") else None,
        "supersedes": record.get("supersedes") if isinstance(record.get("supersedes"), str) else None,
        "refs": {key: value for key, value in refs.items() if key in _REFS and list(_names(value)) == value},
    }
    kept |= {key: record[key] for key, value in said.items() if record.get(key) not in (value, None)}
    return {**kept, **({"meta": record["meta"]} if record.get("meta") else {})}


def _names(values: object) -> tuple[str, ...]:
    return tuple(value for value in values if isinstance(value, str) and value) if isinstance(values, list) else ()


def _is_share(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


def _one_of(kind: Any, value: object, otherwise: Any) -> Any:
    return kind(value) if isinstance(value, str) and value in set(kind) else otherwise
