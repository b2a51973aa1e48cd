"""When to dream: enough sessions wait, or some have waited long enough.  Judged from what is stored alone."""

from noctuary.dream.night import HOUR_MS, Night
from noctuary.dreams import Trigger


def due(night: Night) -> Trigger | None:
    """Why a dream should begin now; None if it should not, or if dreams by themselves are switched off.

    The first dream ever is due as long after the first completion as any other after the dream before it.
    """
    now_ms, settings = night.now_ms(), night.settings
    waiting = night.store.dreams.sessions_waiting(night.owner, now_ms)
    if not settings.enabled or not waiting.ready:
        return None
    if waiting.ready >= settings.session_count:
        return Trigger.SESSION_COUNT
    since_ms = night.store.dreams.state(night.owner).last_success_ms or waiting.since_ms or 0
    is_early = since_ms <= now_ms < since_ms + settings.time_hours * HOUR_MS
    return None if is_early else Trigger.TIME_ELAPSED  # also if the clock was set back: else it would not be for long


def waiting_count(night: Night) -> int:
    """How many sessions wait to be read, also those that failed and wait for their time; without those held back."""
    return night.store.dreams.sessions_waiting(night.owner, night.now_ms()).all
