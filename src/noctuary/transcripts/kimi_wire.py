"""Kimi Code: a log of events from which its context is made.

A prompt stands in it twice, as the prompt of a turn and as a message of the context, and `context.undo` takes back
the last prompts with all that followed them.
"""

from typing import Any, NamedTuple

from noctuary.records import Kind
from noctuary.transcripts.documents import Entry
from noctuary.transcripts.drafts import SYSTEM, Draft, by_agent, is_typed, taken_back
from noctuary.transcripts.fields import dict_of, int_of, text_of, time_ms
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.kimi_records import answer, heard, of_message, parts_text, tool_call, tool_result
from noctuary.transcripts.unfamiliar import names, new_fields
from noctuary.transcripts.whole_logs import Oddities, unknown

_SILENT = names(
    "metadata context.update_token_count micro_compaction.apply context.clear turn.cancel",
)
_SILENT_FAMILIES = names(
    "config cron file_history full_compaction goal interaction interruptionReminder llm mcp permission plan plan_mode",
    "plugin profile prompt runtime staleGuard swarm_mode task token_counting tools tower_mode turn usage",
)
_EVENT = names(
    "type uuid turnId step stepUuid part toolCallId name args extras result parentUuid finishReason usage messageId",
    "llmFirstTokenLatencyMs llmStreamDurationMs llmRequestBuildMs llmServerFirstTokenMs llmServerDecodeMs time",
    "llmClientConsumeMs providerFinishReason rawFinishReason description display",
)
_MESSAGE = names(
    "id role content toolCalls toolCallId origin isError note name partial providerMessageId toolCallDisplays",
)


class _Told(NamedTuple):
    """An entry, and what an undo needs to know of it."""

    entry: Entry
    is_prompt: bool
    stays: bool  # an undo passes over it


class Wire:
    """Takes the records of one agent in their order; `entries` is what is left of them."""

    def __init__(self, *, is_delegated: bool) -> None:
        self.oddities: Oddities = []
        self.model = ""
        self._is_delegated = is_delegated
        self._told: list[_Told] = []
        self._gone: list[Entry] = []
        self._names: dict[str, str] = {}
        self.forks: list[int] = []  # the lines at which what was copied from another session ends
        self._prompt: tuple[int, str, dict[str, Any], int] | None = None  # not yet seen as a message

    @property
    def entries(self) -> list[Entry]:
        """What is part of the conversation, then what was taken back."""
        self._say_prompt()
        gone = sorted(self._gone, key=lambda entry: entry.line)
        return [
            *(told.entry for told in self._told),
            *(entry._replace(drafts=taken_back([*entry.drafts])) for entry in gone),
        ]

    def take(self, number: int, record: Record) -> None:
        """Take in one record."""
        kind, ms = text_of(record, "type"), time_ms(record.get("time"))
        match kind:
            case "context.append_loop_event":
                self._take_event(number, dict_of(record, "event"), ms)
            case "context.append_message":
                self._take_message(number, dict_of(record, "message"), ms)
            case "turn.prompt" | "turn.steer":
                self._say_prompt()
                self._prompt = (number, parts_text(record.get("input")), dict_of(record, "origin"), ms)
            case "context.apply_compaction":
                self._summarise(number, record, ms)
            case "context.undo":
                self._say_prompt()
                self._undo(int_of(record, "count", 1))
            case "forked":
                self._say_prompt()
                self.forks.append(number)
            case "usage.record" | "llm.request" | "config.update" | "profile.bind":
                self.model = text_of(record, "model") or text_of(record, "modelAlias") or self.model
            case _:
                if kind not in _SILENT and kind.partition(".")[0] not in _SILENT_FAMILIES:
                    self.oddities.append(unknown(number, kind))

    def _take_message(self, number: int, message: Record, ms: int) -> None:
        self.oddities += new_fields("message", message, _MESSAGE, number)
        if message.get("role") == "user":
            if self._prompt and self._prompt[1] == parts_text(message.get("content")):
                self._prompt = None
        else:
            self._say_prompt()
        kind = dict_of(message, "origin").get("kind")
        drafts = of_message(message, self._names)
        self._say(number, drafts, ms, stays=kind in ("injection", "compaction_summary"))

    def _take_event(self, number: int, event: Record, ms: int) -> None:
        self._say_prompt()
        self.oddities += new_fields("event", event, _EVENT, number)
        match event.get("type"):
            case "content.part":
                self._say(number, answer(event.get("part")), ms)
            case "tool.call":
                call_id = text_of(event, "toolCallId")
                self._names[call_id] = text_of(event, "name")
                self._say(number, [tool_call(self._names[call_id], call_id, event.get("args"))], ms)
            case "tool.result":
                call_id, result = text_of(event, "toolCallId"), dict_of(event, "result")
                output = result.get("output", result.get("error"))
                self._say(number, [tool_result(call_id, self._names.get(call_id, ""), output)], ms)
            case "step.begin" | "step.end":
                pass
            case kind:
                self.oddities.append(unknown(number, f"event/{kind}"))

    def _summarise(self, number: int, record: Record, ms: int) -> None:
        self._say_prompt()
        summary = record.get("summary")
        text = summary if type(summary) is str else parts_text(dict_of(record, "summary").get("content"))
        text = text or text_of(record, "contextSummary")
        if text.strip():
            self._say(number, [Draft(SYSTEM, Kind.SUMMARY, None, text)], ms, stays=True)

    def _say_prompt(self) -> None:
        """Say a prompt that never became a message: the turn was stopped before."""
        if self._prompt is not None:
            number, text, origin, ms = self._prompt
            self._prompt = None
            self._say(number, heard(text, origin), ms)

    def _say(self, number: int, drafts: list[Draft], ms: int, *, stays: bool = False) -> None:
        if not drafts:
            return
        is_prompt = any(map(is_typed, drafts))
        if is_prompt and self._is_delegated:
            drafts = by_agent(drafts)
        self._told.append(_Told(Entry(str(number), drafts, ms, number), is_prompt, stays))

    def _undo(self, count: int) -> None:
        """Take back the last prompts and what followed them, up to the last summary."""
        kept: list[_Told] = []
        while self._told and count > 0:
            told = self._told.pop()
            if told.stays:
                kept.append(told)
                if told.entry.drafts[0].kind is Kind.SUMMARY:
                    break
                continue
            self._gone.append(told.entry)
            count -= told.is_prompt
        self._told += reversed(kept)
