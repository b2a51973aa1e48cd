"""Dreams in the database: completions of sessions, runs, what models cost, and pages as they were written."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from noctuary.dreams import DreamRecord, DreamStatus, Trigger
from noctuary.errors import StoreDamaged
from noctuary.proposals import Spent
from noctuary.store.database import Database, Row, Value
from noctuary.store.sessions import like_beginning

EVERYTHING = 1_000_000_000
_HEAL = "Nothing was changed. `noctuary dream heal` keeps a copy of it and makes it again from the journal."


class DreamState(NamedTuple):
    """What is known of an owner's dreams as a whole."""

    last_success_ms: int = 0
    last_hygiene_ms: int = 0
    follow_up: bool = False  # somebody wanted a run while one was running


class StoredRun(NamedTuple):
    """A run, and its report as it was written."""

    id: str
    status: str
    trigger: str
    started_ms: int
    finished_ms: int | None
    report: str | None  # JSON


class Waiting(NamedTuple):
    """How many sessions a dream has before it."""

    all: int
    ready: int = 0  # those that wait for nothing but a run
    since_ms: int | None = None  # when the first of these was recorded


class Uncovered(NamedTuple):
    """How many sessions have something in them that no completion covers."""

    over: int  # they have ended, or nothing has happened in them for long
    open: int
    first_ms: int | None = None  # when something happened in the open ones; in the one that is quiet for longest


class Span(NamedTuple):
    """How far a session goes, and how far completions cover it."""

    no: int
    status: str
    last_id: int
    covered_id: int


class Taken(NamedTuple):
    """A completion that a run has taken, and the run that was killed over it, if any was."""

    record: DreamRecord
    killed_run: str | None
    place: int  # among those that were wanted, from 1


