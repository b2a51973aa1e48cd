"""What a dream reads of a session: the conversation of one completion, and a little of what came before."""

from collections.abc import Iterable

from noctuary.authored import Trust
from noctuary.dream.echoes import first_recalled
from noctuary.dream.night import Night
from noctuary.dreams import DreamRecord
from noctuary.fences import without_fenced
from noctuary.ledger.ledger import entry_from
from noctuary.models.extractor import Extractor
from noctuary.proposals import Conversation, Extraction
from noctuary.records import BROUGHT, Message

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
    first = record.first_id
    before = night.store.messages.between(number, max(1, first - CONTEXT), first - 1) if first > 1 else []
    opening = night.store.messages.between(number, 1, CONTEXT) if first > 1 else []  # where briefs are given
    return Conversation(
        session=session,
        messages=messages,
        before=said_in(before),
        known=[entry_from(row).event.text for row in night.store.events.of_session(night.owner, record.session)],
        recalled_from=first_recalled([*opening, *before, *stored]),
    )


def said_in(messages: Iterable[Message]) -> list[Message]:
    """The messages that are somebody's word, without what programs put into them."""
    said: list[Message] = []
    for message in messages:
        if message.hidden:
            continue
        content = without_fenced(message.content)
        if content and not content.isspace():
            said.append(message if content is message.content else message._replace(content=content))
    return said


def understood(extractor: Extractor, conversation: Conversation) -> Extraction:
    """What is found in a conversation; of one that another tool kept, nobody vouches for who said it."""
    extraction = extractor.extract(conversation)
    if conversation.session.source != BROUGHT:
        return extraction
    unvouched = [each._replace(trust=Trust.IMPORT, is_asked=False) for each in extraction.proposals]
    return extraction._replace(proposals=unvouched)
