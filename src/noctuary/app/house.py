"""Every owner's memory in one database, for doors by which many people come in at once."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from noctuary.app.memory import Memory
from noctuary.clock import Clock
from noctuary.errors import TooManyWait
from noctuary.models.shelf import Shelf
from noctuary.recall.meaning import KeptVectors
from noctuary.settings import Settings

MOST_OPEN = 8  # memories of one owner at a time; whoever comes then waits
MOST_WAITING = 64  # for those of one owner, or one who asks a lot would take the threads of all others
MOST_FREE = 32  # of all owners: each that is open costs files and megabytes, whether or not it is used
NOBODY = ""  # as whom strangers are looked up; everybody waits for that, and not for long


class House:
    """Lends memories: who has one is alone with it, so no two threads ever share a connection."""

    def __init__(
        self, settings: Settings, clock: Clock, *, most_open: int = MOST_OPEN, most_free: int = MOST_FREE
    ) -> None:
        self.settings = settings
        self.clock = clock
        self._most_open = most_open
        self._most_free = most_free
        self._free: list[Memory] = []  # the one that was used last comes last
        self._open: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()
        self._changed = Condition()
        self._is_closed = False
        self._shelf, self._kept = Shelf(), KeptVectors()

    @contextmanager
    def memory(self, owner: str) -> Iterator[Memory]:
        """One owner's memory, for this thread alone; waits while too many of it are lent, unless too many wait."""
        memory = self._take(owner)
        try:
            yield memory
        finally:
            self._give_back(memory)

    def close(self) -> None:
        """Close what is free, and what is lent when it comes back."""
        with self._changed:
            self._is_closed = True
            free, self._free = self._free, []
        for memory in free:
            self._close(memory)

    def _take(self, owner: str) -> Memory:
        with self._changed:
            self._wait(owner)
            while free := self._free_of(owner):
                self._free.remove(free)
                if not free.store.database.is_elsewhere:
                    return free
                free.close()  # a snapshot was restored meanwhile, and what is known of vectors is of those before
                self._open[owner] -= 1
                self._kept = KeptVectors()
            self._open[owner] += 1
        try:
            memory = Memory.from_settings(self.settings._replace(owner=owner), self.clock)
        except BaseException:
            self._count_down(owner)
            raise
        memory.takes_whole_names, memory.door = True, "api"
        memory.share_models(self._shelf, self._kept)
        return memory

    def _wait(self, owner: str) -> None:
        if owner != NOBODY and self._waiting[owner] >= MOST_WAITING:
            raise TooManyWait
        self._waiting[owner] += 1
        try:
            self._changed.wait_for(lambda: self._free_of(owner) or self._open[owner] < self._most_open)
        finally:
            self._waiting[owner] -= 1

    def _free_of(self, owner: str) -> Memory | None:
        return next((memory for memory in reversed(self._free) if memory.owner == owner), None)

    def _give_back(self, memory: Memory) -> None:
        with self._changed:
            self._free.append(memory)
            cut = max(0, len(self._free) - (0 if self._is_closed else self._most_free))
            surplus, self._free = self._free[:cut], self._free[cut:]
            self._changed.notify_all()  # one alone may be waiting for another owner's, and would wake for nothing
        for each in surplus:
            self._close(each)

    def _close(self, memory: Memory) -> None:
        try:
            memory.close()
        finally:
            self._count_down(memory.owner)

    def _count_down(self, owner: str) -> None:
        with self._changed:
            self._open[owner] -= 1
            self._changed.notify_all()
