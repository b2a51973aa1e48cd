"""The state of dreams as a file: written beside a snapshot, read strictly, and never put over what is newer unasked.

What can be read here can be stored, and what is stored can be read here: both are checked by the same rules.  The same
state always gives the same bytes.
"""

import json
import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from noctuary.dream.life.states import State, epoch_of, merged_state
from noctuary.dream.night import Night
from noctuary.dream.reports import from_json
from noctuary.dreams import DreamRecord, RunStatus, Trigger
from noctuary.errors import BadInput, StoreDamaged
from noctuary.proposals import Spent
from noctuary.store import Store
from noctuary.store.dreams import DreamState, StoredRun, record_from, record_of, state_of

VERSION = 1
_SPENT = Spent._fields
_KEYS = ("version", "state", "sessions", "runs", "spending")
_Made = TypeVar("_Made")


class Restored(NamedTuple):
    """What a restore came to."""

    records: int  # that were written
    runs: int
    is_skipped: bool = False  # what is here is newer, or the same
    why: str = ""


def state_bytes(store: Store, owner: str) -> bytes:
    """The state of an owner's dreams as a file; StoreDamaged if it cannot be read."""
    return _written(_stored(store, owner))


def read_state(content: bytes) -> State:
    """The state in a file; BadInput that names what is wrong with it."""
    try:
        given = json.loads(content.decode())
        json.dumps(given, ensure_ascii=False, allow_nan=False).encode()  # half a character, or a number that is none
        return _parsed(given)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadInput(f"This is no dream state that can be restored: {error}. Nothing was changed.") from None


def restore_state(night: Night, content: bytes, *, over_newer: bool = False) -> Restored:
    """Put the state of a file into the tables.

    Unasked nothing newer is replaced: what either knows is kept, and what one of them has read counts as read.  With
    `over_newer` the state is exactly that of the file.
    """
    given = read_state(content)
    dreams, owner = night.store.dreams, night.owner
    with night.store.database.transaction():
        if over_newer:
            dreams.remove_rows(owner, dreams.dump(owner))
            dreams.uncover_all(owner)
            _write(night, given)
            return Restored(len(given.records), len(given.runs))
        live = _stored(night.store, owner)
        merged = merged_state(live, given)
        changed, runs = _new(live.records, merged.records), _new(live.runs, merged.runs)
        gone = set(map(epoch_of, live.records)) - set(map(epoch_of, merged.records))
        dreams.remove_rows(owner, {"sessions": [*gone]})
        _write(night, merged._replace(records=changed, runs=runs))
    if merged == live:
        return Restored(
            0, 0, is_skipped=True, why="What is here is as new as the file, or newer; it was left as it is."
        )
    return Restored(len(changed), len(runs))


def _parsed(given: Any) -> State:
    _check_keys("it", given, _KEYS)
    if type(given["version"]) is not int or given["version"] < 1:
        raise ValueError(f"its version is {given['version']!r}")
    if given["version"] > VERSION:
        raise ValueError("it was written by a newer Noctuary. Upgrade: pip install -U noctuary")
    state = _named("its state", given["state"], DreamState._fields, state_of)
    records = _list("session", given["sessions"], DreamRecord._fields, record_of)
    runs = _list("run", given["runs"], StoredRun._fields, run_of)
    spending = _list("day", given["spending"], ("day", *_SPENT), spending_of)
    _check_order("sessions", [epoch_of(record) for record in records])
    _check_order("runs", [run.id for run in runs])
    _check_order("days", [day for day, _ in spending])
    return State(state, records, runs, dict(spending))


def run_of(values: Sequence[Any]) -> StoredRun:
    """The run that these values are; ValueError that names what is wrong with them."""
    run = StoredRun(*values)
    times = (run.started_ms, 0 if run.finished_ms is None else run.finished_ms)
    if type(run.id) is not str or not all(type(time) is int and 0 <= time < 1 << 63 for time in times):
        raise ValueError(f"run {run.id!r} is from {run.started_ms!r} to {run.finished_ms!r}")
    if run.report is not None:
        _check_report(run)
    return run._replace(status=RunStatus(run.status).value, trigger=Trigger(run.trigger).value)


