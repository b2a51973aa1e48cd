"""What a dream reads of a session: the conversation of one completion, and a little of what came before."""

from noctuary.dream.night import Night
from noctuary.dreams import DreamRecord
from noctuary.ledger.ledger import entry_from
from noctuary.proposals import Conversation

CONTEXT = 6  # messages of before, enough for what "it" and "that" stand for


def gather(night: Night, record: DreamRecord) -> Conversation | None:
    """The messages of a completion; None if the session is there no more, or nothing of it is.

    What was injected, recalled or taken back is hidden, so a dream never reads its own words.
    """
    found = night.store.sessions.find(night.owner, record.session)
    if found is None:
        return None
    number, session = found
    stored = night.store.messages.between(number, record.first_id, record.last_id)
    messages = [message for message in stored if message.hidden is None]
    if not messages:
        return None
    before = night.store.messages.between(number, max(1, record.first_id - CONTEXT), record.first_id - 1)
    return Conversation(
        session=session,
        messages=messages,
        before=[message for message in before if message.hidden is None],
        known=[entry_from(row).event.text for row in night.store.events.of_session(night.owner, record.session)],
    )
