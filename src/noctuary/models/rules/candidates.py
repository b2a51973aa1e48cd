"""What might be worth keeping: a stretch of a message, what it seems to be, and how much speaks for it."""

from collections.abc import Sequence
from typing import NamedTuple

from noctuary.authored import EventType, Trust
from noctuary.records import Message

LEAST_SCORE = 3.0  # of what is proposed
ECHO = 0.5  # that is added for what is said again elsewhere
LEAST_HEARD = LEAST_SCORE - ECHO  # of what may be proposed if something else says it, too
LEAST_SUPPORT = 1.5  # of what may say it, too


class Candidate(NamedTuple):
    """A stretch of a message that may be proposed."""

    type: EventType
    score: float
    message: Message
    start: int
    end: int
    text: str
    source: str  # where in the conversation it stands
    trust: Trust = Trust.AGENT
    support: Sequence[Message] = ()  # other messages it rests on
    is_asked: bool = False
    topic: str = ""
