"""Every owner's memory in one database, for doors by which many people come in at once."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from noctuary.app.memory import Memory
from noctuary.clock import Clock
from noctuary.errors import TooManyWait
from noctuary.settings import Settings

MOST_OPEN = 8  # memories of one owner at a time; whoever comes then waits
MOST_WAITING = 64  # for those of one owner, or one who asks a lot would take the threads of all others
NOBODY = ""  # as whom strangers are looked up; everybody waits for that, and not for long


class House:
    """Lends memories: who has one is alone with it, so no two threads ever share a connection."""

    def __init__(self, settings: Settings, clock: Clock, *, most_open: int = MOST_OPEN) -> None:
        self.settings = settings
        self.clock = clock
        self._most_open = most_open
        self._free: dict[str, list[Memory]] = {}
        self._open: dict[str, int] = {}
        self._waiting: Counter[str] = Counter()
        self._changed = Condition()
        self._is_closed = False

    @contextmanager
    def memory(self, owner: str) -> Iterator[Memory]:
        """One owner's memory, for this thread alone; waits while too many of it are lent, unless too many wait."""
        memory = self._take(owner)
        try:
            yield memory
        finally:
            self._give_back(owner, memory)

    def close(self) -> None:
        """Close what is free, and what is lent when it comes back."""
        with self._changed:
            self._is_closed = True
            for memories in self._free.values():
                for memory in memories:
                    memory.close()
            self._free.clear()

    def _take(self, owner: str) -> Memory:
        with self._changed:
            self._wait(owner)
            while free := self._free.get(owner):
                memory = free.pop()
                if not memory.store.database.is_elsewhere:
                    return memory
                memory.close()  # a snapshot was restored meanwhile
                self._open[owner] -= 1
            self._open[owner] = self._open.get(owner, 0) + 1
        try:
            memory = Memory.from_settings(self.settings._replace(owner=owner), self.clock)
            memory.takes_whole_names, memory.door = True, "api"
            return memory
        except BaseException:
            self._count_down(owner)
            raise

    def _wait(self, owner: str) -> None:
        if owner != NOBODY and self._waiting[owner] >= MOST_WAITING:
            raise TooManyWait
        self._waiting[owner] += 1
        try:
            self._changed.wait_for(lambda: self._free.get(owner) or self._open.get(owner, 0) < self._most_open)
        finally:
            self._waiting[owner] -= 1

    def _give_back(self, owner: str, memory: Memory) -> None:
        with self._changed:
            if not self._is_closed:
                self._free.setdefault(owner, []).append(memory)
                self._changed.notify_all()  # one alone may be waiting for another owner's, and would wake for nothing
                return
        memory.close()
        self._count_down(owner)

    def _count_down(self, owner: str) -> None:
        with self._changed:
            self._open[owner] -= 1
            self._changed.notify_all()
