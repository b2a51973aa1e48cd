"""Conversations in small: who says what, and what is found in it."""

from collections.abc import Sequence
from typing import Any

from noctuary.authored import EventType
from noctuary.models.rules.extractor import RulesExtractor
from noctuary.proposals import Conversation, Proposal
from noctuary.records import Kind, Message, Role, Session

SESSION = Session(id="session-1", owner="ana")
NOON = 1_767_268_800_000  # 2026-01-01 12:00 UTC


def user(content: str, **more: Any) -> Message:
    """What the user typed."""
    return Message(Role.USER, content, **more)


def agent(content: str, **more: Any) -> Message:
    """What the agent said."""
    return Message(Role.ASSISTANT, content, **more)


def thought(content: str) -> Message:
    """What the agent thought."""
    return Message(Role.ASSISTANT, content, Kind.THINKING)


def call(tool: str, content: str, call_id: str = "c") -> Message:
    """What the agent told a tool."""
    return Message(Role.ASSISTANT, content, Kind.TOOL_CALL, tool_name=tool, call_id=call_id)


def result(tool: str, content: str, call_id: str = "c") -> Message:
    """What a tool answered."""
    return Message(Role.TOOL, content, Kind.TOOL_RESULT, tool_name=tool, call_id=call_id)


def talk(*messages: Message, session: Session = SESSION, before: Sequence[Message] = ()) -> Conversation:
    """These messages as a conversation, one a minute, each ten lines below the other."""
    placed = [
        message._replace(id=number, ts_ms=NOON + number * 60_000, source_line=number * 10)
        for number, message in enumerate(messages, start=1)
    ]
    return Conversation(session, placed, before)


def found(*messages: Message, session: Session = SESSION, before: Sequence[Message] = ()) -> Sequence[Proposal]:
    """What is proposed to keep of these messages."""
    return RulesExtractor().extract(talk(*messages, session=session, before=before)).proposals


def texts(*messages: Message) -> list[str]:
    """What the proposals say."""
    return [proposal.text for proposal in found(*messages)]


def types(*messages: Message) -> list[EventType]:
    """What the proposals are."""
    return [proposal.type for proposal in found(*messages)]
