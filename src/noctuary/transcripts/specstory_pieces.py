"""The pieces of a turn that SpecStory wrote: words, thoughts, tools with what they gave back."""

import re

from noctuary.transcripts.drafts import ASSISTANT, TOOL, TOOL_CALL, TOOL_RESULT, Draft, answered, is_typed, thought
from noctuary.transcripts.speech import sort_turn

_THOUGHT, _THOUGHT_ENDS = "<think>", "</think>"
_TOOL, _TOOL_ENDS = "<tool-use ", "</tool-use>"
_CLOSING = {_THOUGHT: _THOUGHT_ENDS, _TOOL: _TOOL_ENDS}
_MARK = re.compile(f"{_THOUGHT}|{_TOOL}")
_OLD_TOOL = "Tool use: **"
_WRAPPING = ("<details>", "</details>", "<summary>", "</summary>")
_RULE = "\n---\n"


class Pieces:
    """The turns of one session, in order: calls are numbered, since SpecStory leaves out their ids."""

    def __init__(self) -> None:
        self._calls = 0

    def user(self, text: str, *, is_agent: bool) -> list[Draft]:
        """What somebody typed; in a session beside the main one an agent did."""
        drafts = sort_turn(_trimmed(text))
        return [draft._replace(role=ASSISTANT) if is_agent and is_typed(draft) else draft for draft in drafts]

    def agent(self, text: str) -> list[Draft]:
        """What an agent said, thought and called."""
        if _MARK.search(text) is None:
            return self._words(text)
        drafts: list[Draft] = []
        at = 0
        marks = {_THOUGHT: _start(text, _THOUGHT, 0), _TOOL: _start(text, _TOOL, 0)}
        while (start := min(marks.values())) < len(text):
            opening = _THOUGHT if start == marks[_THOUGHT] else _TOOL
            closing = _CLOSING[opening]
            end = text.find(closing, start)
            if end < 0:
                break
            drafts += self._words(text[at:start])
            inner, at = text[start : end + len(closing)], end + len(closing)
            drafts += _thought(inner) if opening == _THOUGHT else self._tool(inner)
            marks = {mark: found if found >= at else _start(text, mark, at) for mark, found in marks.items()}
        return [*drafts, *self._words(text[at:])]

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
        drafts = [Draft(ASSISTANT, TOOL_CALL, None, given, name or None, call_id)]
        if result is not None:
            drafts.append(Draft(TOOL, TOOL_RESULT, None, result, name or None, call_id))
        return drafts


def _start(text: str, opening: str, at: int) -> int:
    """Where the next thought or tool begins, at the beginning of a line; the end of the text if there is none."""
    if text.startswith(opening, at):
        return at
    found = text.find(f"\n{opening}", at)
    return len(text) if found < 0 else found + 1


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
    for tag in _WRAPPING:
        text = text.replace(tag, "")
    return text.strip()


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
