"""Issues of Beads: one object a line, the whole state of an issue each time.

    {"id":"bd-a1b2","title":"…","status":"open","priority":1,"issue_type":"task","labels":[…],"created_at":"…",
     "dependencies":[{"issue_id":"bd-a1b2","depends_on_id":"bd-c3d4","type":"blocks"}],"comments":[…]}

An issue is a task under the same id, an epic that is part of nothing a goal.  It is opened by one event, and what it is
now is set by another, whose id belongs to that content: the same file adds nothing a second time, and a newer one adds
what has changed.  What has no field of its own is in the metadata of the node, and the whole line in the event.
"""

import json
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from noctuary.authored import Author, Event, EventSource, EventType, Trust
from noctuary.digests import digest
from noctuary.errors import BadEvent
from noctuary.graph import FIRST_STATUS, EdgeType, Node, NodeStatus, NodeType, Priority
from noctuary.ids import derived_id
from noctuary.ledger.changes import is_id
from noctuary.work.changes import edge_record
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
from noctuary.work.rules import ENDS

NAME = "beads"
_S = NodeStatus
_TASK_STATUSES = {
    "open": _S.PENDING, "in_progress": _S.IN_PROGRESS, "hooked": _S.CLAIMED, "blocked": _S.BLOCKED,
    "deferred": _S.BLOCKED, "closed": _S.COMPLETED, "resolved": _S.COMPLETED, "tombstone": _S.CANCELLED,
}  # fmt: skip
_GOAL_STATUSES = {"closed": _S.COMPLETED, "resolved": _S.COMPLETED, "tombstone": _S.CANCELLED}
_PRIORITIES = tuple(Priority)  # 0 to 3; 4, the backlog, is none
_EDGES = {
    "blocks": EdgeType.DEPENDS_ON,
    "conditional-blocks": EdgeType.DEPENDS_ON,
    "waits-for": EdgeType.DEPENDS_ON,
    "parent-child": EdgeType.CONTAINS,
    "discovered-from": EdgeType.DISCOVERED_FROM,
    "caused-by": EdgeType.DISCOVERED_FROM,
    "supersedes": EdgeType.SUPERSEDES,
}
# What has a field of its own; all other keys go to the metadata.
_FIELDS = {"id", "title", "description", "status", "priority", "assignee", "labels", "created_at", "created_by",
           "closed_at", "close_reason", "external_ref", "dependencies", "comments"}  # fmt: skip


class Link(NamedTuple):
    """A dependency of an issue as an edge of ours."""

    type: EdgeType
    start: str
    end: str
    label: str
    record: Mapping[str, Any]


def is_beads(record: Mapping[str, Any]) -> bool:
    """Whether a line is an issue of Beads."""
    return {"id", "title"} <= record.keys() and bool({"status", "issue_type", "priority"} & record.keys())


class There(NamedTuple):
    """What is in the memory already: nodes of the project, edges that make anything wait, ids of other projects."""

    project: str = ""
    nodes: Mapping[str, Node] = {}
    waits: Iterable[tuple[str, str]] = ()
    taken: Container[str] = ()

    def called(self, issue: str) -> str:
        """What an issue is called here: many a project has a bd-1, but only one of them can have it, and some no id."""
        return issue if is_id(issue) and issue not in self.taken else derived_id("bd", self.project, issue)


def read_beads(lines: Iterable[str | bytes], latest_ms: int, there: There = There()) -> Read:  # noqa: B008
    """The events of a file of issues, which may depend on what is there already."""
    bad: list[SetAside] = []
    issues: dict[str, Found] = {}
    for found in objects_in(lines, bad):
        if why := _wrong(found.record):
            bad.append(SetAside(found.number, why, found.line))
        else:
            record = _renamed(found.record, there)
            issues[record["id"]] = found._replace(record=record)  # of the same issue, the last line is the newest
    reading = _Reading(issues, there)
    for name, found in [*issues.items()]:
        try:
            reading.events += [checked(event, latest_ms) for event in reading.of_issue(found)]
        except BadEvent as error:
            bad.append(SetAside(found.number, str(error), found.line))
            del issues[name]
    reading.events += reading.links()
    return Read(reading.events, bad, reading.notes)


def _wrong(record: Mapping[str, Any]) -> str:
    if not text_in(record, "id").strip():
        return "it has no id"
    if not text_in(record, "title").strip():
        return "it has no title"
    texts = ("status", "issue_type", "description", "created_at", "updated_at", "closed_at")
    wrong = [key for key in texts if not isinstance(record.get(key) or "", str)]
    wrong += [key for key in ("labels", "dependencies", "comments") if not isinstance(record.get(key) or [], list)]
    return f"its {wrong[0]} is not what it should be" if wrong else ""


