"""Watching: look again and again at what agents and their hooks leave, and open the memory only if there is cause.

A look that finds nothing new costs the sizes and times of the transcripts, and nothing is held open between two looks.
What is new is brought in by a sweep (`sweeping.py`), which also deals with the inbox, dreams if it is due, and writes
the briefs that are no longer true.  A dream can become due while nothing happens, so there is a sweep now and then
also without cause.
"""

from noctuary import inbox
from noctuary.app.memory import Memory
from noctuary.app.sweeping import Swept
from noctuary.clock import Clock
from noctuary.importing.following import Follower
from noctuary.settings import Settings

ANYWAY_MS = 300_000  # so long without a sweep, and there is one without cause
DONE = "acquired"  # what a sweep says of its lock if it was the one that swept


class Watch:
    """Follows the transcripts and the inbox of one machine, for one memory."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._follower = Follower(settings)
        self._swept_ms: int | None = None

    def look(self) -> Swept | None:
        """Sweep if there is cause; what was done, None if there was none.  What goes wrong is tried again next time."""
        changed = self._follower.changed()
        if not changed and not self._is_time() and inbox.is_empty(self._settings.home):
            return None
        with Memory.from_settings(self._settings, self._clock) as memory:
            swept = memory.sweep(changed=[each.source for each in changed])
        if swept.lock == DONE:
            self._follower.brought_in(changed)
            self._swept_ms = self._clock.now_ms()
        return swept

    def _is_time(self) -> bool:
        """Whether the last sweep is long ago; also if the clock was set back since."""
        if self._swept_ms is None:
            return True
        return not 0 <= self._clock.now_ms() - self._swept_ms < ANYWAY_MS
