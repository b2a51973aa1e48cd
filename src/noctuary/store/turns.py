"""Turns of the threads of one process that write to one SQLite file: first come, first served.

SQLite lets in whoever looks at the right moment, and who has waited longest looks least often; of many writers some
would wait for seconds.  So the threads of a process queue up here, and only the first of them waits at the file.
"""

from collections import deque
from pathlib import Path
from threading import Event, Lock
from weakref import WeakValueDictionary


class Turns:
    """Who writes now, and who is next; its length is how many wait."""

    def __init__(self) -> None:
        self._lock = Lock()  # is held for moments, never while somebody waits
        self._is_taken = False
        self._waiting: deque[Event] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def take(self, seconds: float) -> bool:
        """Wait for a turn, at most so long; False if it did not come.  Who is interrupted has none."""
        called = Event()
        try:
            self._queue(called)
            return called.wait(seconds) or not self._left(called)
        except BaseException:
            if not self._left(called) and called.is_set():
                self.give()
            raise

    def give(self) -> None:
        """End a turn, and call who is next."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._is_taken = False

    def _queue(self, called: Event) -> None:
        with self._lock:
            if self._is_taken:
                self._waiting.append(called)
            else:
                called.set()  # first, for who is interrupted between the two gives back only what they know to have
                self._is_taken = True

    def _left(self, called: Event) -> bool:
        """Whether one has left the queue; not if it has become one's turn."""
        with self._lock:
            if called not in self._waiting:
                return False
            self._waiting.remove(called)
            return True


_turns: WeakValueDictionary[Path, Turns] = WeakValueDictionary()
_asking = Lock()


def turns_at(path: Path) -> Turns:
    """The turns at a file, the same for all who have it open in this process."""
    with _asking:
        return _turns.setdefault(path.resolve(), Turns())
