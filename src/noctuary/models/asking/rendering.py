"""A conversation as a model reads it: each message with its number, who said it and when; long output is shortened.

Everything is redacted before it is written down here, and what no human and no agent said is left out: notices that a
program put into a turn, and our own answers quoted back.
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from noctuary.fences import without_fenced
from noctuary.models.chat.tokens import tokens_of
from noctuary.proposals import Conversation
from noctuary.records import Kind, Message, Role

Redact = Callable[[str], str]

LONGEST_SAID = 12_000  # characters of what somebody said
LONGEST_TOOL = 1_600  # of what a tool was given or answered
LONGEST_THOUGHT = 2_000
_KNOWN_TOKENS = 4_000
_BEGINNING = 2 / 3  # of what is kept of a long text; the end of an output tells how it went
_HEAD = re.compile(r"^(?==== )", re.MULTILINE)


class Shown(NamedTuple):
    """A message as it is sent."""

    message: Message
    text: str
    tokens: int


def shown(messages: Sequence[Message], redact: Redact) -> list[Shown]:
    """The messages that are sent, in order; hidden and blank ones are not."""
    written = [(message, _written(message, redact)) for message in messages if message.hidden is None]
    return [Shown(message, text, tokens_of(text)) for message, text in written if text]


def heading(conversation: Conversation, redact: Redact) -> str:
    """What the session is about, and what is known of it already."""
    session = conversation.session
    facts = {"title": session.title, "folder": session.cwd, "branch": session.branch, "agent": session.agent}
    return "\n".join(f"{name}: {_one_line(redact(value))}" for name, value in facts.items() if value)


def known_lines(known: Sequence[str], redact: Redact) -> str:
    """The latest of what is known, a line each, as far as there is room."""
    lines: list[str] = []
    room = _KNOWN_TOKENS
    for text in reversed(known):
        line = f"- {_one_line(redact(text))}"
        room -= tokens_of(line)
        if room < 0:
            break
        lines.append(line)
    return "\n".join(reversed(lines))


def shortened(text: str, most: int) -> str:
    """The text, its middle left out if it is longer."""
    if len(text) <= most:
        return text
    first = int(most * _BEGINNING)
    last = most - first
    return f"{text[:first]}\n[… {len(text) - most:,} characters left out …]\n{text[-last:]}"


def _written(message: Message, redact: Redact) -> str:
    said = without_fenced(redact(message.content)).strip()
    if not said:
        return ""
    return f"=== {_head(message)}\n{_HEAD.sub('| ', shortened(said, _longest(message)))}\n"


def _head(message: Message) -> str:
    when = datetime.fromtimestamp(message.ts_ms / 1_000, UTC).strftime(" | %Y-%m-%d %H:%M") if message.ts_ms else ""
    return f"message {message.id} | {_who(message)}{when}"


def _who(message: Message) -> str:
    if message.kind is Kind.TOOL_CALL:
        return f"agent calls {message.tool_name or 'a tool'}"
    if message.role is Role.TOOL:
        return f"{message.tool_name or 'a tool'} answers"
    if message.kind is Kind.THINKING:
        return "agent, to itself"
    if message.kind is Kind.SUMMARY:
        return "summary of what was said before"
    return {Role.USER: "user", Role.ASSISTANT: "agent"}.get(message.role, "system")


def _longest(message: Message) -> int:
    if message.role is Role.TOOL or message.kind is Kind.TOOL_CALL:
        return LONGEST_TOOL
    return LONGEST_THOUGHT if message.kind is Kind.THINKING else LONGEST_SAID


def _one_line(text: str) -> str:
    return " ".join(text.split())
