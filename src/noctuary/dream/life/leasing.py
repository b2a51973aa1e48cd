"""Who reads a completion: a run takes it for a while, says that it is alive, and completes it, fails, or puts it back.

A run that was killed says nothing more, so its lease ends and the next run takes over.  Whoever was too slow finds at
the end that the completion is no longer theirs, and nothing of what they read is written.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from noctuary.dream.life.dreamt import dreamt
from noctuary.dream.life.eligibility import LONGEST_WAIT_MS, is_being_read
from noctuary.dream.night import Night
from noctuary.dreams import DreamRecord, DreamStatus, Trigger
from noctuary.errors import NotFree
from noctuary.redact import redact
from noctuary.store.database import Locking
from noctuary.store.dreams import Taken
from noctuary.text import clean

MINUTE_MS = 60_000
FIRST_WAIT_MS = 5 * MINUTE_MS
LEASE_MINUTES = 10
_LONGEST_REASON = 2_000
_LOOKED_AT = 16  # completions at a time: those before the first free one were taken by others just now


def claim(night: Night, run_id: str, record: DreamRecord, lease_minutes: int = LEASE_MINUTES) -> DreamRecord | None:
    """Take a completion for a run; None if somebody else has it or it was read meanwhile.

    A run that ends without a word counts as an attempt; after so many of them only a dream that somebody asks for
    tries again.
    """
    with night.store.database.transaction():
        current = _current(night, record)
        if current is None or current.status is not DreamStatus.RUNNING:  # as mostly
            return _take(night, run_id, current, lease_minutes)
    night.ledger.catch_up_all()  # it may have been killed when its lines were written, and nothing else
    with night.store.database.transaction():
        current = _current(night, record)
        is_running = current is not None and current.status is DreamStatus.RUNNING
        if current and is_running and not is_being_read(current, night.now_ms()) and _was_read(night, current):
            return None
        return _take(night, run_id, current, lease_minutes)


def _take(night: Night, run_id: str, current: DreamRecord | None, lease_minutes: int) -> DreamRecord | None:
    """Take a completion as it is now, unless somebody reads it or has read it; within a transaction."""
    now = night.now_ms()
    if current is None or current.status is DreamStatus.COMPLETED or is_being_read(current, now):
        return None
    attempts = current.attempts + (current.status is DreamStatus.RUNNING)
    claimed = current._replace(
        status=DreamStatus.RUNNING,
        attempts=attempts,
        is_held=current.is_held or attempts >= night.settings.max_attempts,
        last_attempt_ms=now,
        lease_owner=run_id,
        lease_ms=now + lease_minutes * MINUTE_MS,
        run=run_id,
    )
    night.store.dreams.save(night.owner, [claimed])
    return claimed


def claims(
    night: Night, run_id: str, records: Sequence[DreamRecord], *, is_asked: bool
) -> Iterator[DreamRecord | None]:
    """Completions, each taken for a run just before it is read; None for one that somebody else has or has read.

    Where many may read at once, whatever is first and free is taken, and nobody waits for anybody.
    """
    if not isinstance(night.store.database, Locking):
        for record in records:
            yield claim(night, run_id, record)
        return
    place = 0
    while place < len(records):
        taken = _take_next(night, run_id, records[place : place + _LOOKED_AT], is_asked=is_asked)
        place += taken.place if taken else _LOOKED_AT
        if taken and not _was_read_by_killed(night, taken):
            yield taken.record


def _take_next(night: Night, run_id: str, wanted: Sequence[DreamRecord], *, is_asked: bool) -> Taken | None:
    now = night.now_ms()
    until_ms, most_attempts = now + LEASE_MINUTES * MINUTE_MS, night.settings.max_attempts
    return night.store.dreams.take_next(night.owner, run_id, wanted, now, until_ms, most_attempts, is_asked=is_asked)


def _was_read_by_killed(night: Night, taken: Taken) -> bool:
    """Whether it was killed when its lines were written, and nothing else; then the tables say so, too."""
    if taken.killed_run is None:
        return False
    night.ledger.catch_up_all()
    with night.store.database.transaction():
        return _was_read(night, taken.record._replace(run=taken.killed_run))


def take_over(night: Night) -> None:
    """Let what killed runs had be read at once; only for the one who is alone: nobody else can be alive then."""
    night.store.dreams.end_leases(night.owner)


def heartbeat(night: Night, run_id: str, lease_minutes: int = LEASE_MINUTES) -> None:
    """Say that a run is alive: nobody takes over what it has."""
    until_ms = night.now_ms() + lease_minutes * MINUTE_MS
    night.store.dreams.renew_leases(night.owner, run_id, until_ms)


def complete(night: Night, record: DreamRecord, *, run: str, trigger: Trigger, artifacts: Sequence[str]) -> DreamRecord:
    """Note that a completion was read, in the transaction that writes what it gave.

    NotFree if it is somebody else's by now; then nothing of that transaction may be written.
    """
    with night.store.database.transaction():
        current, now = _current(night, record), night.now_ms()
        if current is not None and not _is_ours(current, record):
            raise NotFree(f"Session {record.session} was taken over by another run; nothing of this one was written.")
        if current is None and record.lease_owner and artifacts:
            raise NotFree(f"Session {record.session} was forgotten while it was read; nothing of it was written.")
        completed = record._replace(
            status=DreamStatus.COMPLETED,
            trigger=trigger,
            last_attempt_ms=now,
            completed_ms=now,
            next_attempt_ms=0,
            lease_owner=None,
            lease_ms=None,
            run=run,
            artifacts=tuple(artifacts),
            failure=None,
            is_held=False,
        )
        night.store.dreams.save(night.owner, [completed])
        night.store.dreams.remove_answers(night.owner, record.session)
    return completed


def fail(night: Night, record: DreamRecord, reason: str) -> DreamRecord:
    """Note that a completion could not be read, and why: it is tried again later, and later each time.

    After `max_attempts` only a dream that somebody asks for tries again.  What is somebody else's by now stays so.
    """
    attempts = record.attempts + 1
    return _give_up(
        night,
        record,
        status=DreamStatus.FAILED,
        attempts=attempts,
        next_attempt_ms=night.now_ms() + wait_ms(attempts),
        failure=_shown(reason),
        is_held=record.is_held or attempts >= night.settings.max_attempts,
    )


def put_back(night: Night, record: DreamRecord, reason: str, *, not_before_ms: int = 0) -> DreamRecord:
    """A completion waits again as it did, without counting as tried: there was no time or no money for it."""
    next_ms = min(not_before_ms, night.now_ms() + LONGEST_WAIT_MS)
    return _give_up(night, record, status=DreamStatus.PENDING, next_attempt_ms=next_ms, failure=_shown(reason))


def postpone(night: Night, records: Iterable[DreamRecord], not_before_ms: int) -> None:
    """Completions that nobody reads now are not tried before this time, unless somebody asks for it."""
    until_ms = min(not_before_ms, night.now_ms() + LONGEST_WAIT_MS)
    with night.store.database.transaction():
        known = (_current(night, record) for record in records)
        idle = [one for one in known if one is not None and one.status in (DreamStatus.PENDING, DreamStatus.FAILED)]
        later = [one._replace(next_attempt_ms=until_ms) for one in idle if one.next_attempt_ms < until_ms]
        night.store.dreams.save(night.owner, later)


def wait_ms(attempts: int) -> int:
    """How long to wait after so many failures: five minutes, then four times as long each time, at most a day."""
    return int(min(FIRST_WAIT_MS * 4 ** min(attempts - 1, 10), LONGEST_WAIT_MS))


def _give_up(night: Night, record: DreamRecord, **changed: Any) -> DreamRecord:
    with night.store.database.transaction():
        current = _current(night, record)
        if current is None or not _is_ours(current, record):
            return current or record
        given_up = record._replace(lease_owner=None, lease_ms=None, last_attempt_ms=night.now_ms(), **changed)
        night.store.dreams.save(night.owner, [given_up])
    return given_up


def _was_read(night: Night, record: DreamRecord) -> bool:
    """Whether the journal has what the killed run wrote of it; then the tables say so, too."""
    read = dreamt(night).get((record.session, record.epoch))
    if read is None or read.run != record.run:
        return False
    night.store.dreams.save(night.owner, [read._replace(trigger=record.trigger, recorded_ms=record.recorded_ms)])
    night.store.dreams.remove_answers(night.owner, record.session)
    return True


def _current(night: Night, record: DreamRecord) -> DreamRecord | None:
    records = night.store.dreams.of_session(night.owner, record.session)
    return next((one for one in records if one.epoch == record.epoch), None)


def _is_ours(current: DreamRecord, record: DreamRecord) -> bool:
    return current.status is not DreamStatus.COMPLETED and current.lease_owner == record.lease_owner


def _shown(reason: str) -> str:
    return redact(clean(reason))[:_LONGEST_REASON]
