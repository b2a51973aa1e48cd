"""What one record of a Claude Code transcript says, regardless of where it stands.

Every content block becomes a draft; what a record holds beside it (usage, copies of tool results) is left.
"""

from typing import Any, NamedTuple

from noctuary.records import Kind, Role
from noctuary.transcripts.blocks import block_text, flatten, render_input
from noctuary.transcripts.drafts import Draft, draft_speech
from noctuary.transcripts.fields import dict_of, text_of
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.speech import Speech, injected, sort_turn

CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
SYNTHETIC = "<synthetic>"  # stands where the model is named if no model spoke


class Content(NamedTuple):
    """The drafts of a record, and the types of blocks nobody has met before."""

    drafts: list[Draft]
    unknown: list[str]


def message_of(record: Record) -> dict[str, Any]:
    """The message inside a record; old transcripts have its fields on the record itself."""
    message = record.get("message")
    return message if type(message) is dict else record


def model_of(record: Record) -> str:
    """The model that spoke, or nothing."""
    model = text_of(dict_of(record, "message"), "model")
    return "" if model == SYNTHETIC else model


def read_assistant(record: Record) -> Content:
    """What the model said, thought and called; a notice in its place is injected."""
    message = message_of(record)
    content = message.get("content")
    if record.get("isApiErrorMessage") or message.get("model") == SYNTHETIC:
        text = flatten(content)
        return Content([draft_speech(injected(text))] if text.strip() else [], [])
    if type(content) is str:
        content = [{"type": "text", "text": content}]
    found = Content([], [])
    for block in content if type(content) is list else ():
        _read_assistant_block(block, found)
    return found


def _read_assistant_block(block: Any, found: Content) -> None:
    if type(block) is not dict:
        found.unknown.append(_block_name(block))
        return
    kind = text_of(block, "type")
    if kind == "thinking":
        thought = text_of(block, "thinking")
        if thought.strip():
            found.drafts.append(Draft(Role.ASSISTANT, Kind.THINKING, thought))
    elif kind in CALLS:
        called, call_id = text_of(block, "name"), text_of(block, "id")
        shown = render_input(block.get("input"))
        found.drafts.append(Draft(Role.ASSISTANT, Kind.TOOL_CALL, shown, None, called or None, call_id or None))
    elif kind.endswith("tool_result"):
        found.drafts.append(_result(block))
    elif kind != "redacted_thinking":
        text = block_text(block)
        if text is None:
            found.unknown.append(_block_name(block))
        elif text.strip():
            found.drafts.append(Draft(Role.ASSISTANT, Kind.TEXT, text))


def read_user(record: Record) -> Content:
    """What is in the user's turn: results of tools, what programs put there, and what was typed."""
    content = message_of(record).get("content")
    if record.get("isCompactSummary"):
        text = flatten(content)
        return Content([Draft(Role.SYSTEM, Kind.SUMMARY, text)] if text.strip() else [], [])
    meta = bool(record.get("isMeta"))
    if type(content) is str:
        return Content([draft_speech(part) for part in _sort(content, meta)], [])
    found = Content([], [])
    typed: list[str] = []
    for block in content if type(content) is list else ():
        if type(block) is dict and text_of(block, "type").endswith("tool_result"):
            found.drafts.append(_result(block))
            continue
        said = block if type(block) is str else block_text(block)
        if said is None:
            found.unknown.append(_block_name(block))
            continue
        for part in _sort(said, meta):
            if part.role is Role.USER:
                typed.append(part.content)  # words and pictures of one turn stay one message
            else:
                found.drafts.append(draft_speech(part))
    if typed:
        found.drafts.append(Draft(Role.USER, Kind.TEXT, "\n".join(typed)))
    return found


def _sort(text: str, meta: bool) -> tuple[Speech, ...]:
    if meta:
        return (injected(text),) if text.strip() else ()
    return sort_turn(text)


def read_queued(content: Any, meta: bool) -> list[Draft]:
    """What was typed while the agent was busy; a bare slash command says nothing."""
    text = flatten(content)
    stripped = text.strip()
    if stripped.startswith("/") and len(stripped.split(maxsplit=1)) == 1:
        return [draft_speech(injected(text))]
    return [draft_speech(part) for part in _sort(text, meta)]


def _result(block: dict[str, Any]) -> Draft:
    call_id = text_of(block, "tool_use_id")
    return Draft(Role.TOOL, Kind.TOOL_RESULT, flatten(block.get("content")), None, None, call_id or None)


def _block_name(block: Any) -> str:
    kind = text_of(block, "type") if type(block) is dict else type(block).__name__
    return f"block:{kind}"
