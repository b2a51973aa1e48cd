"""Amp: one JSON document a thread, `threads/T-<uuid>.json` in its data folder.

Its time does not always change with it, so its size tells, too.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import Kind, Relation
from noctuary.transcripts.anthropic_blocks import drafts_of, result
from noctuary.transcripts.blocks import block_text
from noctuary.transcripts.documents import Entry, Talk, load_document, read_document, with_tool_names
from noctuary.transcripts.drafts import SYSTEM, TEXT, USER, Draft
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.finding import entries, is_file, those_at
from noctuary.transcripts.items import Facts, Item, NewField, Place, Skipped, Source
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.locations import data_folders, editor_folders
from noctuary.transcripts.speech import injected
from noctuary.transcripts.unfamiliar import new_fields
from noctuary.transcripts.uris import path_in

Oddities = list[Skipped | NewField]
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
    oddities: Oddities = [*new_fields("thread", thread, _THREAD)]
    messages = list_of(thread, "messages") or list_of(dict_of(thread, "thread"), "messages")
    told = []
    for number, message in enumerate(messages, 1):
        if type(message) is not dict:
            oddities.append(Skipped(line=number, reason="not a JSON object"))
            continue
        oddities += new_fields("message", message, _MESSAGE, number)
        drafts = _drafts(message, number, oddities)
        told.append(Entry(str(message.get("messageId", number)), drafts, _time(message), number))
    yield Talk(
        _facts(source, thread, messages), with_tool_names(told), oddities, started_ms=time_ms(thread.get("created"))
    )


def _facts(source: Source, thread: Record, messages: list[Any]) -> Facts:
    about = dict_of(dict_of(thread, "env"), "initial")
    tree = next((each for each in list_of(about, "trees") if type(each) is dict), {})
    repository = dict_of(tree, "repository")
    parent = _handed_over_by(thread)
    return Facts(
        session=source.session,
        title=text_of(thread, "title") or None,
        cwd=path_in(text_of(tree, "uri")),
        branch=text_of(repository, "ref").removeprefix("refs/heads/") or None,
        repository=text_of(repository, "url") or None,
        model=_model(messages),
        parent=parent or None,
        relation=Relation.RESUME if parent else None,
        source=text_of(dict_of(about, "platform"), "client") or None,
    )


def _handed_over_by(thread: Record) -> str:
    """The thread that this one goes on from; the role that is told is that of this one."""
    related = [each for each in list_of(thread, "relationships") if type(each) is dict]
    return next((text_of(each, "threadID") for each in related if each.get("role") == "child"), "")


def _drafts(message: Record, number: int, oddities: Oddities) -> list[Draft]:
    role, content = text_of(message, "role"), message.get("content", message.get("text"))
    if role not in ("user", "assistant", "info"):
        oddities.append(Skipped(line=number, reason="unknown role", unknown=f"message/{role[:60] or '?'}"))
        return []
    if type(content) is str:
        return drafts_of(role, content) if role != "info" else [injected(content)] if content.strip() else []
    drafts: list[Draft] = []
    for block in content if type(content) is list else ():
        found = _of_block(role, block)
        if found is None:
            kind = text_of(block, "type") if type(block) is dict else "?"
            oddities.append(Skipped(line=number, reason="unknown type of block", unknown=f"block/{kind[:60]}"))
        drafts += found or []
    return drafts


def _of_block(role: str, block: Any) -> list[Draft] | None:
    """What a block says; None for one of a type that we have not met."""
    kind = text_of(block, "type") if type(block) is dict else ""
    match kind:
        case "redacted_thinking":
            return []
        case "tool_result" if "run" in block:
            return [result(text_of(block, "toolUseID"), _outcome(dict_of(block, "run")))]
        case "summary":
            text = text_of(dict_of(block, "summary"), "summary") or text_of(block, "summary")
            return [Draft(SYSTEM, Kind.SUMMARY, None, text)] if text.strip() else []
        case "manual_bash_invocation":
            typed = Draft(USER, TEXT, None, f"! {text_of(dict_of(block, 'args'), 'cmd')}")
            return [typed, result("", _outcome(dict_of(block, "toolRun")), "bash")]
    if type(block) is not str and kind not in ("tool_use", "thinking", "tool_result") and block_text(block) is None:
        return None
    drafts = drafts_of("assistant" if role == "assistant" else "user", [block])
    return [injected(draft.content) for draft in drafts] if role == "info" else drafts


def _outcome(run: Record) -> Any:
    """What a tool gave back, or what became of it."""
    if "result" in run:
        given = run["result"]
        return given.get("output", given) if type(given) is dict else given
    error = run.get("error")
    return text_of(error, "message") if type(error) is dict else error or text_of(run, "status")


def _time(message: Record) -> int:
    for name in ("createdAt", "timestamp", "sentAt"):
        if name in message and (ms := time_ms(message[name])):
            return ms
    return time_ms(dict_of(message, "meta").get("sentAt")) or time_ms(dict_of(message, "usage").get("timestamp"))


def _model(messages: list[Any]) -> str | None:
    """The model that spoke last."""
    usages = (dict_of(message, "usage") for message in reversed(messages) if type(message) is dict)
    return next((model for usage in usages if (model := text_of(usage, "model"))), None)
