"""`noctuary tree`."""

from collections.abc import Iterator, Sequence

import click

from noctuary.app.work import Work
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import command_line, text
from noctuary.doors.cli.nodes import status_word
from noctuary.doors.cli.paint import bold, clipped, dim, is_terminal, line_width, one_line, width
from noctuary.doors.cli.work_options import everywhere, with_work_to_read
from noctuary.graph import ENDED, HELD, NodeStatus, NodeType
from noctuary.work.tree import Branch

_INDENT = "  "
_DEEPEST = 20  # steps to the right; what is deeper says how deep it is
_LEAST_TITLE = 24  # columns
_DONE = (NodeStatus.COMPLETED, NodeStatus.DECIDED)


@click.command()
@click.argument("root", required=False, type=text)
@everywhere
@with_work_to_read
def tree(work: Work, root: str | None, everywhere: bool, as_json: bool) -> int:
    """Show what is part of what, and where it stands.

    Each node is listed below what contains it, with its status, how many of the tasks below it are done, and what it
    waits for.  ROOT is a node; without it all of the project is shown.

    \b
    Examples:
      noctuary tree
      noctuary tree g-3f9x
      noctuary tree --everywhere --json
    """  # fmt: skip
    branches = work.tree(root, everywhere=everywhere)
    if as_json:
        print_json({"count": len(branches), "branches": branches})
    elif branches:
        click.echo("\n".join(_told(branches)))
    else:
        click.echo(f"There is no work in this project yet. Begin with: {command_line('task', 'open')} TITLE")
    return FOUND if branches else NOTHING_FOUND


def _told(branches: Sequence[Branch]) -> Iterator[str]:
    done = {branch.node.id for branch in branches if branch.node.status in _DONE}
    widest = max(width(branch.node.status) for branch in branches)
    for branch in branches:
        node = branch.node
        deep = f"({branch.depth}) " if branch.depth > _DEEPEST else ""
        front = f"{_INDENT * min(branch.depth, _DEEPEST)}{deep}{one_line(node.id)}"
        details = "; ".join(_details(branch, [name for name in branch.depends_on if name not in done]))
        room = line_width() - width(front) - widest - width(details) - 3 * len(_INDENT)
        title = clipped(one_line(node.title), max(_LEAST_TITLE, room)) if is_terminal() else one_line(node.title)
        status = status_word(node) + " " * (widest - width(node.status))
        shown = [
            dim(front),
            status,
            bold(title) if node.type is NodeType.GOAL else title,
            *([dim(details)] if details else []),
        ]
        yield _INDENT.join(shown)


def _details(branch: Branch, unmet: Sequence[str]) -> Iterator[str]:
    """What there is to say besides the title: what it is, how far it is, who is at it, what keeps it."""
    node = branch.node
    if node.type is not NodeType.TASK:
        yield node.type
    if branch.total:
        yield f"{branch.done:,} of {branch.total:,} done"
    if node.status in HELD and node.assigned_to:
        yield f"by {one_line(node.assigned_to)}"
    if node.blocked_reason:
        yield one_line(node.blocked_reason)
    if unmet and node.status not in ENDED and node.status is not NodeStatus.READY:
        yield f"waits for {', '.join(map(one_line, unmet))}"
