"""Dreams behind the answers: somebody asked for one, or a session has ended; few at a time, one of each owner.

Whatever happens in a dream, no request fails by it: whoever asked for one finds how it ended under the name they got.
"""

import logging
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from threading import Condition, Thread
from typing import NamedTuple

from noctuary.app import requests
from noctuary.app.dreaming import Dreams
from noctuary.app.house import House
from noctuary.app.memory import Memory
from noctuary.app.requests import AskedDream, AskedState
from noctuary.dreams import Report
from noctuary.errors import NoctuaryError

MOST_WAITING = 32  # dreams of one owner that were asked for and have not begun
_log = logging.getLogger("noctuary.http")


class Wish(NamedTuple):
    """A dream that is wanted: if it is due, or what somebody asked for."""

    owner: str
    asked: AskedDream | None = None
    sessions: Sequence[str] = ()
    most: int | None = None
    backend: str | None = None


class Nights:
    """Has dreams in threads of its own."""

    def __init__(self, house: House, *, threads: int | None = None) -> None:
        self._house = house
        # On a file, one dream of all owners is at work at a time, so a second thread would only be sent away.
        self._most_threads = threads or (1 if house.settings.database_url is None else 4)
        self._changed = Condition()
        self._waiting: deque[Wish] = deque()
        self._busy: set[str] = set()
        self._threads: list[Thread] = []
        self._is_closed = False

    def wish(self, wish: Wish) -> bool:
        """Let the dream be had when there is room; False if too many wait, nobody can have it, or the server ends."""
        with self._changed:
            if wish.asked is None and any(each.asked is None for each in self._of(wish.owner)):
                return True  # the one that waits will see what is due
            if not self._has_room(wish.owner):
                return False
            self._waiting.append(wish)
            if not self._begin_if_needed():
                self._waiting.pop()
                return False
            self._changed.notify()
        return True

    def has_room(self, owner: str) -> bool:
        """Whether a dream of this owner would be had if it were wished for now."""
        with self._changed:
            return self._has_room(owner)

    @property
    def at_work(self) -> int:
        """How many dreams are being had."""
        with self._changed:
            return len(self._busy)

    def is_at_work(self, owner: str) -> bool:
        """Whether a dream of this owner is being had; what others do is theirs."""
        with self._changed:
            return owner in self._busy

    def wait_until_idle(self, seconds: float) -> bool:
        """Whether nothing waits and nothing is at work, after so many seconds at most."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._busy, seconds)

    def close(self, seconds: float) -> None:
        """Begin no more dreams; those at work may end within so many seconds, and lose nothing if they do not.

        Whoever asked for one that has not begun finds that it failed: no other server knows that they wait.
        """
        with self._changed:
            self._is_closed = True
            left = list(self._waiting)
            self._waiting.clear()
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._busy, seconds)
        with suppress(NoctuaryError):  # the first that cannot be written is the last that is tried: we are to end
            for wish in left:
                if wish.asked is not None:
                    give_up(self._house, wish.owner, wish.asked)

    def _of(self, owner: str) -> list[Wish]:
        return [each for each in self._waiting if each.owner == owner]

    def _has_room(self, owner: str) -> bool:
        return not self._is_closed and len(self._of(owner)) < MOST_WAITING

    def _begin_if_needed(self) -> bool:
        """Begin another thread if need be, and if the machine has room for it; whether there is one at all."""
        idle = len(self._threads) - len(self._busy)
        if len(self._threads) < self._most_threads and len(self._waiting) > idle:
            thread = Thread(target=self._work, name=f"noctuary-dream-{len(self._threads)}", daemon=True)
            with suppress(RuntimeError):
                thread.start()
                self._threads.append(thread)
        return bool(self._threads)

    def _work(self) -> None:
        while (wish := self._next()) is not None:
            try:
                self._have(wish)
            except Exception as error:  # noqa: BLE001 (a dream that fails stops no other)
                _log.warning("dream failed", extra={"kind": type(error).__name__})
            finally:
                with self._changed:
                    self._busy.discard(wish.owner)
                    self._changed.notify_all()

    def _next(self) -> Wish | None:
        """The first wish of an owner of whom no dream is at work; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._free() is not None)
            wish = None if self._is_closed else self._free()
            if wish is not None:
                self._waiting.remove(wish)
                self._busy.add(wish.owner)
            return wish

    def _free(self) -> Wish | None:
        return next((wish for wish in self._waiting if wish.owner not in self._busy), None)

    def _have(self, wish: Wish) -> None:
        with self._house.memory(wish.owner) as memory:
            if wish.asked is None:
                Dreams(memory).run_if_due()
                return
            requests.save_asked(memory, wish.asked._replace(state=AskedState.RUNNING))
            try:
                ended = _ended(wish.asked, _run(memory, wish))
            except NoctuaryError:
                ended = wish.asked._replace(state=AskedState.FAILED)
            except BaseException:
                _save(memory, wish.asked._replace(state=AskedState.FAILED))
                raise
            _save(memory, ended)


def give_up(house: House, owner: str, asked: AskedDream) -> None:
    """Write down that a dream which was asked for will not be had."""
    with house.memory(owner) as memory:
        _save(memory, asked._replace(state=AskedState.FAILED))


def _run(memory: Memory, wish: Wish) -> Report:
    project = wish.asked.project if wish.asked else None
    return Dreams(memory).run(sessions=wish.sessions, project=project, most=wish.most, backend=wish.backend)


def _ended(asked: AskedDream, report: Report) -> AskedDream:
    """What was asked for, as it ended; a dream that was sent away is none that could be shown."""
    is_run = bool(report.finished_ms)
    return asked._replace(state=AskedState.DONE, run=report.run if is_run else None, outcome=str(report.status))


def _save(memory: Memory, asked: AskedDream) -> None:
    requests.save_asked(memory, asked._replace(ended_ms=memory.clock.now_ms()))
