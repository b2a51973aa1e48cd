"""Sessions that early versions of GitHub Copilot CLI kept as one document: what was shown, or what the model was sent.

What was shown (`timeline`) has times and what people typed, so it is read if it is there.
"""

from collections.abc import Iterator
from typing import Any

from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.blocks import flatten, parse_json, render_input
from noctuary.transcripts.documents import Entry, Talk
from noctuary.transcripts.drafts import Draft, answered
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.items import Facts, NewField, Skipped, Source
from noctuary.transcripts.speech import injected, sort_turn
from noctuary.transcripts.unfamiliar import new_fields

_LISTS = ("timeline", "chatMessages", "events", "history", "messages", "conversation")
_SESSION = frozenset(
    [
        *_LISTS,
        "sessionId",
        "session_id",
        "id",
        "startTime",
        "title",
        "cwd",
        "workspacePath",
        "workingDirectory",
        "selectedModel",
        "model",
    ]
)
_BY_PEOPLE, _BY_THE_MODEL = {"user", "human", "user.message"}, {"assistant", "copilot", "assistant.message", "model"}
_NOTICES = {"info", "error", "warning", "system", "developer"}
_TEXTS = ("content", "text", "message", "prompt", "output", "result", "response")


def talk_in(source: Source, document: Any) -> Iterator[Talk]:
    """The session in a document; ValueError if it is none."""
    records = next((found for key in _LISTS if (found := _records(document, key))), None)
    if records is None:
        raise ValueError("not a session")
    oddities: list[Skipped | NewField] = [*new_fields("session", document, _SESSION)]
    told: list[Entry] = []
    asked: set[str] = set()
    for number, record in enumerate(records, 1):
        if type(record) is not dict:
            oddities.append(Skipped(line=number, reason="not a JSON object"))
            continue
        ts_ms = time_ms(record.get("timestamp")) or time_ms(record.get("time"))
        for nth, draft in enumerate(_drafts(record, number, asked, oddities)):
            told.append(Entry(f"{number}.{nth}", [draft], ts_ms, number))
    folders = (text_of(document, key) for key in ("cwd", "workspacePath", "workingDirectory"))
    facts = Facts(
        session=source.session,
        cwd=next((folder for folder in folders if folder), None),
        model=text_of(document, "selectedModel") or text_of(document, "model") or None,
        title=text_of(document, "title") or None,
    )
    yield Talk(facts, told, oddities, started_ms=time_ms(document.get("startTime")))


def _records(document: Any, key: str) -> list[Any]:
    return list_of(document, key) if type(document) is dict else []


def _drafts(record: dict[str, Any], number: int, asked: set[str], oddities: list[Skipped | NewField]) -> list[Draft]:
    kind = text_of(record, "role") or text_of(record, "type")
    text = ""
    for key in _TEXTS:
        if value := record.get(key):
            text = value if type(value) is str else flatten(value)
            break
    if kind in _BY_PEOPLE:
        return sort_turn(text)
    if kind in _BY_THE_MODEL:
        said = answered(text)
        return [*said, *_asked(record)] if "tool_calls" in record else said
    if kind == "tool":
        return [result(text_of(record, "tool_call_id"), text, text_of(record, "name"))]
    if kind.startswith("tool_call"):
        return _shown_call(record, kind, asked)
    if kind in _NOTICES:
        return [injected(text)] if text.strip() else []
    oddities.append(Skipped(line=number, reason="unknown type of record", unknown=kind[:60] or "?"))
    return []


def _asked(message: dict[str, Any]) -> Iterator[Draft]:
    """The calls in a message as the model was sent it."""
    for each in list_of(message, "tool_calls"):
        if type(each) is dict:
            function = dict_of(each, "function")
            given = text_of(function, "arguments")
            parsed = parse_json(given)
            yield call(text_of(function, "name"), text_of(each, "id"), given if parsed is None else parsed)


def _shown_call(record: dict[str, Any], kind: str, asked: set[str]) -> list[Draft]:
    """A call as it was shown when it was asked for, and again with what came of it."""
    name = text_of(record, "name") or text_of(record, "toolTitle")
    call_id = text_of(record, "callId") or text_of(record, "id")
    drafts = [] if call_id in asked else [call(name, call_id, record.get("arguments"))]
    asked.add(call_id)
    given = record.get("result") if kind == "tool_call_completed" else None
    shown = text_of(given, "log") or render_input(given) if type(given) is dict else flatten(given)
    return [*drafts, result(call_id, shown, name)] if shown.strip() else drafts
