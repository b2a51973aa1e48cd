"""Turn the events of one session of GitHub Copilot CLI into items.

An event has a type, an id, a time, and data.  What a sub-agent did stands in the same file and becomes a session of its
own.  A call stands in the answer that asks for it and again where it begins, so it is told once.
"""

from collections import OrderedDict
from hashlib import blake2b
from itertools import takewhile

from noctuary.records import Kind, Relation, TitleSource
from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.blocks import flatten, render_input
from noctuary.transcripts.claude_tree import message_uids
from noctuary.transcripts.drafts import ASSISTANT, SYSTEM, USER, Draft, answered, is_typed
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.items import Facts, Item, Rewound, Said, Skipped, Source, State
from noctuary.transcripts.jsonl import Record, records_before
from noctuary.transcripts.known import Known
from noctuary.transcripts.speech import injected, sort_turn
from noctuary.transcripts.unfamiliar import new_fields

OPEN_CALLS = 512
THOUGHTS = 8
_UUID = 36

_EVENT = frozenset(["type", "id", "timestamp", "parentId", "data", "ephemeral", "agentId"])
_TYPED = {"user.message", "userpromptsubmitted", "user.prompt_submitted", "user"}
_ANSWERED = {"assistant.message", "assistantresponse", "assistant.response", "assistant"}
_NOTICES = {"session.error", "session.info", "session.warning", "system.notification", "skill.invoked"}
_FAILED = {"subagent.failed", "model.call_failure"}
_PLACES = {"session.start", "session.resume", "session.context_changed", "session.model_change"}
# Families of events in which nobody speaks.
_SILENT = (
    "abort",
    "assistant.",
    "auto_mode",
    "binary_asset",
    "canvas.",
    "capabilities.",
    "command",
    "custom_",
    "elicitation.",
    "exit_plan_mode.",
    "extension",
    "external_tool.",
    "factory",
    "fusion",
    "hook.",
    "managed_settings",
    "mcp",
    "model.",
    "pending_messages.",
    "permission.",
    "sampling.",
    "session.",
    "session_limits",
    "skills.",
    "subagent.",
    "system.message",
    "tool.execution_p",
    "tool_search.",
    "tools.",
    "ui.",
    "user_input.",
)
_TEXTS = ("content", "message", "text", "prompt", "output", "result", "response")
RECENT = 2_000  # events that a rewind finds without reading the file again
_Name = tuple[str, str]  # of a message: its session and its uid


