"""Messages as Anthropic's API has them: a role, and a text or a list of blocks.  Many agents keep these as they are."""

from typing import Any

from noctuary.transcripts.blocks import block_text, flatten, render_input
from noctuary.transcripts.drafts import Draft, answered, called, returned, thought
from noctuary.transcripts.fields import text_of
from noctuary.transcripts.speech import sort_turn

_KNOWN = frozenset(["tool_use", "tool_result", "thinking", "redacted_thinking"])


def drafts_of(role: str, content: Any) -> list[Draft]:
    """The messages that one message of the API is made of, in their order; what a human did not type is marked."""
    if type(content) is not list:
        text = flatten(content)
        return _spoken(role, text)
    drafts: list[Draft] = []
    for block in content:
        drafts += _spoken(role, block) if type(block) is str else _of_block(role, block)
    return drafts


def _of_block(role: str, block: Any) -> list[Draft]:
    if type(block) is not dict:
        return []
    match block.get("type"):
        case "tool_use":
            return [call(text_of(block, "name"), text_of(block, "id"), block.get("input"))]
        case "tool_result":
            call_id = text_of(block, "tool_use_id") or text_of(block, "toolUseID")
            return [result(call_id, block.get("content", block.get("run")))]
        case "thinking":
            return thought(text_of(block, "thinking"))
    return _spoken(role, block_text(block) or "")


def unknown_blocks(content: Any) -> list[str]:
    """The types of blocks that we have not met."""
    found = []
    for block in content if type(content) is list else ():
        kind = text_of(block, "type") if type(block) is dict else ""
        if kind and kind not in _KNOWN and block_text(block) is None:
            found.append(f"block/{kind[:60]}")
    return found


def call(name: str, call_id: str, given: Any) -> Draft:
    """A tool is called."""
    return called(name, call_id, render_input(given))


def result(call_id: str, content: Any, name: str = "") -> Draft:
    """What a tool gave back: a text, blocks, or any value."""
    is_value = type(content) is dict and "type" not in content and "text" not in content
    return returned(call_id, render_input(content) if is_value else flatten(content), name)


def _spoken(role: str, text: str) -> list[Draft]:
    return sort_turn(text) if role == "user" else answered(text)