class Dreams:
    """The dreams of all owners; every call names the owner."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def of_session(self, owner: str, session: str) -> list[DreamRecord]:
        """The completions of a session, the first first."""
        return [record_from(row) for row in self.database.fetch("dream_records_of", owner=owner, session=session)]

    def waiting(self, owner: str, at_ms: int, *, is_asked: bool, most: int = EVERYTHING) -> list[DreamRecord]:
        """What a dream could read at this time, in the order in which the conversations went on.

        What failed waits for its time, and what was undone for somebody to ask; with `is_asked` neither does.
        """
        rows = self.database.fetch("dream_records_waiting", owner=owner, at_ms=at_ms, is_asked=is_asked, most=most)
        return [record_from(row) for row in rows]

    def take_next(
        self,
        owner: str,
        run: str,
        wanted: Sequence[DreamRecord],
        at_ms: int,
        until_ms: int,
        most_attempts: int,
        *,
        is_asked: bool,
    ) -> "Taken | None":
        """Take the first of these that still waits and that nobody is taking at this moment; None if there is none.

        Only where many may do so at once: see `Locking`.
        """
        rows = self.database.fetch(
            "take_next_dream_record",
            owner=owner,
            run=run,
            wanted=json.dumps([(record.session, record.epoch) for record in wanted]),
            at_ms=at_ms,
            until_ms=until_ms,
            most_attempts=most_attempts,
            is_asked=is_asked,
        )
        return Taken(record_from(rows[0][:-2]), rows[0][-2], rows[0][-1]) if rows else None

    def sessions_waiting(self, owner: str, at_ms: int) -> Waiting:
        """How many sessions wait at this time; those that are held back are left out."""
        return Waiting(*self.database.fetch("sessions_waiting", owner=owner, at_ms=at_ms)[0])

    def is_any(self, owner: str) -> bool:
        """Whether there is any completion at all."""
        return bool(self.database.fetch("any_dream_record", owner=owner))

    def where(
        self, owner: str, *, status: DreamStatus | None = None, run: str | None = None, most: int = EVERYTHING
    ) -> list[DreamRecord]:
        """Completions by their status, or by the run that read them, in the order of the sessions' ids."""
        if run is None:
            rows = self.database.fetch("dream_records_where", owner=owner, status=status, most=most)
        else:
            rows = self.database.fetch("dream_records_of_run", owner=owner, run=run, status=status, most=most)
        return [record_from(row) for row in rows]

    def counts(self, owner: str) -> dict[tuple[DreamStatus, bool], int]:
        """How many completions are pending, running and failed; those held back apart."""
        rows = self.database.fetch("dream_counts", owner=owner)
        return {(DreamStatus(status), bool(held)): count for status, held, count in rows}

    def completed_count(self, owner: str) -> int:
        """How many completions have been read."""
        return int(self.database.fetch("completed_dreams", owner=owner)[0][0])

    def save(self, owner: str, records: Iterable[DreamRecord]) -> None:
        """Write completions, new or changed."""
        self.database.run_many("save_dream_record", [_row(owner, record) for record in records])

    def cover(self, owner: str, session: str, last_id: int) -> None:
        """Note up to which message completions cover a session."""
        self.database.fetch("cover_session", owner=owner, session=session, last_id=last_id)

    def covered(self, owner: str) -> dict[str, int]:
        """Up to which message sessions are covered, by id; reads every session."""
        return dict(self.database.fetch("covered_sessions", owner=owner))

    def uncover_all(self, owner: str) -> None:
        """Note that no completion covers anything."""
        self.database.fetch("uncover_sessions", owner=owner)

    def bookkeeping(self, owner: str, session: str | None = None) -> list[tuple[str, str]]:
        """Ids and lines of the journals' bookkeeping, the oldest first: all, or what was written of one session."""
        if session is None:
            return self.database.fetch("dream_bookkeeping", owner=owner)
        return self.database.fetch("dream_bookkeeping_of", owner=owner, session=session)

    def span(self, owner: str, session: str) -> Span | None:
        """How far a session goes; None if there is none."""
        rows = self.database.fetch("session_span", owner=owner, session=session)
        return Span(*rows[0]) if rows else None

    def unrecorded(self, owner: str, before_ms: int, most: int = EVERYTHING) -> list[str]:
        """Sessions that ended with messages that no completion covers; resumed ones if they are quiet since."""
        rows = self.database.fetch("unrecorded_sessions", owner=owner, before_ms=before_ms, most=most)
        return [row[0] for row in rows]

    def uncovered(self, owner: str, before_ms: int) -> Uncovered:
        """How many sessions wait to be completed, and how many are open because something happened in them since."""
        return Uncovered(*self.database.fetch("sessions_to_complete", owner=owner, before_ms=before_ms)[0])

    def renew_leases(self, owner: str, lease_owner: str, until_ms: int) -> None:
        """Say that whoever runs is alive."""
        self.database.fetch("renew_dream_leases", owner=owner, lease_owner=lease_owner, lease_ms=until_ms)

    def end_leases(self, owner: str) -> None:
        """Say that nobody who was reading is alive any more."""
        self.database.fetch("end_dream_leases", owner=owner)

    def remove(self, owner: str, session: str | None = None) -> None:
        """Forget the completions of a session, or all."""
        self.database.fetch("remove_dream_records", owner=owner, session=session)

    def state(self, owner: str) -> DreamState:
        """What is known of the dreams as a whole."""
        rows = self.database.fetch("dream_state", owner=owner)
        try:
            return state_of(rows[0]) if rows else DreamState()
        except ValueError as error:
            raise StoreDamaged(f"The dream state cannot be read ({error}). {_HEAL}") from None

    def save_state(self, owner: str, state: DreamState) -> None:
        """Write what is known of the dreams as a whole."""
        last_success_ms, last_hygiene_ms, follow_up = state
        self.database.fetch(
            "save_dream_state",
            owner=owner,
            last_success_ms=last_success_ms,
            last_hygiene_ms=last_hygiene_ms,
            follow_up=follow_up,
        )

    def save_run(self, owner: str, run: StoredRun) -> None:
        """Write a run, new or changed."""
        self.database.fetch("save_dream_run", owner=owner, **run._asdict())

    def runs(self, owner: str, most: int = 20) -> list[StoredRun]:
        """Runs, the newest first."""
        return [StoredRun(*row) for row in self.database.fetch("dream_runs", owner=owner, most=most)]

    def newest_run(self, owner: str) -> str:
        """The id of the run that began last, without its report, which may be long; empty if there is none."""
        rows = self.database.fetch("newest_dream_run", owner=owner)
        return rows[0][0] if rows else ""

    def running(self, owner: str, among: int) -> list[StoredRun]:
        """Those of the last few runs that have not ended, the newest first."""
        return [StoredRun(*row) for row in self.database.fetch("running_dream_runs", owner=owner, most=among)]

    def is_any_unfinished(self, owner: str, among: int) -> bool:
        """Whether one of the last few runs has not ended, a session is being read, or a run being taken back."""
        return bool(self.database.fetch("is_any_dream_unfinished", owner=owner, most=among))

    def runs_before(self, owner: str, before: str | None, most: int) -> list[StoredRun]:
        """Runs that began before one, the newest first; from the last on if it is None."""
        rows = self.database.fetch("dream_runs_before", owner=owner, before=before, most=most)
        return [StoredRun(*row) for row in rows]

    def run(self, owner: str, run_id: str) -> StoredRun | None:
        """One run, or None."""
        rows = self.database.fetch("find_dream_run", owner=owner, id=run_id)
        return StoredRun(*rows[0]) if rows else None

    def is_running(self, owner: str) -> bool:
        """Whether the run that began last and has not ended is this owner's, for whoever knows that one is running."""
        return self.database.fetch("is_newest_running_dream", owner=owner) == [(1,)]

    def runs_being_undone(self, owner: str) -> list[StoredRun]:
        """Runs that somebody began to take back, the newest first."""
        return [StoredRun(*row) for row in self.database.fetch("dream_runs_being_undone", owner=owner)]

    def runs_beginning_with(self, owner: str, prefix: str) -> list[str]:
        """Ids of runs that begin so, at most eleven, the newest first."""
        return [row[0] for row in self.database.fetch("dream_runs_like", owner=owner, prefix=like_beginning(prefix))]

    def remove_runs(self, owner: str, before_ms: int) -> int:
        """Forget runs that began before, but never the last one; what they did stays.  How many were forgotten."""
        return len(self.database.fetch("remove_dream_runs", owner=owner, before_ms=before_ms))

    def spent_on(self, owner: str, day: str) -> Spent:
        """What models cost on a day, such as 2026-02-26."""
        rows = self.database.fetch("dream_spending", owner=owner, day=day)
        return Spent(*rows[0]) if rows else Spent()

    def spent_since(self, owner: str, day: str) -> dict[str, Spent]:
        """What models cost on each day from this one on; days without cost are left out."""
        rows = self.database.fetch("dream_spending_since", owner=owner, day=day)
        return {row[0]: Spent(*row[1:]) for row in rows}

    def spend(self, owner: str, day: str, spent: Spent) -> None:
        """Add to what models cost on a day."""
        self.database.fetch("add_dream_spending", owner=owner, day=day, **spent._asdict())

    def save_spending(self, owner: str, days: Mapping[str, Spent]) -> None:
        """Set what models cost on these days."""
        self.database.run_many("save_dream_spending", [(owner, day, *spent) for day, spent in days.items()])

    def answer(self, owner: str, session: str, key: str) -> str | None:
        """What a model answered about part of a session, if it was asked before."""
        rows = self.database.fetch("dream_answer", owner=owner, session=session, key=key)
        return rows[0][0] if rows else None

    def save_answer(self, owner: str, session: str, key: str, answer: str) -> None:
        """Keep what a model answered until the session is completed."""
        self.database.fetch("save_dream_answer", owner=owner, session=session, key=key, answer=answer)

    def remove_answers(self, owner: str, session: str) -> None:
        """Drop what models answered about a session."""
        self.database.fetch("remove_dream_answers", owner=owner, session=session)

    def dump(self, owner: str) -> Mapping[str, list[Row]]:
        """The whole state as it is, parsable or not: the same state always gives the same."""
        names = {"sessions": "dump_dream_sessions", "runs": "dump_dream_runs"}
        names |= {"spending": "dump_dream_spending", "state": "dream_state"}
        return {name: self.database.fetch(query, owner=owner) for name, query in names.items()}

    def remove_rows(self, owner: str, rows: Mapping[str, Iterable[Row]]) -> None:
        """Remove rows of a dump, whatever is in them."""
        keys = {"sessions": ("remove_dream_record", 2), "runs": ("remove_dream_run", 1)}
        keys |= {"spending": ("remove_dream_spending", 1)}
        for name, (query, width) in keys.items():
            self.database.run_many(query, [(owner, *row[:width]) for row in rows.get(name, ())])


