"""The pieces of a turn that SpecStory wrote: words, thoughts, tools with what they gave back."""

import re

from noctuary.transcripts.drafts import (
    Draft,
    answered,
    by_agent,
    called,
    returned,
    thought,
)
from noctuary.transcripts.speech import sort_turn

_THOUGHT, _THOUGHT_ENDS = "<think>", "</think>"
_TOOL, _TOOL_ENDS = "<tool-use ", "</tool-use>"
_MARK = re.compile(f"{_THOUGHT}|{_TOOL}")
_OLD_TOOL = "Tool use: **"
_WRAPPING = re.compile("</?(?:details|summary)>")
_RULE = "\n---\n"


class Pieces:
    """The turns of one session, in order: calls are numbered, since SpecStory leaves out their ids."""

    def __init__(self) -> None:
        self._calls = 0

    def user(self, text: str, *, is_agent: bool) -> list[Draft]:
        """What somebody typed; in a session beside the main one an agent did."""
        drafts = sort_turn(_trimmed(text))
        return by_agent(drafts) if is_agent else drafts

    def agent(self, text: str) -> list[Draft]:
        """What an agent said, thought and called."""
        drafts: list[Draft] = []
        at = sought = 0
        while found := _MARK.search(text, sought):
            start, sought = found.span()
            if start != at and text[start - 1] != "\n":  # only at the beginning of a line, or right after another
                continue
            is_thought = found[0] == _THOUGHT
            closing = _THOUGHT_ENDS if is_thought else _TOOL_ENDS
            end = text.find(closing, start)
            if end < 0:
                break
            if not text[at:start].isspace():
                drafts += self._words(text[at:start])
            at = sought = end + len(closing)
            drafts += _thought(text[start:at]) if is_thought else self._tool(text[start:at])
        drafts += self._words(text[at:] if at else text)
        return drafts

    def _words(self, text: str) -> list[Draft]:
        """Words of the agent; older files name tools in a part of their own."""
        if _OLD_TOOL not in text:
            return answered(_trimmed(text))
        drafts: list[Draft] = []
        for part in text.split(_RULE):
            words = _trimmed(part)
            if words.startswith(_OLD_TOOL):
                name, _, body = words.removeprefix(_OLD_TOOL).partition("**")
                drafts += self._called(name, _plain(body))
            else:
                drafts += answered(words)
        return drafts

    def _tool(self, text: str) -> list[Draft]:
        opening, _, body = text.removesuffix(_TOOL_ENDS).partition(">")
        name = opening.partition('data-tool-name="')[2].partition('"')[0]
        return self._called(name, _plain(body).removeprefix(f"Tool use: **{name}**").strip())

    def _called(self, name: str, body: str) -> list[Draft]:
        self._calls += 1
        call_id = f"tool-{self._calls}"
        given, result = _parted(body)
        return [called(name, call_id, given), *([returned(call_id, result, name)] if result is not None else [])]


def _thought(text: str) -> list[Draft]:
    words = _plain(text.removeprefix(_THOUGHT).removesuffix(_THOUGHT_ENDS)).removeprefix("Thought Process").strip()
    return thought(words)


def _parted(body: str) -> tuple[str, str | None]:
    """What a tool was called with, and what it gave back: under its heading, or else the last block of code."""
    for heading in ("**Result:**", "**Error:**"):
        given, found, result = body.rpartition(f"\n{heading}")
        if found or body.startswith(heading):
            return given.removeprefix("**Input:**").strip(), _unfenced(result.removeprefix(heading))
    if not body.endswith("\n```"):
        return body, None
    start = f"\n{body}".find("\n```text\n")
    if start < 0:
        start = body.rfind("\n```\n", 0, -4) + 1 or (0 if body.startswith("```\n") else -1)
    return (body[:start].strip(), _unfenced(body[start:])) if start >= 0 else (body, None)


def _unfenced(text: str) -> str:
    text = text.strip()
    if not (text.startswith("```") and text.endswith("```")):
        return text
    return text.partition("\n")[2].rpartition("\n")[0] if "\n" in text else ""


def _plain(text: str) -> str:
    """A text without the tags by which it is folded away."""
    return _WRAPPING.sub("", text).strip()


def _trimmed(text: str) -> str:
    """A text without the rules before and after it."""
    text = text.strip()
    if "---" not in (text[:3], text[-3:]):
        return text
    while text == "---" or text.endswith("\n---"):
        text = text.removesuffix("---").rstrip()
    while text.startswith("---\n"):
        text = text.removeprefix("---").lstrip()
    return text
