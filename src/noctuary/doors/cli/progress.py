"""A progress bar on stderr, only where people see it; after a few seconds it says how long the rest will take."""

import sys
import time
from collections.abc import Callable
from types import TracebackType

from noctuary.doors.cli.paint import clipped, line_width
from noctuary.doors.cli.words import size

_CELLS = 30
_SECONDS = 0.1  # between two looks of the bar
PATIENCE = 0.5  # seconds, for work that is mostly over by then
_SURE = 3.0  # seconds of work from which the rest can be told
_MINUTE, _HOUR = 60, 3600
_ERASE = "\r\x1b[K"


class Bar:
    """How much of all has been done; silent unless stderr is a terminal, and for the first `patience` seconds."""

    def __init__(self, label: str, unit: Callable[[int], str] = size, *, patience: float = 0.0) -> None:
        self.label = label
        self.unit = unit
        self.is_seen = sys.stderr.isatty()
        self._is_drawn = False
        self._next = time.monotonic() + patience if patience else 0.0
        self._first: tuple[float, int] | None = None  # when the work was first looked at, and how much was done then

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Leave no trace of the bar."""
        if self._is_drawn:
            self._write(_ERASE)

    def show(self, done: int, total: int) -> None:
        """Draw the bar, if it is seen and the last look is old enough."""
        self._first = self._first or (time.monotonic(), done)
        if not self.is_seen or (time.monotonic() < self._next and (done < total or not self._is_drawn)):
            return
        self._next, self._is_drawn = time.monotonic() + _SECONDS, True
        share = done / total if total else 1.0
        filled = "#" * int(share * _CELLS)
        drawn = f"{self.label} [{filled:.<{_CELLS}}] {share:4.0%} of {self.unit(total)}{self._rest(done, total)}"
        self._write(_ERASE + clipped(drawn, line_width() - 1))

    def _rest(self, done: int, total: int) -> str:
        """How long the rest will take, if that can be told: it goes on as it went since the first look."""
        began, before = self._first or (0.0, done)
        seconds = time.monotonic() - began
        if seconds < _SURE or not before < done < total:
            return ""
        return f", {left(seconds * (total - done) / (done - before))}"

    @staticmethod
    def _write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def left(seconds: float) -> str:
    """A time to wait, as exactly as it can be known: 40 s left, 12 min left, 3.5 h left."""
    if seconds < _MINUTE:
        return f"{seconds:.0f} s left"
    return f"{seconds / _MINUTE:.0f} min left" if seconds < _HOUR else f"{seconds / _HOUR:.1f} h left"
