"""Calls by which an agent asks this memory: what they give back is what was kept before, and no news."""

import re

from noctuary.records import Kind, Message

_OURS = "noctuary"
# What may stand before the name of a command, as shells and agents write it: `cd x && VAR=1 uv run noctuary search`.
# Every part has an end: a call may hold a whole file on one line.
_WORD = r"[^\s;&|]{1,200}"
_PATH = r"""[^\s;&|"']{0,200}"""
_OPTIONS = rf"(?:\s+-{_WORD}(?:\s+[^-\s=;&|][^\s=;&|]{{0,200}})??|\s+\w{{1,80}}={_PATH}){{0,3}}"
_RUNNER = (
    rf"(?:(?:sudo|time|env|exec|command|nohup|nice|xargs|uvx|uv\s+run|pipx\s+run|poetry\s+run){_OPTIONS}"
    rf"|timeout{_OPTIONS}\s+{_WORD}|{_PATH}sh\s+-\w{{0,8}}c|{_PATH}python[\d.]*\s+(?:-[A-Za-z]+\s+){{0,5}}?-m)"
)
_BEFORE = r"""^|[;&|(`{]|[\[,:]\s*["']|\b(?:if|elif|then|else|while|until|do)\s|!\s|^(?:cmd|command|script):\s"""
_RUNS = re.compile(
    rf"""(?:{_BEFORE})[ \t]{{0,20}}(?:\w{{1,80}}={_PATH}\s+){{0,9}}(?:{_RUNNER}\s+){{0,3}}["']?(?:{_PATH}/)?"""
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
