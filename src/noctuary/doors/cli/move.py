"""`noctuary move`."""

import shlex
from collections.abc import Iterator, Sequence

import click

from noctuary.app.moves import move_memory
from noctuary.clock import SystemClock
from noctuary.doors.cli.addresses import without_password
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.memory_options import text, with_settings
from noctuary.doors.cli.paint import bold, safe
from noctuary.doors.cli.progress import PATIENCE, Bar
from noctuary.doors.cli.words import counted
from noctuary.moving.move import Moved
from noctuary.settings import Settings

_MAIN = {"sessions": "session", "messages": "message", "events": "event"}


@click.command()
@click.option("--to", required=True, type=text, metavar="URL|FOLDER", help="postgresql://…, or a folder.")
@click.option("--also", multiple=True, type=text, metavar="OWNER", help="Somebody else's, too; can be repeated.")
@click.option("--all-owners", is_flag=True, help="Everybody's; only from a folder.")
@click.option("--dry-run", is_flag=True, help="Only look at both places, and say what would be moved.")
@with_settings
def move(settings: Settings, to: str, also: Sequence[str], all_owners: bool, dry_run: bool, as_json: bool) -> None:
    """Copy the whole memory to a PostgreSQL server, or back to a folder.

    Conversations, vectors, journals, the state of dreams, keys and what is shared are copied, byte for byte and under
    the same ids; indexes are made anew.  At the end both are compared, table by table, and only then is the copy
    kept.  The memory that is copied is not changed.  A place that holds anything else of the same owner is refused; one
    that holds the same is left alone, so a move can be repeated.

    \b
    Examples:
      noctuary move --to postgresql://db.example/noctuary --dry-run
      noctuary move --to postgresql://db.example/noctuary
      noctuary move --database postgresql://db.example/noctuary --to ~/noctuary-again
    """  # fmt: skip
    with Bar("Moving", lambda total: counted(total, "session"), patience=PATIENCE) as bar:
        moved = move_memory(
            settings,
            to,
            SystemClock(),
            also=also,
            all_owners=all_owners,
            dry_run=dry_run,
            progress=lambda _, done, total: bar.show(done, total),
        )
    if as_json:
        print_json({"to": without_password(to), "is_dry": dry_run, "moved": moved})
        return
    for each in moved:
        click.echo("\n".join(map(safe, _told(each, dry_run))))
    if not dry_run:
        click.echo(f"To use it: {safe(_use(to))}")


def _told(moved: Moved, is_dry: bool) -> Iterator[str]:
    main = ", ".join(counted(moved.held[name].rows, word) for name, word in _MAIN.items())
    if moved.was_there:
        yield bold(f"{moved.owner}: all of it is there already ({main}).")
    else:
        yield bold(f"{moved.owner}: {'would be moved' if is_dry else 'moved'}, {main}.")
    for name, each in moved.held.items():
        if each.rows:
            yield f"  {name:<20} {each.rows:>10,}  {each.digest}"
    if moved.left:
        also = " ".join(f"--also {shlex.quote(name)}" for name in moved.left)
        unless = ", unless they are there already" if is_dry else ""  # a server names members to members alone
        yield (
            f"  Not moved, and so in no team with {moved.owner} there{unless}: {', '.join(moved.left)}. "
            f"To take along: {also}"
        )


def _use(to: str) -> str:
    if "://" in to:
        return f'put `database = "{without_password(to)}"` into config.toml, or say --database on every command line.'
    return f"noctuary status --home {to}"
