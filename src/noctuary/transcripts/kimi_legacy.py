"""Kimi CLI, before it became Kimi Code: what its programs told each other, each with a type and a payload.

What a sub-agent tells is wrapped and told in the log of who called it; it is a session of its own here.
"""

from noctuary.records import Relation
from noctuary.transcripts.documents import Entry, Talk
from noctuary.transcripts.drafts import Draft, by_agent
from noctuary.transcripts.fields import dict_of, text_of, time_ms
from noctuary.transcripts.items import Facts
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.kimi_records import answer, heard, parts_text, tool_call, tool_result
from noctuary.transcripts.unfamiliar import names
from noctuary.transcripts.whole_logs import Oddities, unknown

_SILENT = names(
    "TurnEnd StepBegin StepInterrupted StepRetry CompactionBegin CompactionEnd HookTriggered HookResolved",
    "MCPLoadingBegin MCPLoadingEnd StatusUpdate Notification ApprovalRequest ApprovalResponse PlanDisplay",
    "ApprovalRequestResolved QuestionRequest QuestionResponse ToolCallRequest BtwBegin BtwEnd",
)
DEEPEST = 8  # agents that are called by agents


class LegacyWire:
    """Takes the records of one log; `talks` are the session and its sub-agents."""

    def __init__(self, facts: Facts) -> None:
        self.oddities: Oddities = []
        self._facts = facts
        self._told: dict[str, list[Entry]] = {facts.session: []}
        self._parents: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._open: tuple[str, int] | None = None  # the call whose arguments may still come in pieces
        self._arguments = ""

    def take(self, number: int, record: Record) -> None:
        """Take in one record."""
        message = dict_of(record, "message")
        if message:
            self._take(number, message, self._facts.session, time_ms(record.get("timestamp")))
        elif record.get("type") != "metadata":
            self.oddities.append(unknown(number, text_of(record, "type")))

    def _take(self, number: int, message: Record, session: str, ms: int, depth: int = 0) -> None:
        kind, payload = text_of(message, "type"), dict_of(message, "payload")
        match kind:
            case "TurnBegin" | "SteerInput":
                self._say(session, number, heard(parts_text(payload.get("user_input")), {}), ms)
            case "ContentPart":
                self._say(session, number, answer(payload), ms)
            case "ToolCall":
                self._call(session, number, payload, ms)
            case "ToolCallPart":
                self._call_more(text_of(payload, "arguments_part"))
            case "ToolResult":
                call_id = text_of(payload, "tool_call_id")
                value = dict_of(payload, "return_value") or dict_of(payload, "result")
                output = value.get("output") or value.get("message")
                self._say(session, number, [tool_result(call_id, self._names.get(call_id, ""), output)], ms)
            case "SubagentEvent":
                called = text_of(payload, "parent_tool_call_id") or text_of(payload, "task_tool_call_id")
                agent = text_of(payload, "agent_id") or called or "?"
                inner = f"{self._facts.session}:{agent}"
                self._parents.setdefault(inner, session)
                if depth < DEEPEST:
                    self._take(number, dict_of(payload, "event"), inner, ms, depth + 1)
            case _:
                if kind not in _SILENT:
                    self.oddities.append(unknown(number, kind))

    def _call(self, session: str, number: int, payload: Record, ms: int) -> None:
        asked, call_id = dict_of(payload, "function"), text_of(payload, "id")
        self._names[call_id] = text_of(asked, "name")
        self._arguments = text_of(asked, "arguments")
        self._say(session, number, [tool_call(self._names[call_id], call_id, self._arguments)], ms)
        self._open = (session, len(self._told[session]) - 1)

    def _call_more(self, arguments: str) -> None:
        """More of the arguments of the last call."""
        if self._open is None:
            return
        session, at = self._open
        self._arguments += arguments
        entry = self._told[session][at]
        [draft] = entry.drafts
        again = tool_call(draft.tool_name or "", draft.call_id or "", self._arguments)
        self._told[session][at] = entry._replace(drafts=[again])

    def _say(self, session: str, number: int, drafts: list[Draft], ms: int) -> None:
        if not drafts:
            return
        if session != self._facts.session:
            drafts = by_agent(drafts)
        self._told.setdefault(session, []).append(Entry(str(number), drafts, ms, number))

    def talks(self) -> list[Talk]:
        """The session, and those of its sub-agents."""
        own = self._facts.session
        talks = [Talk(self._facts, self._told.pop(own), self.oddities)]
        for session, entries in self._told.items():
            parent = self._parents.get(session, own)
            facts = Facts(session=session, cwd=self._facts.cwd, parent=parent, relation=Relation.SUBAGENT)
            talks.append(Talk(facts, entries))
        return talks
