"""A message before it has a place: what both readers make of a record, ahead of uid, time and line."""

from typing import NamedTuple

from noctuary.records import Hidden, Kind, Message, Role
from noctuary.transcripts.blocks import name_call

# Reading a member off its enum costs as much as a call, and these are compared for every record.
USER, ASSISTANT, TOOL, SYSTEM = Role.USER, Role.ASSISTANT, Role.TOOL, Role.SYSTEM
TEXT, TOOL_CALL, TOOL_RESULT = Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT
# A record with a name for every field is a tuple; to make it as one takes half as long, and is paid for every message.
new = tuple.__new__


class Draft(NamedTuple):
    """The content of a message-to-be."""

    role: Role
    kind: Kind
    hidden: Hidden | None
    content: str
    tool_name: str | None = None
    call_id: str | None = None

    def message(self, uid: str, line: int, ts_ms: int) -> Message:
        """The message, now that its place is known."""
        role, kind, hidden, content, tool_name, call_id = self
        calls = name_call(tool_name or "", call_id or "") if kind is TOOL_CALL else None
        return new(Message, (role, content, kind, 0, ts_ms, tool_name, calls, call_id, hidden, line, uid))


placed = Draft.message  # for who makes many: the message that a draft becomes when its place is known


def is_typed(draft: Draft) -> bool:
    """Whether a person typed it."""
    return draft.role is USER and draft.kind is TEXT


def by_agent(drafts: list[Draft]) -> list[Draft]:
    """The drafts of a sub-agent's session: an agent prompts it, not a person."""
    return [draft._replace(role=ASSISTANT) if is_typed(draft) else draft for draft in drafts]
