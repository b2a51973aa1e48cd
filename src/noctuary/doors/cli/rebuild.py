"""`noctuary rebuild`."""

import click

from noctuary.app import Memory
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.memory_options import with_memory
from noctuary.doors.cli.progress import Bar
from noctuary.doors.cli.words import counted


@click.command()
@with_memory
def rebuild(memory: Memory, as_json: bool) -> None:
    """Rebuild the index and the tables from messages and journal.

    The full-text index is made from the messages; goals, tasks, decisions and notes are read from the journal.
    Everything is kept; searches by others wait for nothing.  `noctuary doctor` says when this is needed.

    \b
    Examples:
      noctuary rebuild
    """
    with Bar("Rebuilding", lambda total: counted(total, "entry", "entries")) as bar:
        made = memory.rebuild(progress=bar.show)
    if as_json:
        print_json({"indexed": made.messages, "folded": made.events})
        return
    click.echo(f"Indexed {counted(made.messages, 'message')} again.")
    if made.events:
        click.echo(f"Read {counted(made.events, 'event')} of the journal again.")
