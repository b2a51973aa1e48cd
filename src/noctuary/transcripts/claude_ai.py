"""Claude.ai: the export that one downloads, with all conversations in one file.

Prompts can be edited and answers made again; the branch that ends with the last message is told, and then what was
left, as taken back.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import TitleSource
from noctuary.transcripts.anthropic_blocks import call
from noctuary.transcripts.blocks import block_text, flatten
from noctuary.transcripts.documents import Entry, Talk
from noctuary.transcripts.drafts import Draft, answered, new, returned, taken_back, thought
from noctuary.transcripts.exports import Conversation, Versioned, read_export, sources_in
from noctuary.transcripts.fields import compact, dict_of, list_of, text_of, time_ms
from noctuary.transcripts.items import Facts, Item, Place, Skipped, Source
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.speech import sort_turn
from noctuary.transcripts.unfamiliar import names, new_fields
from noctuary.transcripts.whole_logs import Oddities, unknown

_CONVERSATION = names(
    "uuid name summary model created_at updated_at account chat_messages current_leaf_message_uuid settings",
    "is_starred project_uuid project platform",
)
_MESSAGE = names(
    "uuid text content sender index created_at updated_at truncated stop_reason attachments files files_v2",
    "sync_sources parent_message_uuid",
)
_SILENT = frozenset(["token_budget", "flag"])
_FILES = ("attachments", "files", "files_v2")


class ClaudeAi:
    """The adapter."""

    name = "claude.ai"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:  # noqa: ARG002 (of the protocol)
        """Nothing: an export is somewhere, and has to be named."""
        return iter(())

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:  # noqa: ARG002
        """Nothing, as `find`."""
        return iter(())

    def sources_in(self, path: Path) -> Iterator[Source]:
        """The export at this path: the archive, its unpacked folder, or the file of conversations."""
        return sources_in(self.name, path)

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the export."""
        return read_export(source.path, place, _version, _talk, "Claude.ai")


def _version(conversation: Conversation) -> Versioned | None:
    messages, session = conversation.get("chat_messages"), text_of(conversation, "uuid")
    if type(messages) is not list or not session:
        return None
    leaf = conversation.get("current_leaf_message_uuid")
    return session, f"{conversation.get('updated_at')} {leaf} {len(messages)}"


def _talk(conversation: Conversation) -> Talk:
    oddities: Oddities = [*new_fields("conversation", conversation, _CONVERSATION)]
    told = []
    every = _messages(conversation, oddities)
    shown = every if _is_one_line(conversation, every) else _branch(conversation, every)
    others = {number: each for number, each in every.items() if number not in shown} if shown is not every else {}
    for number, message in (*shown.items(), *others.items()):
        if not _MESSAGE.issuperset(message):
            oddities += new_fields("message", message, _MESSAGE, number)
        key = text_of(message, "uuid") or str(number)
        drafts = _drafts(message, key, number, oddities)
        if drafts:
            if number in others:  # it was edited, or answered again
                drafts = taken_back(drafts)
            told.append(new(Entry, (key, drafts, time_ms(message.get("created_at")), number)))
    title = text_of(conversation, "name") or None
    facts = Facts(
        session=text_of(conversation, "uuid"),
        title=title,
        title_source=TitleSource.GIVEN if title else None,
        model=text_of(conversation, "model") or None,
    )
    return Talk(facts, told, oddities, started_ms=time_ms(conversation.get("created_at")))


def _messages(conversation: Conversation, oddities: Oddities) -> dict[int, Record]:
    """All messages by their numbers."""
    every: dict[int, Record] = {}
    for number, message in enumerate(list_of(conversation, "chat_messages"), 1):
        if type(message) is dict:
            every[number] = message
        else:
            oddities.append(Skipped(line=number, reason="not a JSON object"))
    return every


def _is_one_line(conversation: Conversation, every: dict[int, Record]) -> bool:
    """Whether each message follows the one before it, as in most conversations, and the last of them is shown."""
    before: Any = None
    for message in every.values():
        if before is not None and message.get("parent_message_uuid") != before:
            return False
        before = message.get("uuid")
    return type(before) is str and conversation.get("current_leaf_message_uuid") in (None, before)


def _branch(conversation: Conversation, every: dict[int, Record]) -> dict[int, Record]:
    """The messages that are shown, by their numbers; all of them where they do not name what they follow."""
    known = {text_of(message, "uuid"): (number, message) for number, message in every.items()}
    if not any(text_of(message, "parent_message_uuid") in known for message in every.values()):
        return every
    name = text_of(conversation, "current_leaf_message_uuid")
    name = name if name in known else next(reversed(known))
    branch: dict[str, tuple[int, Record]] = {}
    while name in known and name not in branch:
        branch[name] = known[name]
        name = text_of(known[name][1], "parent_message_uuid")
    return dict(reversed(branch.values()))


def _drafts(message: Record, key: str, number: int, oddities: Oddities) -> list[Draft]:
    is_human = message.get("sender") == "human"
    read = sort_turn if is_human else answered
    drafts: list[Draft] = []
    calls = 0
    for block in list_of(message, "content"):
        kind = block.get("type", "") if type(block) is dict else ""
        if kind == "text" and type(said := block.get("text")) is str:  # by far the most common
            drafts += read(said)
        elif type(kind) is not str:
            oddities.append(unknown(number, "content/?"))
        elif kind == "tool_use":
            calls += 1
            drafts.append(call(text_of(block, "name"), text_of(block, "id") or f"{key}:{calls}", block.get("input")))
        elif kind == "tool_result":
            call_id = text_of(block, "tool_use_id") or f"{key}:{calls}"
            drafts.append(returned(call_id, _result(block), text_of(block, "name")))
        elif kind == "thinking":
            drafts += thought(text_of(block, "thinking"))
        elif kind not in _SILENT:
            text = block_text(block)
            if text is None:
                oddities.append(unknown(number, f"content/{kind}"))
            drafts += read(text or "")
    if not drafts:
        drafts = read(text_of(message, "text"))
    has_files = is_human and any(map(message.get, _FILES))
    return _with_files(drafts, _attached(message)) if has_files else drafts


def _with_files(drafts: list[Draft], files: str) -> list[Draft]:
    """A human's turn with the names of what came with it."""
    if not files:
        return drafts
    if not drafts:
        return sort_turn(files)
    return [*drafts[:-1], drafts[-1]._replace(content=f"{drafts[-1].content}\n{files}")]


def _attached(message: Record) -> str:
    """The names of the files that came with a message; what was in them is not in a conversation."""
    files = (each for name in _FILES for each in list_of(message, name))
    found = [text_of(each, "file_name") for each in files if type(each) is dict]
    return "\n".join(f"[file: {name}]" for name in dict.fromkeys(found) if name)


def _result(block: Record) -> str:
    """What a tool gave back: texts, or pages by their title and address."""
    content = block.get("content")
    if type(content) is not list:
        return flatten(content)
    lines = []
    for part in content:
        if type(part) is dict and part.get("type") == "knowledge":
            lines.append(f"{text_of(part, 'title')} {text_of(part, 'url')}\n{text_of(part, 'text')}".strip())
        elif (text := flatten([part])) or type(part) is not dict:
            lines.append(text)
        else:
            lines.append(compact(dict_of(part, "resource") or part))
    return "\n".join([line for line in lines if line])