def _renamed(record: dict[str, Any], there: There) -> dict[str, Any]:
    """The issue under its name here, and with it all that it depends on; what it was called is kept."""
    dependencies = [
        {**each, "depends_on_id": there.called(other)}
        if isinstance(each, dict) and (other := text_in(each, "depends_on_id")) and there.called(other) != other
        else each
        for each in record.get("dependencies") or []
    ]
    renamed = {**record, "dependencies": dependencies} if dependencies else record
    name = there.called(record["id"])
    return renamed if name == record["id"] else {**renamed, "id": name, "beads_id": record["id"]}


class _Reading:
    """The issues of one file while they are read."""

    def __init__(self, issues: Mapping[str, Found], there: There) -> None:
        self.issues = issues
        self.there = there
        self.events: list[Event] = []
        self.notes: list[SetAside] = []
        self.parents = {
            link.end: link.start
            for found in reversed(list(issues.values()))
            for link in reversed(list(_links(found.record)))
            if link.type is EdgeType.CONTAINS
        }

    def kind(self, issue: str) -> NodeType:
        """What an issue is here: what it was when it came here first, or else what it can be."""
        if issue in self.there.nodes:
            return self.there.nodes[issue].type
        found = self.issues.get(issue)
        is_epic = found is not None and found.record.get("issue_type") == "epic"
        return NodeType.GOAL if is_epic and issue not in self.parents else NodeType.TASK

    def of_issue(self, found: Found) -> Iterator[Event]:
        """What opens the issue, what it is now, and what was said about it."""
        record = found.record
        name, kind = record["id"], self.kind(record["id"])
        created_ms = _created_ms(record)
        title = title_from(record["title"], name)
        node = {"id": name, "type": str(kind), "title": title, "status": str(FIRST_STATUS[kind])}
        node |= {"created_ms": created_ms, "created_by": text_in(record, "created_by") or None}
        opened = derived_ulid(created_ms, NAME, "open", name)
        yield _event(EventType.OPEN, title, opened, name, created_ms, {}, {"nodes": [node]})
        now_ms = max(created_ms, time_in(record, "updated_at") or 0, time_in(record, "closed_at") or 0)
        content = json.dumps(record, sort_keys=True, ensure_ascii=False)
        state = derived_ulid(now_ms + 1, NAME, "state", name, digest(content.encode(), size=16).hex())
        fields = self._fields(record, kind)
        is_closed = fields["completed_ms"] is not None
        text = text_in(record, "close_reason") if is_closed else ""
        event_type = EventType.CLOSE if is_closed else EventType.AMEND
        yield _event(event_type, text, state, name, now_ms, {NAME: record}, {"set": {name: fields}})
        for place, comment in enumerate(record.get("comments") or []):
            yield self._comment(name, place, comment, created_ms)

    def _fields(self, record: Mapping[str, Any], kind: NodeType) -> dict[str, Any]:
        status, priority = text_in(record, "status") or "open", record.get("priority")
        statuses = _TASK_STATUSES if kind is NodeType.TASK else _GOAL_STATUSES
        new = statuses.get(status, FIRST_STATUS[kind])
        is_over = new in (_S.COMPLETED, _S.CANCELLED)
        closed_ms = time_in(record, "closed_at") or time_in(record, "deleted_at") or time_in(record, "updated_at")
        is_rank = type(priority) is int and 0 <= priority < len(_PRIORITIES)
        return {
            "title": title_from(record["title"], record["id"]),
            "description": text_in(record, "description"),
            "status": str(new),
            "priority": str(_PRIORITIES[priority]) if is_rank and isinstance(priority, int) else None,
            "assigned_to": text_in(record, "assignee") or None,
            "labels": [label for label in record.get("labels") or [] if isinstance(label, str)],
            "external": [ref] if (ref := text_in(record, "external_ref")) else [],
            "outcome": text_in(record, "close_reason") or None,
            "outcome_tag": None if not is_over else "done" if new is _S.COMPLETED else "abandoned",
            "blocked_reason": _why_blocked(record, status) if new is _S.BLOCKED else None,
            "completed_ms": (closed_ms or _created_ms(record)) if is_over else None,
            "metadata": _metadata(record),
        }

    def _comment(self, name: str, place: int, comment: object, created_ms: int) -> Event:
        record = comment if isinstance(comment, dict) else {"text": str(comment)}
        said_ms = time_in(record, "created_at") or created_ms
        own = json.dumps(record, sort_keys=True, ensure_ascii=False)
        comment_id = derived_ulid(said_ms + 1, NAME, "comment", name, str(record.get("id", place)), own)
        return _event(EventType.FINDING, text_in(record, "text"), comment_id, name, said_ms, {NAME: record}, {})

    def links(self) -> Iterator[Event]:
        """The edges that can be drawn, each by an event; what cannot is noted."""
        above: dict[EdgeType, dict[str, set[str]]] = {EdgeType.DEPENDS_ON: {}}
        for start, end in self.there.waits:
            above[EdgeType.DEPENDS_ON].setdefault(start, set()).add(end)
        for name, found in self.issues.items():
            for link in _links(found.record):
                waits = EdgeType.DEPENDS_ON if link.type is EdgeType.CONTAINS else link.type
                if why := self._refusal(link, above.setdefault(waits, {})):
                    self.notes.append(SetAside(found.number, why, found.line))
                else:
                    above[waits].setdefault(link.start, set()).add(link.end)
                    yield self._link(link, name, _created_ms(found.record))

    def _link(self, link: Link, name: str, created_ms: int) -> Event:
        """The event of an edge; what becomes part of something else is taken out of where it was."""
        linked_ms = max(time_in(link.record, "created_at") or 0, created_ms)
        change = {"edges": [edge_record(link.type, link.start, link.end, link.label)]}
        node = self.there.nodes.get(link.end)
        old = node.parent if node and link.type is EdgeType.CONTAINS and node.parent != link.start else None
        if old:
            change["unlink"] = [edge_record(link.type, old, link.end)]
        link_id = derived_ulid(linked_ms + 2, NAME, "link", link.type, link.start, link.end, old or "")
        return _event(EventType.LINK, "", link_id, name, linked_ms, {NAME: link.record}, change)

    def _refusal(self, link: Link, above: Mapping[str, Iterable[str]]) -> str:
        told = f"{link.start} {link.type} {link.end}"
        for end in (link.start, link.end):
            if end not in self.issues and end not in self.there.nodes:
                return f"{told}: {end} is neither in the file nor here, so there is no such edge"
        if link.type is EdgeType.CONTAINS and self.parents.get(link.end) != link.start:
            return f"{told}: it is part of {self.parents.get(link.end)} already"
        starts, ends = ENDS[link.type]
        if self.kind(link.start) not in starts or self.kind(link.end) not in ends:
            return f"{told}: there is no such edge between a {self.kind(link.start)} and a {self.kind(link.end)}"
        is_one_way = link.type in (EdgeType.CONTAINS, EdgeType.DEPENDS_ON, EdgeType.SUPERSEDES)
        if link.start == link.end or (is_one_way and closes_circle(above, link.start, link.end)):
            return f"{told}: that closes a circle, so there is no such edge"
        return ""