class EventReader:
    """Reads the events of one file, from its beginning or from a state."""

    def __init__(self, source: Source, state: State, *, is_replay: bool = False) -> None:
        self._source = source
        self._is_replay = is_replay
        self._recent: OrderedDict[object, list[_Name]] = OrderedDict()  # what events said, by their ids
        self._main = source.session
        self.title: str = state.get("title", "")
        self._ts: int = state.get("ts", 0)
        self._calls: dict[str, str] = dict(state.get("calls", {}))
        self._thoughts: list[str] = list(state.get("thoughts", []))
        self._known = Known(self._main, state.get("known", {}))

    def state(self) -> State:
        """What another reader needs to go on here."""
        return {
            "title": self.title,
            "ts": self._ts,
            "calls": dict(self._calls),
            "thoughts": list(self._thoughts),
            "known": self._known.state(),
        }

    def take(self, event: Record, number: int) -> list[Item]:
        """The items of one event."""
        items: list[Item] = []
        kind, data = text_of(event, "type"), event.get("data")
        if type(data) is dict:
            items += new_fields("event", event, _EVENT, number)
        else:  # early versions have all on one level, or under another name
            data = dict_of(event, "payload") or dict_of(event, "metadata") or event
        self._ts = time_ms(event.get("timestamp")) or self._ts
        session = self._session(event, data, items)
        if kind in _TYPED:
            self._say(session, event, _prompt(data), number, items)
        elif kind in _ANSWERED:
            self._say(session, event, self._answer(data), number, items)
        elif kind.startswith("tool."):
            self._take_tool(session, event, kind, data, number, items)
        elif kind in _PLACES:
            self._take_place(session, data, items)
        else:
            self._take_other(session, event, kind, data, number, items)
        self._keep(event.get("id"), number, items)
        return items

    def _session(self, event: Record, data: Record, items: list[Item]) -> str:
        """The session of an event: the file's own, or that of a sub-agent."""
        agent = text_of(event, "agentId") or text_of(data, "parentToolCallId")
        if not agent:
            if data is event:
                items += self._known.place(self._main, cwd=text_of(data, "cwd"), branch=text_of(data, "branch"))
            return self._main
        session = f"{self._main}/{agent}"
        items += self._known.parent(session, self._main, Relation.SUBAGENT)
        return session

    def _take_place(self, session: str, data: Record, items: list[Item]) -> None:
        context = dict_of(data, "context") or data
        model = text_of(data, "newModel") or text_of(data, "selectedModel")
        cwd = text_of(context, "cwd") or text_of(context, "gitRoot")
        items += self._known.place(session, cwd=cwd, branch=text_of(context, "branch"), model=model)
        repository = text_of(context, "repository")
        if repository and "/" in repository and text_of(context, "hostType") in ("", "github"):
            host = text_of(context, "repositoryHost") or "github.com"
            items.append(Facts(session=session, repository=f"https://{host}/{repository}"))

    def _take_tool(self, session: str, event: Record, kind: str, data: Record, number: int, items: list[Item]) -> None:
        call_id, name = text_of(data, "toolCallId"), text_of(data, "toolName")
        if kind in ("tool.execution_start", "tool.user_requested"):
            draft = call(name, call_id, data.get("arguments"))
            if kind == "tool.user_requested":  # a command that a person typed
                draft = draft._replace(role=USER)
            self._say(session, event, self._new_calls([draft]), number, items)
        elif kind == "tool.execution_complete":
            name = self._calls.pop(call_id, "") or name
            self._say(session, event, [result(call_id, _outcome(data), name)], number, items)
        elif not kind.startswith(_SILENT):
            items.append(_unknown(number, kind))

    def _take_other(self, session: str, event: Record, kind: str, data: Record, number: int, items: list[Item]) -> None:
        text = _text(data)
        if kind == "assistant.reasoning":
            self._say(session, event, self._new_thoughts([text]), number, items)
        elif kind in ("session.compaction_complete", "session.handoff"):
            summary = text_of(data, "summaryContent") or text_of(data, "summary")
            drafts = [Draft(SYSTEM, Kind.SUMMARY, None, summary)] if summary.strip() else []
            self._say(session, event, drafts, number, items)
        elif kind == "session.title_changed":
            title = " ".join(text_of(data, "title").split())
            items += [Facts(session=session, title=title, title_source=TitleSource.GIVEN)] if title else []
        elif kind == "session.snapshot_rewind":
            self._rewind(text_of(data, "upToEventId"), number, items)
        elif kind in _NOTICES or kind in _FAILED:
            text = text or text_of(data, "error")
            self._say(session, event, [injected(text)] if text.strip() else [], number, items)
        elif kind == "subagent.started":
            agent = f"{self._main}/{text_of(event, 'agentId') or text_of(data, 'toolCallId')}"
            items += self._known.parent(agent, self._main, Relation.SUBAGENT)
        elif not kind or not kind.startswith(_SILENT):
            items.append(_unknown(number, kind or "?"))

    def _answer(self, data: Record) -> list[Draft]:
        """What the model thought, said, and asks tools for."""
        text = _text(data)
        calls = [
            call(text_of(each, "name"), text_of(each, "toolCallId"), each.get("arguments"))
            for each in list_of(data, "toolRequests")
            if type(each) is dict
        ]
        return [
            *self._new_thoughts([text_of(data, "reasoningText")]),
            *answered(text),
            *self._new_calls(calls),
        ]

    def _new_thoughts(self, texts: list[str]) -> list[Draft]:
        """The thoughts that were not told: they have events of their own, and stand with the answers, too."""
        drafts = []
        for text in texts:
            name = blake2b(text.strip().encode("utf-8", "replace"), digest_size=8).hexdigest()
            if text.strip() and name not in self._thoughts:
                self._thoughts = [*self._thoughts, name][-THOUGHTS:]
                drafts.append(Draft(ASSISTANT, Kind.THINKING, None, text))
        return drafts

    def _new_calls(self, calls: list[Draft]) -> list[Draft]:
        new = []
        for draft in calls:
            if draft.call_id is None or draft.call_id not in self._calls:
                if len(self._calls) >= OPEN_CALLS:
                    del self._calls[next(iter(self._calls))]
                self._calls[draft.call_id or ""] = draft.tool_name or ""
                new.append(draft)
        return new

    def _say(self, session: str, event: Record, drafts: list[Draft], number: int, items: list[Item]) -> None:
        uid = text_of(event, "id")
        if len(uid) != _UUID:  # what is no uuid may be the name of another session's event, too
            uid = f"{self._main}:{uid or number}"
        for name, draft in zip(message_uids(uid, len(drafts)), drafts, strict=True):
            told = draft
            if is_typed(draft):
                items += self._known.prompt(session, draft.content)
                if session != self._main:  # an agent prompts its sub-agents, not a person
                    told = draft._replace(role=ASSISTANT)
            items.append(Said(session, told.message(name, number, self._ts)))

    def _rewind(self, last: str, number: int, items: list[Item]) -> None:
        """Take back what was said after an event; nothing if there is no such event."""
        if self._is_replay:  # or every rewind would double what the next one costs
            return
        gone: dict[str, list[str]] = {}
        said = self._after_recent(last) if last in self._recent else self._after(last, number)
        for session, uid in said:
            gone.setdefault(session, []).append(uid)
        items += [Rewound(session=session, uids=tuple(uids)) for session, uids in gone.items()]

    def _keep(self, event: object, number: int, items: list[Item]) -> None:
        """Keep what an event said, in case somebody goes back; one whose id another has is known by its line."""
        self._recent[event if type(event) is str and event not in self._recent else number] = _names(items)
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)

    def _after_recent(self, last: str) -> list[_Name]:
        """What was said after an event that was read lately."""
        after = list(takewhile(lambda event: event != last, reversed(self._recent)))
        return [name for event in reversed(after) for name in self._recent[event]]

    def _after(self, last: str, number: int) -> list[_Name]:
        """What was said after an event that was read long ago, which is found in the file again."""
        reader = EventReader(self._source, {}, is_replay=True)
        said: list[_Name] = []
        is_after = False
        for at, record in records_before(self._source.path, number):
            items = reader.take(record, at)
            said += _names(items) if is_after else []
            is_after = is_after or text_of(record, "id") == last
        return said


def _names(items: list[Item]) -> list[_Name]:
    """The messages among items, by session and uid."""
    return [(item.session, item.message.uid) for item in items if type(item) is Said and item.message.uid]


def _prompt(data: Record) -> list[Draft]:
    """What a person typed; or, if the event names another source, what came from there."""
    text = _text(data)
    if text_of(data, "source") not in ("", "user") or data.get("inputOrigin"):
        return [injected(text)] if text.strip() else []
    return sort_turn(text)


def _text(data: Record) -> str:
    for key in _TEXTS:
        value = data.get(key)
        if value and type(value) in (str, list):
            return flatten(value)
    return ""


def _outcome(data: Record) -> str:
    """What a tool gave back, or what went wrong."""
    given, error = data.get("result"), data.get("error")
    if type(given) is dict:
        text = text_of(given, "content") or text_of(given, "detailedContent") or flatten(given.get("contents"))
        return text or (render_input(given) if "content" not in given else "")
    text = flatten(given)
    return text or (text_of(error, "message") if type(error) is dict else flatten(error))


def _unknown(number: int, kind: str) -> Skipped:
    return Skipped(line=number, reason="unknown type of event", unknown=kind[:60])
