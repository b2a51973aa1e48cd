"""A chat of Gemini CLI, however it was kept: its messages as entries.  Early Qwen Code kept the same."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from noctuary.records import Relation, TitleSource
from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.documents import Entry, Talk, delegated
from noctuary.transcripts.drafts import TOOL_CALL, TOOL_RESULT, Draft, taken_back, thought
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.finding import open_file
from noctuary.transcripts.genai_parts import (
    all_text,
    model_drafts,
    parts_of,
    response_text,
    result_of,
    shown_drafts,
    without_calls,
)
from noctuary.transcripts.items import Facts, NewField, Skipped, Source
from noctuary.transcripts.speech import injected
from noctuary.transcripts.unchanged import while_unchanged
from noctuary.transcripts.unfamiliar import new_fields

_MODEL = ("gemini", "qwen", "model")
_NOTICES = ("info", "error", "warning")
_MESSAGE = frozenset(
    ["id", "timestamp", "type", "content", "displayContent", "toolCalls", "thoughts", "tokens", "model", "parts"]
)
_ACKNOWLEDGED = "Got it. Thanks for the additional context!"  # put into the model's mouth after a compression
_HEAD = 4096
_SESSION = re.compile(rb'"sessionId"\s*:\s*"([^"\\]{1,200})"')
_FOLDERS = "Workspace Directories:**\n  - "


class Kept(NamedTuple):
    """A message, and the line or the number that it was found at."""

    line: int
    message: dict[str, Any]


@while_unchanged
def session_at(path: Path) -> str:
    """The session that a file says at its beginning that it is of; else its name."""
    try:
        with open_file(path) as file:
            found = _SESSION.search(file.read(_HEAD))
    except OSError:
        found = None
    return found.group(1).decode("utf-8", "replace") if found else path.stem


def talk_of(
    source: Source,
    about: dict[str, Any],
    kept: Iterable[Kept],
    oddities: list[Skipped | NewField],
    cwd: str | None,
    rewound: Iterable[Kept] = (),
) -> Talk:
    """The session that a chat is; what was taken back comes last."""
    told = _Told(oddities)
    for line, message in kept:
        told.add(message, line)
    model, said = told.model, len(told.entries)
    for line, message in rewound:
        told.add(message, line)
    told.model = model or told.model
    told.entries[said:] = [entry._replace(drafts=taken_back([*entry.drafts])) for entry in told.entries[said:]]
    is_part = source.relation is Relation.SUBAGENT or about.get("kind") == "subagent"
    summary = text_of(about, "summary").strip()
    facts = Facts(
        session=source.session,
        cwd=cwd or told.folder or _first_text(about, "directories"),
        model=told.model or None,
        title=summary or None,
        title_source=TitleSource.SUMMARY if summary else None,
        parent=source.parent,
        relation=Relation.SUBAGENT if source.parent else None,
    )
    talk = Talk(facts, told.entries, oddities, started_ms=time_ms(about.get("startTime")))
    return delegated(talk) if is_part else talk


class _Told:
    """The entries of a chat.  A call and a result are told once, though copies of them may follow."""

    def __init__(self, oddities: list[Skipped | NewField]) -> None:
        self.entries: list[Entry] = []
        self.model, self.folder = "", ""
        self._oddities = oddities
        self._calls: set[str] = set()
        self._results: set[str] = set()
        self._keys: dict[str, int] = {}

    def add(self, message: dict[str, Any], line: int) -> None:
        if not _MESSAGE.issuperset(message):
            self._oddities += new_fields("message", message, _MESSAGE, line)
        kind, key = text_of(message, "type"), text_of(message, "id") or str(line)
        ts_ms = time_ms(message.get("timestamp"))
        if kind in _MODEL:
            self._add_model(message, key, ts_ms, line)
        elif kind == "user":
            self._add_drafts(shown_drafts(message, "displayContent", message.get("content")), key, ts_ms, line)
        elif kind in _NOTICES:
            text = all_text(message.get("content"))
            self._add(key, [injected(text)] if text.strip() else [], ts_ms, line)
        else:
            self._oddities.append(Skipped(line=line, reason="unknown type of message", unknown=kind or "?"))

    def _add_model(self, message: dict[str, Any], key: str, ts_ms: int, line: int) -> None:
        self.model = text_of(message, "model") or self.model
        calls = [each for each in list_of(message, "toolCalls") if type(each) is dict]
        content = message.get("content")
        if content == _ACKNOWLEDGED or (type(content) is list and all_text(content) == _ACKNOWLEDGED):
            self._add(key, [injected(_ACKNOWLEDGED)], ts_ms, line)
            return
        drafts = [*_thoughts(message), *model_drafts(content)]
        self._add_drafts(without_calls(drafts) if calls else drafts, key, ts_ms, line)
        for number, each in enumerate(calls):
            self._add_call(each, text_of(each, "id") or f"{key}.{number}", key, ts_ms, line)

    def _add_call(self, each: dict[str, Any], call_id: str, key: str, ts_ms: int, line: int) -> None:
        name, ts_ms = text_of(each, "name"), time_ms(each.get("timestamp")) or ts_ms
        self._add_once(call(name, call_id, each.get("args")), key, ts_ms, line)
        text = _result_text(each)
        if text is not None:
            self._add_once(result(call_id, text, name), key, ts_ms, line)

    def _add_drafts(self, drafts: list[Draft], key: str, ts_ms: int, line: int) -> None:
        said: list[Draft] = []
        for draft in drafts:
            if draft.kind is TOOL_CALL or draft.kind is TOOL_RESULT:
                self._add(key, said, ts_ms, line)
                said = []
                self._add_once(draft, key, ts_ms, line)
            else:
                said.append(draft)
                if draft.hidden and not self.folder and _FOLDERS in draft.content:
                    self.folder = draft.content.partition(_FOLDERS)[2].partition("\n")[0].strip()
        self._add(key, said, ts_ms, line)

    def _add_once(self, draft: Draft, key: str, ts_ms: int, line: int) -> None:
        """A call and its result are entries of their own: the result may come later."""
        before = self._calls if draft.kind is TOOL_CALL else self._results
        name = draft.call_id or f"{key}.{draft.tool_name}"
        if name not in before:
            before.add(name)
            self._add(f"{'call' if draft.kind is TOOL_CALL else 'result'}:{name}", [draft], ts_ms, line)

    def _add(self, key: str, drafts: list[Draft], ts_ms: int, line: int) -> None:
        if not drafts:
            return
        used = self._keys[key] = self._keys.get(key, 0) + 1
        if used > 1:  # the rest of a message after a call, or two messages of one name
            key = f"{key}/{used}"
        self.entries.append(Entry(key, drafts, ts_ms, line))


def _thoughts(message: dict[str, Any]) -> list[Draft]:
    thoughts: list[Draft] = []
    for each in list_of(message, "thoughts"):
        if type(each) is dict:
            text = "\n".join([part for part in (text_of(each, "subject"), text_of(each, "description")) if part])
            thoughts += thought(text)
    return thoughts


def _result_text(each: dict[str, Any]) -> str | None:
    """What a call came to; None if that is not there, or not yet."""
    texts = []
    for part in parts_of(each.get("result")):
        response = part.get("functionResponse") if type(part) is dict else None
        texts.append(result_of(response).content if type(response) is dict else response_text(part))
    text = "\n".join(filter(None, texts))
    return text or text_of(each, "resultDisplay") or text_of(dict_of(each, "resultDisplay"), "fileDiff") or None


def _first_text(record: dict[str, Any], key: str) -> str | None:
    return next((value for value in list_of(record, key) if type(value) is str and value), None)
