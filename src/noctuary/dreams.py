"""What dreams leave behind: where each session stands, runs, and what a run reports."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from noctuary.proposals import Dropped, Spent


class DreamStatus(StrEnum):
    """Where a completed session stands."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"


class Eligibility(StrEnum):
    """Whether a dream would read a session now."""

    NOT_COMPLETED = "not_completed"
    ELIGIBLE = "eligible"
    RETRY_AFTER_FAILURE = "retry_after_failure"
    ALREADY_CONSOLIDATED = "already_consolidated"
    BUSY = "busy"


class Trigger(StrEnum):
    """Why a run began."""

    SESSION_COUNT = "session_count"
    TIME_ELAPSED = "time_elapsed"
    MANUAL = "manual"


class DreamRecord(NamedTuple):
    """One completion of a session: the messages that came since the one before, and what became of them."""

    session: str
    epoch: int  # from 1; a session that is resumed and ends again has another
    status: DreamStatus
    trigger: Trigger
    first_id: int  # of the messages of this completion
    last_id: int
    recorded_ms: int
    attempts: int = 0
    next_attempt_ms: int = 0  # not before, after a failure
    last_attempt_ms: int | None = None
    completed_ms: int | None = None
    lease_owner: str | None = None
    lease_ms: int | None = None  # until when whoever runs may be silent
    run: str | None = None  # that read it last
    artifacts: Sequence[str] = ()  # ids of the events that came of it
    failure: str | None = None
    is_held: bool = False  # its run was undone: only a dream that somebody asks for reads it again


class RunStatus(StrEnum):
    """How a run ended, if it did."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"  # another is running
    NOT_DUE = "not_due"
    UNDOING = "undoing"  # somebody is taking it back, or was killed while at it: the next run goes on with that
    UNDONE = "undone"


class Phase(NamedTuple):
    """One part of a run, and what it touched."""

    name: str
    summary: str
    touched: Sequence[str] = ()


class SessionReport(NamedTuple):
    """What became of one session in a run."""

    session: str
    epoch: int
    project: str
    status: DreamStatus
    events: Sequence[str] = ()  # ids of what was added
    failure: str | None = None


class ChangeKind(StrEnum):
    """What a run did to a memory."""

    ADDED = "added"
    PROPOSED = "proposed"  # waits for somebody to look at it
    MERGED = "merged"
    SUPERSEDED = "superseded"
    DISPUTED = "disputed"  # contradicts another, and nobody can say which is later
    DISTRUSTED = "distrusted"  # an agent had it remembered, and had only read it somewhere
    STALE = "stale"
    VERIFIED = "verified"
    EDITED = "edited"  # by hand, in MEMORY.md
    REMOVED = "removed"  # by hand, from MEMORY.md
    PRUNED = "pruned"  # from MEMORY.md, for want of room


class MemoryChange(NamedTuple):
    """What happened to a memory, and why."""

    kind: ChangeKind
    memory: str
    text: str
    why: str = ""
    project: str = ""


class PageReport(NamedTuple):
    """What was written of one project's pages."""

    project: str
    path: str  # of MEMORY.md
    lines: int  # that Noctuary keeps in it; none if there is nothing to say any more
    topics: int  # files of topics that were written


class Report(NamedTuple):
    """All that a run did."""

    run: str
    trigger: Trigger
    status: RunStatus
    started_ms: int
    finished_ms: int | None = None
    lock: str = "acquired"  # or busy; nested, if the process was started by a dream
    backend: str = "rules"
    phases: Sequence[Phase] = ()
    considered: int = 0
    processed: int = 0
    waiting: int = 0
    failed: int = 0
    sessions: Sequence[SessionReport] = ()
    kept: int = 0  # proposals that became events
    merged: int = 0  # proposals that were known and support what is
    dropped: Sequence[Dropped] = ()
    changes: Sequence[MemoryChange] = ()
    pages: Sequence[str] = ()  # files that were written
    spent: Spent = Spent()
    warnings: Sequence[str] = ()
    diff: str = ""  # of MEMORY.md, as a unified diff
    is_dry: bool = False
    written: Sequence[PageReport] = ()  # the same files as `pages`, by project
    looks_again: bool = False  # the lock was busy with a run of the same owner, which will read what waits
