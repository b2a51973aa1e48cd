"""What Noctuary knows about: sessions, messages, and what a search finds.

Records are tuples with names, so they cannot be changed, and carry no behaviour beyond derived facts.  A frozen
dataclass takes six times as long to make, which every import and every search would pay by the thousand.  Times are
milliseconds since 1970 in UTC, because that is what transcripts hold and what both databases compare fastest.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

BROUGHT = "import"  # the source of a session that another tool kept: nobody vouches for who said what in it


class Role(StrEnum):
    """Who speaks in a message."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Kind(StrEnum):
    """What sort of entry a message is."""

    TEXT = "text"
    THINKING = "thinking"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    SUMMARY = "summary"


class Hidden(StrEnum):
    """Why a message is not part of the conversation as people see it."""

    INJECTED = "injected"  # context, command tags and notices that no human typed; found by search, but last
    RECALLED = "recalled"  # our own answer quoted back; never found, or memory would echo itself
    REWOUND = "rewound"  # on a branch the user took back; never found


class Relation(StrEnum):
    """How a session relates to its parent."""

    SUBAGENT = "subagent"
    FORK = "fork"
    RESUME = "resume"


class Status(StrEnum):
    """Where a session stands."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    ENDED = "ended"


class TitleSource(StrEnum):
    """Where a title comes from; a later member never replaces an earlier one."""

    GIVEN = "given"  # a person or the agent's own interface named the session
    SUMMARY = "summary"  # the agent summarised it
    PROMPT = "prompt"  # the first thing a human said in it


class Message(NamedTuple):
    """One entry of a session, verbatim but for redacted secrets.  `id` is its place in the session, from 1."""

    role: Role
    content: str
    kind: Kind = Kind.TEXT
    id: int = 0
    ts_ms: int = 0
    tool_name: str | None = None
    tool_calls: str | None = None  # JSON: what was called, as the agent wrote it
    call_id: str | None = None  # joins a tool call with its result
    hidden: Hidden | None = None
    source_line: int | None = None
    uid: str | None = None  # the same entry of the same transcript always has the same one


class Session(NamedTuple):
    """One conversation of one agent."""

    id: str
    owner: str = ""
    agent: str | None = None
    project: str | None = None
    title: str | None = None
    title_source: TitleSource | None = None
    cwd: str | None = None
    branch: str | None = None
    model: str | None = None
    parent: str | None = None
    relation: Relation | None = None
    source: str | None = None
    source_path: str | None = None
    started_ms: int | None = None
    last_ms: int | None = None
    ended_ms: int | None = None
    status: Status = Status.ACTIVE
    message_count: int = 0
    preview: str | None = None


class Term(NamedTuple):
    """What a query looks for: a word, or words in a row; with `prefix` also what the last word begins."""

    words: tuple[str, ...]
    prefix: bool = False
    weight: float = 1.0


class Reason(NamedTuple):
    """One part of a hit's score: what spoke for it, and how much."""

    name: str
    value: float


class Hit(NamedTuple):
    """Something found: the session, the message in it that matched best, its surroundings, and why it ranked."""

    session: Session
    anchor: Message
    snippet: str  # matches are marked >>>like this<<<; markers in the text itself are escaped
    score: float
    why: Sequence[Reason] = ()
    bookend_start: Sequence[Message] = ()  # how the session began: strictly outside the window
    window: Sequence[Message] = ()
    bookend_end: Sequence[Message] = ()
    before: int = 0  # how many visible messages the session has before the window
    after: int = 0

    @property
    def anchor_id(self) -> int:
        """The public id of the message that matched best."""
        return self.anchor.id


class Window(NamedTuple):
    """Neighbouring messages of a session, and how many there are before and after them."""

    session: Session
    messages: Sequence[Message]
    before: int
    after: int


class Found(NamedTuple):
    """The answer to a search.  No hits is a complete answer, not a failure: `note` says so in words."""

    query: str
    hits: Sequence[Hit] = ()
    note: str = ""
    strength: float = 0.0  # how far the best is an answer: a half is as likely as not, 1 is certain
