"""Nodes as people read them: in lists, and one with all that is said about it."""

from collections.abc import Iterator, Sequence

import click

from noctuary.doors.cli.as_json import print_either, print_json
from noctuary.doors.cli.entries import entries_told
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import command_line
from noctuary.doors.cli.paint import bold, coloured, dim, one_line, safe, wrapped
from noctuary.doors.cli.tables import facts, table
from noctuary.doors.cli.words import last_part
from noctuary.graph import ENDED, HELD, Edge, EdgeType, Node, NodeStatus
from noctuary.moments import show_day, show_time
from noctuary.work.tasks import Closed, NodeView

_COLOURS = {
    NodeStatus.READY: "green",
    NodeStatus.CLAIMED: "cyan",
    NodeStatus.IN_PROGRESS: "cyan",
    NodeStatus.REVIEW: "cyan",
    NodeStatus.BLOCKED: "red",
    NodeStatus.FAILED: "red",
}
# What an edge says of the node that it begins at, and of the one where it ends; parts are listed apart.
_RELATIONS = {
    EdgeType.DEPENDS_ON: ("waits for", "is awaited by"),
    EdgeType.LEADS_TO: ("leads to", "comes from"),
    EdgeType.CHOSEN: ("chose", "chosen in"),
    EdgeType.REJECTED: ("rejected", "rejected in"),
    EdgeType.SUPERSEDES: ("supersedes", "superseded by"),
    EdgeType.INFORMS: ("informs", "informed by"),
    EdgeType.DISCOVERED_FROM: ("discovered from", "led to"),
}
_INDENT = "  "


def print_opened(node: Node, as_json: bool, follow: str) -> None:
    """Print a new node, and what to do next."""
    if as_json:
        print_json(node)
        return
    click.echo(f"Opened {node.id}  {bold(one_line(node.title))}")
    click.echo(dim(f"Next: {follow}"))


def print_changed(done: str, node: Node, as_json: bool, notes: Sequence[str] | None = None) -> None:
    """Print a node that was changed, and what is worth knowing about it."""
    if as_json:
        print_json(node if notes is None else {"node": node, "notes": notes})
        return
    click.echo(f"{done} {node_line(node)}")
    for note in notes or ():
        click.echo(f"  {wrapped(one_line(note), _INDENT)}")


def print_closed(closed: Closed, as_json: bool) -> None:
    """Print what was closed and, as questions for whoever closed it, what its record lacks."""
    print_changed("Closed", closed.node, as_json, closed.notes)


def print_listed(
    nodes: Sequence[Node], noun: str, most: int, status: str | None, *, everywhere: bool, as_json: bool
) -> int:
    """Print a list; the exit code says whether there is anything in it."""
    if as_json:
        print_json({"count": len(nodes), f"{noun}s": nodes[:most]})
    elif nodes:
        click.echo("\n".join(node_table(nodes[:most], with_project=everywhere)))
        if (more := len(nodes) - most) > 0:
            click.echo(dim(f"… and {more:,} more: add -n {len(nodes)}"))
    else:
        click.echo(_none_told(noun, status))
    return FOUND if nodes else NOTHING_FOUND


def _none_told(noun: str, status: str | None) -> str:
    if status is None:
        return f"There is no {noun} yet. Open one: {command_line(noun, 'open', 'TITLE')}"
    return f"No {noun} is {one_line(status)}. See them all: {command_line(noun, 'list', '--all')}"


def print_view(view: NodeView, most: int, as_json: bool) -> None:
    """Print a node with all that is said about it."""
    print_either(view, view_told(view, most), as_json)


def node_line(node: Node) -> str:
    """A node on one line: id, title, status."""
    return f"{node.id}  {bold(one_line(node.title))}  {status_word(node)}"


def status_word(node: Node) -> str:
    """The status, coloured by whether it asks for something."""
    return dim(node.status) if node.status in ENDED else coloured(node.status, _COLOURS.get(node.status, "white"))


