"""What the journals say was dreamt of: each run leaves a line for each session it read.

The lines are on the disk before the tables are, so whoever was killed between the two finds them here; and if the
tables are lost, they are made again from the lines.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from noctuary.dream.night import Night
from noctuary.dreams import DreamRecord, DreamStatus, RunStatus, Trigger
from noctuary.ids import moment_of
from noctuary.store.dreams import record_of

Epoch = tuple[str, int]  # of a session


class Runs(NamedTuple):
    """The runs that the journals know of, whatever the tables have lost."""

    projects: Mapping[str, Collection[str]]  # that a run wrote to, by its id
    undone: Collection[str]


def runs_in_journals(night: Night) -> Runs:
    """Which runs wrote to which projects, and which were taken back."""
    projects: dict[str, set[str]] = {}
    undone: set[str] = set()
    for _, project, mark in _marks(night, None):
        if "undo" in mark:
            undone.add(str(mark["undo"]))
        elif isinstance(run := mark.get("run"), str):
            projects.setdefault(run, set()).add(project)
    return Runs(projects, undone)


def dreamt(night: Night, session_id: str | None = None) -> dict[Epoch, DreamRecord]:
    """Every completion that the journals say was read, or only those of a session.

    What was taken back since waits, and is held.
    """
    marks: dict[Epoch, DreamRecord] = {}
    undone: set[str] = set()
    for event_id, _, mark in _marks(night, session_id):
        if "undo" in mark:
            undone.add(str(mark["undo"]))
        elif record := _completed(event_id, mark):
            marks[record.session, record.epoch] = record
    return {epoch: _waiting_if_undone(night, record, undone) for epoch, record in marks.items()}


def _marks(night: Night, session_id: str | None) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """What dreams noted for themselves: the id of the event, its project, and the note."""
    for event_id, body in night.store.dreams.bookkeeping(night.owner, session_id):
        line = json.loads(body)
        mark = line.get("meta", {}).get("dream")
        if isinstance(mark, dict):
            yield event_id, line.get("project", ""), mark


def _completed(event_id: str, mark: Mapping[str, Any]) -> DreamRecord | None:
    """The completion that a line speaks of; None if it is of something else that dreams do."""
    at_ms, events = moment_of(event_id), mark.get("events", [])
    try:
        read = [mark[name] for name in ("session", "epoch", "first", "last", "run")]
        session, epoch, first, last, run = read
        states = (DreamStatus.COMPLETED.value, Trigger.SESSION_COUNT.value)
        times = (at_ms, 0, 0, at_ms, at_ms)  # recorded, attempts, not before, attempted, completed
        return record_of((session, epoch, *states, first, last, *times, None, None, run, [*events, event_id], None, 0))
    except (KeyError, TypeError, ValueError):
        return None


def _waiting_if_undone(night: Night, record: DreamRecord, undone: Collection[str]) -> DreamRecord:
    run = night.store.dreams.run(night.owner, record.run) if record.run else None
    if record.run in undone or (run is not None and run.status == RunStatus.UNDONE):
        return record._replace(status=DreamStatus.PENDING, completed_ms=None, run=None, artifacts=(), is_held=True)
    return record


def not_covered(session_id: str, records: Collection[DreamRecord], until_id: int, now_ms: int) -> list[DreamRecord]:
    """Completions for the messages up to the last that was completed and that none of these covers."""
    taken = {record.epoch for record in records}
    free = (number for number in count(1) if number not in taken)
    missing: list[DreamRecord] = []
    next_id = 1
    for first_id, last_id in [*sorted((one.first_id, one.last_id) for one in records), (until_id + 1, until_id)]:
        if next_id < first_id:
            waiting = (DreamStatus.PENDING, Trigger.SESSION_COUNT, next_id, first_id - 1, now_ms)
            missing.append(DreamRecord(session_id, next(free), *waiting))
        next_id = max(next_id, last_id + 1)
    return missing


def remember(night: Night, session_id: str) -> Sequence[DreamRecord]:
    """The completions of a session that the tables have lost and the journals know; they are in the tables then.

    If the tables know of no session at all, they are made again for every session.
    """
    dreams = night.store.dreams
    if not dreams.is_any(night.owner):
        dreams.save(night.owner, lost(night))
        return dreams.of_session(night.owner, session_id)
    found = [*dreamt(night, session_id).values()]
    dreams.save(night.owner, found)
    return found


def lost(night: Night, known: Mapping[Epoch, DreamRecord] | None = None) -> list[DreamRecord]:
    """Completions that the tables should have besides those that are known: read ones, and those still to be read."""
    have = dict(known or {})
    read = dreamt(night).items()
    made = {epoch: record for epoch, record in read if epoch not in have or _is_later(record, have[epoch])}
    have |= made
    of_session: dict[str, list[DreamRecord]] = {}
    for record in have.values():
        of_session.setdefault(record.session, []).append(record)
    covered = night.store.dreams.covered(night.owner)
    for session_id in sorted({*of_session, *covered}):
        until_id = covered.get(session_id, 0)
        missing = not_covered(session_id, of_session.get(session_id, ()), until_id, night.now_ms())
        made |= {(record.session, record.epoch): record for record in missing}
    return [made[epoch] for epoch in sorted(made)]


def _is_later(read: DreamRecord, known: DreamRecord) -> bool:
    """Whether the journal knows that a completion was read, and the tables still wait for it."""
    is_same = (read.first_id, read.last_id) == (known.first_id, known.last_id)
    return is_same and read.status is DreamStatus.COMPLETED and known.status is not DreamStatus.COMPLETED
