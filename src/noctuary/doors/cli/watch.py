"""`noctuary watch`: bring in what is new and dream when it is due, until somebody stops it."""

import math
import signal
import sys
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
from noctuary.errors import BadInput, NoctuaryError, StoreError
from noctuary.importing.report import ImportReport
from noctuary.settings import Settings

_MOST_MINUTES = 7 * 24 * 60
_WITHIN = "This runs inside a dream (NOCTUARY_DREAMING is set), so there is nothing to watch for. Nothing was done."


@click.command()
@click.option(
    "--every", default=5.0, show_default=True, type=click.FloatRange(0.01, _MOST_MINUTES), help="Minutes between looks."
)
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
    if math.isnan(every):
        raise BadInput("--every is not a number of minutes.")
    signal.signal(signal.SIGTERM, _interrupt)
    if _is_within_dream(settings):
        print_json({"messages": 0, "dream": None}) if as_json else click.echo(_WITHIN)
        return
    while True:
        try:
            _look(settings, is_quiet=not once, as_json=as_json)
        except NoctuaryError as error:
            if once:
                raise
            click.echo(f"noctuary: {one_line(str(error))}", err=True)
        if once:
            return
        sys.stdout.flush()  # whoever reads a log wants to know now
        time.sleep(every * 60)


def _is_within_dream(settings: Settings) -> bool:
    """Whether a dream started this; settings that make no sense are refused here, and not every few minutes."""
    try:
        with Memory.to_read(settings, SystemClock()) as memory:
            return memory.dreams.is_within_dream
    except StoreError:  # it may be free or back at the next look
        return False


def _interrupt(signal_number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise KeyboardInterrupt


def _look(settings: Settings, *, is_quiet: bool, as_json: bool) -> None:
    with Memory.from_settings(settings, SystemClock()) as memory:
        imported = memory.import_transcripts()
        report = memory.dreams.run_if_due()
    if as_json:
        print_json({"messages": imported.messages, "dream": report})
    else:
        _tell(imported, report, is_quiet=is_quiet)


def _tell(imported: ImportReport, report: Report, *, is_quiet: bool) -> None:
    """One line about each thing that happened; if quiet, nothing about what did not."""
    if imported.messages or not is_quiet:
        click.echo(f"Imported {counted(imported.messages, 'message')}." if imported.messages else "Nothing new.")
    if report.status is not RunStatus.NOT_DUE or not is_quiet:
        click.echo(report_told(report)[0])
    for session in report.sessions:
        if session.failure:
            click.echo(f"  {one_line(session.session)}: {one_line(session.failure)}", err=True)
