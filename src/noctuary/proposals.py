"""What an extractor is given of a session, and what it proposes to keep of it."""

from collections.abc import Sequence
from typing import NamedTuple

from noctuary.authored import EventType, MessageRef, Strength, Trust
from noctuary.records import Message, Session

# What may be proposed.  All else is done by somebody: a dream never closes, reopens, renames or retracts.
PROPOSED = frozenset(
    {
        EventType.DECISION,
        EventType.REJECTION,
        EventType.FINDING,
        EventType.EVIDENCE,
        EventType.CONSTRAINT,
        EventType.PREFERENCE,
        EventType.CORRECTION,
        EventType.HYPOTHESIS,
    }
)


class Conversation(NamedTuple):
    """The part of a session that is to be read: what came since it was read last."""

    session: Session
    messages: Sequence[Message]  # in order; hidden ones are left out, except what tools were given and answered
    before: Sequence[Message] = ()  # the last few that were read before, to be understood by and never cited
    known: Sequence[str] = ()  # texts of what the journal holds from this session already
    recalled_from: int | None = None  # the message by which the agent was shown what memory holds
    heard: Sequence[Message] = ()  # all of the session up to here, hidden ones too: what the agent may have read it in


class Proposal(NamedTuple):
    """Something worth keeping that nobody wrote down, and the words it rests on."""

    type: EventType
    text: str  # a sentence or two that can be read alone
    messages: Sequence[MessageRef]  # at least one; the first has a quote that occurs in its message
    ts_ms: int = 0  # when the first of them was said
    trust: Trust = Trust.AGENT  # who said it
    confidence: float = 0.5
    strength: Strength | None = None  # of evidence
    is_asked: bool = False  # the user asked for it to be remembered
    topic: str = ""  # what it is about, in a word or two
    files: Sequence[str] = ()  # that it speaks of
    commits: Sequence[str] = ()


class Dropped(NamedTuple):
    """Something that was proposed and is not kept, and why not."""

    text: str
    why: str


class Spent(NamedTuple):
    """What a model was given and what it cost."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float = 0.0

    def __add__(self, other: object) -> "Spent":
        """Both together."""
        if not isinstance(other, Spent):
            return NotImplemented
        return Spent(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.dollars + other.dollars,
        )


class Extraction(NamedTuple):
    """What an extractor found in a session."""

    proposals: Sequence[Proposal] = ()
    dropped: Sequence[Dropped] = ()
    spent: Spent = Spent()
