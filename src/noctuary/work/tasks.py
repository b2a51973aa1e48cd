"""Goals and tasks: opened, found, closed, opened again, renamed and amended.

Every verb writes one event, which spells out what becomes of the node, so the journal alone gives the same tables
again.  Which task a session works on is nobody's setting: it is the one its agent or its user wrote about last, so
sessions that run side by side never write to each other's tasks.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from noctuary.authored import Author, Entry, EventType
from noctuary.errors import BadChange, BadInput
from noctuary.graph import (
    ENDED,
    FIRST_STATUS,
    RENAMED,
    Edge,
    EdgeType,
    Node,
    NodeStatus,
    NodeType,
)
from noctuary.moments import show_day
from noctuary.work.artifacts import as_meta
from noctuary.work.changes import edge_record, ends_of
from noctuary.work.desk import Desk
from noctuary.work.gaps import GapKind, gaps_of
from noctuary.work.harvest import harvest
from noctuary.work.ready import as_they_stand
from noctuary.work.rules import priority_named, status_named
from noctuary.work.tree import left_open
from noctuary.work.wording import title_of, words_of

# How a task can end, in words, and the status that says so.
ENDINGS = {
    "done": NodeStatus.COMPLETED,
    "abandoned": NodeStatus.CANCELLED,
    "superseded": NodeStatus.CANCELLED,
    "failed": NodeStatus.FAILED,
}
# What goes when a node is opened again: nobody holds it, and nothing has come of it yet.
REOPENED = {"outcome": None, "outcome_tag": None, "assigned_to": None}
LONGEST_MARK = 200  # of a label, or of a name elsewhere
_CLOSABLE = (NodeType.TASK, NodeType.GOAL, NodeType.REVISIT)
_WORK = (NodeType.TASK, NodeType.GOAL)
_WORDS = ("goal", "description", "outcome")
_LISTS = ("labels", "external")
AMENDABLE = (
    *_WORDS, "priority", "metadata", *_LISTS, *(f"{verb}_{name}" for name in _LISTS for verb in ("add", "remove"))
)  # fmt: skip


class Closed(NamedTuple):
    """A node that was closed, and what is worth knowing about it: nothing of it kept it from being closed."""

    node: Node
    notes: Sequence[str] = ()


class NodeView(NamedTuple):
    """A node with all that is said about it."""

    node: Node
    entries: Sequence[Entry]  # the newest first
    children: Sequence[Node]
    edges: Sequence[Edge]
    related: Mapping[str, Node]  # what the edges join it with, by id


def open_task(
    desk: Desk,
    title: str,
    *,
    goal: str = "",
    context: str = "",
    parent: str | None = None,
    priority: str | None = None,
    labels: Iterable[str] = (),
    external: Iterable[str] = (),
    kind: NodeType = NodeType.TASK,
) -> Node:
    """Open a task; one with a parent is part of it, and belongs to its project."""
    fields = {
        "goal": words_of(goal, "goal"),
        "priority": _priority(priority),
        "labels": _marks(labels, "label"),
        "external": _marks(external, "name elsewhere"),
    }
    return _open(desk, kind, title, context, parent, fields)


def open_goal(
    desk: Desk, title: str, *, description: str = "", priority: str | None = None, labels: Iterable[str] = ()
) -> Node:
    """Open a goal: what tasks and decisions are for."""
    words = words_of(description, "description")
    fields = {"description": words, "priority": _priority(priority), "labels": _marks(labels, "label")}
    return _open(desk, NodeType.GOAL, title, words, None, fields)


def _open(
    desk: Desk, kind: NodeType, title: str, context: str, parent: str | None, fields: Mapping[str, object]
) -> Node:
    if kind not in _WORK:
        raise BadInput(f"A {kind} is not opened: only tasks and goals are.")
    name = title_of(title)
    with desk.writing(desk.node(parent).project if parent else None) as write:
        new = desk.new_id(kind)
        given = {key: value for key, value in fields.items() if value}
        node = {"id": new, "type": str(kind), "title": name, "status": str(FIRST_STATUS[kind]), **given}
        change: dict[str, object] = {"nodes": [node]}
        if parent:
            change["edges"] = [edge_record(EdgeType.CONTAINS, desk.node(parent).id, new)]
        write(EventType.OPEN, context.strip() or name, node=new, change=change)
    return desk.node(new)


def close_node(
    desk: Desk, name: str, *, reason: str = "", outcome: str = "", tag: str = "done", folder: Path | None = None
) -> Closed:
    """Close a task or a goal, whatever its status; what is open below it or missing is noted, and keeps nothing back.

    Of `folder`, a work tree, the commits, files and branch of the time since the work began are kept with it.
    """
    if tag not in ENDINGS:
        raise BadInput(f"{tag!r} is no way to end; say {', '.join(ENDINGS)}.")
    words = words_of(outcome, "outcome")
    before = desk.node(name)
    since_ms = before.started_ms or before.created_ms
    harvested = as_meta(harvest(folder, since_ms)) if folder else {}  # git may take its time, so nobody waits for it
    with desk.writing(before.project) as write:
        node = desk.node(before.id, *_CLOSABLE)
        if node.status in ENDED:
            raise BadChange(
                f"{node.id} was closed already: {node.status}, {show_day(node.completed_ms)}. "
                "Reopen it first, or amend its outcome."
            )
        fields = {"status": str(ENDINGS[tag]), "outcome_tag": tag, **({"outcome": words} if words else {})}
        change, meta = {"set": {node.id: fields}}, {"artifacts": harvested} if harvested else {}
        write(EventType.CLOSE, reason.strip() or words, node=node.id, change=change, meta=meta, is_verb=True)
    closed = desk.node(node.id)
    return Closed(closed, [*left_open(desk, closed.id), *_missing(desk, closed, folder)])


def _missing(desk: Desk, node: Node, folder: Path | None) -> list[str]:
    gaps = gaps_of(desk, node, folder)
    return [
        f"{gap.detail[:1].upper()}{gap.detail[1:].rstrip('.')}. {gap.fix}"
        for gap in gaps
        if gap.kind is not GapKind.OPEN_SUBTASKS
    ]


def reopen_node(desk: Desk, name: str, *, reason: str = "") -> Node:
    """Open again what was closed, however it ended; nobody holds it, and it has no outcome any more."""
    with desk.writing(desk.node(name).project) as write:
        node = desk.node(name, *_CLOSABLE)
        if node.status not in ENDED:
            raise BadChange(f"{node.id} is {node.status}, so it is open; there is nothing to reopen.")
        change: dict[str, object] = {"set": {node.id: {"status": str(FIRST_STATUS[node.type]), **REOPENED}}}
        edges = desk.store.nodes.edges_of(desk.owner, [node.id], EdgeType.SUPERSEDES)
        if taken_back := [edge for edge in edges if edge.to_id == node.id]:
            change["unlink"] = [ends_of(edge) for edge in taken_back]
        write(EventType.REOPEN, reason, node=node.id, change=change)
    return desk.node(node.id)


def rename_node(desk: Desk, name: str, title: str) -> Node:
    """Give a node another title; the event keeps what it was.  The same title again changes nothing."""
    new = title_of(title)
    with desk.writing(desk.node(name).project) as write:
        node = desk.node(name)
        if new != node.title:
            change = {"set": {node.id: {"title": new, **_whose_title(desk, node)}}}
            write(EventType.RENAME, new, node=node.id, change=change, meta={"was": node.title})
    return desk.node(node.id)


def _whose_title(desk: Desk, node: Node) -> dict[str, Any]:
    """A mark on what a user made and somebody else has called otherwise: the title is no user's word any more."""
    if desk.writer.author is not Author.USER:
        return {"metadata": {RENAMED: "true"}} if node.created_by == Author.USER else {}
    return {"metadata": {RENAMED: None}} if RENAMED in node.metadata else {}


