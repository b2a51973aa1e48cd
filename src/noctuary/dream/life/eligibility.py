"""Whether a dream would read a session now, judged from what is stored; nothing is changed."""

from noctuary.dream.life.completing import covered_until
from noctuary.dream.night import Night
from noctuary.dreams import DreamRecord, DreamStatus, Eligibility
from noctuary.errors import SessionNotFound

LONGEST_WAIT_MS = 86_400_000  # what waits for longer was written before the clock was set back


def eligibility(night: Night, session_id: str) -> Eligibility:
    """Where a session stands; if several of its completions are not read yet, the first of them says it."""
    dreams, now_ms = night.store.dreams, night.now_ms()
    span = dreams.span(night.owner, session_id)
    if span is None:
        raise SessionNotFound(f"There is no session {session_id!r}; `noctuary sessions` lists them.")
    records = dreams.of_session(night.owner, session_id)
    if any(is_being_read(record, now_ms) for record in records):
        return Eligibility.BUSY
    unread = next((record for record in records if record.status is not DreamStatus.COMPLETED), None)
    if unread is not None:
        is_failed = unread.status is DreamStatus.FAILED
        return Eligibility.RETRY_AFTER_FAILURE if is_failed else Eligibility.ELIGIBLE
    if not records or span.last_id > covered_until(records, span):
        return Eligibility.NOT_COMPLETED
    return Eligibility.ALREADY_CONSOLIDATED


def is_being_read(record: DreamRecord, now_ms: int) -> bool:
    """Whether a run has the completion and has shown that it is alive."""
    is_alive = now_ms < (record.lease_ms or 0) <= now_ms + LONGEST_WAIT_MS
    return record.status is DreamStatus.RUNNING and is_alive
