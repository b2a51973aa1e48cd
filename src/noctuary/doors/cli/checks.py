"""`noctuary check`, `noctuary gaps` and `noctuary stale`: how good the record is, and what nobody works on."""

from collections.abc import Iterator
from pathlib import Path

import click

from noctuary.app.work import Work
from noctuary.doors.cli.as_json import plain, print_json
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import command_line, text
from noctuary.doors.cli.nodes import node_table
from noctuary.doors.cli.paint import bold, coloured, dim, one_line, safe, wrapped
from noctuary.doors.cli.words import counted
from noctuary.doors.cli.work_options import with_work_to_read
from noctuary.graph import Node
from noctuary.work.completeness import Check
from noctuary.work.gaps import Gap, Severity

_COLOURS = {Severity.ERROR: "red", Severity.WARN: "yellow", Severity.INFO: "white"}
_INDENT = "  "
_TASK = click.argument("name", metavar="[TASK]", required=False, type=text)


@click.command()
@_TASK
@with_work_to_read
def check(work: Work, name: str | None, as_json: bool) -> None:
    """Rate how complete the record of a task is, out of 100.

    Without TASK, what this session works on, else the only open task.  In a work tree of its project, the files and
    commits that the record names are looked up, too.

    \b
    Examples:
      noctuary check t-4k2x
      noctuary check --json
    """  # fmt: skip
    node, found = _checked(work, name)
    if as_json:
        print_json({"task": node.id, "score": found.score, "gaps": [_gap_json(gap) for gap in found.gaps]})
        return
    click.echo(f"{node.id}  {bold(one_line(node.title))}  {found.score} of 100")
    for gap in found.gaps:
        click.echo(f"{_INDENT}{_mark(gap)}  {wrapped(one_line(gap.detail), _INDENT * 5)}")
    if found.gaps:
        click.echo(dim(f"What to do about {'it' if len(found.gaps) == 1 else 'them'}: {command_line('gaps', node.id)}"))


@click.command()
@_TASK
@click.option("--fill", is_flag=True, help="Print what to tell an agent, so that it fills them.")
@with_work_to_read
def gaps(work: Work, name: str | None, fill: bool, as_json: bool) -> int:
    """List what the record of a task lacks, and what to do about it.

    Without TASK, what this session works on, else the only open task.

    \b
    Examples:
      noctuary gaps t-4k2x
      noctuary gaps t-4k2x --fill
    """  # fmt: skip
    node, found = _checked(work, name)
    prompt = work.fix_prompt(node, folder=work.work_tree(node, Path())) if fill else ""
    if as_json:
        told = {"task": node.id, "score": found.score, "gaps": [_gap_json(gap) for gap in found.gaps]}
        print_json({**told, "prompt": prompt} if fill else told)
    elif fill:
        click.echo(safe(prompt).rstrip("\n"))
    else:
        click.echo("\n".join(_gaps_told(node, found)))
    return FOUND if found.gaps else NOTHING_FOUND


@click.command()
@click.option("--days", default=7, show_default=True, type=click.IntRange(0, 100_000), help="For how long at least.")
@with_work_to_read
def stale(work: Work, days: int, as_json: bool) -> int:
    """List open tasks that nobody has touched for days.

    \b
    Examples:
      noctuary stale
      noctuary stale --days 30 --json
    """
    nodes = work.stale(days=days)
    if as_json:
        print_json({"count": len(nodes), "days": days, "tasks": nodes})
    else:
        untouched = f"No open task was left alone for {counted(days, 'day')}."
        click.echo("\n".join(node_table(nodes)) if nodes else untouched)
    return FOUND if nodes else NOTHING_FOUND


def _checked(work: Work, name: str | None) -> tuple[Node, Check]:
    node = work.task_at_hand(name)
    return node, work.check(node, folder=work.work_tree(node, Path()))


def _gaps_told(node: Node, found: Check) -> Iterator[str]:
    if not found.gaps:
        yield f"The record of {node.id} has no gaps."
        return
    yield f"{node.id}  {bold(one_line(node.title))}  {counted(len(found.gaps), 'gap')}"
    for gap in found.gaps:
        yield f"{_INDENT}{_mark(gap)}  {wrapped(one_line(gap.detail), _INDENT * 5)}"
        yield f"{_INDENT * 5}{wrapped(dim(one_line(gap.fix)), _INDENT * 5)}"


def _mark(gap: Gap) -> str:
    return coloured(f"{gap.severity:<6}", _COLOURS[gap.severity])


def _gap_json(gap: Gap) -> dict[str, object]:
    return {**plain(gap), "severity": gap.severity}
