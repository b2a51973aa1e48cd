"""How a process that runs for long is stopped: what is being done ends first, but nobody waits for it for ever.

The first SIGTERM or Ctrl-C only leaves word, and wakes whoever rests.  What is being done is given some seconds to end;
after them, or at a second signal, it is cut.  That loses nothing, for everything is written so that a process may be
killed at any moment; it only has to be done again.
"""

import select
import signal
import socket
from types import FrameType

GRACE_SECONDS = 20


class Cut(BaseException):
    """What was being done took too long to end; nothing on the way takes this for an error of its own."""


class Stopping:
    """Whether somebody asked this process to stop, and by which signal."""

    def __init__(self, grace_seconds: int = GRACE_SECONDS) -> None:
        self.asked_by: int | None = None
        self._grace_seconds = grace_seconds
        self._woken, self._waking = socket.socketpair()  # a pipe would do, if Windows could wait for one
        self._waking.setblocking(False)

    def listen(self) -> None:
        """From now on signals are heard here; for the main thread."""
        signal.signal(signal.SIGTERM, self._ask)
        signal.signal(signal.SIGINT, self._ask)
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, self._cut)

    def rest(self, seconds: float) -> None:
        """Do nothing for so long, or until somebody asks to stop."""
        select.select([self._woken], [], [], seconds)

    def hear_no_more(self) -> None:
        """From now on signals change nothing: the process ends anyway."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if hasattr(signal, "alarm"):
            signal.alarm(0)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked_by is not None:
            self._cut(number, frame)
        self.asked_by = number
        self._waking.send(b"!")
        if hasattr(signal, "alarm"):
            signal.alarm(self._grace_seconds)

    def _cut(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self.hear_no_more()
        raise Cut
