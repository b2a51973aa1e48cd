"""A message before it has a place: what both readers make of a record, ahead of uid, time and line."""

from collections.abc import Sequence
from typing import NamedTuple

from noctuary.records import Hidden, Kind, Message, Role
from noctuary.transcripts.blocks import name_call

# Reading a member off its enum costs as much as a call, and these are compared for every record.
USER, ASSISTANT, TOOL, SYSTEM = Role.USER, Role.ASSISTANT, Role.TOOL, Role.SYSTEM
TEXT, THINKING, TOOL_CALL, TOOL_RESULT = Kind.TEXT, Kind.THINKING, Kind.TOOL_CALL, Kind.TOOL_RESULT
REWOUND = Hidden.REWOUND
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

    def of_tool(self, name: str) -> "Draft":
        """The same as a result of this tool."""
        role, kind, hidden, content, _, call_id = self
        return new(Draft, (role, kind, hidden, content, name or None, call_id))


placed = Draft.message  # for who makes many: the message that a draft becomes when its place is known


def answered(text: str) -> list[Draft]:
    """What a model said; nothing if it is blank."""
    return [new(Draft, (ASSISTANT, TEXT, None, text, None, None))] if text and not text.isspace() else []


def thought(text: str) -> list[Draft]:
    """What a model thought; nothing if it is blank."""
    return [new(Draft, (ASSISTANT, THINKING, None, text, None, None))] if text and not text.isspace() else []


def called(name: str, call_id: str, shown: str) -> Draft:
    """A tool is called with what is shown."""
    return new(Draft, (ASSISTANT, TOOL_CALL, None, shown, name or None, call_id or None))


def returned(call_id: str, text: str, name: str = "") -> Draft:
    """What a tool gave back."""
    return new(Draft, (TOOL, TOOL_RESULT, None, text, name or None, call_id or None))


def is_typed(draft: Draft) -> bool:
    """Whether a person typed it."""
    return draft.role is USER and draft.kind is TEXT


def by_agent(drafts: list[Draft]) -> list[Draft]:
    """The drafts of a sub-agent's session: an agent prompts it, not a person."""
    return [new(Draft, (ASSISTANT, *draft[1:])) if is_typed(draft) else draft for draft in drafts]


def taken_back(drafts: list[Draft]) -> list[Draft]:
    """The drafts of an entry that its agent still keeps, though it is no longer part of the conversation."""
    return [new(Draft, (*draft[:2], REWOUND, *draft[3:])) for draft in drafts]


def is_taken_back(drafts: Sequence[Draft]) -> bool:
    """Whether the messages of an entry are such."""
    return bool(drafts) and drafts[0].hidden is REWOUND
