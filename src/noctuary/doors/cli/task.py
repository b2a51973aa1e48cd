"""`noctuary task`: opened, listed, shown, closed, reopened, renamed, amended, moved."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from noctuary.app.work import Work
from noctuary.doors.cli import commands
from noctuary.doors.cli.authoring import said
from noctuary.doors.cli.memory_options import command_line, text
from noctuary.doors.cli.node_options import (
    PRIORITY,
    UNPRIORITY,
    with_closing,
    with_limit,
    with_listing,
)
from noctuary.doors.cli.nodes import print_changed, print_closed, print_listed, print_opened, print_view
from noctuary.doors.cli.work_options import with_work, with_work_to_read
from noctuary.errors import BadInput

COMMANDS = {
    "open": commands.Entry("task:open_", "Open a task."),
    "list": commands.Entry("task:list_", "List tasks, the last touched first."),
    "show": commands.Entry("task:show", "Show a task and what was said about it."),
    "close": commands.Entry("task:close", "Close a task: done, abandoned, superseded or failed."),
    "reopen": commands.Entry("task:reopen", "Reopen a task that was closed."),
    "rename": commands.Entry("task:rename", "Give a task another title."),
    "amend": commands.Entry("task:amend", "Set what a task is for, its priority, its labels."),
    "status": commands.Entry("task:status", "Set the status of a task."),
    "move": commands.Entry("task:move", "Make a task part of another one, or of none."),
}
_ID = re.compile(r"[a-z]{1,2}-[0-9a-z]{10}")
_TASK = click.argument("name", metavar="TASK", type=text)


@click.group(cls=commands.Commands, table=COMMANDS)
def task() -> None:
    """Open, list, show, close, reopen, rename, amend and move tasks.

    A task is named by its id or how that begins.  Each command has --json.

    \b
    Examples:
      noctuary task open "Cart totals are wrong with two coupons"
      noctuary task list
      noctuary task show t-4k2x
      noctuary task close t-4k2x --outcome "Coupons are applied in order"
    """  # fmt: skip


@click.command("open")
@said("title", metavar="TITLE")
@click.option("--goal", default="", type=text, metavar="TEXT", help="What the task is for, in a sentence.")
@click.option("--context", default="", type=text, metavar="TEXT", help="How it came up.")
@click.option("--parent", type=text, metavar="NODE", help="The goal or task that it is a part of.")
@click.option("--priority", type=PRIORITY, help="How much it matters.")
@click.option("--label", multiple=True, type=text, help="A label.  Repeatable.")
@click.option("--external", multiple=True, type=text, metavar="NAME", help="What it is called elsewhere.  Repeatable.")
@with_work
def open_(
    work: Work,
    title: str,
    goal: str,
    context: str,
    parent: str,
    priority: str,
    label: Sequence[str],
    external: Sequence[str],
    as_json: bool,
) -> None:
    """Open a task.

    \b
    Examples:
      noctuary task open "Cart totals are wrong with two coupons"
      noctuary task open "Export orders" --goal "Accounting can close the month" --priority high
      noctuary task open "Write the CSV" --parent t-4k2x --external SHOP-12
    """  # fmt: skip
    if _ID.fullmatch(goal.strip()):
        raise BadInput(f"--goal is what the task is for, in words; --parent {goal.strip()} makes it part of that goal.")
    opened = work.open_task(
        title, goal=goal, context=context, parent=parent, priority=priority, labels=label, external=external
    )
    print_opened(opened, as_json, command_line("note", "finding", "…", "--task", opened.id))


@click.command("list")
@with_listing
@with_work_to_read
def list_(work: Work, status: str | None, everywhere: bool, limit: int, as_json: bool, **which: bool) -> int:
    """List tasks, the last touched first.

    Without --all or --status, those that are open.

    \b
    Examples:
      noctuary task list
      noctuary task list --all --everywhere
      noctuary task list --status blocked --json
    """  # fmt: skip
    wanted = None if which["all"] else status or "open"
    nodes = work.tasks(status=wanted, everywhere=everywhere)
    return print_listed(nodes, "task", limit, wanted, everywhere=everywhere, as_json=as_json)


@click.command()
@_TASK
@with_limit(20, "How many entries to show.")
@with_work_to_read
def show(work: Work, name: str, limit: int, as_json: bool) -> None:
    """Show a task and what was said about it.

    TASK may be the id of any node: a goal, a decision, an option …

    \b
    Examples:
      noctuary task show t-4k2x
      noctuary task show d-7m1p -n 50
      noctuary task show t-4k2x --json
    """  # fmt: skip
    print_view(work.show(name), limit, as_json)


@click.command()
@_TASK
@with_closing
@with_work
def close(work: Work, name: str, outcome: str, reason: str, ending: str, as_json: bool) -> None:
    """Close a task: done, abandoned, superseded or failed.

    In a work tree of its project, the commits, files and branch since the task was begun are kept with it.  What is
    open below it, or missing in its record, is said; it keeps nothing from being closed.

    \b
    Examples:
      noctuary task close t-4k2x --outcome "Coupons are applied in order"
      noctuary task close t-4k2x --as abandoned --reason "Nobody uses coupons"
    """  # fmt: skip
    folder = work.work_tree(name, Path())
    print_closed(work.close(name, outcome=outcome, reason=reason, tag=ending, folder=folder), as_json)


@click.command()
@_TASK
@click.option("--reason", default="", type=text, metavar="TEXT", help="Why it goes on.")
@with_work
def reopen(work: Work, name: str, reason: str, as_json: bool) -> None:
    """Reopen a task that was closed.

    \b
    Examples:
      noctuary task reopen t-4k2x --reason "Three coupons are still wrong"
    """
    print_changed("Reopened", work.reopen(name, reason=reason), as_json)


@click.command()
@_TASK
@said("title", metavar="TITLE")
@with_work
def rename(work: Work, name: str, title: str, as_json: bool) -> None:
    """Give a task another title.

    \b
    Examples:
      noctuary task rename t-4k2x "Cart totals are wrong with coupons"
    """
    print_changed("Renamed", work.rename(name, title), as_json)


@click.command()
@_TASK
@click.option("--goal", type=text, metavar="TEXT", help="What it is for.")
@click.option("--description", type=text, metavar="TEXT", help="What there is to say about it.")
@click.option("--outcome", type=text, metavar="TEXT", help="What came of it.")
@click.option("--priority", type=UNPRIORITY, help="How much it matters.")
@click.option("--label", multiple=True, type=text, help="Add a label.  Repeatable.")
@click.option("--no-label", multiple=True, type=text, help="Take a label off.  Repeatable.")
@click.option("--external", multiple=True, type=text, metavar="NAME", help="Add a name elsewhere.  Repeatable.")
@click.option("--no-external", multiple=True, type=text, metavar="NAME", help="Take such a name off.  Repeatable.")
@with_work
def amend(work: Work, name: str, as_json: bool, **fields: Any) -> None:
    """Set what a task is for, its priority, its labels.

    An empty text clears what was set.  TASK may be the id of any node.

    \b
    Examples:
      noctuary task amend t-4k2x --goal "Customers pay what the cart says"
      noctuary task amend t-4k2x --priority none --label checkout --no-label triage
      noctuary task amend t-4k2x --outcome ""
    """  # fmt: skip
    print_changed("Amended", work.amend(name, **_amended(fields)), as_json)


@click.command()
@_TASK
@click.argument("status", type=text)
@click.option("--reason", default="", type=text, metavar="TEXT", help="Why; kept with a task while it is blocked.")
@with_work
def status(work: Work, name: str, status: str, reason: str, as_json: bool) -> None:
    """Set the status of a task.

    STATUS is pending, ready, in_progress, review, blocked, completed, failed or cancelled; which of them may follow is
    checked.  TASK may be the id of any node, which has the statuses of its type.

    \b
    Examples:
      noctuary task status t-4k2x in_progress
      noctuary task status t-4k2x blocked --reason "Waits for the tax rates"
    """  # fmt: skip
    done = work.set_status(name, status, reason=reason)
    print_changed("Set", done.node, as_json, notes=done.notes)


@click.command()
@_TASK
@click.option("--to", type=text, metavar="NODE", help="The goal or task to make it part of.")
@click.option("--out", is_flag=True, help="Make it part of nothing.")
@with_work
def move(work: Work, name: str, to: str | None, out: bool, as_json: bool) -> None:
    """Make a task part of another one, or of none.

    \b
    Examples:
      noctuary task move t-4k2x --to g-9p3w
      noctuary task move t-4k2x --out
    """
    if bool(to) == out:
        raise BadInput("Say where: --to NODE, or --out to make it part of nothing.")
    moved = work.move(name, to)
    notes = () if moved.is_new else ("It was there already.",)
    print_changed("Moved", moved.node, as_json, notes=notes)


def _amended(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a node that the options set; a priority of none clears it."""
    words = {key: fields[key] for key in ("goal", "description", "outcome") if fields[key] is not None}
    if fields["priority"]:
        words["priority"] = None if fields["priority"] == "none" else fields["priority"]
    lists = {
        "add_labels": fields["label"],
        "remove_labels": fields["no_label"],
        "add_external": fields["external"],
        "remove_external": fields["no_external"],
    }
    asked = words | {key: given for key, given in lists.items() if given}
    if not asked:
        raise BadInput("Nothing to amend was given; say --goal, --description, --outcome, --priority, --label …")
    return asked
