"""What a message or a session must go through before any backend writes it down."""

from typing import TYPE_CHECKING

from noctuary.lazily import lazy_module
from noctuary.records import Message, Session
from noctuary.text import clean

if TYPE_CHECKING:
    from noctuary import redact
else:
    redact = lazy_module("noctuary.redact")  # a hundred patterns to compile, and searches store nothing


def safe(message: Message) -> Message:
    """The message as it may be stored: without secrets and what no database can hold."""
    return message._replace(
        content=redact.redact(clean(message.content)),
        tool_name=clean(message.tool_name) if message.tool_name else None,
        tool_calls=redact.redact(clean(message.tool_calls)) if message.tool_calls else None,
        call_id=clean(message.call_id) if message.call_id else None,
    )


def safe_session(session: Session) -> Session:
    """The session as it may be stored: its title is text like any other."""
    return session._replace(title=redact.redact(clean(session.title))) if session.title else session
