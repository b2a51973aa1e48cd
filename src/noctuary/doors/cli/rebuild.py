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
    """Make the full-text index again from the stored messages.

    Everything is kept; searches by others wait for nothing.  `noctuary doctor` says when this is needed.

    \b
    Examples:
      noctuary rebuild
    """
    with Bar("Rebuilding", lambda total: counted(total, "entry", "entries")) as bar:
        indexed = memory.rebuild(progress=bar.show)
    print_json({"indexed": indexed}) if as_json else click.echo(f"Indexed {counted(indexed, 'message')} again.")
