"""`noctuary scrub`."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from noctuary.app import Memory
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.memory_options import FOLDER, with_memory
from noctuary.doors.cli.paint import one_line
from noctuary.doors.cli.words import counted
from noctuary.scrubbing.tally import Tally


@click.command()
@click.option("-y", "--yes", is_flag=True, help="Take them out; without this only say what there is.")
@click.option(
    "--snapshot", "snapshots", type=FOLDER, multiple=True, metavar="PATH", help="A snapshot elsewhere to scrub, too."
)
@with_memory
def scrub(memory: Memory, yes: bool, snapshots: Sequence[Path], as_json: bool) -> None:
    """Remove secrets that were stored before they were recognised.

    What is imported or written down is redacted at once.  This looks through all that is stored already: messages,
    titles, the journal, memories, pages and their copies, the inbox, logs, copies of the database, and the snapshots
    in the memory's folder.  It says how many secrets of which kind are where, never the secret itself; with --yes a
    placeholder takes the place of each.  Lines of the journal are rewritten in a way that `noctuary journal verify`
    can prove.

    \b
    Examples:
      noctuary scrub
      noctuary scrub --yes
      noctuary scrub --yes --snapshot /backup/noctuary.tar.gz
    """  # fmt: skip
    tally = memory.scrub(snapshots_at=snapshots, dry_run=not yes)
    if as_json:
        found = {place: dict(kinds) for place, kinds in tally.found.items()}
        print_json({"found": found, "kinds": tally.by_kind(), "total": tally.total, "scrubbed": yes,
                    "left": tally.left, "warnings": tally.warnings})  # fmt: skip
    else:
        click.echo("\n".join(_told(tally, yes)))


def _told(tally: Tally, is_done: bool) -> Iterator[str]:
    if not tally.total:
        yield "No secrets were found in what is stored."
    else:
        what = "Took out" if is_done else "Found"
        yield f"{what} {counted(tally.total, 'secret')}:"
        for place, kinds in tally.found.items():
            numbers = ", ".join(f"{kind} {number:,}" for kind, number in kinds.most_common())
            yield f"  {place:<12} {numbers}"
        if not is_done:
            yield "Nothing was changed: this was a dry run. `noctuary scrub --yes` takes them out."
    for path in tally.left:
        yield f"Left as it is, for it would not work without: {one_line(path)}"
    yield from (f"Note: {one_line(warning)}" for warning in tally.warnings)
    if tally.total and is_done:
        yield "What was out in the open should be changed where it is used; the agents' own transcripts still have it."
