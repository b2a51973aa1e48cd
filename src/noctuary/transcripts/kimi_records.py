"""What the parts of Kimi's messages become, in both of its formats."""

from typing import Any

from noctuary.records import Kind
from noctuary.transcripts.anthropic_blocks import call
from noctuary.transcripts.blocks import block_text, render_arguments
from noctuary.transcripts.drafts import (
    SYSTEM,
    TEXT,
    USER,
    Draft,
    answered,
    called,
    returned,
    thought,
)
from noctuary.transcripts.fields import dict_of, list_of, text_of
from noctuary.transcripts.speech import injected, sort_turn

_MEDIA = {"image_url": "[image]", "audio_url": "[audio]", "video_url": "[video]"}


def parts_text(content: Any) -> str:
    """The text of a message: a string or a list of parts, without what was only thought."""
    if type(content) is str:
        return content
    if type(content) is not list:
        return ""
    texts = []
    for part in content:
        if type(part) is str:
            texts.append(part)
        elif type(part) is dict:
            kind = part.get("type")
            texts.append(_MEDIA.get(kind) or block_text(part) or "" if type(kind) is str else "")
    return "\n".join([text for text in texts if text])


def answer(part: Any) -> list[Draft]:
    """What the model says or thinks in one part."""
    if type(part) is not dict:
        return []
    if part.get("type") == "think":
        return thought(text_of(part, "think") or text_of(part, "text"))
    return answered(parts_text([part]))


def tool_call(name: str, call_id: str, given: Any) -> Draft:
    """A tool is called, with an object or a string of JSON."""
    if type(given) is str:
        return called(name, call_id, render_arguments(given))
    return call(name, call_id, given)


def tool_result(call_id: str, name: str, output: Any) -> Draft:
    """What a tool gave back."""
    return returned(call_id, parts_text(output), name)


def heard(text: str, origin: dict[str, Any]) -> list[Draft]:
    """A user's turn, by who put it there."""
    if not text.strip():
        return []
    kind = origin.get("kind")
    if kind in (None, "user"):
        return sort_turn(text)
    if kind == "compaction_summary":
        return [Draft(SYSTEM, Kind.SUMMARY, None, text)]
    if kind == "shell_command" and origin.get("phase") == "input":
        return [Draft(USER, TEXT, None, f"! {text}")]
    typed = _command(origin)
    return [injected(text), *([Draft(USER, TEXT, None, typed)] if typed else [])]


def _command(origin: dict[str, Any]) -> str:
    """The command that a human typed, of which the turn is what it stands for."""
    if origin.get("trigger") != "user-slash":
        return ""
    name = text_of(origin, "skillName") or text_of(origin, "commandName")
    return f"/{name} {text_of(origin, 'skillArgs') or text_of(origin, 'commandArgs')}".strip() if name else ""


def of_message(message: dict[str, Any], names: dict[str, str]) -> list[Draft]:
    """The messages that one message of the context is made of."""
    role, content = text_of(message, "role"), message.get("content")
    if role == "user":
        return heard(parts_text(content), dict_of(message, "origin"))
    if role == "tool":
        call_id = text_of(message, "toolCallId") or text_of(message, "tool_call_id")
        return [tool_result(call_id, names.get(call_id, ""), content)]
    if role != "assistant":
        text = parts_text(content)
        return [injected(text)] if text.strip() else []
    parts = [{"type": "text", "text": content}] if type(content) is str else list_of(message, "content")
    drafts = [draft for part in parts for draft in answer(part)]
    for each in list_of(message, "toolCalls") or list_of(message, "tool_calls"):
        if type(each) is dict:
            asked = dict_of(each, "function") or each
            drafts.append(tool_call(text_of(asked, "name"), text_of(each, "id"), asked.get("arguments")))
    for draft in drafts:
        if draft.call_id:
            names[draft.call_id] = draft.tool_name or ""
    return drafts
