"""`noctuary depend`, `noctuary link` and `noctuary unlink`."""

import click

from noctuary.app.work import Work
from noctuary.doors.cli.as_json import plain, print_json
from noctuary.doors.cli.memory_options import text
from noctuary.doors.cli.paint import dim, one_line
from noctuary.doors.cli.work_options import with_work
from noctuary.errors import BadInput
from noctuary.graph import ENDED, Edge, EdgeType, Node, NodeStatus

_KINDS = ", ".join(kind for kind in EdgeType if kind not in (EdgeType.CHOSEN, EdgeType.REJECTED))
_DONE = (NodeStatus.COMPLETED, NodeStatus.DECIDED)
# An edge of each type as a sentence.
_SAID = {
    EdgeType.CONTAINS: "contains",
    EdgeType.DEPENDS_ON: "waits for",
    EdgeType.LEADS_TO: "leads to",
    EdgeType.CHOSEN: "chose",
    EdgeType.REJECTED: "rejected",
    EdgeType.SUPERSEDES: "supersedes",
    EdgeType.INFORMS: "informs",
    EdgeType.DISCOVERED_FROM: "was discovered from",
}


@click.command()
@click.argument("task", type=text)
@click.argument("on", type=text)
@click.option("--remove", is_flag=True, help="Make it wait no longer.")
@click.option("--reason", default="", type=text, help="With --remove: why.")
@with_work
def depend(work: Work, task: str, on: str, remove: bool, reason: str, as_json: bool) -> None:
    """Make a task wait until another is done.

    TASK is the one that waits, ON the one that must be done first.  A circle is refused, and named.  If ON
    is cancelled or fails, `noctuary ready` says that TASK is stuck.

    \b
    Examples:
      noctuary depend t-9k2x t-4b7c
      noctuary depend t-9k2x t-4b7c --remove
    """  # fmt: skip
    if reason and not remove:
        raise BadInput("Only --remove has a --reason; write down others with `noctuary note`.")
    if remove:
        _print_removed(work, work.undepend(task, on, reason=reason), as_json)
    else:
        _print_made(work, *work.depend(task, on), as_json)


@click.command()
@click.argument("kind", type=text)
@click.argument("start", type=text, metavar="FROM")
@click.argument("end", type=text, metavar="TO")
@click.option("--label", type=text, help="What there is to say about it.")
@with_work
def link(work: Work, kind: str, start: str, end: str, label: str | None, as_json: bool) -> None:
    """Link two nodes.

    KIND is contains, depends_on, leads_to, supersedes, informs or discovered_from.  There is at most one of a kind
    from one node to another; joining them again changes the label.

    \b
    Examples:
      noctuary link informs ob-5d1f t-9k2x
      noctuary link discovered_from t-4b7c t-9k2x --label "found while profiling"
      noctuary link contains g-3f9x t-9k2x
    """  # fmt: skip
    _print_made(work, *work.link(kind, start, end, label), as_json)


@click.command()
@click.argument("kind", type=text)
@click.argument("start", type=text, metavar="FROM")
@click.argument("end", type=text, metavar="TO")
@click.option("--reason", default="", type=text, help="Why they belong together no longer.")
@with_work
def unlink(work: Work, kind: str, start: str, end: str, reason: str, as_json: bool) -> None:
    """Remove the link between two nodes.

    \b
    Examples:
      noctuary unlink informs ob-5d1f t-9k2x
      noctuary unlink contains g-3f9x t-9k2x --reason "belongs to another goal"
    """
    _print_removed(work, work.unlink(kind, start, end, reason=reason), as_json)


def _print_made(work: Work, edge: Edge, is_new: bool, as_json: bool) -> None:
    if as_json:
        print_json({**plain(edge), "is_new": is_new})
        return
    end = work.node(edge.to_id)
    click.echo(_sentence(work.node(edge.from_id), edge, end))
    if not is_new:
        click.echo("It was so before; nothing was changed.")
    elif edge.type is EdgeType.DEPENDS_ON and end.status in ENDED:
        click.echo(_note(edge, end))


def _print_removed(work: Work, edge: Edge, as_json: bool) -> None:
    if as_json:
        print_json({**plain(edge), "removed": True})
        return
    click.echo(f"No longer: {_sentence(work.node(edge.from_id), edge, work.node(edge.to_id))}")


def _sentence(start: Node, edge: Edge, end: Node) -> str:
    label = dim(f"  ({one_line(edge.label)})") if edge.label else ""
    return f"{_named(start)}  {_SAID[edge.type]}  {_named(end)}{label}"


def _named(node: Node) -> str:
    return f"{one_line(node.id)} {one_line(node.title)}"


def _note(edge: Edge, end: Node) -> str:
    if end.status in _DONE:
        return f"{one_line(end.id)} is {end.status} already, so there is nothing to wait for."
    return f"{one_line(end.id)} is {end.status}: as long as it is, {one_line(edge.from_id)} will not be ready."
