"""Two states of the same owner's dreams become one: what either has read counts as read, and no message is in two."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from noctuary.dreams import DreamRecord, DreamStatus, RunStatus
from noctuary.proposals import Spent
from noctuary.store.dreams import DreamState, StoredRun


class State(NamedTuple):
    """All that is known of an owner's dreams."""

    state: DreamState
    records: Sequence[DreamRecord]
    runs: Sequence[StoredRun]
    spending: Mapping[str, Spent]  # by day


def merged_state(live: State, given: State) -> State:
    """What both know; where they differ, what is here stands, unless only the other has read it."""
    sessions = _by_session(live.records), _by_session(given.records)
    records = [
        record
        for session in sorted({*sessions[0], *sessions[1]})
        for record in _merged_session(sessions[0].get(session, []), sessions[1].get(session, []))
    ]
    runs = {run.id: run for run in given.runs}
    runs |= {run.id: run for run in live.runs if run.id not in runs or run.status != RunStatus.RUNNING}
    days = sorted({*live.spending, *given.spending})
    spent = {day: _greatest(live.spending.get(day, Spent()), given.spending.get(day, Spent())) for day in days}
    state = DreamState(
        max(live.state.last_success_ms, given.state.last_success_ms),
        max(live.state.last_hygiene_ms, given.state.last_hygiene_ms),
        live.state.follow_up or given.state.follow_up,
    )
    return State(state, records, [runs[run] for run in sorted(runs)], spent)


def _merged_session(live: Sequence[DreamRecord], given: Sequence[DreamRecord]) -> list[DreamRecord]:
    """Completions of a session that both know of, as far as they are of the same messages; then those of one of them.

    Never of both, or a message would be in two.
    """
    merged: list[DreamRecord] = []
    for place, (mine, other) in enumerate(zip_longest(live, given)):
        if mine is None or other is None or _place(mine) != _place(other):
            is_theirs = not _is_any_read(live[place:]) and (not live[place:] or _is_any_read(given[place:]))
            return [*merged, *(given if is_theirs else live)[place:]]
        is_read = other.status is DreamStatus.COMPLETED and mine.status is not DreamStatus.COMPLETED
        merged.append(other if is_read and not mine.is_held else mine)
    return merged


def _is_any_read(records: Iterable[DreamRecord]) -> bool:
    return any(record.status is DreamStatus.COMPLETED for record in records)


def _by_session(records: Iterable[DreamRecord]) -> dict[str, list[DreamRecord]]:
    found: dict[str, list[DreamRecord]] = {}
    for record in records:
        found.setdefault(record.session, []).append(record)
    return found


def _greatest(one: Spent, other: Spent) -> Spent:
    return Spent._make(max(pair) for pair in zip(one, other, strict=True))


def epoch_of(record: DreamRecord) -> tuple[str, int]:
    """What a completion is known by."""
    return record.session, record.epoch


def _place(record: DreamRecord) -> tuple[int, int, int]:
    return record.epoch, record.first_id, record.last_id
