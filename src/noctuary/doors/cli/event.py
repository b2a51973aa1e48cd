"""`noctuary event`: what was written down, and what is said about it later."""

from collections.abc import Sequence

import click

from noctuary.app.work import Work
from noctuary.authored import Entry, EventType
from noctuary.doors.cli import commands
from noctuary.doors.cli.as_json import print_either, print_json
from noctuary.doors.cli.authoring import said
from noctuary.doors.cli.entries import entries_told, entry_told
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import text
from noctuary.doors.cli.node_options import with_limit
from noctuary.doors.cli.work_options import with_work, with_work_to_read

COMMANDS = {
    "list": commands.Entry("event:list_", "List what was written down, the newest first."),
    "show": commands.Entry("event:show", "Show an entry with all that is known of it."),
    "confirm": commands.Entry("event:confirm", "Confirm a suggestion, as it is or in other words."),
    "correct": commands.Entry("event:correct", "Reword an entry; the new words take its place."),
    "retract": commands.Entry("event:retract", "Retract an entry that should never have been."),
    "supersede": commands.Entry("event:supersede", "Mark something as no longer valid."),
}
_EVENT = click.argument("name", metavar="EVENT", type=text)


@click.group(cls=commands.Commands, table=COMMANDS)
def event() -> None:
    """List, show, confirm, correct, retract and supersede entries.

    An entry is named by its id or how that begins.  Nothing is edited: what is said later stands beside it in the
    journal, and counts everywhere.  Each command has --json.

    \b
    Examples:
      noctuary event list --task t-4k2x
      noctuary event list --suggested
      noctuary event correct 01M7HM7C "Coupons are applied by date"
    """  # fmt: skip


@click.command("list")
@click.option("--task", type=text, metavar="NODE", help="Only about this node.")
@click.option(
    "--type",
    "types",
    multiple=True,
    type=click.Choice([str(each) for each in EventType]),
    help="Only of this type.  Repeatable.",
)
@click.option("--suggested", is_flag=True, help="Only what nobody has confirmed yet.")
@click.option("--hidden", is_flag=True, help="What was corrected or retracted, too.")
@with_limit(20, "How many to list.")
@with_work_to_read
def list_(
    work: Work, task: str | None, types: Sequence[str], suggested: bool, hidden: bool, limit: int, as_json: bool
) -> int:
    """List what was written down, the newest first.

    \b
    Examples:
      noctuary event list
      noctuary event list --task t-4k2x --type decision --type rejection
      noctuary event list --suggested --json
    """
    kinds = [EventType(each) for each in types] or None
    entries = work.entries(node=task, types=kinds, limit=limit, suggested=suggested, hidden=hidden)
    if as_json:
        print_json({"count": len(entries), "entries": entries})
    else:
        click.echo("\n".join(entries_told(entries, with_node=task is None)) if entries else "No entry matches.")
    return FOUND if entries else NOTHING_FOUND


@click.command()
@_EVENT
@with_work_to_read
def show(work: Work, name: str, as_json: bool) -> None:
    """Show an entry with all that is known of it.

    \b
    Examples:
      noctuary event show 01M7HM7C
    """
    entry = work.entry(name)
    print_either(entry, entry_told(entry), as_json)


@click.command()
@_EVENT
@said(required=False)
@with_work
def confirm(work: Work, name: str, words: str, as_json: bool) -> None:
    """Confirm a suggestion, as it is or in other words.

    \b
    Examples:
      noctuary event confirm 01M7HM7C
      noctuary event confirm 01M7HM7C "Coupons are applied by date"
    """
    _print_done("Confirmed", work.confirm(name, words), as_json)


@click.command()
@_EVENT
@said()
@with_work
def correct(work: Work, name: str, words: str, as_json: bool) -> None:
    """Reword an entry; the new words take its place.

    \b
    Examples:
      noctuary event correct 01M7HM7C "Coupons are applied by date"
    """
    _print_done("Corrected", work.correct(name, words), as_json)


@click.command()
@_EVENT
@click.option("--because", default="", type=text, metavar="TEXT", help="Why.")
@with_work
def retract(work: Work, name: str, because: str, as_json: bool) -> None:
    """Retract an entry that should never have been.

    It is shown nowhere any more, and nodes that it made are ended.  The journal keeps it.

    \b
    Examples:
      noctuary event retract 01M7HM7C --because "That was another shop"
    """  # fmt: skip
    _print_done("Retracted", work.retract(name, because), as_json)


@click.command()
@click.argument("name", metavar="ID", type=text)
@click.option("--by", type=text, metavar="ID", help="What holds instead.")
@click.option("--because", default="", type=text, metavar="TEXT", help="Why.")
@with_work
def supersede(work: Work, name: str, by: str | None, because: str, as_json: bool) -> None:
    """Mark something as no longer valid.

    ID is that of an entry, a decision, a task, a goal or a memory.

    \b
    Examples:
      noctuary event supersede d-7m1p --by d-3r6q --because "The law has changed"
    """  # fmt: skip
    _print_done("Superseded", work.supersede(name, because, by=by), as_json)


def _print_done(done: str, entry: Entry, as_json: bool) -> None:
    if as_json:
        print_json(entry)
        return
    first, *rest = entries_told([entry])
    click.echo("\n".join([f"{done} {first}", *rest]))