def record_from(row: Row) -> DreamRecord:
    """The completion of a row; StoreDamaged if it is none, never an empty one instead."""
    try:
        return record_in(row)
    except ValueError as error:
        raise StoreDamaged(f"The dream state of session {row[0]!r} cannot be read ({error}). {_HEAL}") from None


def record_in(row: Row) -> DreamRecord:
    """The completion of a row; ValueError that names what is wrong with it."""
    if type(row[14]) is not str:
        raise ValueError(f"artifacts is {row[14]!r}")
    return record_of((*row[:14], json.loads(row[14]), *row[15:]))


def state_of(values: Sequence[Any]) -> DreamState:
    """What is known as a whole, of these values; ValueError that names what is wrong with them."""
    last_success_ms, last_hygiene_ms, follow_up = values
    if not all(type(time) is int and 0 <= time < 1 << 63 for time in values[:2]) or follow_up not in (0, 1):
        raise ValueError(f"last success, last hygiene and follow-up are {list(values)}")
    return DreamState(last_success_ms, last_hygiene_ms, bool(follow_up))


_NUMBERS = {name for name in DreamRecord._fields if name.endswith(("_ms", "_id"))} | {"epoch", "attempts"}
_MAY_BE_MISSING = {"last_attempt_ms", "completed_ms", "lease_owner", "lease_ms", "run", "failure"}


