"""`noctuary watch`: bring in what is new and dream when it is due, until somebody stops it."""

import signal
import time
from types import FrameType

import click

from noctuary.app import Memory
from noctuary.clock import SystemClock
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.dream_told import report_told
from noctuary.doors.cli.memory_options import with_settings
from noctuary.doors.cli.paint import one_line
from noctuary.doors.cli.words import counted
from noctuary.dreams import Report, RunStatus
from noctuary.errors import NoctuaryError
from noctuary.importing.report import ImportReport
from noctuary.settings import Settings


@click.command()
@click.option("--every", default=5.0, show_default=True, type=click.FloatRange(min=0.01), help="Minutes between looks.")
@click.option("--once", is_flag=True, help="Look once, and end.")
@with_settings
def watch(settings: Settings, every: float, once: bool, as_json: bool) -> None:
    """Bring in what is new and dream when it is due, until you stop it.

    This is no daemon: it runs as long as this command does, and says in one line what it did.  Between two looks it
    holds nothing open.  A dream is due when enough sessions wait or a day has gone by; see `noctuary dream status`.

    \b
    Examples:
      noctuary watch
      noctuary watch --once
    """  # fmt: skip
    signal.signal(signal.SIGTERM, _interrupt)
    while True:
        try:
            _look(settings, as_json)
        except NoctuaryError as error:
            if once:
                raise
            click.echo(f"noctuary: {one_line(str(error))}", err=True)
        if once:
            return
        time.sleep(every * 60)


def _interrupt(signal_number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise KeyboardInterrupt


def _look(settings: Settings, as_json: bool) -> None:
    with Memory.from_settings(settings, SystemClock()) as memory:
        imported = memory.import_transcripts()
        report = memory.dreams.run_if_due()
    if as_json:
        print_json({"messages": imported.messages, "dream": report})
    else:
        _tell(imported, report)


def _tell(imported: ImportReport, report: Report) -> None:
    """One line about each thing that happened; nothing about what did not."""
    if imported.messages:
        click.echo(f"Imported {counted(imported.messages, 'message')}.")
    if report.status is not RunStatus.NOT_DUE:
        click.echo(report_told(report)[0])
