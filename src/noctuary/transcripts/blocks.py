"""Flatten what agents nest: content blocks into text, tool input into readable lines.

The result is what search indexes and people read, so it depends on nothing but the input.
"""

from json.encoder import encode_basestring
from typing import Any

from noctuary.transcripts.fields import compact
from noctuary.transcripts.jsonl import load_clean

_PLACEHOLDERS = {
    "image": "[image]",
    "input_image": "[image]",
    "local_image": "[image]",
    "output_image": "[image]",
    "document": "[document]",
    "input_file": "[file]",
    "input_audio": "[audio]",
}
_TEXTS = ("text", "input_text", "output_text", "summary_text", "reasoning_text", None)


def flatten(content: Any) -> str:
    """The text of a content field: a string, one block, or a list of them; blocks without text are named."""
    if type(content) is str:
        return content
    if type(content) is dict:
        return block_text(content) or ""
    if type(content) is not list:
        return ""
    parts = (part if type(part) is str else block_text(part) for part in content)
    return "\n".join(part for part in parts if part)


def block_text(block: Any) -> str | None:
    """The text of one block, a placeholder for what is not text, None for a block of an unknown type."""
    if type(block) is not dict:
        return None
    kind = block.get("type")
    if kind is not None and type(kind) is not str:
        return None
    if kind in _TEXTS:
        text = block.get("text")
        return text if type(text) is str else ""
    if kind == "tool_reference":
        return f"[tool: {block.get('tool_name')}]"
    return _PLACEHOLDERS.get(kind)


def render_input(value: Any) -> str:
    """What a tool was called with, as people read it: the one string, or `key: value` lines."""
    if type(value) is str:
        return value
    if type(value) is not dict:
        return "" if value is None else compact(value)
    if len(value) == 1:
        only = next(iter(value.values()))
        if type(only) is str:
            return only
    return "\n".join(f"{key}: {part if type(part) is str else compact(part)}" for key, part in value.items())


def render_arguments(value: Any) -> str:
    """Like `render_input`, for arguments that arrive as a string of JSON."""
    parsed = parse_json(value) if type(value) is str else value
    return render_input(value if parsed is None else parsed)


def parse_json(text: str) -> Any:
    """The value in a string of JSON; None if it holds none."""
    try:
        return load_clean(text)
    except (ValueError, RecursionError):
        return None


def name_call(name: str, call_id: str) -> str:
    """What was called, as the compact JSON that messages carry."""
    return f'[{{"id":{encode_basestring(call_id)},"name":{encode_basestring(name)}}}]'
