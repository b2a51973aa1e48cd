"""`noctuary adr`: decisions as pages."""

from collections.abc import Iterator
from pathlib import Path

import click

from noctuary.app.work import Work
from noctuary.doors.cli import commands
from noctuary.doors.cli.as_json import plain, print_either
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import FOLDER, command_line
from noctuary.doors.cli.paint import coloured, one_line
from noctuary.doors.cli.words import counted
from noctuary.doors.cli.work_options import with_work
from noctuary.work.adr import AdrReport

COMMANDS = {"export": commands.Entry("adr:export", "Write every decision as a page, NNN-title.md.")}
_USUAL = Path("docs/adr")


@click.group(cls=commands.Commands, table=COMMANDS)
def adr() -> None:
    """Write decisions as pages for people to read.

    The command has --json.

    \b
    Examples:
      noctuary adr export
    """


@click.command()
@click.argument("folder", default=_USUAL, type=FOLDER)
@with_work
def export(work: Work, folder: Path, as_json: bool) -> int:
    """Write every decision as a page, NNN-title.md.

    A decision keeps its number for ever.  Pages of ours that are out of date are written anew or removed; those that
    somebody else wrote or edited stay as they are.  FOLDER is docs/adr unless you say otherwise.

    \b
    Examples:
      noctuary adr export
      noctuary adr export docs/decisions
    """  # fmt: skip
    report = work.export_adrs(folder)
    print_either({"folder": folder, **plain(report)}, _told(report, folder), as_json)
    return FOUND if any(report) else NOTHING_FOUND


def _told(report: AdrReport, folder: Path) -> Iterator[str]:
    if not any(report):
        yield f"This project has no decisions yet. Write one down with: {command_line('decide')} …"
        return
    counts = (("written", report.written), ("unchanged", report.unchanged), ("removed", report.removed))
    told = ", ".join(f"{len(files):,} {what}" for what, files in counts if files) or "nothing written"
    pages = counted(len(report.written) + len(report.unchanged), "decision")
    yield f"{pages} in {one_line(str(folder))}: {told}"
    yield from (f"  + {one_line(name)}" for name in report.written)
    yield from (f"  - {one_line(name)}" for name in report.removed)
    for kept in report.kept:
        yield coloured(f"  ! {one_line(kept.file)} left as it is: {one_line(kept.why)}", "yellow")
