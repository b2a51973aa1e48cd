"""Amp: one JSON document a thread, `threads/T-<uuid>.json` in its data folder.

Its time does not always change with it, so its size tells, too.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from noctuary.records import Kind
from noctuary.transcripts.anthropic_blocks import drafts_of
from noctuary.transcripts.documents import Entry, Talk, load_document, read_document
from noctuary.transcripts.drafts import SYSTEM, Draft
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.finding import entries, is_file, those_at
from noctuary.transcripts.items import Facts, Item, NewField, Place, Skipped, Source
from noctuary.transcripts.locations import data_folders, editor_folders
from noctuary.transcripts.unfamiliar import new_fields

_THREAD = frozenset(
    ["v", "id", "title", "created", "messages", "thread", "env", "nextMessageId", "agentMode", "meta", "relationships"]
)
_MESSAGE = frozenset(
    ["role", "content", "text", "messageId", "createdAt", "timestamp", "sentAt", "meta", "usage", "state", "agentMode"]
)


class Amp:
    """The adapter."""

    name = "amp"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every thread that is kept on this machine."""
        roots = [
            *data_folders(home, environ, "amp"),
            *(u / "globalStorage/sourcegraph.amp" for u in editor_folders(home, environ)),
        ]
        for root in roots:
            for path in entries(root / "threads"):
                if path.match("T-*.json") and is_file(path):
                    yield Source(adapter=self.name, path=path, session=path.stem, is_log=False)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The thread at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the thread."""
        return read_document(place, lambda: _talks(source))


def _talks(source: Source) -> Iterator[Talk | Skipped]:
    thread = load_document(source.path)
    if type(thread) is not dict:
        raise ValueError("not a JSON object")
    oddities: list[Skipped | NewField] = [*new_fields("thread", thread, _THREAD)]
    messages = list_of(thread, "messages") or list_of(dict_of(thread, "thread"), "messages")
    told = []
    for number, message in enumerate(messages, 1):
        if type(message) is not dict:
            oddities.append(Skipped(line=number, reason="not a JSON object"))
            continue
        oddities += new_fields("message", message, _MESSAGE, number)
        told.append(Entry(str(message.get("messageId", number)), _drafts(message), _time(message), number))
    facts = Facts(
        session=source.session, title=text_of(thread, "title") or None, cwd=_workspace(thread), model=_model(messages)
    )
    yield Talk(facts, told, oddities, started_ms=time_ms(thread.get("created")))


def _drafts(message: dict[str, Any]) -> list[Draft]:
    role, content = text_of(message, "role"), message.get("content", message.get("text"))
    if role in ("user", "assistant"):
        return drafts_of(role, content)
    return [Draft(SYSTEM, Kind.TEXT, None, content)] if type(content) is str and content else []


def _time(message: dict[str, Any]) -> int:
    for name in ("createdAt", "timestamp", "sentAt"):
        if name in message and (ms := time_ms(message[name])):
            return ms
    return time_ms(dict_of(message, "meta").get("sentAt"))


def _workspace(thread: dict[str, Any]) -> str | None:
    trees = list_of(dict_of(dict_of(thread, "env"), "initial"), "trees")
    address = urlsplit(text_of(trees[0], "uri")) if trees and type(trees[0]) is dict else None
    return unquote(address.path) if address and address.scheme == "file" else None


def _model(messages: list[Any]) -> str | None:
    """The model that spoke last."""
    usages = (dict_of(message, "usage") for message in reversed(messages) if type(message) is dict)
    return next((model for usage in usages if (model := text_of(usage, "model"))), None)
