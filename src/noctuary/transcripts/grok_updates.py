"""Grok Build's log of updates, as the Agent Client Protocol has them: each line a few words of what is being said.

Words in a row make a message.  A tool call is told once and then told more of, and a marker takes the conversation
back to an earlier prompt.
"""

from dataclasses import dataclass, field
from typing import Any

from noctuary.records import Kind
from noctuary.transcripts.anthropic_blocks import call
from noctuary.transcripts.blocks import block_text, render_input
from noctuary.transcripts.documents import Entry
from noctuary.transcripts.drafts import ASSISTANT, SYSTEM, TEXT, THINKING, Draft, by_agent, returned, taken_back
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.grok_turns import turn
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.speech import injected
from noctuary.transcripts.unfamiliar import names, new_fields
from noctuary.transcripts.whole_logs import Oddities, unknown

_USER, _AGENT, _THOUGHT = "user_message_chunk", "agent_message_chunk", "agent_thought_chunk"
_CHUNKS = frozenset([_USER, _AGENT, _THOUGHT])
_SILENT = names(
    "plan available_commands_update current_mode_update config_option_update usage_update session_info_update",
    "turn_started turn_completed hook_execution hook_run_started hook_run_completed interaction_requested",
    "interaction_resolved subagent_progress subagent_finished model_changed queue_changed retry_state",
)
_UPDATE = names(
    "sessionUpdate content _meta messageId toolCallId title kind status rawInput rawOutput locations",
)


@dataclass(slots=True)
class _Piece:
    """A message that may still grow."""

    key: str
    tag: str
    line: int
    ms: int
    words: list[str] = field(default_factory=list)
    prompt: int | None = None  # the number of the prompt that it is
    is_put_in: bool = False  # in a user's turn, by a program
    name: str = ""
    call_id: str = ""
    given: Any = None

    def entry(self, *, is_delegated: bool) -> Entry:
        return Entry(self.key, self._drafts(is_delegated), self.ms, self.line)

    def _drafts(self, is_delegated: bool) -> list[Draft]:
        if self.tag == "tool_call":
            return [call(self.name, self.call_id, self.given)]
        text = "".join(self.words)
        if self.tag == "result":
            return [returned(self.call_id, text, self.name)]
        if not text.strip():
            return []
        if self.tag == _THOUGHT:
            return [Draft(ASSISTANT, THINKING, None, text)]
        if self.tag == _AGENT:
            return [Draft(ASSISTANT, TEXT, None, text)]
        if self.tag == "summary":
            return [Draft(SYSTEM, Kind.SUMMARY, None, text)]
        if self.is_put_in:
            return [injected(text)]
        return by_agent(turn(text)) if is_delegated else turn(text)


