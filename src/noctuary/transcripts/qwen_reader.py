"""Turn the records of one session of Qwen Code into items.

Each record names the one before it.  A rewind names an earlier one: what stood between them is no longer part of the
conversation.  Nothing grows with the file but, once somebody went back in it, the names of its records.
"""

from typing import Any

from noctuary.records import Kind, Relation, TitleSource
from noctuary.transcripts.claude_tree import message_uids
from noctuary.transcripts.drafts import SYSTEM, Draft, by_agent, is_typed, new, placed
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.genai_parts import all_text, model_drafts, shown_drafts, user_drafts
from noctuary.transcripts.items import Facts, Item, Rewound, Said, Skipped, Source, State
from noctuary.transcripts.jsonl import Record, records_before
from noctuary.transcripts.known import Known
from noctuary.transcripts.speech import injected
from noctuary.transcripts.unfamiliar import new_fields

_RECORD = frozenset(
    [
        "agentColor",
        "agentId",
        "agentName",
        "agentRound",
        "agentRunId",
        "backgroundTurn",
        "contextWindowSize",
        "cwd",
        "daemonPromptId",
        "deliveredTurn",
        "externalInputKind",
        "forkedFrom",
        "gitBranch",
        "goalContext",
        "isSidechain",
        "message",
        "model",
        "parentUuid",
        "promptId",
        "provenance",
        "sessionId",
        "subtype",
        "systemPayload",
        "timestamp",
        "toolCallResult",
        "type",
        "usageMetadata",
        "uuid",
        "version",
    ]
)
_BY_PROGRAMS = {"notification", "cron", "goal_runtime", "background_task_completed", "agent_retry"}
_NOT_TYPED = {"system", "goal_control", "goal_runtime"}  # provenance
_SILENT = frozenset(
    [
        "agent_bootstrap",
        "agent_retry",
        "agent_session_ready",
        "at_command",
        "attribution_snapshot",
        "background_task_completed",
        "branch_checkpoint",
        "file_history_snapshot",
        "goal_runtime",
        "goal_state",
        "goal_turn_end",
        "managed_session_commit_v1",
        "managed_session_event_v1",
        "managed_session_header_v1",
        "notification",
        "omni_recall",
        "session_approval_mode",
        "session_artifact_event",
        "session_artifact_snapshot",
        "session_execution_engine",
        "session_notes",
        "session_source",
        "session_sources_snapshot",
        "turn_result",
        "ui_telemetry",
        "user_text_elements",
    ]
)


