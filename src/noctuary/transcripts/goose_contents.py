"""What the contents of a message of Goose say: texts, thoughts, requests of tools and their responses."""

from typing import Any

from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.blocks import flatten
from noctuary.transcripts.drafts import ASSISTANT, TEXT, TOOL, TOOL_RESULT, Draft, thought
from noctuary.transcripts.fields import dict_of, list_of, text_of
from noctuary.transcripts.items import NewField, Skipped
from noctuary.transcripts.speech import injected, sort_turn
from noctuary.transcripts.unfamiliar import new_fields

_SILENT = {"redactedThinking", "toolConfirmationRequest", "actionRequired"}
_NOTICES = {"systemNotification", "conversationCompacted", "contextLengthExceeded", "summarizationRequested"}
_KNOWN = {
    "text": frozenset(["type", "text", "annotations", "_meta"]),
    "toolRequest": frozenset(["type", "id", "toolCall", "thoughtSignature", "metadata", "toolMeta", "_meta"]),
    "toolResponse": frozenset(["type", "id", "toolResult", "metadata", "_meta"]),
    "thinking": frozenset(["type", "thinking", "signature"]),
}


def drafts_of(role: str, contents: Any, line: int, oddities: list[Skipped | NewField]) -> list[Draft]:
    """The messages that one message of Goose is made of, in their order."""
    if contents is None:
        oddities.append(Skipped(line=line, reason="not valid JSON"))
    if type(contents) is not list:
        return _spoken(role, flatten(contents))
    drafts: list[Draft] = []
    for content in contents:
        kind = text_of(content, "type") if type(content) is dict else ""
        found = _of_content(role, kind, content) if kind else None
        if found is None:
            if kind not in _SILENT:
                oddities.append(Skipped(line=line, reason="unknown type of content", unknown=f"content/{kind or '?'}"))
            continue
        if kind in _KNOWN:
            oddities += new_fields(kind, content, _KNOWN[kind], line)
        drafts += found
    return drafts


def _of_content(role: str, kind: str, content: dict[str, Any]) -> list[Draft] | None:
    """The messages of one content; None for a type we do not know or that says nothing."""
    match kind:
        case "text":
            return _spoken(role, text_of(content, "text"))
        case "toolRequest" | "frontendToolRequest":
            asked = dict_of(content, "toolCall")
            wanted = dict_of(asked, "value")
            given = wanted.get("arguments") if wanted else asked.get("error")
            return [call(text_of(wanted, "name"), text_of(content, "id"), given)]
        case "toolResponse":
            return [_response(text_of(content, "id"), dict_of(content, "toolResult"))]
        case "toolResult":
            return [result(text_of(content, "id"), content.get("result"))]
        case "thinking" | "reasoning":
            text = text_of(content, "thinking") or text_of(content, "text")
            return thought(text)
        case "image":
            return [injected("[image]")] if role == "user" else [Draft(ASSISTANT, TEXT, None, "[image]")]
    return [injected(text_of(content, "msg"))] if kind in _NOTICES and text_of(content, "msg") else None


def _response(call_id: str, given: dict[str, Any]) -> Draft:
    value = given.get("value", given.get("error"))
    if type(value) is dict:
        value = list_of(value, "content")
    if type(value) is list:
        # The same is often given twice, for the model and for people.
        blocks = [_block(block) for block in value if not _is_for_people(block)] or [_block(block) for block in value]
        value = flatten(blocks)
    return Draft(TOOL, TOOL_RESULT, None, value if type(value) is str else "", None, call_id or None)


def _block(block: Any) -> Any:
    return dict_of(block, "resource").get("text") if type(block) is dict and block.get("type") == "resource" else block


def _is_for_people(block: Any) -> bool:
    return type(block) is dict and list_of(dict_of(block, "annotations"), "audience") == ["user"]


def _spoken(role: str, text: str) -> list[Draft]:
    if not text or text.isspace():
        return []
    return sort_turn(text) if role == "user" else [Draft(ASSISTANT, TEXT, None, text)]
