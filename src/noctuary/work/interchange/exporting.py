"""A goal and all that it contains, as a file; never over what somebody else wrote there."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from noctuary.errors import BadInput
from noctuary.files import replace_file
from noctuary.graph import Node, NodeType
from noctuary.ledger.fold import edge_id
from noctuary.work.desk import Desk
from noctuary.work.interchange.goal_file import (
    NOTHING,
    Ends,
    Fields,
    GoalFile,
    Mark,
    edge_fields,
    node_fields,
    parents_in,
    read_goal_file,
    write_goal_file,
)
from noctuary.work.interchange.importing import plan_import
from noctuary.work.interchange.sync import Sync, last_sync


class Exported(NamedTuple):
    """A goal that is in a file now."""

    goal: str
    file: Path
    nodes: int
    edges: int
    is_new: bool  # False: the file said just this before


def export_goal(desk: Desk, goal: str) -> str:
    """The file of a goal, or of a task with all below it; the same for the same work, byte for byte."""
    return write_goal_file(goal_file(desk, goal))


def export_goal_to(desk: Desk, goal: str, file: Path, *, force: bool = False) -> Exported:
    """Write the goal into the file.

    BadInput, and the file stays as it is, if it cannot be written to, if it is no export of this goal, or if it says
    something that was not imported yet; `force` replaces it nevertheless.
    """
    content = goal_file(desk, goal)
    text = write_goal_file(content)
    try:
        before = file.read_bytes().decode("utf-8", "surrogateescape") if file.exists() else None
        if before != text:
            if before is not None and not force:
                _refuse_unless_ours(desk, before, content, file)
            replace_file(file, text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise BadInput(f"{file} cannot be written: {error.strerror or error}. Check it or name another.") from error
    edges = len(content.edges) + len(content.outside)
    return Exported(content.goal, file, len(content.nodes), edges, is_new=before != text)


def goal_file(desk: Desk, goal: str) -> GoalFile:
    """What the file of the goal says."""
    root = desk.node(goal, NodeType.GOAL, NodeType.TASK)
    sync = last_sync(desk, root.id)
    below = {node.id: node for node in desk.store.nodes.subtree(desk.owner, root.id) if node.project == root.project}
    nodes = {name: node_fields(node) for name, node in below.items()}
    edges, outside = _edges(desk, below)
    outside |= _still_waiting(desk, sync, edges.keys() | outside.keys())
    return GoalFile(
        root.id, root.project, nodes, edges, outside, _marks(root.id, nodes, edges, outside, sync), is_edited=False
    )


def _refuse_unless_ours(desk: Desk, before: str, content: GoalFile, file: Path) -> None:
    otherwise = "Name another file, or replace it with --force."
    try:
        known = read_goal_file(before)
    except BadInput:
        raise BadInput(f"{file} is no file of a goal; it was left as it is. {otherwise}") from None
    if known.goal != content.goal:
        raise BadInput(f"{file} is of another goal, {known.goal}; it was left as it is. {otherwise}")
    plan = plan_import(desk, before, into=content.project)
    if plan.changes_anything or plan.conflicts:
        raise BadInput(
            f"{file} says something that is not known here; it was left as it is. "
            "Import it first (`noctuary graph import`), or replace it with --force."
        )


def _edges(desk: Desk, below: Mapping[str, Node]) -> tuple[dict[Ends, Fields], dict[Ends, Fields]]:
    """The edges within, and those that leave."""
    edges: dict[Ends, Fields] = {}
    outside: dict[Ends, Fields] = {}
    for edge in desk.store.nodes.edges_of(desk.owner, below):
        is_within = edge.from_id in below and edge.to_id in below
        (edges if is_within else outside)[str(edge.type), edge.from_id, edge.to_id] = edge_fields(edge)
    return edges, outside


def _still_waiting(desk: Desk, sync: Sync, there: set[Ends]) -> dict[Ends, Fields]:
    """Edges that an import named and that could not be made, because one end was not known, nor is now."""
    waiting = {ends: fields for ends, fields in sync.waiting.items() if ends not in there}
    known = desk.store.nodes.by_id(desk.owner, {name for ends in waiting for name in ends[1:]})
    return {ends: fields for ends, fields in waiting.items() if not {*ends[1:]} <= known.keys()}


def _marks(
    root: str,
    nodes: Mapping[str, Fields],
    edges: Mapping[Ends, Fields],
    outside: Mapping[Ends, Fields],
    sync: Sync,
) -> dict[str, dict[str, Mark]]:
    parents = parents_in(edges)
    marks: dict[str, dict[str, Mark]] = {}
    for name, fields in nodes.items():
        whole: Fields = {**fields, "parent": parents.get(name)} if name != root else dict(fields)
        marks[name] = _marks_of(name, {key: value for key, value in whole.items() if key != "node_type"}, sync)
    for ends, fields in (*edges.items(), *outside.items()):
        name = edge_id(*ends)
        marks[name] = _marks_of(name, {"label": fields.get("label")}, sync)
    return {name: fields for name, fields in marks.items() if fields}


def _marks_of(name: str, fields: Fields, sync: Sync) -> dict[str, Mark]:
    """The marks of a node or an edge; that there never was anything goes without saying."""
    keys = fields.keys() | sync.known.get(name, {}).keys()
    marks = {key: sync.mark(name, key, fields.get(key)) for key in keys}
    return {key: mark for key, mark in marks.items() if fields.get(key) or mark != Mark(NOTHING)}
