"""What nobody does by hand: what was left is closed, old reports and news are dropped.  No conversation is."""

from collections.abc import Sequence
from typing import NamedTuple

from noctuary.dream.life.completing import Failure, converge, record_each
from noctuary.dream.night import HOUR_MS, Night


class Tidied(NamedTuple):
    """What was tidied up."""

    is_due: bool  # if not, nothing was done
    closed: Sequence[str] = ()  # ids of sessions that had been idle
    recorded: Sequence[str] = ()  # ids of sessions that wait to be dreamt of now, or again
    removed_reports: int = 0
    failures: Sequence[Failure] = ()


def tidy(night: Night, *, is_forced: bool = False) -> Tidied:
    """Close active sessions that have been idle, and record all that ended; every `hygiene_hours`, or when forced.

    What goes wrong with one session does not keep the others from it: a later pass finds what this one missed.
    """
    is_due = _is_due(night)
    if not is_due and not is_forced:
        return Tidied(is_due=False)
    before_ms = night.now_ms() - round(night.settings.idle_hours * HOUR_MS)
    is_any = is_due or night.store.sessions.is_any_idle(night.owner, before_ms)
    closed, removed = _cleared(night, before_ms) if is_any else ([], 0)
    done, more = record_each(night, closed), converge(night)
    recorded = [*done.recorded, *(session for session in more.recorded if session not in set(done.recorded))]
    failures = dict.fromkeys([*done.failures, *more.failures])
    return Tidied(True, closed, recorded, removed, tuple(failures))


def _cleared(night: Night, before_ms: int) -> tuple[list[str], int]:
    """Close what is idle and drop what is old: the ids of what was closed, and how many reports were dropped."""
    now_ms = night.now_ms()
    with night.store.database.transaction():  # one that is cut off behind it leaves nothing: each run converges
        closed = night.store.sessions.end_idle(night.owner, before_ms, now_ms)
        state = night.store.dreams.state(night.owner)
        night.store.dreams.save_state(night.owner, state._replace(last_hygiene_ms=now_ms))
        night.store.requests.keep_changes(night.owner)  # they are written down whether or not anybody ever listens
        return closed, _remove_reports(night)


def _is_due(night: Night) -> bool:
    """Whether it is long ago, or the clock was set back so that nobody can tell."""
    last_ms = night.store.dreams.state(night.owner).last_hygiene_ms
    return not last_ms <= night.now_ms() < last_ms + night.settings.hygiene_hours * HOUR_MS


def _remove_reports(night: Night) -> int:
    days = night.settings.keep_reports_days
    return night.store.dreams.remove_runs(night.owner, night.now_ms() - round(days * 24 * HOUR_MS)) if days else 0