class Flow:
    """Takes the updates of one session in their order; `entries` is what is left of them."""

    def __init__(self, *, is_delegated: bool, oddities: Oddities) -> None:
        self._is_delegated, self._oddities = is_delegated, oddities
        self._pieces: list[_Piece] = []
        self._gone: list[_Piece] = []
        self._starts: list[int] = []  # where each prompt begins
        self._calls: dict[str, _Piece] = {}
        self._results: dict[str, _Piece] = {}
        self._open: _Piece | None = None
        self._are_numbered = False

    @property
    def entries(self) -> list[Entry]:
        """What is part of the conversation, then what was taken back."""
        told = [piece.entry(is_delegated=self._is_delegated) for piece in self._pieces]
        gone = [piece.entry(is_delegated=self._is_delegated) for piece in self._gone]
        left = [entry._replace(drafts=taken_back([*entry.drafts])) for entry in gone]
        return [entry for entry in (*told, *left) if entry.drafts]

    def take(self, number: int, update: Record, record: Record, params: Record) -> None:
        """Take in one update."""
        tag, piece = text_of(update, "sessionUpdate"), self._open
        if tag in _CHUNKS:
            prompt = dict_of(update, "_meta").get("promptIndex") if tag == _USER else None
            prompt = prompt if type(prompt) is int else None
            if piece is None or piece.tag != tag or piece.prompt != prompt:
                piece = self._begin(number, tag, prompt, _time(record, params, update))
            piece.words.append(_words(update.get("content")))
            return
        self._open = None
        if tag in ("tool_call", "tool_call_update"):
            self._oddities += new_fields("update", update, _UPDATE, number)
            self._take_call(number, update, _time(record, params, update))
        elif tag == "rewind_marker":
            target = update.get("target_prompt_index", update.get("targetPromptIndex"))
            self._gone += self._back_to(target if type(target) is int else -1)
        elif "compact" in tag:
            summary = text_of(update, "summary")
            if summary:
                self._pieces.append(_Piece(str(number), "summary", number, _time(record, params, update), [summary]))
        elif tag not in _SILENT:
            self._oddities.append(unknown(number, tag))

    def _begin(self, number: int, tag: str, prompt: int | None, ms: int) -> _Piece:
        """A message begins.  Once prompts are numbered, what is in a user's turn without a number nobody typed."""
        piece = _Piece(str(number), tag, number, ms, prompt=prompt)
        if tag == _USER:
            self._are_numbered = self._are_numbered or prompt is not None
            piece.is_put_in = self._are_numbered and prompt is None
            if prompt is not None:
                self._back_to(prompt)
            if not piece.is_put_in:
                self._starts.append(len(self._pieces))
        self._open = piece
        self._pieces.append(piece)
        return piece

    def _back_to(self, prompt: int) -> list[_Piece]:
        """Go back to a prompt, to be said anew: what that leaves."""
        left: list[_Piece] = []
        if 0 <= prompt < len(self._starts):
            left = self._pieces[self._starts[prompt] :]
            del self._pieces[self._starts[prompt] :]
            del self._starts[prompt:]
            self._calls, self._results = {}, {}
        self._open = None
        return left

    def _take_call(self, number: int, update: Record, ms: int) -> None:
        call_id = text_of(update, "toolCallId") or str(number)
        piece = self._calls.get(call_id)
        if piece is None:
            piece = self._calls[call_id] = _Piece(str(number), "tool_call", number, ms, call_id=call_id)
            self._pieces.append(piece)
        tool = dict_of(dict_of(update, "_meta"), "x.ai/tool")
        piece.name = text_of(tool, "name") or piece.name or text_of(update, "title") or text_of(update, "kind")
        given = update.get("rawInput") or tool.get("input")
        piece.given = given if given is not None else piece.given
        output = _output(update)
        if output or update.get("status") in ("completed", "failed"):
            result = self._results.get(call_id)
            if result is None:
                result = _Piece(f"{piece.key}:result", "result", number, ms, name=piece.name, call_id=call_id)
                self._results[call_id] = result
                self._pieces.append(result)
            if output:
                result.words = [output]


def _time(record: Record, params: Record, update: Record) -> int:
    for meta in (dict_of(params, "_meta"), dict_of(update, "_meta")):
        if ms := time_ms(meta.get("agentTimestampMs")):
            return ms
    return time_ms(record.get("timestamp"))


def _words(content: Any) -> str:
    if type(content) is not dict:
        return content if type(content) is str else ""
    if content.get("type") in ("resource_link", "resource"):
        resource = dict_of(content, "resource") or content
        return f"[file: {text_of(content, 'name') or text_of(resource, 'uri')}]"
    return block_text(content) or ""


def _output(update: Record) -> str:
    """What a tool gave back so far."""
    texts = []
    for part in list_of(update, "content"):
        if type(part) is dict:
            if part.get("type") == "diff":
                texts.append(f"{text_of(part, 'path')}\n{text_of(part, 'newText')}".strip())
            else:
                texts.append(_words(part.get("content", part)))
    text = "\n".join([each for each in texts if each])
    raw = update.get("rawOutput")
    return text or ("" if raw is None else render_input(raw))