def node_table(nodes: Sequence[Node], *, with_project: bool = False) -> list[str]:
    """Nodes as a table; with their projects if they are of several, and with priorities if any has one."""
    with_priority = any(node.priority for node in nodes)
    columns = [("ID", [node.id for node in nodes]), ("STATUS", [node.status for node in nodes])]
    if with_priority:
        columns.append(("PRIORITY", [node.priority or "" for node in nodes]))
    columns.append(("LAST", [show_day(node.last_ms) for node in nodes]))
    if with_project:
        columns.append(("PROJECT", [last_part(node.project) for node in nodes]))
    columns.append(("TITLE", [one_line(node.title) for node in nodes]))
    heads, cells = zip(*columns, strict=True)
    return table(heads, list(zip(*cells, strict=True)))


def view_told(view: NodeView, most: int) -> list[str]:
    """A node, its parts, what it is joined with, and the newest of what was said about it."""
    node = view.node
    lines = [node_line(node), *facts(list(_facts(view)))]
    if view.children:
        verdicts = {edge.to_id: edge.label for edge in view.edges if edge.type in (EdgeType.CHOSEN, EdgeType.REJECTED)}
        lines += ["", dim("Parts"), *(_part(child, verdicts.get(child.id)) for child in view.children)]
    if relations := list(_relations(view)):
        lines += ["", dim("Joined with"), *facts(relations)]
    if view.entries:
        lines += ["", dim("Entries, the newest first"), *entries_told(view.entries[:most])]
    if (more := len(view.entries) - most) > 0:
        follow = command_line("event", "list", "--task", node.id, "-n", str(len(view.entries)))
        lines.append(dim(f"… and {more:,} more: {follow}"))
    return lines


def _facts(view: NodeView) -> Iterator[tuple[str, str]]:
    node = view.node
    above = view.related.get(node.parent or "")
    yield "type", node.type
    yield "project", one_line(node.project)
    yield "part of", f"{above.id}  {one_line(above.title)}" if above else node.parent or ""
    yield "goal", _text(node.goal)
    yield "description", _text(node.description)
    yield "priority", node.priority or ""
    yield "labels", ", ".join(map(one_line, node.labels))
    yield "elsewhere", ", ".join(map(one_line, node.external))
    yield "held by", _holder(node)
    yield "blocked", _text(node.blocked_reason)
    yield "opened", show_time(node.created_ms)
    yield "begun", show_time(node.started_ms)
    yield "ended", _end(node)
    yield "outcome", _text(node.outcome)
    for name, value in node.metadata.items():
        yield one_line(name), _text(value)


def _text(words: str | None) -> str:
    return wrapped(one_line(words or ""), _INDENT * 8)


def _holder(node: Node) -> str:
    if not node.assigned_to:
        return ""
    until = f" until {show_time(node.lease_ms)}" if node.lease_ms and node.status in HELD else ""
    return f"{one_line(node.assigned_to)}{until}"


def _end(node: Node) -> str:
    told = show_time(node.completed_ms)
    return f"{told}, {one_line(node.outcome_tag)}" if told and node.outcome_tag else told


def _part(child: Node, verdict: str | None) -> str:
    why = dim(f"  {one_line(verdict)}") if verdict else ""
    return f"{_INDENT}{node_line(child)}{why}"


def _relations(view: NodeView) -> Iterator[tuple[str, str]]:
    parts = {child.id for child in view.children}
    for edge in view.edges:
        other = edge.to_id if edge.from_id == view.node.id else edge.from_id
        is_told = edge.type is EdgeType.LEADS_TO and other == view.node.parent
        if not is_told and other not in parts and edge.type is not EdgeType.CONTAINS:
            yield _relation(edge, view), _other(view.related.get(other), other, edge.label)


def _relation(edge: Edge, view: NodeView) -> str:
    return _RELATIONS[edge.type][edge.from_id != view.node.id]


def _other(node: Node | None, name: str, label: str | None) -> str:
    told = node_line(node) if node else safe(name)
    return f"{told}  {dim(one_line(label))}" if label else told