class QwenReader:
    """Reads the records of one file, from its beginning or from a state."""

    def __init__(self, source: Source, state: State) -> None:
        self._source = source
        self._main = source.session
        self._is_agent = source.relation is Relation.SUBAGENT
        self._ts: int = state.get("ts", 0)
        self._known = Known(self._main, state.get("known", {}))
        self._chain: list[tuple[str, list[str]]] | None = None  # records, with the uids of what each said

    def state(self) -> State:
        """What another reader needs to go on here."""
        return {"ts": self._ts, "known": self._known.state()}

    def take(self, record: Record, number: int) -> list[Item]:
        """The items of one record."""
        items: list[Item] = [*new_fields("record", record, _RECORD, number)]
        self._ts = time_ms(record.get("timestamp")) or self._ts
        session = self._session(record, items)
        uids: list[str] = []
        match record.get("type"):
            case "user":
                uids = self._say(session, record, _user(record), number, items)
            case "assistant":
                uids = self._say(session, record, model_drafts(_parts(record)), number, items)
            case "tool_result":
                uids = self._say(session, record, user_drafts(_parts(record)), number, items)
            case "system":
                uids = self._take_system(session, record, number, items)
            case kind:
                name = kind if type(kind) is str else "?"
                items.append(Skipped(line=number, reason="unknown type of record", unknown=name))
        if self._chain is not None:
            self._chain.append((text_of(record, "uuid"), uids))
        return items

    def _session(self, record: Record, items: list[Item]) -> str:
        """The session that a record belongs to, and what it tells of it."""
        session = self._main
        if self._is_agent:
            items += self._known.parent(session, self._source.parent or "", Relation.SUBAGENT)
        elif record.get("isSidechain") is True:
            session = f"{self._main}/{text_of(record, 'agentId') or 'agent'}"
            items += self._known.parent(session, self._main, Relation.SUBAGENT)
        elif "forkedFrom" in record:
            origin = text_of(dict_of(record, "forkedFrom"), "sessionId")
            items += self._known.parent(session, origin, Relation.FORK)
        cwd, branch, model = text_of(record, "cwd"), text_of(record, "gitBranch"), text_of(record, "model")
        items += self._known.place(session, cwd=cwd, branch=branch, model=model)
        return session

    def _take_system(self, session: str, record: Record, number: int, items: list[Item]) -> list[str]:
        payload = dict_of(record, "systemPayload")
        match text_of(record, "subtype"):
            case "chat_compression":
                return self._say(session, record, _summary(payload), number, items)
            case "slash_command":
                return self._say(session, record, _command(payload), number, items)
            case "rewind":
                self._rewind(text_of(record, "parentUuid"), number, items)
            case "custom_title":
                is_auto = payload.get("titleSource") == "auto"
                title = " ".join(text_of(payload, "customTitle").split())
                found = TitleSource.SUMMARY if is_auto else TitleSource.GIVEN
                items += [Facts(session=session, title=title, title_source=found)] if title else []
            case "parent_session":
                items += self._known.parent(session, text_of(payload, "parentSessionId"), Relation.SUBAGENT)
            case "session_model":
                items += self._known.place(session, cwd="", model=text_of(payload, "modelId"))
            case kind if kind not in _SILENT:
                items.append(Skipped(line=number, reason="unknown type of record", unknown=f"system/{kind}"))
        return []

    def _say(self, session: str, record: Record, drafts: list[Draft], number: int, items: list[Item]) -> list[str]:
        uids = message_uids(text_of(record, "uuid") or f"{session}:{number}", len(drafts))
        is_delegated = self._is_agent or session != self._main
        for uid, draft in zip(uids, drafts, strict=True):
            if is_typed(draft):
                items += self._known.prompt(session, draft.content)
            [told] = by_agent([draft]) if is_delegated else [draft]
            items.append(new(Said, (session, placed(told, uid, number, self._ts))))
        return uids

    def _rewind(self, parent: str, number: int, items: list[Item]) -> None:
        """Take back all that was said after a record; everything if it is not named."""
        if self._chain is None:
            self._chain = self._chain_before(number)
        gone: list[str] = []
        while self._chain and self._chain[-1][0] != parent:
            gone += self._chain.pop()[1]
        if gone:
            items.append(Rewound(session=self._main, uids=tuple(gone)))

    def _chain_before(self, number: int) -> list[tuple[str, list[str]]]:
        """The records before this line, out of the file again."""
        reader = QwenReader(self._source, {})
        chain: list[tuple[str, list[str]]] = []
        reader._chain = chain
        for at, before in records_before(self._source.path, number):
            reader.take(before, at)
        return chain


def _parts(record: Record) -> Any:
    message = record.get("message")
    if type(message) is not dict:
        return message
    return message.get("parts", message.get("content"))


def _user(record: Record) -> list[Draft]:
    """A turn of the user, or of a program in its place."""
    if text_of(record, "subtype") in _BY_PROGRAMS or text_of(record, "provenance") in _NOT_TYPED:
        drafts = user_drafts(_parts(record))
        return [injected(draft.content) if is_typed(draft) else draft for draft in drafts]
    return shown_drafts(dict_of(record, "systemPayload"), "displayText", _parts(record))


def _summary(payload: Record) -> list[Draft]:
    """What the model is shown instead of the conversation so far begins with a summary of it."""
    for content in list_of(payload, "compressedHistory"):
        text = all_text(content.get("parts")) if type(content) is dict else ""
        if text.strip():
            return [Draft(SYSTEM, Kind.SUMMARY, None, text)]
    return []


def _command(payload: Record) -> list[Draft]:
    """A slash command; one that was sent to the model stands there as a turn, too, and a bare one says nothing."""
    text = text_of(payload, "rawCommand").strip()
    if payload.get("phase") != "invocation" or payload.get("sentToModel") is True or not text:
        return []
    return user_drafts(text) if len(text.split(maxsplit=1)) > 1 else [injected(text)]
