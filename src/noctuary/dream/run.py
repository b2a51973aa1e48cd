"""A run: what is due is read session by session, then pages are verified and written, and a report is kept.

Killed anywhere, nothing is lost and nothing is done twice: a session counts as read in the very transaction that
writes what it gave; one that was being read is free again when its lease ends; a page that is due is written by the
next run.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from noctuary.dream.changes import in_order
from noctuary.dream.life.completing import converge
from noctuary.dream.life.hygiene import tidy
from noctuary.dream.life.leasing import claims, postpone, take_over
from noctuary.dream.life.run_lock import ask_for_another, dream_lock, take_asked
from noctuary.dream.life.schedule import due, had_work, waiting_count
from noctuary.dream.merging.rewording import reword
from noctuary.dream.night import Night
from noctuary.dream.pages.edits import take_in_edits
from noctuary.dream.publishing import behind, folder_of, publish
from noctuary.dream.reading import OutOfBudget, Readings
from noctuary.dream.reports import from_json, to_json
from noctuary.dream.tally import Tally
from noctuary.dream.undoing import finish_undoing
from noctuary.dreams import DreamRecord, Report, RunStatus, Trigger
from noctuary.errors import NoctuaryError, StoreError
from noctuary.ids import ulid_after
from noctuary.models.extractor import Extractor
from noctuary.store.database import Locking
from noctuary.store.dreams import StoredRun

Progress = Callable[[int, int], None]
_LOOKED_AT = 5  # runs, the last: one that was killed is among them
MOST_FAILURES_IN_A_ROW = 3  # of a model that does not answer: each costs the user a wait


class Wanted(NamedTuple):
    """What somebody asks to be dreamt of; by default whatever waits."""

    sessions: Sequence[str] = ()
    project: str | None = None
    most: int | None = None


def dream(
    night: Night,
    extractor: Extractor,
    *,
    trigger: Trigger | None = None,
    wanted: Wanted = Wanted(),  # noqa: B008  # it cannot be changed
    user_home: Path | None = None,
    progress: Progress | None = None,
) -> Report:
    """Dream, if a trigger is given or it is due; the report, also if it was not or if another run is at it.

    On a database server other runs may be at it as well, on any machine: each session is read by one of them.
    """
    warnings: list[str] = []
    may_be_many = isinstance(night.store.database, Locking)
    if may_be_many and _is_anything_left(night):
        with dream_lock(night) as is_alone:
            if is_alone:
                warnings = _after_others(night)
    with dream_lock(night, with_others=True) as may_run:
        if not may_run:
            ask_for_another(night)
            looks_again = night.store.dreams.is_running(night.owner)  # nobody reads what is another owner's
            return not_run(night, extractor.name, RunStatus.SKIPPED, trigger)._replace(looks_again=looks_again)
        if not may_be_many:
            warnings = _after_others(night)
        with night.store.database.hurried():  # what it writes down is in the journal, which is on the disk each time
            take_asked(night)  # this is the run that was asked for
            report = _run_if_due(night, extractor, trigger, wanted, user_home, progress, warnings)
            follow_up = trigger and Trigger.SESSION_COUNT  # nobody asked for what was taken back, or failed just now
            while take_asked(night) and waiting_count(night):  # somebody came while we were at it
                _run_if_due(night, extractor, follow_up, Wanted(), user_home, progress, ())
    return report


def _is_anything_left(night: Night) -> bool:
    """Whether somebody is at it, or was killed; who it is shows only to one who is alone, and keeps others waiting."""
    return night.store.dreams.is_any_unfinished(night.owner, _LOOKED_AT)


def _after_others(night: Night) -> list[str]:
    """Clear up after runs that were killed; only for the one who is alone."""
    take_over(night)
    return _settle(night)


def _settle(night: Night) -> list[str]:
    """Say of runs that were killed that they are over, and finish what somebody was killed while taking back."""
    for run in night.store.dreams.running(night.owner, _LOOKED_AT):
        report = to_json(from_json(run.report)._replace(status=RunStatus.FAILED)) if run.report else None
        night.store.dreams.save_run(night.owner, run._replace(status=RunStatus.FAILED, report=report))
    try:
        finish_undoing(night)
    except NoctuaryError as error:  # what cannot be taken back must not keep everything else from being dreamt
        return [f"A dream that was to be taken back is still there: {error}"]
    return []


def _run_if_due(
    night: Night,
    extractor: Extractor,
    trigger: Trigger | None,
    wanted: Wanted,
    user_home: Path | None,
    progress: Progress | None,
    before: Sequence[str],
) -> Report:
    tidied = tidy(night, is_forced=trigger is Trigger.MANUAL)
    warnings = [*before, *tidied.failures, *(() if tidied.is_due else converge(night).failures)]  # which tidying did
    reason = trigger or due(night)
    if reason is None:
        return not_run(night, extractor.name, RunStatus.NOT_DUE, None)
    started_ms = night.now_ms()
    tally = Tally(
        ulid_after(night.store.dreams.newest_run(night.owner), started_ms),
        reason,
        started_ms,
        extractor.name,
        night.meter,
    )
    tally.warnings += map(str, warnings)
    try:
        _run(night, extractor, tally, wanted, user_home, progress)
    except BaseException:
        _save(night, tally.report(RunStatus.FAILED, night.now_ms(), waiting_count(night)))
        raise
    finished_ms = night.now_ms()
    report = tally.report(RunStatus.COMPLETED, finished_ms, waiting_count(night))
    if not had_work(report):
        _save(night, report)
        return report
    with night.store.database.transaction():
        _save(night, report)
        state = night.store.dreams.state(night.owner)
        night.store.dreams.save_state(night.owner, state._replace(last_success_ms=finished_ms))
    return report


def _run(
    night: Night, extractor: Extractor, tally: Tally, wanted: Wanted, user_home: Path | None, progress: Progress | None
) -> None:
    records = candidates(night, tally.trigger, wanted)
    tally.considered = len(records)
    if records or not isinstance(night.store.database, Locking):  # most workers of a team find nothing
        _save(night, tally.report(RunStatus.RUNNING, None, waiting_count(night)))
    tally.phase("orientation", f"{len(records)} completed sessions wait to be read.")
    known = night.store.journals.projects(night.owner) if tally.trigger is Trigger.MANUAL else ()
    for project in sorted({*_projects_of(night, records).values(), *known}):
        folder = folder_of(night, project) if night.settings.mirror else None  # else nothing there is read
        try:
            tally.changed(take_in_edits(night, project, folder))
        except StoreError as error:  # the page is said again, and why, when it is written
            tally.warnings.append(f"What was edited in the page of {project} could not be read: {error}")
    claimed = claims(night, tally.run, records, is_asked=tally.trigger is Trigger.MANUAL)
    done = _read_all(night, extractor, tally, records, claimed, progress)
    reword(night, tally, sorted(done))
    touched = sorted({*done, *night.store.pages.due(night.owner), *behind(night, known)})
    publish(night, tally, touched, user_home)
    tally.changes = in_order(night, tally.changes)


def _read_all(
    night: Night,
    extractor: Extractor,
    tally: Tally,
    records: Sequence[DreamRecord],
    claimed: Iterable[DreamRecord | None],
    progress: Progress | None,
) -> set[str]:
    """Read each session as it is taken; the projects that something was written to."""
    readings = Readings(night, tally, extractor)
    for place, record in enumerate(claimed):
        try:
            if record is not None:
                readings.read(record)
        except OutOfBudget as error:
            tally.warnings.append(f"{len(records) - place} sessions wait for the next run: {error.__cause__}")
            postpone(night, records[place:], error.not_before_ms)
            break
        if tally.failed_in_a_row() >= MOST_FAILURES_IN_A_ROW and place + 1 < len(records):
            left = len(records) - place - 1
            tally.warnings.append(f"{left} sessions were not tried, for the last {MOST_FAILURES_IN_A_ROW} all failed.")
            break
        if progress:
            progress(place + 1, len(records))
    readings.write()
    tally.phase(
        "extraction",
        f"{tally.kept} entries from {len(tally.sessions)} sessions; {tally.merged} were known, "
        f"{len(tally.dropped)} were dropped.",
        sorted(readings.projects),
    )
    return readings.projects


def candidates(night: Night, trigger: Trigger, wanted: Wanted) -> list[DreamRecord]:
    """The completions that a run would read now, the oldest conversation first."""
    is_asked = trigger is Trigger.MANUAL
    records = night.store.dreams.waiting(night.owner, night.now_ms(), is_asked=is_asked)
    if wanted.sessions:
        records = [record for record in records if record.session in wanted.sessions]
    if wanted.project is not None:
        projects = _projects_of(night, records)
        records = [record for record in records if projects.get(record.session, "") == wanted.project]
    return records[: wanted.most] if wanted.most is not None else records


def _projects_of(night: Night, records: Sequence[DreamRecord]) -> dict[str, str]:
    """The project of each session; one that was forgotten is of none."""
    known = night.store.sessions.projects_of(night.owner, [record.session for record in records])
    return {record.session: known.get(record.session) or "" for record in records}


def not_run(night: Night, backend: str, status: RunStatus, trigger: Trigger | None) -> Report:
    """The report of a run that was none; it is not kept."""
    now_ms, waiting = night.now_ms(), waiting_count(night)
    return Report(
        run="",
        trigger=trigger or Trigger.SESSION_COUNT,
        status=status,
        started_ms=now_ms,
        finished_ms=now_ms,
        lock="busy" if status is RunStatus.SKIPPED else "acquired",
        backend=backend,
        considered=waiting,
        waiting=waiting,
    )


def _save(night: Night, report: Report) -> None:
    stored = StoredRun(
        report.run, report.status, report.trigger, report.started_ms, report.finished_ms, to_json(report)
    )
    try:
        night.store.dreams.save_run(night.owner, stored)
    except NoctuaryError:
        if report.status is not RunStatus.FAILED:  # what failed is told by its own error
            raise
