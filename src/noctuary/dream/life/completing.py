"""A session completes: what was said since the last time waits to be dreamt of, once and only once.

However a session ends (somebody says so, it was idle, its transcript was imported), it comes here.  A session may end
and be resumed as often as it likes: each completion is an epoch of its own and begins where the one before ended.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from noctuary.dream.life.dreamt import remember
from noctuary.dream.night import HOUR_MS, Night
from noctuary.dreams import DreamRecord, DreamStatus, Trigger
from noctuary.errors import BadChange, NoctuaryError, SessionNotFound
from noctuary.records import Session, Status
from noctuary.store.dreams import Span


class Failure(NamedTuple):
    """A session with which something went wrong, and what."""

    session: str
    why: str

    def __str__(self) -> str:
        return f"Session {self.session}: {self.why}"


class Converged(NamedTuple):
    """What became of the sessions that had ended without anybody recording it."""

    recorded: Sequence[str]  # ids
    failures: Sequence[Failure] = ()


def record_completion(night: Night, session_id: str, *, trigger: Trigger = Trigger.SESSION_COUNT) -> DreamRecord:
    """Note that what was said in a session so far is complete; the last completion if nothing was said since.

    A session in which nothing was said has a completion that is completed at once.
    """
    dreams = night.store.dreams
    with night.store.database.transaction():
        span = dreams.span(night.owner, session_id)
        if span is None:
            raise SessionNotFound(f"There is no session {session_id!r}; `noctuary sessions` lists them.")
        records = dreams.of_session(night.owner, session_id) or remember(night, session_id)
        covered_id = covered_until(records, span)
        if records and span.last_id <= covered_id:
            if span.covered_id != covered_id:
                dreams.cover(night.owner, session_id, covered_id)
            return records[-1]
        record = _new(night, session_id, span, records, covered_id, trigger)
        dreams.save(night.owner, [record])
        dreams.cover(night.owner, session_id, record.last_id)
    return record


def covered_until(records: Sequence[DreamRecord], span: Span) -> int:
    """The last message that a completion covers.

    Completions that go further than the session are those of one that was forgotten, or of another machine.
    """
    last_id = max((record.last_id for record in records), default=0)
    return last_id if last_id <= span.last_id else span.covered_id


def _new(
    night: Night, session_id: str, span: Span, records: Sequence[DreamRecord], covered_id: int, trigger: Trigger
) -> DreamRecord:
    now_ms, is_empty = night.now_ms(), span.last_id <= covered_id
    return DreamRecord(
        session=session_id,
        epoch=max((record.epoch for record in records), default=0) + 1,
        status=DreamStatus.COMPLETED if is_empty else DreamStatus.PENDING,
        trigger=trigger,
        first_id=covered_id + 1,
        last_id=span.last_id,
        recorded_ms=now_ms,
        completed_ms=now_ms if is_empty else None,
    )


def end_session(night: Night, session_id: str) -> DreamRecord:
    """A session is over, now or since it was ended first; its completion.

    If that cannot be recorded the session has ended nevertheless, and `converge` records it later.
    """
    with night.store.database.transaction():
        number, session = _find(night, session_id)
        if session.status is not Status.ENDED:
            night.store.sessions.set_status(number, Status.ENDED, session.ended_ms or night.now_ms())
    return record_completion(night, session_id)


def suspend_session(night: Night, session_id: str) -> Session:
    """A session is left for a while: it will not be closed for being idle."""
    return _set_status(night, session_id, Status.SUSPENDED, "suspended")


def resume_session(night: Night, session_id: str) -> Session:
    """A suspended session goes on."""
    return _set_status(night, session_id, Status.ACTIVE, "resumed")


def converge(night: Night) -> Converged:
    """Record every session that ended without it; what was said later in one that had ended when it is quiet again."""
    before_ms = night.now_ms() - round(night.settings.idle_hours * HOUR_MS)
    return record_each(night, night.store.dreams.unrecorded(night.owner, before_ms))


def record_each(night: Night, session_ids: Iterable[str]) -> Converged:
    """Record the completion of each; one with which it fails does not keep the others from it."""
    given = [*session_ids]
    if not given:
        return Converged([])
    try:
        with night.store.database.transaction():  # one for all costs less than one for each
            for session_id in given:
                record_completion(night, session_id)
    except NoctuaryError:
        return _recorded_each_alone(night, given)
    return Converged(given)


def _recorded_each_alone(night: Night, session_ids: Sequence[str]) -> Converged:
    recorded: list[str] = []
    failures: list[Failure] = []
    for session_id in session_ids:
        try:
            record_completion(night, session_id)
        except NoctuaryError as error:
            failures.append(Failure(session_id, str(error)))
        else:
            recorded.append(session_id)
    return Converged(recorded, failures)


def _set_status(night: Night, session_id: str, status: Status, done: str) -> Session:
    with night.store.database.transaction():
        number, session = _find(night, session_id)
        if session.status is Status.ENDED:
            raise BadChange(f"Session {session_id} has ended, so it cannot be {done}; a new session can go on from it.")
        night.store.sessions.set_status(number, status, session.ended_ms)
    return session._replace(status=status)


def _find(night: Night, session_id: str) -> tuple[int, Session]:
    found = night.store.sessions.find(night.owner, session_id)
    if found is None:
        raise SessionNotFound(f"There is no session {session_id!r}; `noctuary sessions` lists them.")
    return found
