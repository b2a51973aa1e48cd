"""`noctuary goal`: what tasks and decisions are for."""

from collections.abc import Sequence
from pathlib import Path

import click

from noctuary.app.work import Work
from noctuary.doors.cli import commands
from noctuary.doors.cli.authoring import said
from noctuary.doors.cli.memory_options import command_line, text
from noctuary.doors.cli.node_options import PRIORITY, with_closing, with_limit, with_listing
from noctuary.doors.cli.nodes import print_changed, print_closed, print_listed, print_opened, print_view
from noctuary.doors.cli.work_options import with_work, with_work_to_read

COMMANDS = {
    "open": commands.Entry("goal:open_", "Open a goal."),
    "list": commands.Entry("goal:list_", "List goals, the last touched first."),
    "show": commands.Entry("goal:show", "Show a goal, its parts and what was said about it."),
    "close": commands.Entry("goal:close", "Close a goal: done, abandoned or superseded."),
    "reopen": commands.Entry("goal:reopen", "Reopen a goal that was closed."),
    "rename": commands.Entry("goal:rename", "Give a goal another title."),
}
_GOAL = click.argument("name", metavar="GOAL", type=text)


@click.group(cls=commands.Commands, table=COMMANDS)
def goal() -> None:
    """Open, list, show, close, reopen and rename goals.

    A goal is what tasks and decisions are for: `noctuary task open --parent GOAL` makes a task a part of it.  Each
    command has --json.

    \b
    Examples:
      noctuary goal open "The shop runs without Redis"
      noctuary goal show g-9p3w
    """  # fmt: skip


@click.command("open")
@said("title", metavar="TITLE")
@click.option("--description", default="", type=text, metavar="TEXT", help="When it is reached, and why it matters.")
@click.option("--priority", type=PRIORITY, help="How much it matters.")
@click.option("--label", multiple=True, type=text, help="A label.  Repeatable.")
@with_work
def open_(work: Work, title: str, description: str, priority: str, label: Sequence[str], as_json: bool) -> None:
    """Open a goal.

    \b
    Examples:
      noctuary goal open "The shop runs without Redis"
      noctuary goal open "Release 2.0" --description "Before the sale in June" --priority high
    """
    opened = work.open_goal(title, description=description, priority=priority, labels=label)
    print_opened(opened, as_json, command_line("task", "open", "TITLE", "--parent", opened.id))


@click.command("list")
@with_listing
@with_work_to_read
def list_(work: Work, status: str | None, everywhere: bool, limit: int, as_json: bool, **which: bool) -> int:
    """List goals, the last touched first.

    Without --all or --status, those that are open.

    \b
    Examples:
      noctuary goal list
      noctuary goal list --all --everywhere
    """  # fmt: skip
    wanted = None if which["all"] else status or "open"
    nodes = work.goals(status=wanted, everywhere=everywhere)
    return print_listed(nodes, "goal", limit, wanted, everywhere=everywhere, as_json=as_json)


@click.command()
@_GOAL
@with_limit(20, "How many entries to show.")
@with_work_to_read
def show(work: Work, name: str, limit: int, as_json: bool) -> None:
    """Show a goal, its parts and what was said about it.

    \b
    Examples:
      noctuary goal show g-9p3w
      noctuary goal show g-9p3w --json
    """
    print_view(work.show(name), limit, as_json)


@click.command()
@_GOAL
@with_closing
@with_work
def close(work: Work, name: str, outcome: str, reason: str, ending: str, as_json: bool) -> None:
    """Close a goal: done, abandoned or superseded.

    Tasks of it that are still open are named; they keep it from nothing.

    \b
    Examples:
      noctuary goal close g-9p3w --outcome "Sessions and jobs live in SQLite"
      noctuary goal close g-9p3w --as abandoned --reason "The sale was called off"
    """  # fmt: skip
    folder = work.work_tree(name, Path())
    print_closed(work.close(name, outcome=outcome, reason=reason, tag=ending, folder=folder), as_json)


@click.command()
@_GOAL
@click.option("--reason", default="", type=text, metavar="TEXT", help="Why it goes on.")
@with_work
def reopen(work: Work, name: str, reason: str, as_json: bool) -> None:
    """Reopen a goal that was closed.

    \b
    Examples:
      noctuary goal reopen g-9p3w --reason "The rate limiter still needs Redis"
    """
    print_changed("Reopened", work.reopen(name, reason=reason), as_json)


@click.command()
@_GOAL
@said("title", metavar="TITLE")
@with_work
def rename(work: Work, name: str, title: str, as_json: bool) -> None:
    """Give a goal another title.

    \b
    Examples:
      noctuary goal rename g-9p3w "The shop needs no server but its own"
    """
    print_changed("Renamed", work.rename(name, title), as_json)
