"""Turn the lines of a session of Factory Droid into items."""

from noctuary.records import Kind, Relation, TitleSource
from noctuary.transcripts.anthropic_blocks import drafts_of, unknown_blocks
from noctuary.transcripts.documents import load_document
from noctuary.transcripts.drafts import SYSTEM, Draft, by_agent, is_typed, new, placed
from noctuary.transcripts.fields import dict_of, text_of, time_ms
from noctuary.transcripts.items import Facts, Item, Said, Skipped, Source, State
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.known import Known
from noctuary.transcripts.open_calls import OpenCalls
from noctuary.transcripts.speech import injected
from noctuary.transcripts.unfamiliar import new_fields

_SILENT = frozenset(["todo_state", "agent_turn_outcome", "session_end"])
_UNTITLED = frozenset(["New Session", "Untitled"])
_ENTRY = frozenset(["type", "id", "timestamp", "message", "parentId"])
_MESSAGE = frozenset(
    [
        "role",
        "content",
        "id",
        "model",
        "modelId",
        "apiProvider",
        "routerId",
        "reasoningEffort",
        "visibility",
        "userMessageSource",
        "hookEventName",
        "hookStatus",
        "hookResults",
        "hookParentId",
        "hookOrder",
        "hookCommands",
        "openaiMessageId",
        "openaiReasoningId",
        "openaiReasoningSummary",
        "openaiEncryptedContent",
        "chatCompletionReasoningField",
        "chatCompletionReasoningContent",
    ]
)


class DroidReader:
    """Reads the lines of one session, from its beginning or from a state."""

    def __init__(self, source: Source, state: State) -> None:
        self._source, self._session = source, source.session
        self._has_started: bool = state.get("started", False)
        self._is_agent: bool = state.get("agent", False)
        self._ts: int = state.get("ts", 0)
        self._calls = OpenCalls(state.get("calls", {}))
        self._known = Known(source.session, state.get("known", {}))

    def state(self) -> State:
        """What another reader needs to go on here."""
        return {
            "started": self._has_started,
            "agent": self._is_agent,
            "ts": self._ts,
            "calls": self._calls.state(),
            "known": self._known.state(),
        }

    def take(self, record: Record, number: int) -> list[Item]:
        """The items of one line."""
        kind = text_of(record, "type")
        if kind == "session_start":
            return self._take_start(record)
        if not self._has_started:
            return [Skipped(line=number, reason="not in a session")]
        self._ts = time_ms(record.get("timestamp")) or self._ts
        if kind == "message":
            return self._take_message(record, number)
        if kind == "compaction_state":
            text = text_of(record, "summaryText") or text_of(dict_of(record, "summary"), "body")
            summary = [Draft(SYSTEM, Kind.SUMMARY, None, text)] if text.strip() else []
            return self._say(summary, text_of(record, "id"), number)
        if kind in _SILENT:
            return []
        return [Skipped(line=number, reason="unknown type of record", unknown=kind[:60] or "?")]

    def _take_start(self, record: Record) -> list[Item]:
        if self._has_started:
            return []
        self._has_started = True
        self._ts = time_ms(record.get("timestamp"))
        caller, forked = text_of(record, "callingSessionId"), text_of(record, "parent")
        self._is_agent = bool(caller)
        items: list[Item] = []
        relation = Relation.SUBAGENT if caller else Relation.FORK
        items += self._known.parent(self._session, caller or forked, relation)
        items += self._known.place(self._session, cwd=text_of(record, "cwd"), model=self._settings_model())
        title = text_of(record, "sessionTitle") or text_of(record, "title")
        if title.strip() and title not in _UNTITLED and not self._is_agent:
            is_given = record.get("isSessionTitleManuallySet") is True
            source = TitleSource.GIVEN if is_given else TitleSource.SUMMARY
            items.append(Facts(session=self._session, title=title, title_source=source))
        return items

    def _settings_model(self) -> str:
        try:
            settings = load_document(self._source.path.with_suffix(".settings.json"))
        except (OSError, ValueError):
            return ""
        return text_of(settings, "model") if type(settings) is dict else ""

    def _take_message(self, record: Record, number: int) -> list[Item]:
        message = record.get("message")
        role = message.get("role") if type(message) is dict else None
        if type(message) is not dict or role not in ("user", "assistant"):
            return [Skipped(line=number, reason="unknown role", unknown=f"message/{str(role)[:60]}")]
        items: list[Item] = []
        items += new_fields("entry", record, _ENTRY, number)
        items += new_fields("message", message, _MESSAGE, number)
        for kind in unknown_blocks(message.get("content")):
            items.append(Skipped(line=number, reason="unknown type of block", unknown=kind))
        drafts = drafts_of(role, message.get("content"))
        if role == "assistant":
            model = text_of(message, "modelId") or text_of(message, "model")
            items += self._known.place(self._session, cwd="", model=model)
        elif _is_by_program(message):
            drafts = [injected(draft.content) if is_typed(draft) else draft for draft in drafts]
        elif self._is_agent:  # an agent prompts those that work for it, not a person
            drafts = by_agent(drafts)
        return [*items, *self._say(drafts, text_of(record, "id"), number)]

    def _say(self, drafts: list[Draft], name: str, number: int) -> list[Item]:
        items: list[Item] = []
        for at, draft in enumerate(drafts):
            if is_typed(draft):
                items += self._known.prompt(self._session, draft.content)
            uid = f"{name or number}:{at}"
            items.append(new(Said, (self._session, placed(self._calls.joined(draft), uid, number, self._ts))))
        return items


def _is_by_program(message: Record) -> bool:
    """Whether a turn of the user is not theirs: told to the model alone, a notice, a hook, an automation."""
    return (
        text_of(message, "visibility") in ("llm_only", "user_only")
        or bool(text_of(message, "hookEventName"))
        or text_of(message, "userMessageSource") not in ("", "user", "human")
    )
