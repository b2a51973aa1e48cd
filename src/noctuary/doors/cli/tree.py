"""`noctuary tree`."""

from collections.abc import Sequence

import click

from noctuary.app.work import Work
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import command_line, text
from noctuary.doors.cli.nodes import status_word
from noctuary.doors.cli.paint import bold, clipped, dim, is_terminal, line_width, one_line, width
from noctuary.doors.cli.work_options import everywhere, with_work_to_read
from noctuary.graph import NodeType
from noctuary.work.tree import Branch

_INDENT = "  "
_DEEPEST = 20  # steps to the right; what is deeper says how deep it is
_LEAST_TITLE = 24  # columns


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
        click.echo("\n".join(_line(branch) for branch in branches))
    else:
        click.echo(f"There is no work in this project yet. Begin with: {command_line('task', 'open')} TITLE")
    return FOUND if branches else NOTHING_FOUND


def _line(branch: Branch) -> str:
    node, depth = branch.node, branch.depth
    deep = f"({depth}) " if depth > _DEEPEST else ""
    front = f"{_INDENT * min(depth, _DEEPEST)}{deep}{one_line(node.id)}  "
    kind = [] if node.type is NodeType.TASK else [node.type]
    rest = [*kind, node.status, *_progress(branch), *_waits(branch.depends_on)]
    title = one_line(node.title)
    if is_terminal():
        room = line_width() - width(front) - sum(width(part) + len(_INDENT) for part in rest)
        title = clipped(title, max(_LEAST_TITLE, room))
    shown = [*map(dim, kind), status_word(node), *map(dim, rest[len(kind) + 1 :])]
    return _INDENT.join([f"{dim(front)}{bold(title) if node.type is NodeType.GOAL else title}", *shown])


def _progress(branch: Branch) -> list[str]:
    return [f"{branch.done:,} of {branch.total:,} done"] if branch.total else []


def _waits(names: Sequence[str]) -> list[str]:
    return [f"waits for {', '.join(map(one_line, names))}"] if names else []