def amend_node(desk: Desk, name: str, **fields: object) -> Node:
    """Set fields of a node; None or nothing clears one, and what is set already changes nothing.

    Fields: goal, description, outcome, priority, metadata (merged; None removes a key), labels and external, the last
    two also as add_labels, remove_labels, add_external, remove_external.
    """
    unknown = sorted(fields.keys() - {*AMENDABLE})
    if unknown or not fields:
        asked = f"{', '.join(unknown)} cannot be amended" if unknown else "Nothing to amend was given"
        raise BadInput(f"{asked}; what can be: {', '.join(AMENDABLE)}. Titles are renamed, statuses have verbs.")
    with desk.writing(desk.node(name).project) as write:
        node = desk.node(name)
        asked_for = _amended(node, fields)
        was = {key: _stored(node, key) for key in asked_for}
        new = {key: value for key, value in asked_for.items() if (value or None) != (was[key] or None)}
        if new:
            kept = {key: was[key] for key in new if was[key]}
            write(EventType.AMEND, ", ".join(new), node=node.id, change={"set": {node.id: new}}, meta={"was": kept})
    return desk.node(node.id)


def _stored(node: Node, key: str) -> object:
    value = getattr(node, key)
    return list(value) if key in _LISTS else dict(value) if key == "metadata" else value