def _created_ms(record: Mapping[str, Any]) -> int:
    return time_in(record, "created_at") or time_in(record, "updated_at") or 0


def _links(record: Mapping[str, Any]) -> Iterator[Link]:
    for given in record.get("dependencies") or []:
        if isinstance(given, dict) and (other := text_in(given, "depends_on_id")):
            name, called = record["id"], text_in(given, "type") or "blocks"
            kind = _EDGES.get(called, EdgeType.LEADS_TO)
            label = "" if called in ("blocks", "parent-child", "discovered-from", "supersedes") else called
            is_part = kind is EdgeType.CONTAINS
            yield Link(kind, other if is_part else name, name if is_part else other, label, given)


def _event(
    kind: EventType, text: str, event_id: str, node: str, ts_ms: int, meta: dict[str, Any], change: dict[str, Any]
) -> Event:
    return Event(
        type=kind,
        text=text,
        id=event_id,
        node=node,
        ts_ms=ts_ms,
        recorded_ms=ts_ms,
        author=Author.USER,
        source=EventSource.IMPORT,
        trust=Trust.IMPORT,
        meta=meta,
        change=change,
    )


def _why_blocked(record: Mapping[str, Any], status: str) -> str | None:
    until = text_in(record, "defer_until")
    return ("deferred" + (f" until {until}" if until else "")) if status == "deferred" else None


def _metadata(record: Mapping[str, Any]) -> dict[str, str]:
    rest = {key: value for key, value in record.items() if key not in _FIELDS and value is not None}
    return {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
        for key, value in rest.items()
    }