def _check_report(run: StoredRun) -> None:
    try:
        if type(run.report) is not str:
            raise TypeError
        from_json(run.report)
    except (StoreDamaged, TypeError):
        raise ValueError(f"the report of run {run.id!r} cannot be read") from None


def spending_of(values: Sequence[Any]) -> tuple[str, Spent]:
    """A day, and what models cost on it; ValueError that names what is wrong with it."""
    day, calls, tokens_in, tokens_out, dollars = values
    is_counted = all(type(number) is int and 0 <= number < 1 << 63 for number in values[1:4])
    if type(day) is not str or not is_counted or type(dollars) not in (int, float) or not 0 <= dollars < math.inf:
        raise ValueError(f"what was spent on {day!r} is {list(values[1:])}")
    return day, Spent(calls, tokens_in, tokens_out, float(dollars))


def _list(what: str, given: Any, names: tuple[str, ...], made: Callable[[Sequence[Any]], _Made]) -> list[_Made]:
    if not isinstance(given, list):
        raise ValueError(f"it has no list of {what}s")
    return [_named(f"{what} {place}", each, names, made) for place, each in enumerate(given, 1)]


def _named(what: str, given: Any, names: tuple[str, ...], made: Callable[[Sequence[Any]], _Made]) -> _Made:
    _check_keys(what, given, names)
    try:
        return made([given[name] for name in names])
    except (ValueError, TypeError) as error:
        raise ValueError(f"{what}: {error}") from None


def _check_keys(what: str, given: Any, names: Iterable[str]) -> None:
    if not isinstance(given, dict):
        raise ValueError(f"{what} is no object")
    if wrong := sorted(given.keys() ^ set(names)):
        raise ValueError(f"{what} has a field too many or too few: {', '.join(wrong)}")


def _check_order(what: str, keys: Sequence[Any]) -> None:
    """Refuse what is there twice, or not in the one order in which the same state is always written."""
    for before, after in pairwise(keys):
        if not before < after:
            raise ValueError(f"its {what} are not in order: {after} comes after {before}")


def _stored(store: Store, owner: str) -> State:
    """What is in the tables; StoreDamaged if it cannot be read."""
    rows = store.dreams.dump(owner)
    try:
        state = state_of(rows["state"][0]) if rows["state"] else DreamState()
        records = sorted((record_from(row) for row in rows["sessions"]), key=epoch_of)
        runs = sorted((run_of(row) for row in rows["runs"]), key=lambda run: run.id)
        return State(state, records, runs, dict(sorted(spending_of(row) for row in rows["spending"])))
    except ValueError as error:
        raise StoreDamaged(
            f"The dream state cannot be read ({error}). Nothing was changed. "
            "`noctuary dream heal` keeps a copy of it and makes it again from the journal."
        ) from None


def _written(state: State) -> bytes:
    content = {
        "version": VERSION,
        "state": state.state._asdict(),
        "sessions": [record._asdict() for record in state.records],
        "runs": [run._asdict() for run in state.runs],
        "spending": [{"day": day, **spent._asdict()} for day, spent in state.spending.items()],
    }
    return (json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def _write(night: Night, state: State) -> None:
    dreams, owner = night.store.dreams, night.owner
    dreams.save(owner, state.records)
    for run in state.runs:
        dreams.save_run(owner, run)
    dreams.save_spending(owner, state.spending)
    dreams.save_state(owner, state.state)
    for session in {record.session for record in state.records}:
        last_id = max(record.last_id for record in dreams.of_session(owner, session))
        dreams.cover(owner, session, last_id)


def _new(before: Iterable[_Made], after: Iterable[_Made]) -> list[_Made]:
    known = set(before)
    return [each for each in after if each not in known]
