"""What people and agents author: the events of the journal.

An event says what was decided, found, rejected or done; who said it and when; which messages it rests on; and how far
it is trusted.  It is never edited: a correction is another event.  `change` is what the event does to the graph of the
work, spelled out, so that whoever reads the journal needs no rules to know what it did.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple


class EventType(StrEnum):
    """What an event says."""

    OPEN = "open"  # there is something new: a goal, a task, a decision to take …
    HYPOTHESIS = "hypothesis"
    FINDING = "finding"
    EVIDENCE = "evidence"
    DECISION = "decision"
    REJECTION = "rejection"
    CONSTRAINT = "constraint"
    PREFERENCE = "preference"
    CORRECTION = "correction"  # hides or replaces the event it corrects
    REOPEN = "reopen"
    SUPERSEDE = "supersede"  # a decision, a task or a memory holds no longer
    CLOSE = "close"
    REDIRECT = "redirect"  # the work goes another way from here
    RENAME = "rename"
    AMEND = "amend"  # a field of a node was set
    STATUS = "status"
    LINK = "link"
    UNLINK = "unlink"
    CONFIRM = "confirm"  # a suggested event is right, perhaps in other words
    RETRACT = "retract"  # an event should never have been
    REMEMBER = "remember"
    RETIRE = "retire"  # a memory holds no longer


class Author(StrEnum):
    """Who wrote an event."""

    USER = "user"
    AGENT = "agent"
    CLASSIFIER = "classifier"
    HOOK = "hook"
    DREAM = "dream"


class EventSource(StrEnum):
    """Through which door an event came."""

    CHAT = "chat"
    HOOK = "hook"
    MANUAL = "manual"
    CLI = "cli"
    API = "api"
    IMPORT = "import"
    DREAM = "dream"


class EventStatus(StrEnum):
    """Whether an event holds."""

    SUGGESTED = "suggested"  # nobody has looked at it yet
    CONFIRMED = "confirmed"
    RETRACTED = "retracted"


class Trust(StrEnum):
    """Where the content of an event comes from, in the end."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"
    WEB = "web"
    IMPORT = "import"


class Strength(StrEnum):
    """How much a piece of evidence proves."""

    WEAK = "weak"
    MEDIUM = "medium"
    STRONG = "strong"


class MessageRef(NamedTuple):
    """A message that an event rests on, and the words in it."""

    session: str
    id: int
    quote: str = ""
    line: int | None = None  # of the transcript


class Refs(NamedTuple):
    """What an event rests on."""

    messages: Sequence[MessageRef] = ()
    commits: Sequence[str] = ()
    files: Sequence[str] = ()
    events: Sequence[str] = ()


NO_REFS = Refs()


class Event(NamedTuple):
    """One line of the journal.  What the ledger fills in is empty until then: id, owner and when it was recorded."""

    type: EventType
    text: str = ""
    id: str = ""  # a ULID: later events have greater ones
    owner: str = ""
    project: str = ""
    node: str | None = None  # the task, goal or decision it belongs to
    ts_ms: int = 0  # when it happened; 0: now
    recorded_ms: int = 0
    author: Author = Author.USER
    source: EventSource = EventSource.API
    session: str | None = None  # of the agent that wrote it
    confidence: float | None = None
    strength: Strength | None = None
    refs: Refs = NO_REFS
    corrects: str | None = None
    supersedes: str | None = None  # an event, a node or a memory
    status: EventStatus = EventStatus.CONFIRMED
    trust: Trust = Trust.USER
    meta: Mapping[str, Any] = {}
    change: Mapping[str, Any] = {}  # see `ledger/fold.py`


class Entry(NamedTuple):
    """An event as it stands now, after all that was said about it later."""

    event: Event
    acts_as: EventType  # a correction stands for what it corrects
    status: EventStatus
    hidden_by: str | None = None  # the event that corrected or retracted it
    superseded_by: str | None = None

    @property
    def is_suggested(self) -> bool:
        """Whether nobody has confirmed it yet."""
        return self.status is EventStatus.SUGGESTED
