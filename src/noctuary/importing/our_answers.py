"""Calls by which an agent asks this memory: what they give back is what was kept before, and no news."""

import re

from noctuary.records import Kind, Message

_OURS = "noctuary"
# What may stand before the name of a command, as shells and agents write it: `cd x && VAR=1 uv run noctuary search`.
_RUNNER = (
    r"(?:sudo|time|env|exec|command|nohup|nice|uvx|uv\s+run|pipx\s+run|poetry\s+run|timeout\s+\S+|-?\S*\bsh\s+-\w*c"
    r"|\S*python[\d.]*\s+(?:-[A-Za-z]+\s+)*?-m)"
)
_RUNS = re.compile(
    rf"""(?:^|[;&|(`"'{{,]|\b(?:then|do|else)\s|^\w+:\s)\s*(?:\w+=\S*\s+)*(?:{_RUNNER}\s+)*["']?(?:[^\s"']*/)?"""
    r"""noctuary(?:\.exe)?["']?\s+[a-z-]""",
    re.MULTILINE,
)


def is_ours(message: Message) -> bool:
    """Whether a call, or the result of one, is of a tool of ours, or runs a command of ours in a shell."""
    if _OURS in (message.tool_name or "").lower():
        return True
    return message.kind is Kind.TOOL_CALL and _OURS in message.content and _RUNS.search(message.content) is not None
