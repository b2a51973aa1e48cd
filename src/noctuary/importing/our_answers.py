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
# Files of a memory in one of the usual places, and what our server has besides tools.
_READS = re.compile(
    r"(?:/share/|Application Support/|AppData.Local.|/\.)noctuary[/\\](?:memory|journal|briefs)[/\\]"
    r"|\bnoctuary://|^server: noctuary$",
    re.MULTILINE,
)


def is_ours(message: Message) -> bool:
    """Whether a call, or the result of one, is of a tool of ours, runs a command of ours, or reads what we keep."""
    if _OURS in (message.tool_name or "").lower():
        return True
    if message.kind is not Kind.TOOL_CALL or _OURS not in message.content:
        return False
    return _RUNS.search(message.content) is not None or _READS.search(message.content) is not None
