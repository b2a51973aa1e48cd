"""What a process that runs for long says about itself: one JSON object a line, and never what anybody said.

    {"time": "2026-03-03T09:00:00.000Z", "level": "info", "what": "look", "messages": 12, "seconds": 0.034}

A line has the time, what was done, counts, durations, and words that programs know: the name of a route, the class of
an error.  A text that is no such word is not written, so that a message, a path or a query that a caller hands over by
mistake does not get into a log.

Lines go to standard error, where a service manager collects them, or to a file for its owner only.  A file that has
grown too long is kept as `NAME.1`, in place of the one that was there before; so both together have a bound.  A disk
that is full or a file that went away stops nobody's work.
"""

import json
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Protocol

from noctuary.clock import Clock
from noctuary.errors import BadInput

STDERR = "-"
MOST_BYTES = 1_000_000  # of a file, before it becomes the old one
Fact = int | float | bool | str | None
_WORD = re.compile(r"[A-Za-z0-9_.:/{}-]{1,100}", re.ASCII)
_WITHHELD = "?"


class Log(Protocol):
    """Where lines go."""

    def write(self, line: bytes) -> None:
        """Add a line, whole, or none of it; never raises."""
        ...


class LogLines:
    """Writes lines about what a process does; any number of threads may."""

    def __init__(self, log: Log, clock: Clock) -> None:
        self._log = log
        self._clock = clock

    def say(self, what: str, **facts: Fact) -> None:
        """Write a line: what was done, and the facts about it."""
        self._line("info", what, facts)

    def warn(self, what: str, **facts: Fact) -> None:
        """Write a line about something that went wrong."""
        self._line("error", what, facts)

    @contextmanager
    def timed(self, what: str, **facts: Fact) -> Iterator[dict[str, Fact]]:
        """Write a line when the block ends, with how long it took and the facts that were added to what this gives.

        If the block fails, the line has the class of the error, which goes on to the caller.
        """
        began = time.perf_counter()
        try:
            yield facts
        except BaseException as error:
            self._line("error", what, {**facts, "failed": type(error).__name__, "seconds": _since(began)})
            raise
        self._line("info", what, {**facts, "seconds": _since(began)})

    def _line(self, level: str, what: str, facts: Mapping[str, Fact]) -> None:
        moment = datetime.fromtimestamp(self._clock.now_ms() / 1000, UTC).isoformat(timespec="milliseconds")
        told = {"time": moment.replace("+00:00", "Z"), "level": level, "what": what, **facts}
        line = json.dumps({name: _told(value) for name, value in told.items()})
        self._log.write(line.encode("ascii") + b"\n")


class StderrLog:
    """Lines on standard error."""

    def write(self, line: bytes) -> None:
        """Add a line; nothing if nobody reads any more."""
        with suppress(OSError, ValueError):
            sys.stderr.write(line.decode())
            sys.stderr.flush()


class FileLog:
    """Lines in a file that never grows without bound; one process writes to it."""

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        """BadInput if the file cannot be written to: whoever starts a process should know before it runs for days."""
        self.path = path
        self._most_bytes = most_bytes
        self._lock = Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(self._opened())
        except OSError as error:
            raise BadInput(f"{path} cannot be written to ({error.strerror}); name another file with --log.") from error

    def write(self, line: bytes) -> None:
        """Add a line; the file is opened for each, so that it may be moved away at any time."""
        with self._lock, suppress(OSError):
            file = self._opened()
            try:
                is_full = os.fstat(file).st_size + len(line) > self._most_bytes
                if not is_full:
                    os.write(file, line)
            finally:
                os.close(file)
            if is_full:
                self._begin_anew(line)

    def _begin_anew(self, line: bytes) -> None:
        self.path.replace(self.path.with_name(f"{self.path.name}.1"))
        file = self._opened()
        try:
            os.write(file, line)
        finally:
            os.close(file)

    def _opened(self) -> int:
        return os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)


class NoLog:
    """For whoever wants no lines."""

    def write(self, line: bytes) -> None:
        """Nothing happens."""


def open_log(place: str | Path | None, clock: Clock) -> LogLines:
    """Lines to a file, to standard error for `-`, or to nowhere for None; BadInput if the file cannot be used."""
    if place is None:
        return LogLines(NoLog(), clock)
    if str(place) == STDERR:
        return LogLines(StderrLog(), clock)
    return LogLines(FileLog(Path(place).expanduser()), clock)


def _told(value: Fact) -> Fact:
    """The value as it may stand in a log: a number, or a word without spaces."""
    if isinstance(value, float):
        return round(value, 6)
    return value if not isinstance(value, str) or _WORD.fullmatch(value) else _WITHHELD


def _since(began: float) -> float:
    return round(time.perf_counter() - began, 6)
