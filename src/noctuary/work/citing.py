"""What an event rests on: the messages it cites are looked up, so that nothing is cited that was not said."""

from typing import NamedTuple

from noctuary.authored import MessageRef, Refs
from noctuary.errors import BadInput, MessageNotFound, SessionNotFound
from noctuary.records import Message
from noctuary.redact import redact
from noctuary.text import clean
from noctuary.work.desk import Desk
from noctuary.work.wording import only_one


class Cited(NamedTuple):
    """References, with what was found out about them, and when the cited was said; 0 if that is not known."""

    refs: Refs
    ts_ms: int = 0


def cite(desk: Desk, refs: Refs) -> Cited:
    """The references, each message with its session's whole id and the line of its transcript, each event with its own.

    MessageNotFound if a session that is known has no such message, BadInput if the message does not say what is quoted,
    EventNotFound if there is no such event.  Messages of sessions that were never imported are taken as they are.
    """
    messages: list[MessageRef] = []
    said_ms = 0
    for named in refs.messages:
        ref = named._replace(session=_session_named(desk, named.session))
        message = _message(desk, ref)
        line = message.source_line if message and message.source_line is not None else ref.line
        messages.append(ref._replace(line=line))
        said_ms = max(said_ms, message.ts_ms if message else 0)
    events = tuple(desk.entry(name).event.id for name in refs.events)
    return Cited(refs._replace(messages=tuple(messages), events=events), said_ms)


def _session_named(desk: Desk, name: str) -> str:
    """The id of the only session that is called or begins so; what was never imported stays as it is."""
    sessions = desk.store.sessions
    beginning = [] if not name or sessions.find(desk.owner, name) else sessions.beginning_with(desk.owner, name)
    return only_one(beginning, name, "session", SessionNotFound) or name


def _message(desk: Desk, ref: MessageRef) -> Message | None:
    known = desk.store.sessions.find(desk.owner, ref.session)
    if known is None:
        return None
    number, session = known
    found = desk.store.messages.between(number, ref.id, ref.id)
    if not found:
        raise MessageNotFound(f"Session {session.id} has no message {ref.id}; `noctuary show {session.id}` shows them.")
    if ref.quote and not _is_said(ref.quote, found[0].content):
        quote = " ".join(ref.quote.split())[:80]
        raise BadInput(f"Message {ref.id} of session {session.id} does not say {quote!r}; quote its own words.")
    return found[0]


def _is_said(quote: str, text: str) -> bool:
    """Whether the text has the quote in it, however the lines were broken; secrets are out of both."""
    return " ".join(redact(clean(quote)).split()) in " ".join(text.split())
