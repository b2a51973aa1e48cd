"""A message before it has a place: what both readers make of a record, ahead of uid, time and line."""

from typing import NamedTuple

from noctuary.records import Hidden, Kind, Message, Role
from noctuary.transcripts.blocks import name_call
from noctuary.transcripts.speech import Speech


class Draft(NamedTuple):
    """The content of a message-to-be."""

    role: Role
    kind: Kind
    content: str
    hidden: Hidden | None = None
    tool_name: str | None = None
    call_id: str | None = None

    def message(self, *, uid: str, line: int, ts_ms: int) -> Message:
        """The message, now that its place is known."""
        called = self.kind is Kind.TOOL_CALL
        return Message(
            role=self.role,
            content=self.content,
            kind=self.kind,
            ts_ms=ts_ms,
            tool_name=self.tool_name,
            tool_calls=name_call(self.tool_name or "", self.call_id or "") if called else None,
            call_id=self.call_id,
            hidden=self.hidden,
            source_line=line,
            uid=uid,
        )


def draft_speech(speech: Speech) -> Draft:
    """A piece of a user's turn as a draft."""
    return Draft(speech.role, speech.kind, speech.content, speech.hidden)


def is_typed(draft: Draft) -> bool:
    """Whether a person typed it."""
    return draft.role is Role.USER and draft.kind is Kind.TEXT