def _amended(node: Node, fields: Mapping[str, object]) -> dict[str, object]:
    """What the fields become, in the words of a change."""
    new: dict[str, object] = {key: words_of(_text(fields[key], key), key) or None for key in _WORDS if key in fields}
    if "priority" in fields:
        new["priority"] = _priority(fields["priority"])
    if "metadata" in fields and (other := _other_metadata(node, fields["metadata"])):
        new["metadata"] = other
    for key in _LISTS:
        if fields.keys().isdisjoint({key, f"add_{key}", f"remove_{key}"}):
            continue
        known = _marks(fields[key], key) if key in fields else list(getattr(node, key))
        removed = set(_marks(fields.get(f"remove_{key}"), key))
        kept = [mark for mark in known if mark not in removed]
        new[key] = list(dict.fromkeys([*kept, *_marks(fields.get(f"add_{key}"), key)]))
    return new


def active_task(desk: Desk) -> Node | None:
    """The task or goal that the desk's session works on; None without a session, or if it works on none.

    It is what was written about last in this session, by its user or agent, or, if that is closed or a decision,
    the nearest open task or goal that it is part of.
    """
    session = desk.writer.session
    last = desk.store.events.task_of_session(desk.owner, session) if session else None
    for node in desk.upwards(last):
        if node.project != desk.project:
            break
        if node.type in _WORK and node.status not in ENDED:
            return node
    return None


def list_tasks(desk: Desk, *, status: str | None = None, everywhere: bool = False) -> list[Node]:
    """Tasks of the project, or of all: open ones first, then the last touched first; statuses as they stand now.

    `status` is a status, or `open` or `closed`.
    """
    return _listed(desk, NodeType.TASK, status, everywhere=everywhere)


def list_goals(desk: Desk, *, status: str | None = None, everywhere: bool = False) -> list[Node]:
    """Goals, in the order of tasks."""
    return _listed(desk, NodeType.GOAL, status, everywhere=everywhere)


def _listed(desk: Desk, kind: NodeType, status: str | None, *, everywhere: bool) -> list[Node]:
    wanted = status if status in (None, "open", "closed") else status_named(status)
    nodes = desk.store.nodes.where(desk.owner, project=None if everywhere else desk.project, types=[kind])
    standing = [node for node in as_they_stand(desk, nodes) if _is_asked_for(node, wanted)]
    return sorted(standing, key=lambda node: (node.status in ENDED, -node.last_ms, node.id))


def _is_asked_for(node: Node, status: str | None) -> bool:
    if status in ("open", "closed"):
        return (node.status in ENDED) == (status == "closed")
    return status is None or node.status == status


def show_node(desk: Desk, name: str) -> NodeView:
    """A node with its entries, its children, and the nodes it is joined with."""
    node = desk.node(name)
    children = desk.store.nodes.children(desk.owner, node.id)
    edges = desk.store.nodes.edges_of(desk.owner, [node.id])
    ends = {end for edge in edges for end in (edge.from_id, edge.to_id)} - {node.id}
    related = as_they_stand(desk, desk.store.nodes.by_id(desk.owner, ends).values())
    return NodeView(
        node=as_they_stand(desk, [node])[0],
        entries=desk.entries(node.id),
        children=as_they_stand(desk, children),
        edges=edges,
        related={other.id: other for other in related},
    )


def _priority(value: object) -> str | None:
    words = _text(value, "priority")
    return str(priority_named(words)) if words else None


def _marks(values: object, what: str) -> list[str]:
    """Labels, or what a task is called elsewhere: each one line, none twice."""
    if values is None:
        return []
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise BadInput(f"A list of {what} is needed, not {str(values)[:80]!r}.")
    marks = [title_of(_text(value, what)) for value in values]
    if too_long := next((mark for mark in marks if len(mark) > LONGEST_MARK), None):
        raise BadInput(f"{too_long[:40]!r}… is too long for a {what}; {LONGEST_MARK} characters are the most.")
    return list(dict.fromkeys(marks))


def _other_metadata(node: Node, value: object) -> dict[str, str | None]:
    if not isinstance(value, Mapping) or not all(isinstance(text, (str, type(None))) for text in value.values()):
        raise BadInput("Metadata are texts by name; a text that is None removes the name.")
    given = {title_of(str(key)): words_of(text or "", str(key)) or None for key, text in value.items()}
    return {key: text for key, text in given.items() if node.metadata.get(key) != text}


def _text(value: object, what: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadInput(f"The {what} must be words, not {str(value)[:80]!r}.")
    return value
