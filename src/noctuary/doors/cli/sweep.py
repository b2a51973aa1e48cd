"""`noctuary sweep`: deal with what hooks left, and dream if it is due."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

import click

from noctuary.app import Memory, sweep_state
from noctuary.clock import SystemClock
from noctuary.doors.cli.as_json import print_either
from noctuary.doors.cli.failures import failure_of
from noctuary.doors.cli.memory_options import with_settings
from noctuary.doors.cli.paint import coloured, one_line
from noctuary.doors.cli.words import counted
from noctuary.lazily import lazy_module
from noctuary.settings import Settings

if TYPE_CHECKING:
    from noctuary.app.sweeping import Swept
    from noctuary.doors.cli import dream_told
else:
    dream_told = lazy_module("noctuary.doors.cli.dream_told")  # a session may be waiting for its brief

MOST_SECONDS = 600
_TO_END = 30  # seconds more for one that does not end
_POLITELY = 10
_BUSY = "Another sweep is at it; it deals with what hooks left. Nothing was done."
_NESTED = "This runs inside a dream (NOCTUARY_DREAMING is set), so nothing is swept. Nothing was done."
_OUT_OF_TIME = "Its time was over before it was done; the next sweep goes on."


class _OutOfTime(BaseException):
    """Nothing on the way takes this for an error of its own."""


@click.command()
@click.option("--detached", is_flag=True, help="Say nothing but in the log, with low priority: as hooks start it.")
@with_settings
def sweep(settings: Settings, detached: bool, as_json: bool) -> None:
    """Process what hooks left, and dream if one is due.

    Hooks of coding agents only leave a line for each thing they see.  This brings in the transcripts that are named
    there, ends the sessions that are over, writes what the next session is told, and has a dream if one is due.  Hooks
    start it by themselves; to start it by hand does no harm.  It ends after ten minutes, and the next goes on.

    \b
    Examples:
      noctuary sweep
      noctuary sweep --json
    """  # fmt: skip
    with _failures_noted(settings):
        swept = _swept(settings, detached)
    if detached:
        sweep_state.log(settings.home, SystemClock().now_ms(), _logged(swept))
    elif swept is None:
        click.echo(_OUT_OF_TIME, err=True)
    else:
        print_either(swept, _told(swept), as_json)


def _swept(settings: Settings, is_detached: bool) -> "Swept | None":
    """Sweep; None if its time was over before."""
    try:
        with _within(MOST_SECONDS), Memory.from_settings(settings, SystemClock()) as memory:
            return memory.sweep(when_dealt=_be_polite if is_detached else None)
    except _OutOfTime:
        return None


def _be_polite() -> None:
    """What takes long must not get in the way of whoever works on this machine."""
    if hasattr(os, "nice"):
        os.nice(_POLITELY)


@contextmanager
def _within(seconds: int) -> Iterator[None]:
    """End what takes longer; by force if it does not listen."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return
    signal.signal(signal.SIGALRM, _end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def _end(signal_number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(_TO_END)
    raise _OutOfTime


@contextmanager
def _failures_noted(settings: Settings) -> Iterator[None]:
    """Leave word if it fails, for hooks and the doctor; nobody may be watching."""
    try:
        yield
    except Exception as error:
        now_ms, why = SystemClock().now_ms(), failure_of(error).message
        if settings.home.is_dir():
            sweep_state.failed(settings.home, now_ms, why)
            sweep_state.log(settings.home, now_ms, f"Failed: {why}")
        raise


def _told(swept: "Swept") -> list[str]:
    if swept.lock != "acquired":
        return [_BUSY if swept.lock == "busy" else _NESTED]
    dream = f" {dream_told.report_told(swept.dream)[0]}" if swept.dream else ""
    lines = [f"{_dealt(swept)}{dream}"]
    return lines + [coloured(f"  ! {one_line(each)}", "yellow") for each in (*swept.problems, *swept.dropped)]


def _dealt(swept: "Swept") -> str:
    done = [
        f"imported {counted(swept.messages, 'message')}" if swept.messages else "",
        f"ended {counted(len(swept.ended), 'session')}" if swept.ended else "",
        f"kept {counted(swept.summaries, 'summary', 'summaries')}" if swept.summaries else "",
        f"wrote {counted(swept.briefs, 'brief')}" if swept.briefs else "",
    ]
    notes = f"Dealt with {counted(swept.notes, 'note')} of hooks" if swept.notes else "Hooks had left nothing"
    what = ", ".join(filter(None, done))
    waits = f" {counted(swept.kept, 'note')} {'waits' if swept.kept == 1 else 'wait'} for a transcript."
    return f"{notes}{': ' if what else ''}{what}.{waits if swept.kept else ''}"


def _logged(swept: "Swept | None") -> str:
    return " ".join(_told(swept)) if swept else _OUT_OF_TIME
