"""An extractor for tests that finds what a test says is in a session, or fails as it says."""

from collections.abc import Callable, Mapping

from noctuary.authored import EventType, MessageRef, Trust
from noctuary.errors import NoctuaryError
from noctuary.proposals import Conversation, Extraction, Proposal, Spent
from noctuary.records import Message, Role

RULE, FACT = EventType.CONSTRAINT, EventType.FINDING
Failure = NoctuaryError | Exception


class Verbatim:
    """Takes every message for something worth keeping: a user's for a rule, an agent's for a finding."""

    name = "verbatim"

    def __init__(
        self, failures: Mapping[str, Failure] | None = None, during: Callable[[str], None] | None = None
    ) -> None:
        self.failures = dict(failures or {})  # by session
        self.during = during  # called while a session is read
        self.read: list[tuple[str, int, int]] = []  # session, first and last message

    def extract(self, conversation: Conversation) -> Extraction:
        """A proposal a message."""
        session = conversation.session.id
        self.read.append((session, conversation.messages[0].id, conversation.messages[-1].id))
        if self.during:
            self.during(session)
        if failure := self.failures.get(session):
            raise failure
        return Extraction(
            [_proposal(session, message) for message in conversation.messages], spent=Spent(1, 10, 5, 0.01)
        )


def _proposal(session: str, message: Message) -> Proposal:
    is_user = message.role is Role.USER
    return Proposal(
        type=RULE if is_user else FACT,
        text=message.content,
        messages=(MessageRef(session, message.id, message.content),),
        ts_ms=message.ts_ms,
        trust=Trust.USER if is_user else Trust.AGENT,
        confidence=0.8,
    )
