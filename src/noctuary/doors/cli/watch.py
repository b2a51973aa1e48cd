"""`noctuary watch`: follow transcripts and the inbox and dream when it is due, until somebody stops it."""

import math
import signal
import sys
import time

import click

from noctuary.app import Memory
from noctuary.app.sweeping import Swept
from noctuary.app.watching import Watch
from noctuary.clock import SystemClock
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.dream_told import report_told
from noctuary.doors.cli.failures import INTERRUPTED
from noctuary.doors.cli.memory_options import text, with_settings
from noctuary.doors.cli.paint import one_line
from noctuary.doors.cli.words import counted
from noctuary.doors.logging_lines import Fact, LogLines, open_log
from noctuary.doors.stopping import Cut, Stopping
from noctuary.dreams import Report, RunStatus
from noctuary.errors import BadInput, NoctuaryError, StoreError
from noctuary.settings import Settings
from noctuary.version import VERSION

_MOST_MINUTES = 7 * 24 * 60
_WITHIN = "This runs inside a dream (NOCTUARY_DREAMING is set), so there is nothing to watch for. Nothing was done."
_BUSY = "A sweep is at it; what is new is looked for again later."


@click.command()
@click.option(
    "--every", default=0.5, show_default=True, type=click.FloatRange(0.01, _MOST_MINUTES), help="Minutes between looks."
)
@click.option("--once", is_flag=True, help="Look once, and end.")
@click.option(
    "--log",
    "log_place",
    type=text,
    metavar="FILE",
    help="Write JSON lines to FILE, `-` for stderr, and no other words.",
)
@with_settings
def watch(settings: Settings, every: float, once: bool, log_place: str | None, as_json: bool) -> int:
    """Bring in what is new and dream when it is due, until you stop it.

    This is no daemon: it runs as long as this command does, and says in one line what it did.  It follows the
    transcripts of agents and deals with what hooks left; between two looks it holds nothing open.  A dream is due when
    enough sessions wait or a day has gone by; see `noctuary dream status`.

    Told to stop, it ends what it is writing.  Lines of a log have times, counts and durations, and nothing that
    anybody said.  `noctuary service` writes a unit that keeps it running.

    \b
    Examples:
      noctuary watch
      noctuary watch --once
      noctuary watch --log ~/noctuary-watch.log
    """  # fmt: skip
    if math.isnan(every):
        raise BadInput("--every is not a number of minutes.")
    if _is_within_dream(settings):
        print_json({"messages": 0, "dream": None}) if as_json else click.echo(_WITHIN)
        return 0
    log = open_log(log_place, SystemClock())
    watcher = _Watcher(settings, log, is_quiet=not once, is_silent=log_place is not None, as_json=as_json)
    if once:
        watcher.look()
        return 0
    return watcher.go_on(every * 60)


def _is_within_dream(settings: Settings) -> bool:
    """Whether a dream started this; settings that make no sense are refused here, and not every few minutes."""
    try:
        with Memory.to_read(settings, SystemClock()) as memory:
            return memory.dreams.is_within_dream
    except StoreError:  # it may be free or back at the next look
        return False


class _Watcher:
    """Looks, and tells of it: a person in sentences, or a log in lines."""

    def __init__(self, settings: Settings, log: LogLines, *, is_quiet: bool, is_silent: bool, as_json: bool) -> None:
        self._watch = Watch(settings, SystemClock())
        self._log = log
        self._is_quiet, self._is_silent, self._as_json = is_quiet, is_silent, as_json

    def go_on(self, seconds: float) -> int:
        """Look again and again until somebody says stop; the exit code."""
        stopping = Stopping()
        stopping.listen()
        self._log.say("started", version=VERSION, every_seconds=seconds)
        is_cut = False
        try:
            while stopping.asked_by is None:
                self._look_patiently()
                stopping.rest(seconds)
            stopping.hear_no_more()
        except Cut:
            is_cut = True
        self._log.say("stopped", signal=stopping.asked_by, is_cut=is_cut)
        if stopping.asked_by == signal.SIGTERM:
            return 0
        if not self._is_silent:
            click.echo(f"\n{INTERRUPTED.message}", err=True)
        return INTERRUPTED.code

    def look(self) -> None:
        """Look once, and tell of it."""
        began = time.perf_counter()
        swept = self._watch.look()
        if swept is None:
            return
        self._log.say("look", **_counted(swept), seconds=round(time.perf_counter() - began, 6))
        if not self._is_silent:
            self._tell(swept)
        sys.stdout.flush()  # whoever reads a log wants to know now

    def _look_patiently(self) -> None:
        """The same; what goes wrong may be over the next time."""
        try:
            self.look()
        except (NoctuaryError, OSError) as error:
            self._log.warn("look", failed=type(error).__name__)
            if not self._is_silent:
                click.echo(f"noctuary: {one_line(str(error))}", err=True)

    def _tell(self, swept: Swept) -> None:
        if self._as_json:
            print_json({"messages": swept.messages, "notes": swept.notes, "dream": swept.dream})
        else:
            _tell(swept, is_quiet=self._is_quiet)
        for problem in swept.problems:
            click.echo(f"noctuary: {one_line(problem)}", err=True)


def _counted(swept: Swept) -> dict[str, Fact]:
    """What a line of a log says of a look."""
    return {
        "lock": swept.lock,
        "notes": swept.notes,
        "messages": swept.messages,
        "sessions": swept.sessions,
        "ended": len(swept.ended),
        "briefs": swept.briefs,
        "kept": swept.kept,
        "dropped": len(swept.dropped),
        "problems": len(swept.problems),
        "dream": swept.dream.status if swept.dream else None,
        "dreamt": len(swept.dream.sessions) if swept.dream else 0,
    }


def _tell(swept: Swept, *, is_quiet: bool) -> None:
    """One line about each thing that happened; if quiet, nothing about what did not."""
    if swept.lock != "acquired":
        if not is_quiet:
            click.echo(_BUSY)
        return
    if swept.messages or not is_quiet:
        click.echo(f"Imported {counted(swept.messages, 'message')}." if swept.messages else "Nothing new.")
    if swept.notes:
        click.echo(f"Dealt with {counted(swept.notes, 'note')} of hooks.")
    if swept.dream:
        _tell_dream(swept.dream, is_quiet=is_quiet)


def _tell_dream(report: Report, *, is_quiet: bool) -> None:
    if report.status is not RunStatus.NOT_DUE or not is_quiet:
        click.echo(report_told(report)[0])
    for session in report.sessions:
        if session.failure:
            click.echo(f"  {one_line(session.session)}: {one_line(session.failure)}", err=True)
