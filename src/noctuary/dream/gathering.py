"""What a dream reads of a session: the conversation of one completion, and a little of what came before."""

from collections.abc import Iterable

from noctuary.authored import Trust
from noctuary.dream.echoes import first_recalled
from noctuary.dream.hearsay import judged
from noctuary.dream.night import Night
from noctuary.dreams import DreamRecord
from noctuary.fences import is_any_named, without_fenced
from noctuary.ledger.ledger import entry_from
from noctuary.models.extractor import Extractor
from noctuary.proposals import Conversation, Extraction
from noctuary.records import BROUGHT, Message

CONTEXT = 6  # messages of before, enough for what "it" and "that" stand for
HEARD = 500  # messages of before in which an agent may have read what it says


def gather(night: Night, record: DreamRecord) -> Conversation | None:
    """The messages of a completion; None if the session is there no more, or nothing of it is.

    What was injected, recalled or taken back is hidden, and what is fenced in a message is left out, so a dream never
    reads its own words.
    """
    found = night.store.sessions.find(night.owner, record.session)
    if found is None:
        return None
    number, session = found
    first, between = record.first_id, night.store.messages.between
    stored = between(number, first, record.last_id)
    before = between(number, max(1, first - CONTEXT), first - 1) if first > 1 else []
    opening = between(number, 1, CONTEXT) if first > 1 else []  # where briefs are given
    given = [*opening, *before, *stored]
    may_name_us = is_any_named([message.content for message in given])  # in most sessions nobody does
    messages = said_in(stored, may_name_us=may_name_us)
    if not messages:
        return None
    return Conversation(
        session=session,
        messages=messages,
        before=said_in(before, may_name_us=may_name_us),
        known=[entry_from(row).event.text for row in night.store.events.of_session(night.owner, record.session)],
        recalled_from=first_recalled(given, may_name_us=may_name_us),
        heard=[*between(number, max(1, first - HEARD), first - 1), *stored] if first > 1 else stored,
    )


def said_in(messages: Iterable[Message], *, may_name_us: bool = True) -> list[Message]:
    """The messages that are somebody's word, without what programs put into them; perhaps none of them names us."""
    said: list[Message] = []
    for message in messages:
        if message.hidden:
            continue
        content = message.content
        if may_name_us or "<" in content:  # else nothing in it is fenced
            content = without_fenced(content, may_name_us=may_name_us)
        if content and not content.isspace():
            said.append(message if content is message.content else message._replace(content=content))
    return said


def understood(extractor: Extractor, conversation: Conversation) -> Extraction:
    """What is found in a conversation, as the word of who said it first; nobody vouches for what another tool kept."""
    extraction = extractor.extract(conversation)
    if conversation.session.source != BROUGHT:
        return extraction._replace(proposals=judged(conversation, extraction.proposals))
    unvouched = [each._replace(trust=Trust.IMPORT, is_asked=False) for each in extraction.proposals]
    return extraction._replace(proposals=unvouched)
