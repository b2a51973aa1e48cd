"""Conversations to be read, and a reader that finds in them what it is told to find."""

import json
import re
from collections.abc import Sequence
from typing import Any

from noctuary.proposals import Conversation
from noctuary.records import Kind, Message, Role, Session

SESSION = Session(id="session-1", owner="ana", title="Move the cache", cwd="/home/ana/shop", started_ms=1_000)
NOON = 1_767_268_800_000  # 2026-01-01 12:00 UTC
MINUTE = 60_000
_MESSAGE = re.compile(r"^=== message (\d+) \| ([^\n|]*)[^\n]*\n(.*?)(?=^=== |\Z)", re.DOTALL | re.MULTILINE)
_SAID = re.compile(r"\b(Decided|Found): [^\n]*")


def said(number: int, content: str, role: Role = Role.USER, **more: Any) -> Message:
    """A message of a conversation, a minute after the one before."""
    return Message(role, content, id=number, ts_ms=NOON + number * MINUTE, source_line=number * 10, **more)


def printed(number: int, content: str, tool: str = "Bash") -> Message:
    """What a tool answered."""
    return said(number, content, Role.TOOL, kind=Kind.TOOL_RESULT, tool_name=tool)


def talk(*messages: Message, before: Sequence[Message] = (), known: Sequence[str] = ()) -> Conversation:
    """The conversation of these messages."""
    return Conversation(SESSION, messages, before, known)


def long_talk(parts: int, *, size: int = 1_200) -> Conversation:
    """As many messages, each with one thing to find in it."""
    return talk(
        *[said(n, f"Decided: store number {n} is SQLite.\n{'padding ' * (size // 8)}") for n in range(1, parts + 1)]
    )


def event(number: int, quote: str, **more: object) -> dict[str, Any]:
    """A good event, or one with something else in it."""
    about = {"type": "decision", "text": f"It is so: {quote}", "messages": [number], "quote": quote, "confidence": 0.9}
    return {**about, **more}


def found_in(prompt: str) -> list[dict[str, Any]]:
    """What a good reader answers: an event for each line of the part to read that says that something was decided."""
    part = prompt.partition("# The part to read")[2].partition("# Once more")[0]
    return [
        event(int(message[1]), line[0]) for message in _MESSAGE.finditer(part) for line in _SAID.finditer(message[3])
    ]


def answer_to(prompt: str) -> str:
    """The same as JSON; a good reader has nothing to repair."""
    return json.dumps({"events": [] if "# Once more" in prompt else found_in(prompt)})
