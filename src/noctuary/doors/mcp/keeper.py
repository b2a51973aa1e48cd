"""The memory behind the server: opened at the first call that needs it, one call at a time on each connection.

Searches and writes have a connection each, so that a write that waits for another process keeps no search waiting.
What only reads makes no memory where there is none, and a file that was replaced meanwhile is opened again.
"""

from __future__ import annotations  # or the annotations would load the memory

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from noctuary.clock import Clock, SystemClock
from noctuary.lazily import lazy_module
from noctuary.settings import Settings

if TYPE_CHECKING:
    from noctuary.app import Memory
    from noctuary.app import memory as memories
else:
    memories = lazy_module("noctuary.app.memory")

SECONDS_TO_END = 10.0  # for what is being written when the server is asked to stop


class Caller(NamedTuple):
    """Who calls: the session that counts as the agent's, and what its program calls itself."""

    session: str
    client: str = "agent"

    @property
    def name(self) -> str:
        """A name for claims, which no other session has."""
        return f"{self.client}-{self.session[-8:]}"


class Serving(NamedTuple):
    """What the server was started for; a model can change none of it."""

    settings: Settings
    folder: Path | None = None  # where an agent works; None if agents of several folders may call
    project: str | None = None  # whose work it is if none is named, instead of the folder's
    session: str | None = None  # of the agent that started the server, if it said so


class Keeper:
    """Lends the memory to one call at a time."""

    def __init__(self, serving: Serving, clock: Clock | None = None) -> None:
        self.serving = serving
        self._clock = clock or SystemClock()
        self._reading = _Lent(serving.settings, self._clock)
        self._writing = _Lent(serving.settings, self._clock)

    @contextmanager
    def reading(self) -> Iterator[Memory]:
        """The memory to read; an empty one that leaves nothing behind where there is none."""
        if self.serving.settings.is_made:
            with self._reading.lent() as memory:
                yield memory
            return
        with memories.Memory.to_read(self.serving.settings, self._clock) as memory:
            yield memory

    @contextmanager
    def writing(self) -> Iterator[Memory]:
        """The memory to write to, made if there is none."""
        with self._writing.lent() as memory:
            yield memory

    def close(self) -> None:
        """Let what is being written be written, within some seconds, and close the files; nothing begins any more."""
        self._writing.close(SECONDS_TO_END)
        self._reading.close(0)


class _Lent:
    """One connection to the memory, and who has it."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._lock = Lock()
        self._memory: Memory | None = None
        self._is_closed = False

    @contextmanager
    def lent(self) -> Iterator[Memory]:
        with self._lock:
            if self._memory and self._memory.store.database.is_elsewhere:
                self._memory.close()
                self._memory = None
            if self._memory is None:
                self._memory = memories.Memory.from_settings(self._settings, self._clock)
            yield self._memory

    def close(self, seconds: float) -> None:
        if not self._is_closed and self._lock.acquire(timeout=seconds):  # never given back: nothing begins any more
            self._is_closed = True
            if self._memory:
                self._memory.close()
            self._memory = None
