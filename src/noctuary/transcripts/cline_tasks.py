"""A task of Cline, Roo or Kilo as their extensions keep it: a folder with the messages of the API, and what was shown.

`api_conversation_history.json` has all that was said; `ui_messages.json` has the times where that has none.
"""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from noctuary.records import Relation
from noctuary.transcripts.cline_turns import Turns, summary
from noctuary.transcripts.documents import Entry, Talk, load_document
from noctuary.transcripts.drafts import Draft, by_agent, is_typed
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.items import Facts, NewField, Skipped, Source
from noctuary.transcripts.speech import injected
from noctuary.transcripts.unfamiliar import new_fields

HISTORY, SHOWN, ITEM = "api_conversation_history.json", "ui_messages.json", "history_item.json"
_LARGEST_INDEX = 20 * 1024 * 1024
_MESSAGE = frozenset(
    [
        "role",
        "content",
        "ts",
        "id",
        "type",
        "text",
        "timestamp",
        "modelInfo",
        "metrics",
        "metadata",
        "agent",
        "sessionId",
        "isSummary",
        "condenseId",
        "condenseParent",
        "truncationId",
        "truncationParent",
        "isTruncationMarker",
        "reasoning_details",
        "reasoning_content",
        "summary",
        "encrypted_content",
        "tool_use_id",
    ]
)


def task_talks(source: Source) -> Iterator[Talk | Skipped]:
    """The one conversation of a task; ValueError if the file is something else."""
    messages = load_document(source.path)
    if type(messages) is not list or not any(_role(message) for message in messages):
        raise ValueError("not a conversation")
    folder = source.path.parent
    item, about = _beside(folder / ITEM), _beside(folder / "task_metadata.json")
    shown = _Shown(folder / SHOWN)
    if not any(type(message) is dict and "role" in message for message in messages):
        messages = [*shown.spoken(), *messages]
    turns = Turns(shown.is_typed)
    oddities: list[Skipped | NewField] = []
    parent = text_of(item, "parentTaskId")
    entries = _entries(messages, shown.times(messages), turns, oddities, is_delegated=bool(parent))
    started = time_ms(folder.name) if folder.name.isdigit() else 0
    item = item if turns.cwd or item else _indexed(folder)
    facts = Facts(
        session=source.session,
        cwd=text_of(item, "workspace") or text_of(item, "cwdOnTaskInitialization") or turns.cwd or None,
        model=turns.model or _model(about) or text_of(item, "modelId") or None,
        title=text_of(about, "title") or None,
        parent=parent or None,
        relation=Relation.SUBAGENT if parent else None,
    )
    written = source.path.stat().st_mtime_ns // 1_000_000
    yield Talk(facts, entries, oddities, started_ms=started or time_ms(item.get("ts")) or written)


def _role(message: Any) -> str:
    if type(message) is not dict:
        return ""
    role = text_of(message, "role") or text_of(message, "type")
    return role if role in ("user", "assistant") else ""


def _entries(
    messages: list[Any],
    times: dict[int, int],
    turns: Turns,
    oddities: list[Skipped | NewField],
    *,
    is_delegated: bool,
) -> list[Entry]:
    entries: list[Entry] = []
    keys: dict[str, int] = {}
    for number, message in enumerate(messages, 1):
        if not (role := _role(message)):
            kind = text_of(message, "role") or text_of(message, "type") if type(message) is dict else "?"
            if kind == "reasoning":
                continue  # encrypted, for the model alone
            oddities.append(Skipped(line=number, reason="unknown type of message", unknown=f"message/{kind[:60]}"))
            continue
        oddities += new_fields("message", message, _MESSAGE, number)
        drafts = _drafts(role, message, turns)
        if turns.unknown:
            oddities += [Skipped(line=number, reason="unknown type of content", unknown=name) for name in turns.unknown]
            turns.unknown.clear()
        if is_delegated and any(map(is_typed, drafts)):
            is_delegated, drafts = False, by_agent(drafts)
        said_ms = time_ms(message.get("ts") or message.get("timestamp"))
        key = str(said_ms or number)  # a summary that is put in between moves the numbers
        keys[key] = keys.get(key, 0) + 1
        key = f"{key}.{keys[key]}" if keys[key] > 1 else key
        entries.append(Entry(key, drafts, said_ms or times.get(number, 0), number))
    return entries


def _drafts(role: str, message: dict[str, Any], turns: Turns) -> list[Draft]:
    content = message.get("content", message.get("text"))
    if message.get("isSummary") is True:
        return summary(content)
    if role == "assistant":
        return turns.assistant(content)
    drafts = turns.user(content)
    return [injected(draft.content) for draft in drafts] if message.get("isTruncationMarker") is True else drafts


class _Shown:
    """What was shown of a task; read when it is first needed, since most messages tell all by themselves."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _all(self) -> list[dict[str, Any]]:
        return [each for each in _list_beside(self._path) if type(each) is dict]

    @cached_property
    def _typed(self) -> set[str]:
        return {text_of(each, "text").strip() for each in self._all if each.get("say") == "user_feedback"}

    def spoken(self) -> list[dict[str, Any]]:
        """What was said, where what was shown is kept as messages; some early tasks have the prompts only there."""
        return [each for each in self._all if _role(each)]

    def is_typed(self, text: str) -> bool:
        """Whether a person said this when they were asked something."""
        return text in self._typed

    def times(self, messages: list[Any]) -> dict[int, int]:
        """When each message was sent, by its number, as far as the messages themselves do not tell."""
        if all(type(message) is dict and message.get("ts") for message in messages):
            return {}
        times: dict[int, int] = {}
        for each in self._all:
            index = each.get("conversationHistoryIndex")
            if type(index) is int and (ms := time_ms(each.get("ts"))):
                times.setdefault(index + 2, ms)  # the index is that of the message before, from 0
        return times


def _model(about: dict[str, Any]) -> str:
    """The model that was used last, as the file about the task says."""
    used = list_of(about, "model_usage")
    return text_of(used[-1], "model_id") if used and type(used[-1]) is dict else ""


def _indexed(folder: Path) -> dict[str, Any]:
    """What the list of all tasks says about this one."""
    listed = _list_beside(folder.parent.parent / "state" / "taskHistory.json")
    return next((each for each in listed if type(each) is dict and each.get("id") == folder.name), {})


def _beside(path: Path) -> dict[str, Any]:
    value = _loaded(path)
    return value if type(value) is dict else {}


def _list_beside(path: Path) -> list[Any]:
    value = _loaded(path)
    return value if type(value) is list else []


def _loaded(path: Path) -> Any:
    """What a file beside the transcript holds; nothing if it cannot be read, which costs what it would have told."""
    try:
        return load_document(path, _LARGEST_INDEX if path.name != SHOWN else 100 * 1024 * 1024)
    except (OSError, ValueError):
        return None


def manifest(path: Path) -> dict[str, Any]:
    """What the file beside a session of Cline says about it."""
    return _beside(path)


def model_of(message: dict[str, Any]) -> str:
    """The model that said a message of a session of Cline."""
    return text_of(dict_of(message, "modelInfo"), "id")
