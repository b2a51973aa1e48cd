"""What one message of ChatGPT becomes: its kinds of content are many, and a tool is called by writing to it."""

from typing import Any

from noctuary.transcripts.drafts import (
    Draft,
    answered,
    called,
    returned,
    thought,
)
from noctuary.transcripts.fields import dict_of, list_of, text_of
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.speech import injected, sort_turn
from noctuary.transcripts.unfamiliar import names, new_fields
from noctuary.transcripts.whole_logs import Oddities, unknown

_MESSAGE = names(
    "id author content create_time update_time metadata recipient channel status end_turn weight parent children"
)
_SILENT = frozenset(["reasoning_recap", "model_editable_context", "app_pairing_content"])
_TEXTS = ("title", "url", "text", "result", "content", "user_profile", "user_instructions")
_KNOWN = names(
    "text multimodal_text code execution_output tether_quote tether_browsing_display tether_browsing_code system_error",
    "thoughts user_editable_context sonic_webpage computer_output super_widget citable_code_output",
)
_ALL = (None, "", "all")


class Teller:
    """Turns the messages of one branch into drafts, in their order."""

    def __init__(self, oddities: Oddities) -> None:
        self.model = ""
        self._oddities = oddities
        self._call = ""  # the last call, to which the next results belong

    def drafts(self, message: Record, node: str, number: int) -> list[Draft]:
        """The messages that one message is made of."""
        self._oddities += new_fields("message", message, _MESSAGE, number)
        content, metadata = dict_of(message, "content"), dict_of(message, "metadata")
        author = dict_of(message, "author")
        kind = text_of(content, "content_type") or "text"
        if kind in _SILENT:
            return []
        if kind not in _KNOWN:
            self._oddities.append(unknown(number, f"content/{kind}"))
        self.model = text_of(metadata, "model_slug") or self.model
        role = text_of(author, "role")
        if role == "assistant":
            return self._answered(message, content, node)
        text = _text(content)
        if role == "user":
            return _heard(text, metadata, is_typed=kind != "user_editable_context")
        if not text.strip():
            return []
        if role == "tool":
            return [returned(self._call, text, text_of(author, "name"))]
        return [injected(text)]

    def _answered(self, message: Record, content: Record, node: str) -> list[Draft]:
        if content.get("content_type") == "thoughts":
            thoughts = [each for each in list_of(content, "thoughts") if type(each) is dict]
            texts = [f"{text_of(each, 'summary')}\n{text_of(each, 'content')}".strip() for each in thoughts]
            return [draft for text in texts for draft in thought(text)]
        text, recipient = _text(content), message.get("recipient")
        if recipient not in _ALL and type(recipient) is str:
            self._call = text_of(message, "id") or node
            return [called(recipient, self._call, text)]
        return answered(text)


def _heard(text: str, metadata: Record, *, is_typed: bool) -> list[Draft]:
    attached = [text_of(each, "name") for each in list_of(metadata, "attachments") if type(each) is dict]
    text = "\n".join([part for part in (text, *(f"[file: {name}]" for name in attached if name)) if part])
    if not text.strip():
        return []
    is_hidden = metadata.get("is_visually_hidden_from_conversation") is True or not is_typed
    return [injected(text)] if is_hidden else sort_turn(text)


def _text(content: Record) -> str:
    """The text of a content: its parts, or one of the fields that other kinds have."""
    parts = content.get("parts")
    if type(parts) is list:
        return "\n".join([text for text in map(_part, parts) if text])
    texts = [text_of(content, name) for name in _TEXTS]
    return "\n".join([text for text in texts if text])


def _part(part: Any) -> str:
    if type(part) is str:
        return part
    if type(part) is not dict:
        return ""
    kind = text_of(part, "content_type")
    if text := text_of(part, "text"):
        return text
    return "[image]" if "image" in kind else "[audio]" if "audio" in kind else f"[{kind}]" if kind else ""