def record_of(values: Sequence[Any]) -> DreamRecord:
    """The completion that these values are, artifacts as a list; ValueError that names what is wrong with them."""
    given = dict(zip(DreamRecord._fields, values, strict=True))
    for name, value in given.items():
        if not _is_possible(name, value):
            raise ValueError(f"{name} is {value!r}")
    if given["epoch"] < 1 or given["first_id"] < 1 or given["last_id"] < given["first_id"] - 1:
        raise ValueError(f"epoch {given['epoch']} is of messages {given['first_id']} to {given['last_id']}")
    given |= {"status": DreamStatus(given["status"]), "trigger": Trigger(given["trigger"])}
    return DreamRecord(**given | {"artifacts": tuple(given["artifacts"]), "is_held": bool(given["is_held"])})


def _is_possible(name: str, value: object) -> bool:
    if value is None:
        return name in _MAY_BE_MISSING
    if name == "artifacts":
        return isinstance(value, list) and all(type(artifact) is str for artifact in value)
    if name == "is_held":
        return value in (0, 1)
    if name in _NUMBERS:
        return type(value) is int and 0 <= value < 1 << 63
    return type(value) is str


def _row(owner: str, record: DreamRecord) -> tuple[Value, ...]:
    return (owner, *record[:14], json.dumps(list(record.artifacts)), record.failure, record.is_held)
