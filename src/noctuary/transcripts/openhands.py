"""OpenHands: a folder a conversation, `conversations/<id>`, with one JSON file an event and one for its state.

Conversations of sub-agents lie in the folder `subagents` of the one that started them.  Versions before 1 had other
events in other places: see `openhands_first`.
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import Kind, Relation
from noctuary.transcripts.anthropic_blocks import result
from noctuary.transcripts.blocks import flatten, render_arguments, render_input
from noctuary.transcripts.documents import Entry, Talk, load_document, read_document
from noctuary.transcripts.drafts import SYSTEM, Draft, answered, by_agent, called, thought
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.finding import entries, is_file, is_folder, real_path, those_at
from noctuary.transcripts.items import Facts, Item, Place, Skipped, Source
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.locations import chosen, each_once
from noctuary.transcripts.openhands_first import (
    ABOUT,
    events_in,
    first_conversation,
    first_conversations,
    first_talk,
    numbered_files,
)
from noctuary.transcripts.speech import injected, sort_turn
from noctuary.transcripts.unfamiliar import names, new_fields
from noctuary.transcripts.whole_logs import Oddities, unknown

DEEPEST = 4  # sub-agents of sub-agents
_EVENT_FILE = re.compile(r"event-(\d{1,12})-.+\.json")
_STATE, _EVENTS, _SUBAGENTS = "base_state.json", "events", "subagents"
_SILENT = names(
    "SystemPromptEvent ConversationStateUpdateEvent CondensationRequest PauseEvent InterruptEvent TokenEvent",
    "HookExecutionEvent LLMCompletionLogEvent StreamingDeltaEvent ConversationErrorEvent WarningEvent",
)
_EVENT = names(
    "id timestamp source kind llm_message llm_response_id activated_skills activated_microagents extended_content",
    "sender critic_result thought reasoning_content thinking_blocks responses_reasoning_item reasoning_details action",
    "tool_name tool_call_id tool_call security_risk summary observation action_id rejection_reason rejection_source",
    "error classification forgotten_event_ids summary_offset title status tool_kind raw_input raw_output content",
    "is_error parent_tool_call_id",
)


class OpenHands:
    """The adapter."""

    name = "openhands"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every conversation, and those of its sub-agents; then those of the first versions."""
        root = chosen(home, environ, "OPENHANDS_PERSISTENCE_DIR", ".openhands")
        configured = environ.get("OPENHANDS_CONVERSATIONS_DIR", "").strip()
        conversations = (
            chosen(home, environ, "OPENHANDS_CONVERSATIONS_DIR", "") if configured else root / "conversations"
        )
        yield from self._below(conversations, None, set(), 0)
        for folder in each_once([chosen(home, environ, "FILE_STORE_PATH", ".openhands"), root, *_first(home)]):
            yield from first_conversations(self.name, folder)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The conversation at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ)) if path.name in (_STATE, ABOUT, _EVENTS) else iter(())

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the conversation."""
        return read_document(place, lambda: _talks(source))

    def _below(self, root: Path, parent: str | None, seen: set[Path], depth: int) -> Iterator[Source]:
        for folder in entries(root):
            events, real = folder / _EVENTS, real_path(folder)
            if real in seen or not is_folder(events):
                continue
            seen.add(real)
            yield conversation_at(folder, parent)
            if depth < DEEPEST:
                yield from self._below(folder / _SUBAGENTS, folder.name, seen, depth + 1)


def conversation_at(folder: Path, parent: str | None) -> Source:
    """The conversation in a folder, and which one started it."""
    state, events = folder / _STATE, folder / _EVENTS
    return Source(
        adapter=OpenHands.name,
        path=state if is_file(state) else events,
        session=folder.name,
        parent=parent,
        relation=Relation.SUBAGENT if parent else None,
        is_log=False,
        beside=(events,),
    )


def conversation_around(path: Path) -> Source | None:
    """The conversation that a file is about which lies anywhere, if its events lie beside it; or its first event."""
    folder = path.parent
    is_first = folder.name == _EVENTS and (path.name == "0.json" or path.name.startswith("event-00000-"))
    if is_first:  # where nothing is told about all of it
        folder = folder.parent
        is_first = not (is_file(folder / _STATE) or is_file(folder / ABOUT))
    if (path.name == _STATE or is_first) and _event_files(folder / _EVENTS):
        return conversation_at(folder, folder.parent.parent.name if folder.parent.name == _SUBAGENTS else None)
    if (path.name == ABOUT or is_first) and numbered_files(folder / _EVENTS):
        return first_conversation(OpenHands.name, folder)
    return None


def _first(home: Path) -> list[Path]:
    """Where the first versions kept their files, if nobody named another place."""
    return [home / ".openhands", home / ".openhands-state"]


def _talks(source: Source) -> Iterator[Talk | Skipped]:
    folder = source.path.parent
    files = _event_files(folder / _EVENTS)
    if not files and (numbered := numbered_files(folder / _EVENTS)):
        yield first_talk(source, numbered)
        return
    oddities: Oddities = []
    told: dict[str, Entry] = {}
    for number, event in events_in(files, oddities):
        ms = time_ms(event.get("timestamp"))
        for key, drafts in _of_event(event, number, oddities):
            entry = Entry(key, by_agent(drafts) if source.parent else drafts, ms, number)
            told[key] = told[key]._replace(drafts=drafts) if key in told else entry
    yield Talk(_facts(source), list(told.values()), oddities)


def _event_files(folder: Path) -> list[tuple[int, Path]]:
    """The files of the events with their numbers, from 1."""
    try:
        with os.scandir(folder) as found:  # which tells what is a file without asking for each
            names = [
                each.name for each in found if each.name.startswith("event-") and each.is_file(follow_symlinks=True)
            ]
    except OSError:
        return []
    matches = [match for name in names if (match := _EVENT_FILE.fullmatch(name))]
    return sorted((int(match[1]) + 1, folder / match[0]) for match in matches)


def _facts(source: Source) -> Facts:
    state: Any = {}
    if source.path.name == _STATE:
        try:
            state = load_document(source.path)
        except ValueError:  # costs what it would tell of the conversation
            state = {}
    state = state if type(state) is dict else {}
    return Facts(
        session=source.session,
        cwd=text_of(dict_of(state, "workspace"), "working_dir") or None,
        model=text_of(dict_of(dict_of(state, "agent"), "llm"), "model") or None,
        parent=source.parent,
        relation=source.relation,
    )


def _of_event(event: Record, number: int, oddities: Oddities) -> list[tuple[str, list[Draft]]]:
    """The entries of an event by their names; what is told again under a name takes the place of what was."""
    kind = text_of(event, "kind")
    if kind in _SILENT:
        return []
    oddities += new_fields("event", event, _EVENT, number)
    if kind == "ACPToolCallEvent":
        return _of_acp_call(event)
    read = _KINDS.get(kind)
    if read is None:
        oddities.append(unknown(number, kind))
        return []
    drafts = read(event)
    return [(text_of(event, "id") or str(number), drafts)] if drafts else []


def _message(event: Record) -> list[Draft]:
    message = dict_of(event, "llm_message")
    text = flatten(message.get("content"))
    if event.get("source") == "user":
        added = flatten(event.get("extended_content"))
        return [*sort_turn(text), *([injected(added)] if added.strip() else [])]
    return [*_thinking(message), *answered(text)]


def _action(event: Record) -> list[Draft]:
    asked = dict_of(event, "tool_call")
    given = asked.get("arguments") or dict_of(dict_of(event, "tool_call"), "function").get("arguments")
    rendered = render_arguments(given) if given else render_input(event.get("action"))
    name = text_of(event, "tool_name") or text_of(asked, "name")
    call = called(name, text_of(event, "tool_call_id"), rendered)
    return [*_thinking(event), *answered(flatten(event.get("thought"))), call]


def _observation(event: Record) -> list[Draft]:
    seen = dict_of(event, "observation")
    content = seen.get("content", seen.get("output"))
    if content is None:
        content = {name: value for name, value in seen.items() if name != "kind"}
    return [result(text_of(event, "tool_call_id"), content, text_of(event, "tool_name"))]


def _refused(event: Record) -> list[Draft]:
    why = text_of(event, "rejection_reason") or text_of(event, "error")
    return [result(text_of(event, "tool_call_id"), why, text_of(event, "tool_name"))]


def _summary(event: Record) -> list[Draft]:
    return [Draft(SYSTEM, Kind.SUMMARY, None, text) for text in [text_of(event, "summary")] if text.strip()]


_KINDS = {
    "MessageEvent": _message,
    "ActionEvent": _action,
    "ObservationEvent": _observation,
    "UserRejectObservation": _refused,
    "AgentErrorEvent": _refused,
    "Condensation": _summary,
    "CondensationSummaryEvent": _summary,
}


def _of_acp_call(event: Record) -> list[tuple[str, list[Draft]]]:
    """A call that another agent made: it is told again while it goes on."""
    call_id, name = text_of(event, "tool_call_id"), text_of(event, "title")
    asked = called(name, call_id, render_input(event.get("raw_input")))
    told = [(f"call:{call_id}", [asked])]
    output = event.get("raw_output")
    if output is None:
        output = "\n".join(
            flatten(dict_of(each, "content")) for each in list_of(event, "content") if type(each) is dict
        )
    if output:
        told.append((f"result:{call_id}", [result(call_id, output, name)]))
    return told


def _thinking(record: Record) -> list[Draft]:
    thoughts = [text_of(record, "reasoning_content")]
    if not thoughts[0]:
        thoughts = [text_of(each, "thinking") for each in list_of(record, "thinking_blocks") if type(each) is dict]
    return [draft for text in thoughts for draft in thought(text)]
