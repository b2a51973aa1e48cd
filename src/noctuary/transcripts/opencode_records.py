"""What the messages and parts of OpenCode say, wherever they are kept: a database, or one file each.

Parts have the same names in both, so a session that was moved from files into a database is not told twice.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from noctuary.records import Kind, Relation
from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.documents import Entry, Talk
from noctuary.transcripts.drafts import ASSISTANT, SYSTEM, TEXT, Draft, by_agent, taken_back
from noctuary.transcripts.fields import dict_of, text_of, time_ms
from noctuary.transcripts.items import Facts, NewField, Skipped
from noctuary.transcripts.speech import injected, sort_turn
from noctuary.transcripts.unfamiliar import new_fields

Record = dict[str, Any]
Oddities = list[Skipped | NewField]

_SILENT = {"step-start", "step-finish", "snapshot", "patch", "agent", "compaction", "retry"}
_UNNAMED = ("New session - ", "Child session - ")  # what OpenCode calls a session until it knows better
_MESSAGE = frozenset(
    ["id", "sessionID", "role", "time", "format", "summary", "agent", "model", "system", "tools", "error", "parentID"]
) | {"modelID", "providerID", "mode", "path", "cost", "tokens", "structured", "variant", "finish", "fallbackModels"}
_OF_ALL_PARTS = ["id", "messageID", "sessionID", "type", "metadata", "time"]
_PART = {
    "text": frozenset([*_OF_ALL_PARTS, "text", "synthetic", "ignored"]),
    "reasoning": frozenset([*_OF_ALL_PARTS, "text"]),
    "tool": frozenset([*_OF_ALL_PARTS, "callID", "tool", "state"]),
    "file": frozenset([*_OF_ALL_PARTS, "mime", "filename", "url", "source"]),
    "subtask": frozenset([*_OF_ALL_PARTS, "prompt", "description", "agent", "model", "command"]),
}


class SessionRow(NamedTuple):
    """What is kept of a session beside its messages."""

    id: str
    title: str
    directory: str
    parent: str
    created: Any
    revert: Record  # from which message or part on it was taken back


class MessageRow(NamedTuple):
    """A message with its parts, in their order."""

    id: str
    info: Record
    parts: list[tuple[str, Record]]
    created: Any = None


def talk_of(session: SessionRow, messages: Iterable[MessageRow]) -> Talk:
    """A session as a whole, its messages in their order."""
    entries: list[Entry] = []
    oddities: Oddities = []
    model = ""
    for number, (message, is_kept) in enumerate(_reverted(messages, session.revert), 1):
        oddities += new_fields("message", message.info, _MESSAGE, number)
        if is_kept and message.info.get("summary") is not True:
            model = text_of(message.info, "modelID") or text_of(dict_of(message.info, "model"), "modelID") or model
        told = _entries(message, number, oddities)
        entries += told if is_kept else [entry._replace(drafts=taken_back([*entry.drafts])) for entry in told]
    if session.parent:
        entries = [entry._replace(drafts=by_agent([*entry.drafts])) for entry in entries]
    title = "" if session.title.startswith(_UNNAMED) else session.title
    facts = Facts(
        session=session.id,
        title=title or None,
        cwd=session.directory or None,
        model=model or None,
        parent=session.parent or None,
        relation=Relation.SUBAGENT if session.parent else None,
    )
    return Talk(facts, entries, oddities, started_ms=time_ms(session.created))


def _reverted(messages: Iterable[MessageRow], revert: Record) -> Iterable[tuple[MessageRow, bool]]:
    """The messages, and whether each is part of the session.

    From where it was reverted to they are not; OpenCode deletes these at the next prompt.
    """
    first, part = text_of(revert, "messageID"), text_of(revert, "partID")
    is_kept = True
    for message in messages:
        if first and message.id == first:
            is_kept = False
            ids = [each for each, _ in message.parts]
            if part in ids:
                yield message._replace(parts=message.parts[: ids.index(part)]), True
                yield message._replace(parts=message.parts[ids.index(part) :]), False
                continue
        yield message, is_kept


def _entries(message: MessageRow, number: int, oddities: Oddities) -> Iterable[Entry]:
    said_ms = time_ms(dict_of(message.info, "time").get("created")) or time_ms(message.created)
    role = text_of(message.info, "role")
    if role not in ("user", "assistant"):
        oddities.append(Skipped(line=number, reason="unknown role", unknown=f"message/{role or '?'}"))
        return
    is_summary = message.info.get("summary") is True
    for part_id, part in message.parts:
        key = f"{message.id}.{part_id}"
        kind = text_of(part, "type")
        if known := _PART.get(kind):
            oddities += new_fields(kind, part, known, number)
        elif kind not in _SILENT:
            oddities.append(Skipped(line=number, reason="unknown type of part", unknown=f"part/{kind or '?'}"))
        if kind == "tool":
            yield from _tool(key, part, said_ms, number)
        elif drafts := _drafts(role, kind, part, is_summary=is_summary):
            yield Entry(key, drafts, time_ms(dict_of(part, "time").get("start")) or said_ms, number)


def _drafts(role: str, kind: str, part: Record, *, is_summary: bool) -> list[Draft]:
    text = text_of(part, "prompt" if kind == "subtask" else "text")
    if kind == "file":
        return [injected(f"[file: {text_of(part, 'filename') or text_of(part, 'mime')}]")]
    if not text or text.isspace():
        return []
    if kind == "reasoning":
        return [Draft(ASSISTANT, Kind.THINKING, None, text)]
    if kind == "subtask":  # the template of a command, not what was typed
        return [injected(text)]
    if kind != "text":
        return []
    if role == "user":
        return [injected(text)] if part.get("synthetic") is True or part.get("ignored") is True else sort_turn(text)
    return [Draft(SYSTEM, Kind.SUMMARY, None, text) if is_summary else Draft(ASSISTANT, TEXT, None, text)]


def _tool(key: str, part: Record, said_ms: int, number: int) -> Iterable[Entry]:
    """A call, and what came of it once that is known."""
    state = dict_of(part, "state")
    name, call_id, status = text_of(part, "tool"), text_of(part, "callID"), text_of(state, "status")
    if status == "pending":  # its input is still being written
        return
    times = dict_of(state, "time")
    yield Entry(key, [call(name, call_id, state.get("input"))], time_ms(times.get("start")) or said_ms, number)
    if status in ("completed", "error"):
        given = state.get("output") if status == "completed" else state.get("error")
        if status == "error" and dict_of(state, "metadata").get("interrupted") is True:
            given = dict_of(state, "metadata").get("output") or given
        ended_ms = time_ms(times.get("end")) or said_ms
        yield Entry(f"{key}:result", [result(call_id, given, name)], ended_ms, number)
