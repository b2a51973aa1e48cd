"""A message as the reader shows it: what stands open, what is folded, and how much of it there is."""

import re
from typing import NamedTuple

from noctuary.doors.cli.paint import one_line, safe
from noctuary.doors.cli.words import counted
from noctuary.moments import show_day
from noctuary.records import Kind, Message, Role

_SPEECH = 12_000  # characters of what somebody said
_OUTPUT = 3_000  # and of what is folded: what tools were told and gave, and thoughts
_SUMMARY = 90  # of a line that says what is folded
# Lines that Codex puts around every command's output and every patch.
_WRAPPING = re.compile(
    r"Chunk ID: |Wall time: |Original token count: |Total output lines: |Output:$|\*\*\* Begin Patch$|"
    r"Process (?:exited with code 0|running with session ID \d+)$|Exit code: 0$"
)
# An argument of a tool that says how, and not what about: `replace_all: false`.
_SWITCH = re.compile(r"\w+: (?:true|false|null|None|-?\d+)$", re.IGNORECASE)
_NAMES = {Role.USER: "User", Role.ASSISTANT: "Assistant", Role.TOOL: "Tool", Role.SYSTEM: "System"}
_KINDS = {Kind.THINKING: "Thinking", Kind.SUMMARY: "Summary"}
_HIDDEN = {
    "injected": "not typed by a person",
    "recalled": "quoted from this memory",
    "rewound": "rewound by the user",
}


class Told(NamedTuple):
    """One message, ready to be shown."""

    message: Message
    day: str
    who: str
    look: str  # the class of it: user, assistant, thinking, call, output, system
    is_folded: bool
    text: str
    summary: str  # what is folded, on a line
    size: str  # of what is folded
    left_out: str  # in words, what is only shown on a page of its own
    aside: str  # why it is no part of the conversation


def told(message: Message, *, is_whole: bool = False) -> Told:
    """The message, cut to what a page of many can hold unless all of it is wanted."""
    is_folded = message.kind not in (Kind.TEXT, Kind.SUMMARY) or message.role is Role.TOOL
    most = len(message.content) if is_whole else _OUTPUT if is_folded else _SPEECH
    text = message.content[:most]
    rest = len(message.content) - len(text)
    return Told(
        message=message,
        day=show_day(message.ts_ms),
        who=_KINDS.get(message.kind) or one_line(message.tool_name or "") or _NAMES[message.role],
        look=_look(message),
        is_folded=is_folded and not is_whole,
        text=safe(text.replace("\r\n", "\n")).rstrip(),
        summary=_summary(message),
        size=_size(message.content),
        left_out=counted(rest, "more character") if rest else "",
        aside=_HIDDEN[message.hidden] if message.hidden else "",
    )


def _look(message: Message) -> str:
    looks = {Kind.THINKING: "thinking", Kind.TOOL_CALL: "call", Kind.TOOL_RESULT: "output", Kind.SUMMARY: "system"}
    return looks.get(message.kind) or ("output" if message.role is Role.TOOL else message.role.value)


def _summary(message: Message) -> str:
    """The first line that says something; what a tool wraps around it says nothing, unless there is nothing else."""
    lines = [words for line in message.content[: 20 * _SUMMARY].splitlines() if (words := one_line(line))]
    idle = _SWITCH if message.kind is Kind.TOOL_CALL else _WRAPPING
    words = next((line for line in lines if not (idle.match(line) or _WRAPPING.match(line))), lines[0] if lines else "")
    return words if len(words) <= _SUMMARY else words[: _SUMMARY - 1].rstrip() + "…"


def _size(content: str) -> str:
    if not content.strip():
        return "nothing"
    lines = content.rstrip("\n").count("\n") + 1
    return counted(lines, "line") if lines > 1 else counted(len(content), "character")
