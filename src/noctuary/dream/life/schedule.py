"""When to dream: enough sessions wait, or some have waited long enough.  Judged from what is stored alone."""

from noctuary.dream.night import HOUR_MS, Night
from noctuary.dream.reports import from_json
from noctuary.dreams import Report, RunStatus, Trigger


def due(night: Night) -> Trigger | None:
    """Why a dream should begin now; None if it should not, or if dreams by themselves are switched off.

    Time counts from the last dream that had anything to do; from a completion that was there before that and was not
    read, if there is one, as when a dream was over something else; and from the first completion before any dream.
    """
    now_ms, settings = night.now_ms(), night.settings
    waiting = night.store.dreams.sessions_waiting(night.owner, now_ms)
    if not settings.enabled or not waiting.ready:
        return None
    if waiting.ready >= settings.session_count:
        return Trigger.SESSION_COUNT
    times = [time for time in (night.store.dreams.state(night.owner).last_success_ms, waiting.since_ms) if time]
    is_early = max(times, default=0) <= now_ms < min(times, default=0) + settings.time_hours * HOUR_MS
    return None if is_early else Trigger.TIME_ELAPSED  # also if the clock was set back: else it would not be for long


def had_work(report: Report) -> bool:
    """Whether a run found anything to do; one that did not makes nobody wait for the next."""
    return bool(report.processed or report.changes or report.pages)


def last_success_ms(night: Night) -> int:
    """When the last run ended that went well and had anything to do; a run whose report is lost counts as one."""
    runs = night.store.dreams.runs(night.owner, most=1_000)
    done = (run for run in runs if run.status == RunStatus.COMPLETED)
    return next((run.finished_ms or 0 for run in done if not run.report or had_work(from_json(run.report))), 0)


def waiting_count(night: Night) -> int:
    """How many sessions wait to be read, also those that failed and wait for their time; without those held back."""
    return night.store.dreams.sessions_waiting(night.owner, night.now_ms()).all
