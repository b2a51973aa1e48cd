"""Whose transcript a file is, by what stands in it: for files that lie where their agent would not keep them.

Somebody names such a file, or a folder of them.  What a transcript has beside it, such as titles in an index, is read
if it lies beside it here, too.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from noctuary.transcripts.aider import begins_chat
from noctuary.transcripts.antigravity import best_of, is_transcript
from noctuary.transcripts.copied import session_said, source_at
from noctuary.transcripts.cursor_store import is_store
from noctuary.transcripts.documents import LARGEST, load_document, load_page, load_records
from noctuary.transcripts.exports import conversations
from noctuary.transcripts.fields import dict_of, list_of, text_of
from noctuary.transcripts.finding import below, is_file, is_folder, open_file
from noctuary.transcripts.foreign_sqlite import ForeignDatabase, is_sqlite, open_foreign
from noctuary.transcripts.items import Source
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.specstory import is_history
from noctuary.transcripts.surroundings import known_by_surroundings

_ENDINGS = (".jsonl", ".json", ".md", ".db", ".sqlite", ".vscdb", ".zip", "overview.txt")
_FIRST = 40  # records of a log in which it says whose it is
_HEAD, _BEFORE = 4096, b" \t\n\r\xef\xbb\xbf"  # what may stand before a value
# Not sets: what stands in a record may be a list, which no set can be asked for.
_CODEX = ("session_meta", "response_item", "turn_context", "event_msg")
_COPILOT = ("session.start", "user.message", "assistant.message", "userpromptsubmitted", "assistantresponse")
_KIRO = ("Prompt", "AssistantMessage", "ToolResults")
_SPOKEN = ("user", "assistant")
Rule = tuple[str, Callable[[Record], bool]]
Known = tuple[str, str]  # an agent, and a session; each may be empty
_NOBODYS: Known = ("", "")

_OF_RECORDS: tuple[Rule, ...] = (
    ("codex", lambda one: (one.get("type") in _CODEX and "payload" in one) or {"id", "instructions"} <= one.keys()),
    ("qwen", lambda one: {"uuid", "sessionId"} <= one.keys() and "parts" in dict_of(one, "message")),
    ("claude-code", lambda one: "sessionId" in one and bool({"parentUuid", "leafUuid"} & one.keys())),
    ("gemini", lambda one: {"sessionId", "projectHash"} <= one.keys()),
    ("pi", lambda one: one.get("type") == "session" and {"id", "timestamp"} <= one.keys()),
    ("droid", lambda one: one.get("type") == "session_start"),
    ("copilot-cli", lambda one: one.get("type") in _COPILOT),
    ("copilot-chat", lambda one: one.get("kind") == 0 and "requests" in dict_of(one, "v")),
    ("grok", lambda one: one.get("method") == "session/update" and "params" in one),
    ("kiro", lambda one: one.get("kind") in _KIRO and "data" in one),
    ("antigravity", lambda one: {"step_index", "source"} <= one.keys()),
    ("goose", lambda one: {"working_dir", "description"} <= one.keys()),
    ("cursor", lambda one: one.get("role") in _SPOKEN and type(dict_of(one, "message").get("content")) is list),
)
_OF_DOCUMENTS: tuple[Rule, ...] = (
    ("chatgpt", lambda one: "mapping" in one),
    ("claude.ai", lambda one: "chat_messages" in one),
    ("copilot-chat", lambda one: {"requests", "sessionId"} <= one.keys()),
    (
        "copilot-cli",
        lambda one: bool({"chatMessages", "timeline"} & one.keys()) or {"history", "workspacePath"} <= one.keys(),
    ),
    ("codex", lambda one: {"session", "items"} <= one.keys()),
    ("amp", lambda one: text_of(one, "id").startswith("T-") and "messages" in one),
    ("qwen", lambda one: "projectHash" in one and "qwen" in map(_type, list_of(one, "messages"))),
    ("gemini", lambda one: "projectHash" in one and "messages" in one),
)
_OF_COLUMNS = (
    ("cursor", "cursorDiskKV", "value"),
    ("pi", "pi_session_entries", "seq"),
    ("opencode", "part", "message_id"),
    ("goose", "messages", "content_json"),
    ("crush", "messages", "parts"),
    ("hermes", "sessions", "parent_session_id"),
)


def transcripts_at(path: Path, problems: list[str]) -> Iterator[Source]:
    """The transcripts that a file or a folder is or holds, sorted; what cannot be read is told and stops nothing."""
    for each in below(path, _ENDINGS) if is_folder(path) else [path]:
        try:
            if not is_file(each):
                continue
            if found := known_by_surroundings(each):
                yield found
            elif (known := _known(each)) != _NOBODYS and not (each != path and _is_said_beside(each)):
                yield source_at(known[0], each, known[1])
        except OSError as error:
            problems.append(f"{each}: {error.strerror or error}; the file was left out.")


def agent_of(path: Path) -> str:
    """The agent that wrote a file, or nothing; OSError if it cannot be read."""
    return _known(path)[0]


def _known(path: Path) -> Known:
    """The agent that wrote a file, and the session that it says it is of, if it says so."""
    if is_sqlite(path):
        with open_foreign(path) as database:
            return _of_database(database), ""
    try:
        return _OF_ENDING.get(path.suffix, _of_log)(path)
    except ValueError:  # it is not what its name says
        return _NOBODYS


def _is_said_beside(path: Path) -> bool:
    """Whether another file of the same session says all of this and more, so that its agent no longer reads it."""
    if path.suffix == ".json":  # a chat that went on as a log
        log = path.with_suffix(".jsonl")
        return is_file(log) and agent_of(log) == agent_of(path)
    return is_transcript(path) and best_of(path.parent) != path


def _of_log(path: Path) -> Known:
    records = [record for _, record in islice(load_records(path, sys.maxsize), _FIRST) if type(record) is dict]
    agent = next((agent for record in records if (agent := _first(_OF_RECORDS, record))), "")
    return agent, session_said(agent, records)


def _of_document(path: Path) -> Known:
    with open_file(path) as file:
        is_list = file.read(_HEAD).lstrip(_BEFORE).startswith(b"[")
    if is_list or path.stat().st_size > LARGEST:  # an export may be of any size, and its first items tell whose it is
        one = next((each for each in islice(conversations(path), _FIRST) if type(each) is dict), {})
        return "cline" if one.get("role") in _SPOKEN and "content" in one else _first(_OF_DOCUMENTS, one), ""
    document = load_document(path)
    if type(document) is not dict:
        return _NOBODYS
    is_session = path.name.endswith(".messages.json") and "messages" in document
    agent = "cline" if is_session else _first(_OF_DOCUMENTS, document)
    return agent, session_said(agent, [document])


def _of_page(path: Path) -> Known:
    page = load_page(path)
    return "specstory" if is_history(page) else "aider" if begins_chat(page) else "", ""


def _of_archive(path: Path) -> Known:
    one: Any = next(iter(conversations(path)), None)
    return _first(_OF_DOCUMENTS, one) if type(one) is dict else "", ""


def _of_database(database: ForeignDatabase) -> str:
    found = next((agent for agent, table, column in _OF_COLUMNS if column in database.columns(table)), "")
    found = found or ("cursor" if is_store(database) else "")
    if found or "key" not in database.columns("ItemTable"):
        return found
    keys = [key for (key,) in database.rows("select key from ItemTable where key like '%aichat%' or key = ?", _CHATS)]
    return "copilot-chat" if _CHATS in keys else "cursor" if keys else ""


_CHATS = "interactive.sessions"
_OF_ENDING = {".json": _of_document, ".md": _of_page, ".zip": _of_archive}


def _first(rules: Iterable[Rule], record: Record) -> str:
    return next((agent for agent, holds in rules if holds(record)), "")


def _type(message: Any) -> str:
    return text_of(message, "type") if type(message) is dict else ""
