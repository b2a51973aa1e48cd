"""A progress bar on stderr, only where people see it."""

import sys
import time
from collections.abc import Callable
from types import TracebackType

from noctuary.doors.cli.words import size

_CELLS = 30
_SECONDS = 0.1  # between two looks of the bar
PATIENCE = 0.5  # seconds, for work that is mostly over by then
_ERASE = "\r\x1b[K"


class Bar:
    """How much of all has been done; silent unless stderr is a terminal, and for the first `patience` seconds."""

    def __init__(self, label: str, unit: Callable[[int], str] = size, *, patience: float = 0.0) -> None:
        self.label = label
        self.unit = unit
        self.is_seen = sys.stderr.isatty()
        self._is_drawn = False
        self._next = time.monotonic() + patience if patience else 0.0

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Leave no trace of the bar."""
        if self._is_drawn:
            self._write(_ERASE)

    def show(self, done: int, total: int) -> None:
        """Draw the bar, if it is seen and the last look is old enough."""
        if not self.is_seen or (time.monotonic() < self._next and (done < total or not self._is_drawn)):
            return
        self._next, self._is_drawn = time.monotonic() + _SECONDS, True
        share = done / total if total else 1.0
        filled = "#" * int(share * _CELLS)
        self._write(f"{_ERASE}{self.label} [{filled:.<{_CELLS}}] {share:4.0%} of {self.unit(total)}")

    @staticmethod
    def _write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
