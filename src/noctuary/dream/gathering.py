"""What a dream reads of a session: the conversation of one completion, and a little of what came before."""

from collections.abc import Iterable

from noctuary.dream.night import Night
from noctuary.dreams import DreamRecord
from noctuary.fences import without_fenced
from noctuary.ledger.ledger import entry_from
from noctuary.proposals import Conversation
from noctuary.records import Message

CONTEXT = 6  # messages of before, enough for what "it" and "that" stand for


def gather(night: Night, record: DreamRecord) -> Conversation | None:
    """The messages of a completion; None if the session is there no more, or nothing of it is.

    What was injected, recalled or taken back is hidden, and what is fenced in a message is left out, so a dream never
    reads its own words.
    """
    found = night.store.sessions.find(night.owner, record.session)
    if found is None:
        return None
    number, session = found
    stored = night.store.messages.between(number, record.first_id, record.last_id)
    messages = said_in(stored)
    if not messages:
        return None
    before = night.store.messages.between(number, max(1, record.first_id - CONTEXT), record.first_id - 1)
    return Conversation(
        session=session,
        messages=messages,
        before=said_in(before),
        known=[entry_from(row).event.text for row in night.store.events.of_session(night.owner, record.session)],
    )


def said_in(messages: Iterable[Message]) -> list[Message]:
    """The messages that are somebody's word, without what programs put into them."""
    said = (message._replace(content=without_fenced(message.content)) for message in messages if not message.hidden)
    return [message for message in said if message.content.strip()]
