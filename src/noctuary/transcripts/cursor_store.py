"""The chats of Cursor's command line: `chats/<hash of the folder>/<chat>/store.db`, one database each.

Every message is a blob of JSON, called by its digest; so are states of the conversation, which are protocol buffers and
list the messages in their order.  The row `0` of the table `meta` is JSON in hexadecimal digits and names the latest
state.  `meta.json` beside the database tells where a chat takes place; the first versions do not have it.

Messages that the latest state does not list were taken back, unless it has a summary: then they were summed up.  Only
prompts have times, and not in all versions; else all was said when the chat began.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from noctuary.records import Kind, Relation
from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.blocks import block_text, flatten, parse_json
from noctuary.transcripts.cursor_turns import said_ms, spoken
from noctuary.transcripts.documents import Entry, Talk, load_document
from noctuary.transcripts.drafts import SYSTEM, Draft, by_agent, taken_back, thought
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.foreign_sqlite import ForeignDatabase, beside, open_foreign, text_in
from noctuary.transcripts.items import Facts, NewField, Skipped, Source
from noctuary.transcripts.jsonl import Record, parse_line
from noctuary.transcripts.protobuf import fields_in
from noctuary.transcripts.speech import injected
from noctuary.transcripts.unfamiliar import names, new_fields
from noctuary.transcripts.uris import path_in

STORE, _SIDECAR = "store.db", "meta.json"
_MESSAGES, _WORKSPACES, _SUMMARIES = 1, 9, (6, 11, 13)  # numbers of fields in a state
_UNNAMED = "New Agent"
_SILENT = ("system",)  # what Cursor tells every model
_ROLES = ("user", "assistant", "tool")
_MESSAGE = names("id role content providerOptions")
_FOLDER = "Workspace Path:"


class _Chat(NamedTuple):
    """What a database holds."""

    about: Record
    root: list[tuple[int, bytes]]  # the fields of the latest state
    messages: dict[str, Record]  # by their digests, in the order in which they were written


def is_store(database: ForeignDatabase) -> bool:
    """Whether a database is a chat of the command line."""
    return "data" in database.columns("blobs") and {"key", "value"} <= database.columns("meta")


def store_at(adapter: str, path: Path) -> Source:
    """The chat in a database that lies where Cursor keeps it."""
    around = (*beside(path), path.with_name(_SIDECAR))
    return Source(adapter=adapter, path=path, session=path.parent.name, is_log=False, beside=around)


def has_messages(path: Path) -> bool:
    """Whether something was said in the chat of a database; OSError if it cannot be read."""
    with open_foreign(path) as database:
        return is_store(database) and any(each.get("role") == "user" for each in _chat(database).messages.values())


def talk_in(path: Path, session: str) -> Talk | Skipped:
    """The chat in a database, by the name it has where Cursor keeps it or else by the one that it says."""
    with open_foreign(path) as database:
        if not is_store(database):
            return Skipped(line=1, reason="not a chat of Cursor")
        chat = _chat(database)
    sidecar = _beside(path)
    listed = [key.hex() for number, key in chat.root if number == _MESSAGES]
    named = {*listed}
    others = [key for key in chat.messages if key not in named]
    is_summed_up = any(number in _SUMMARIES for number, _ in chat.root)
    oddities: list[Skipped | NewField] = []
    if not chat.root:
        oddities.append(Skipped(line=1, reason="without its latest state"))
    first = [*others, *listed] if is_summed_up or not chat.root else listed
    told = _told(chat, first, 0, oddities)
    if first is listed:
        left = _told(chat, others, len(listed), oddities)
        told += [entry._replace(drafts=taken_back([*entry.drafts])) for entry in left]
    facts = _facts(chat, sidecar, session or text_of(chat.about, "agentId") or path.parent.name)
    if facts.parent or sidecar.get("isSubagent") is True:
        told = [entry._replace(drafts=by_agent([*entry.drafts])) for entry in told]
    started_ms = time_ms(chat.about.get("createdAt")) or time_ms(sidecar.get("createdAtMs"))
    return Talk(facts, told, oddities, started_ms=started_ms or path.stat().st_mtime_ns // 1_000_000)


def _chat(database: ForeignDatabase) -> _Chat:
    values = [text_in(value) for (value,) in database.rows("select value from meta where key = '0'")]
    about = _about(values[0]) if values else {}
    state: list[tuple[int, bytes]] = []
    messages: dict[str, Record] = {}
    for key, data in database.rows("select id, data from blobs order by rowid"):
        raw = data.encode() if type(data) is str else data
        if type(raw) is not bytes:
            continue
        if raw[:1] == b"{" and (record := parse_line(raw)[0]) is not None and text_of(record, "role"):
            messages[text_in(key)] = record
        elif key == about.get("latestRootBlobId"):
            state = list(fields_in(raw))
    return _Chat(about, state, messages)


def _about(value: str) -> Record:
    try:
        found = parse_json(bytes.fromhex(value).decode("utf-8", "replace"))
    except ValueError:
        found = parse_json(value)
    return found if type(found) is dict else {}


def _beside(path: Path) -> Record:
    try:
        found = load_document(path.with_name(_SIDECAR))
    except (OSError, ValueError):
        return {}
    return found if type(found) is dict else {}


def _facts(chat: _Chat, sidecar: Record, session: str) -> Facts:
    name = text_of(chat.about, "name").strip()
    parent = text_of(dict_of(chat.about, "subagentInfo"), "parentAgentId")
    workspaces = (path_in(raw.decode("utf-8", "replace")) for number, raw in chat.root if number == _WORKSPACES)
    return Facts(
        session=session,
        title=text_of(sidecar, "title").strip() or (name if name != _UNNAMED else "") or None,
        cwd=text_of(sidecar, "cwd") or next(filter(None, workspaces), None) or _named_folder(chat.messages.values()),
        model=_model(chat.messages.values()) or text_of(chat.about, "lastUsedModel") or None,
        parent=parent or None,
        relation=Relation.SUBAGENT if parent else None,
        source="cli",
    )


def _model(messages: Iterable[Record]) -> str:
    """The model that spoke last."""
    found = ""
    for message in messages:
        parts = [message, *(each for each in list_of(message, "content") if type(each) is dict)]
        for each in parts if message.get("role") == "assistant" else ():
            found = text_of(dict_of(dict_of(each, "providerOptions"), "cursor"), "modelName") or found
    return found


def _named_folder(messages: Iterable[Record]) -> str | None:
    """Where a chat takes place, as the model is told at its beginning."""
    for message in messages:
        text = flatten(message.get("content")) if message.get("role") == "user" else ""
        for line in text.splitlines() if _FOLDER in text else ():
            if line.startswith(_FOLDER):
                return line.removeprefix(_FOLDER).strip() or None
    return None


def _told(chat: _Chat, keys: Iterable[str], before: int, oddities: list[Skipped | NewField]) -> list[Entry]:
    told = []
    for number, key in enumerate(keys, before + 1):
        message = chat.messages.get(key)
        role = text_of(message, "role") if message else ""
        if message is None:
            oddities.append(Skipped(line=number, reason="a message that is not there"))
        elif role in _ROLES:
            oddities += new_fields("message", message, _MESSAGE, number)
            if drafts := _drafts(role, message, number, oddities):
                at_ms = said_ms(flatten(message.get("content"))) if role == "user" else 0
                told.append(Entry(key, drafts, at_ms, number))
        elif role not in _SILENT:
            oddities.append(Skipped(line=number, reason="unknown role", unknown=f"message/{role[:60]}"))
    return told


def _drafts(role: str, message: Record, number: int, oddities: list[Skipped | NewField]) -> list[Draft]:
    content = message.get("content")
    if dict_of(dict_of(message, "providerOptions"), "cursor").get("isSummary") is True:
        text = flatten(content)
        return [Draft(SYSTEM, Kind.SUMMARY, None, text)] if text.strip() else []
    drafts: list[Draft] = []
    for each in content if type(content) is list else [content]:
        found = _of_part(role, each)
        if found is None:
            kind = text_of(each, "type") if type(each) is dict else type(each).__name__
            oddities.append(Skipped(line=number, reason="unknown type of part", unknown=f"part/{kind[:60] or '?'}"))
        else:
            drafts += found
    return drafts


def _of_part(role: str, each: Any) -> list[Draft] | None:
    """What a part of a message says; None for one of a type that we have not met."""
    if type(each) is str:
        return spoken(role, each)
    if type(each) is not dict:
        return None
    match each.get("type"):
        case "reasoning":
            return thought(text_of(each, "text"))
        case "redacted-reasoning":
            return []
        case "tool-call":
            return [call(text_of(each, "toolName"), text_of(each, "toolCallId"), each.get("args", each.get("input")))]
        case "tool-result":
            given = each.get("result", each.get("output"))
            return [result(text_of(each, "toolCallId"), given, text_of(each, "toolName"))]
        case "file":
            return [injected("[file]")]
    text = block_text(each)
    return None if text is None else spoken(role, text)
