"""Sessions, messages, and what a search finds of them."""

from typing import Annotated, Literal

from pydantic import Field

from noctuary.doors.http.shapes.shape import Given, KnownSession, Ms, ProjectName, Shape
from noctuary.dreams import DreamStatus
from noctuary.records import Hidden, Hit, Kind, Message, Relation, Role, Session, Status, TitleSource, Window

MOST_MESSAGES = 500
LONGEST_MESSAGE = 1_000_000
_Plain = Annotated[str, Field(min_length=1, max_length=1_000, pattern=r"^[^\x00-\x1f\x7f]+$")]
SessionId = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@-]*$")]


class SessionShape(Shape):
    """One conversation of one agent."""

    id: str
    agent: str | None
    project: str | None
    title: str | None
    title_source: TitleSource | None
    cwd: str | None
    branch: str | None
    model: str | None
    parent: str | None
    relation: Relation | None
    source: str | None
    started_ms: int | None
    last_ms: int | None
    ended_ms: int | None
    status: Status
    message_count: int
    preview: str | None

    @classmethod
    def of(cls, session: Session) -> "SessionShape":
        """The session; nothing of where its transcript lies on a machine."""
        return cls.model_validate(session)


class MessageShape(Shape):
    """One entry of a session."""

    id: int
    role: Role
    kind: Kind
    content: str
    ts_ms: int
    tool_name: str | None
    tool_calls: str | None
    call_id: str | None
    hidden: Hidden | None

    @classmethod
    def of(cls, message: Message) -> "MessageShape":
        """The message."""
        return cls.model_validate(message)


class WindowShape(Shape):
    """Neighbouring messages of a session, and how many there are before and after them."""

    session: SessionShape
    messages: list[MessageShape]
    before: int
    after: int

    @classmethod
    def of(cls, window: Window) -> "WindowShape":
        """The window."""
        return cls.model_validate(window)


class ReasonShape(Shape):
    """One part of a hit's score."""

    name: str
    value: float


class HitShape(Shape):
    """Something found: the session, the message in it that matched best, its surroundings, and why it ranked."""

    session: SessionShape
    anchor: MessageShape
    snippet: str = Field(description="Matches are marked >>>like this<<<.")
    score: float
    why: list[ReasonShape]
    bookend_start: list[MessageShape]
    window: list[MessageShape]
    bookend_end: list[MessageShape]
    before: int
    after: int

    @classmethod
    def of(cls, hit: Hit) -> "HitShape":
        """The hit."""
        return cls.model_validate(hit)


class FoundShape(Shape):
    """The answer to a search; no hits is a complete answer, and `note` says so in words."""

    query: str
    hits: list[HitShape]
    note: str
    strength: float


class NewSession(Given):
    """What is known of a session; what is known already stays as it is."""

    agent: _Plain | None = None
    project: ProjectName | None = None
    title: _Plain | None = None
    cwd: _Plain | None = None
    branch: _Plain | None = None
    model: _Plain | None = None
    parent: KnownSession | None = None
    relation: Literal["subagent", "fork", "resume"] | None = None
    started_ms: Ms | None = None


class NewMessage(Given):
    """A message to be stored; secrets and what stands between <private> tags are not."""

    role: Literal["user", "assistant", "tool", "system"]
    content: Annotated[str, Field(max_length=LONGEST_MESSAGE)]
    kind: Literal["text", "thinking", "tool_call", "tool_result", "summary"] = "text"
    ts_ms: Ms | None = Field(default=None, description="When it was said; now, if nothing is given.")
    tool_name: _Plain | None = None
    tool_calls: Annotated[str, Field(max_length=LONGEST_MESSAGE)] | None = None
    call_id: _Plain | None = None


class NewMessages(Given):
    """Messages to be stored at the end of a session, all or none."""

    messages: Annotated[list[NewMessage], Field(min_length=1, max_length=MOST_MESSAGES)]


class Appended(Shape):
    """The ids of the messages that were stored, in their order."""

    session: str
    ids: list[int]


class Completion(Shape):
    """One completion of a session: the messages since the one before, which a dream reads."""

    epoch: int
    status: DreamStatus
    first_id: int
    last_id: int
    recorded_ms: int


class Completed(Shape):
    """A session that is over, and what a dream will read of it."""

    session: SessionShape
    completion: Completion
