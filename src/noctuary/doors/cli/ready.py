"""`noctuary ready` and `noctuary next`."""

from collections.abc import Iterator

import click

from noctuary.app.work import Work
from noctuary.doors.cli.as_json import plain, print_either
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import command_line, text
from noctuary.doors.cli.nodes import node_line
from noctuary.doors.cli.paint import coloured, dim, one_line
from noctuary.doors.cli.tables import facts, table
from noctuary.doors.cli.words import counted, last_part
from noctuary.doors.cli.work_options import everywhere, with_work_to_read
from noctuary.graph import Node
from noctuary.moments import show_day
from noctuary.work.ready import Ranked, Ready, Stuck

_HEADS = ("ID", "PRIORITY", "OPENED", "TITLE")


@click.command()
@click.argument("goal", required=False, type=text)
@everywhere
@with_work_to_read
def ready(work: Work, goal: str | None, everywhere: bool, as_json: bool) -> int:
    """List tasks that can be begun now, and those that are stuck.

    A task is ready if nobody is at it and all it depends on is done; the most important come first, then the oldest.
    Below are tasks that wait for what was cancelled or has failed: they will never be ready as things stand.
    GOAL is a goal or a task; only what it contains is listed.

    \b
    Examples:
      noctuary ready
      noctuary ready g-3f9x
      noctuary ready --everywhere --json
    """  # fmt: skip
    found = work.ready(goal, everywhere=everywhere)
    print_either(found, _told(found, everywhere), as_json)
    return FOUND if found.tasks else NOTHING_FOUND


@click.command("next")
@click.argument("goal", required=False, type=text)
@everywhere
@with_work_to_read
def next_(work: Work, goal: str | None, everywhere: bool, as_json: bool) -> int:
    """Suggest which task to begin with, and why.

    Of the ready tasks it is the one with the highest priority; of those the one that most others wait for; of those
    the oldest.  GOAL is a goal or a task; only what it contains is looked at.

    \b
    Examples:
      noctuary next
      noctuary next g-3f9x --json
    """  # fmt: skip
    ranked = work.next_task(goal, everywhere=everywhere)
    print_either(plain(ranked) if ranked else {"task": None}, _first(ranked) if ranked else [_nothing_ready()], as_json)
    return FOUND if ranked else NOTHING_FOUND


def _told(found: Ready, with_project: bool) -> Iterator[str]:
    if not found.tasks:
        yield _nothing_ready()
    else:
        heads = (*_HEADS[:-1], "PROJECT", _HEADS[-1]) if with_project else _HEADS
        yield from table(heads, [_row(task, with_project) for task in found.tasks])
    if found.stuck:
        yield ""
        are = counted(len(found.stuck), "task is", "tasks are")
        yield coloured(
            f"{are} stuck: what {'it waits' if len(found.stuck) == 1 else 'they wait'} for will not be done", "yellow"
        )
        for stuck in found.stuck:
            yield from _stuck(stuck)
        on = found.stuck[0].on[0].on
        yield f"Go on with it: {command_line('task', 'reopen', on)}"
        yield f"Or do not wait for it: {command_line('depend', found.stuck[0].task.id, on, '--remove')}"


def _nothing_ready() -> str:
    return f"No task is ready. See where all of them stand: {command_line('task', 'list')}"


def _row(task: Node, with_project: bool) -> tuple[str, ...]:
    project = (last_part(task.project),) if with_project else ()
    return (one_line(task.id), task.priority or "", show_day(task.created_ms), *project, one_line(task.title))


def _stuck(stuck: Stuck) -> Iterator[str]:
    behind = dim(f"  {counted(stuck.behind, 'more waits', 'more wait')} behind it") if stuck.behind else ""
    yield f"  {one_line(stuck.task.id)}  {one_line(stuck.task.title)}{behind}"
    for unmet in stuck.on:
        yield f"    waits for {one_line(unmet.on)}  {one_line(unmet.title)}  {dim(unmet.status)}"


def _first(ranked: Ranked) -> list[str]:
    task = ranked.task
    others = f"{counted(ranked.others, 'other task is', 'other tasks are')} ready" if ranked.others else ""
    return [
        node_line(task),
        *facts([("why", "; ".join(ranked.why)), ("besides", others), ("goal", one_line(task.goal or ""))]),
        f"Take it: {command_line('claim', task.id, '--agent', 'NAME')}",
    ]
