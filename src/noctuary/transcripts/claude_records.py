"""What one record of a Claude Code transcript says, regardless of where it stands.

Every content block becomes a draft; what a record holds beside it (usage, copies of tool results) is left.
"""

from typing import Any

from noctuary.fences import is_echo
from noctuary.records import Kind
from noctuary.transcripts.blocks import block_text, flatten, render_input
from noctuary.transcripts.drafts import (
    ASSISTANT,
    SYSTEM,
    TEXT,
    THINKING,
    TOOL,
    TOOL_RESULT,
    USER,
    Draft,
    answered,
    called,
    new,
)
from noctuary.transcripts.fields import text_of
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.speech import injected, sort_turn

CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_REFUSED = "user-rejected"  # says the agent itself of a call, beside the result, where no tool can write
SYNTHETIC = "<synthetic>"  # stands where the model is named if no model spoke


def read_assistant(record: Record, message: Record, unknown: list[str]) -> list[Draft]:
    """What the model said, thought and called; a notice in its place is injected.  Unknown blocks are named."""
    content = message.get("content")
    if record.get("isApiErrorMessage") or message.get("model") == SYNTHETIC:
        text = flatten(content)
        return [injected(text)] if text.strip() else []
    if type(content) is str:
        return answered(content)
    drafts: list[Draft] = []
    for block in content if type(content) is list else ():
        draft = _assistant_block(block, unknown)
        if draft is not None:
            drafts.append(draft)
    return drafts


def _assistant_block(block: Any, unknown: list[str]) -> Draft | None:
    if type(block) is not dict:
        unknown.append(_block_name(block))
        return None
    kind, text = block.get("type"), block.get("text")
    if kind == "text" and type(text) is str:  # by far the most common
        return new(Draft, (ASSISTANT, TEXT, None, text, None, None)) if text and not text.isspace() else None
    kind = text_of(block, "type")
    if kind == "thinking":
        inner = text_of(block, "thinking")
        return new(Draft, (ASSISTANT, THINKING, None, inner, None, None)) if inner and not inner.isspace() else None
    if kind in CALLS:
        return called(text_of(block, "name"), text_of(block, "id"), render_input(block.get("input")))
    if kind.endswith("tool_result"):
        return _result(block)
    if kind == "redacted_thinking":
        return None
    shown = block_text(block)
    if shown is None:
        unknown.append(_block_name(block))
    return Draft(ASSISTANT, TEXT, None, shown) if shown and shown.strip() else None


def read_user(record: Record, message: Record, unknown: list[str]) -> list[Draft]:
    """What is in the user's turn: results of tools, what programs put there, and what was typed."""
    content = message.get("content")
    if record.get("isCompactSummary"):
        text = flatten(content)
        return [Draft(SYSTEM, Kind.SUMMARY, None, text)] if text.strip() else []
    meta = bool(record.get("isMeta"))
    if type(content) is str:
        return _sort(content, meta)
    drafts: list[Draft] = []
    typed: list[str] = []
    for block in content if type(content) is list else ():
        if type(block) is dict and text_of(block, "type").endswith("tool_result"):
            drafts.append(_result(block, is_refused=record.get("toolDenialKind") == _REFUSED))
            continue
        said = block if type(block) is str else block_text(block)
        if said is None:
            unknown.append(_block_name(block))
            continue
        for part in _sort(said, meta):
            if part.role is USER:
                typed.append(part.content)  # words and pictures of one turn stay one message
            else:
                drafts.append(part)
    if typed:
        drafts.append(Draft(USER, TEXT, None, "\n".join(typed)))
    return drafts


def _sort(text: str, meta: bool) -> list[Draft]:
    if meta:
        return [injected(text)] if text.strip() else []
    return sort_turn(text)


def read_queued(content: Any, meta: bool) -> list[Draft]:
    """What was typed while the agent was busy; a bare slash command says nothing."""
    text = flatten(content)
    stripped = text.strip()
    if stripped.startswith("/") and len(stripped.split(maxsplit=1)) == 1:
        return [injected(text)]
    return _sort(text, meta)


def read_context(attachment: Record) -> list[Draft]:
    """What an attachment put before the model, if it is of our memory; at most one draft."""
    text = flatten(attachment.get("content")) or text_of(attachment, "stdout")
    return [injected(text)] if is_echo(text) else []


def _result(block: dict[str, Any], *, is_refused: bool = False) -> Draft:
    """What a tool gave back; if the user refused the call, it is the user who speaks there, and no tool."""
    call_id = text_of(block, "tool_use_id")
    return Draft(USER if is_refused else TOOL, TOOL_RESULT, None, flatten(block.get("content")), None, call_id or None)


def _block_name(block: Any) -> str:
    kind = text_of(block, "type") if type(block) is dict else type(block).__name__
    return f"block:{kind}"
