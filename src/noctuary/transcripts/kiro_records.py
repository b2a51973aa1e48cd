"""What the lines and events of Kiro's two stores say."""

from collections.abc import Iterator
from typing import Any

from noctuary.records import Kind
from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.blocks import flatten, render_input
from noctuary.transcripts.drafts import ASSISTANT, SYSTEM, TEXT, TOOL, TOOL_RESULT, Draft, thought
from noctuary.transcripts.fields import compact, dict_of, list_of, text_of
from noctuary.transcripts.items import NewField, Skipped
from noctuary.transcripts.speech import injected, sort_turn
from noctuary.transcripts.unfamiliar import new_fields

SILENT_KINDS = {"Clear"}
SILENT_EVENTS = {"turn_start", "turn_end", "tombstone", "usage_summary", "session_end", "checkpoint", "snapshot"}
_PURPOSE = "__tool_use_purpose"  # what Kiro shows of a call; the tool does not get it
_LINE = frozenset(["version", "kind", "data"])
_DATA = frozenset(["message_id", "content", "meta", "results", "summary", "messages_snapshot", "strategy"])


def new_fields_of(kind: str, record: dict[str, Any], data: dict[str, Any], number: int) -> Iterator[NewField]:
    """The fields of a line that we have not met."""
    yield from new_fields("line", record, _LINE, number)
    yield from new_fields(kind, data, _DATA, number)


def drafts_of_line(
    kind: str, data: dict[str, Any], number: int, oddities: list[Skipped | NewField]
) -> tuple[list[Draft] | None, str]:
    """The messages of a line of the command line, and the model that is named in it; None for a kind we do not know."""
    if kind == "Compaction":
        summary = data.get("summary")
        text = summary if type(summary) is str else flatten(dict_of(data, "summary").get("content"))
        return [Draft(SYSTEM, Kind.SUMMARY, None, text)] if text and not text.isspace() else [], ""
    if kind not in ("Prompt", "AssistantMessage", "Response", "ToolResults"):
        return None, ""
    content = data.get("content")
    if type(content) is not list:
        return _spoken(kind, content if type(content) is str else ""), ""
    drafts: list[Draft] = []
    model = ""
    for part in content:
        part_kind = text_of(part, "kind") if type(part) is dict else ""
        value = part.get("data") if part_kind else None
        found = _of_part(kind, part_kind, value)
        if found is None:
            oddities.append(Skipped(line=number, reason="unknown type of part", unknown=f"part/{part_kind or '?'}"))
            continue
        if part_kind == "thinking" and type(value) is dict:
            model = text_of(value, "modelId") or model
        drafts += found
    return drafts, model


def _of_part(kind: str, part_kind: str, value: Any) -> list[Draft] | None:
    record = value if type(value) is dict else {}
    match part_kind:
        case "text":
            return _spoken(kind, value if type(value) is str else "")
        case "thinking":
            text = text_of(record, "text")
            return thought(text)
        case "toolUse":
            given = record.get("input")
            given = {key: each for key, each in given.items() if key != _PURPOSE} if type(given) is dict else given
            return [call(text_of(record, "name"), text_of(record, "toolUseId"), given)]
        case "toolResult":
            given = "\n".join([text for part in list_of(record, "content") if (text := _given(part))])
            return [Draft(TOOL, TOOL_RESULT, None, given, None, text_of(record, "toolUseId") or None)]
        case "image":
            return [injected("[image]")]
    return None


def _given(part: Any) -> str:
    """What one part of a result says: a text, or a value of any shape, of which a command's output counts most."""
    value = part.get("data") if type(part) is dict else part
    if type(value) is str:
        return value
    if type(value) is dict and type(value.get("stdout")) is str:
        return "\n".join([text for text in (value["stdout"], text_of(value, "stderr")) if text])
    return "" if value is None else render_input(value) if type(value) is dict else compact(value)


def _spoken(kind: str, text: str) -> list[Draft]:
    if not text or text.isspace():
        return []
    if kind == "Prompt":
        return sort_turn(text)
    return [injected(text)] if kind == "ToolResults" else [Draft(ASSISTANT, TEXT, None, text)]


def drafts_of_event(kind: str, payload: dict[str, Any]) -> list[Draft] | None:
    """The messages of an event of the newer store; None for what is no part of the conversation."""
    text = text_of(payload, "content")
    match kind:
        case "user" | "session_start":  # the first prompt stands only in what starts a session
            return sort_turn(text)
        case "assistant":
            is_thought = text_of(payload, "operationType") == "Reasoning"
            kind_of = Kind.THINKING if is_thought else TEXT
            return [Draft(ASSISTANT, kind_of, None, text)] if text and not text.isspace() else []
        case "tool_call":
            return [call(text_of(payload, "toolName"), text_of(payload, "toolCallId"), payload.get("args"))]
        case "tool_result":
            return [result(text_of(payload, "toolCallId"), payload.get("content"), text_of(payload, "toolName"))]
        case "system" | "agent_note":
            return [injected(text)] if text and not text.isspace() else []
        case "error":
            message = text_of(payload, "message")
            return [injected(message)] if message.strip() else []
    return None
