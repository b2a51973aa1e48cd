"""Turn the records of one Claude Code file into items.

The records become one session in the order of the file; what a sub-agent did inside the same file becomes a
session of its own.  Nothing grows with the file but, once somebody went back in it, the tree of its records.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from noctuary.records import Relation, TitleSource
from noctuary.transcripts.claude_records import (
    SYNTHETIC,
    read_assistant,
    read_context,
    read_queued,
    read_user,
)
from noctuary.transcripts.claude_tree import Tree, message_uids
from noctuary.transcripts.drafts import (
    ASSISTANT,
    TEXT,
    TOOL,
    TOOL_RESULT,
    USER,
    Draft,
    by_agent,
    is_typed,
    new,
    placed,
)
from noctuary.transcripts.fields import dict_of, text_of, time_ms
from noctuary.transcripts.items import Facts, Item, Rewound, Said, Skipped, Source, State
from noctuary.transcripts.jsonl import Record, records_before
from noctuary.transcripts.known import Known
from noctuary.transcripts.log_fields import CLAUDE
from noctuary.transcripts.open_calls import OpenCalls
from noctuary.transcripts.unfamiliar import new_fields

QUEUED = 32
SIDE_RECORDS = 128
PENDING_SUMMARIES = 32

_OF_MESSAGES = CLAUDE["message"]
_NOT_SPOKEN, _BY_THE_AGENT, _BY_A_PERSON = range(3)

_TITLES = {
    "custom-title": ("customTitle", TitleSource.GIVEN),
    "agent-name": ("agentName", TitleSource.GIVEN),
    "ai-title": ("aiTitle", TitleSource.SUMMARY),
}
_WITHOUT_SPEECH = {
    "system",
    "progress",
    "file-history-snapshot",
    "attribution-snapshot",
    "last-prompt",
    "mode",
    "permission-mode",
    "tag",
    "cost-state",
    "agent-color",
    "agent-setting",
    "pr-link",
    "worktree-state",
    "content-replacement",
    "task-summary",
    "speculation-accept",
}


class ClaudeReader:
    """Reads the records of one file, from its beginning or from a state."""

    def __init__(self, source: Source, state: State) -> None:
        self._source = source
        self._main = source.session
        self._is_agent = source.session.startswith("agent-") or source.relation is Relation.SUBAGENT
        self._tip: str = state.get("tip", "")
        self._ts: int = state.get("ts", 0)
        self._calls = OpenCalls(state.get("calls", {}))
        self._queued: list[list[str]] = [list(pair) for pair in state.get("queued", [])]
        self._sides: dict[str, str] = dict(state.get("sides", {}))
        self._summaries: dict[str, str] = dict(state.get("summaries", {}))
        self._known = Known(self._main, state.get("known", {}))
        self._tree: Tree | None = None
        self._here: tuple[object, ...] = ()  # where the last record was written

    def state(self) -> State:
        """What another reader needs to go on here."""
        return {
            "tip": self._tip,
            "ts": self._ts,
            "calls": self._calls.state(),
            "queued": [list(pair) for pair in self._queued],
            "sides": dict(self._sides),
            "summaries": dict(self._summaries),
            "known": self._known.state(),
        }

    def take(self, record: Record, number: int) -> list[Item]:
        """The items of one record."""
        items: list[Item] = []
        kind = record.get("type")
        if kind == "assistant" or kind == "user" or kind == "message":
            self._take_message(record, number, items)
        elif type(kind) is not str:
            self._take_other(record, "", number, items)
        elif kind == "attachment":
            self._take_attachment(record, number, items)
        elif kind == "queue-operation":
            self._take_queued(record, number, items)
        elif kind == "summary":
            self._take_summary(record, number, items)
        elif kind in _TITLES:
            key, title_source = _TITLES[kind]
            self._title(text_of(record, key), title_source, items)
        else:
            self._take_other(record, kind, number, items)
        return items

    def _take_other(self, record: Record, kind: str, number: int, items: list[Item]) -> None:
        if kind not in _WITHOUT_SPEECH:
            items.append(Skipped(line=number, reason="unknown type of record", unknown=kind or "?"))
        self._link(record, text_of(record, "uuid"), items)

    def _take_message(self, record: Record, number: int, items: list[Item]) -> None:
        message = record.get("message")
        if type(message) is not dict:
            message = record  # as in old transcripts
        unknown: list[str] = []
        role = message.get("role")
        speaker: str = role if role and type(role) is str else text_of(record, "type")
        drafts = (read_assistant if speaker == "assistant" else read_user)(record, message, unknown)
        if unknown:
            items += [Skipped(line=number, reason="unknown type of content", unknown=name) for name in unknown]
        known = CLAUDE.get(speaker)
        if known is not None and not known.issuperset(record):  # asked here, for mostly there is nothing to tell
            items += new_fields(speaker, record, known, number)
        if message is not record and not _OF_MESSAGES.issuperset(message):
            items += new_fields("message", message, _OF_MESSAGES, number)
        self._say(record, drafts, number, items, message.get("model"))

    def _take_attachment(self, record: Record, number: int, items: list[Item]) -> None:
        attachment = dict_of(record, "attachment")
        if attachment.get("type") != "queued_command":
            self._take_context(record, read_context(attachment), number, items)
            return
        drafts = read_queued(attachment.get("prompt"), bool(record.get("isMeta") or attachment.get("isMeta")))
        self._say(record, drafts, number, items)

    def _take_context(self, record: Record, drafts: list[Draft], number: int, items: list[Item]) -> None:
        """What a hook of ours told the agent: from then on the agent knows it.  What others attach says nothing."""
        session, uuid = self._session(record, items), text_of(record, "uuid")
        for draft in drafts:
            self._ts = time_ms(record.get("timestamp")) or self._ts
            self._tell(session, draft, uuid or _digest(str(number), draft.content), self._ts, number, items)
        self._link(record, uuid, items, drafts, len(drafts))

    def _take_queued(self, record: Record, number: int, items: list[Item]) -> None:
        """A prompt typed while the agent worked: told here, as it is not always repeated when delivered."""
        if record.get("operation") != "enqueue":
            return
        drafts = read_queued(record.get("content"), False)
        uid = _digest("queued", text_of(record, "timestamp"), *(draft.content for draft in drafts))
        for draft in drafts:
            if is_typed(draft):
                self._queued = [*self._queued, [_digest(draft.content.strip()), uid]][-QUEUED:]
                self._ts = time_ms(record.get("timestamp")) or self._ts
                self._tell(self._main, draft, uid, self._ts, number, items)

    def _take_summary(self, record: Record, number: int, items: list[Item]) -> None:
        """A summary belongs to the conversation its leaf is in, which is often another file's."""
        leaf, summary = text_of(record, "leafUuid"), text_of(record, "summary")
        if not leaf or leaf == self._tip or (self._tip and leaf in self._whole_tree(number)):
            self._title(summary, TitleSource.SUMMARY, items)
        elif len(self._summaries) < PENDING_SUMMARIES:
            self._summaries[leaf] = summary[:300]

    def _title(self, title: str, title_source: TitleSource, items: list[Item]) -> None:
        title = " ".join(title.split())
        if title:
            items.append(Facts(session=self._main, title=title, title_source=title_source))

    def _say(self, record: Record, drafts: list[Draft], number: int, items: list[Item], model: Any = None) -> None:
        """Give the drafts of a record their session, uids and time."""
        session, delivered, spoken = self._session(record, items), None, drafts
        is_main = session == self._main
        if is_main:
            if record.get("parentUuid") != self._tip:
                self._go_back(record, drafts, number, items)
            if self._queued:
                drafts, delivered = self._without_queued(drafts)
        here = (session, record.get("cwd"), record.get("gitBranch"), model)
        if here != self._here:
            self._move_to(here, items)
        self._ts = ts_ms = time_ms(record.get("timestamp")) or self._ts
        uuid = text_of(record, "uuid")
        uid = uuid or _digest(str(number), *(draft.content for draft in drafts))
        is_delegated = record.get("isSidechain") is True
        if len(drafts) == 1:
            self._tell(session, drafts[0], uid, ts_ms, number, items, is_delegated)
        else:
            for numbered, draft in zip(message_uids(uid, len(drafts)), drafts, strict=True):
                self._tell(session, draft, numbered, ts_ms, number, items, is_delegated)
        if is_main and uuid:
            if self._tree is None and not self._summaries:
                self._tip = uuid  # all that is to be noted of most records
            else:
                self._link(record, uuid, items, spoken, len(drafts), delivered)

    def _move_to(self, here: tuple[str, Any, Any, Any], items: list[Item]) -> None:
        """Tell folder, branch and model, as they are not those of the record before."""
        self._here = here
        cwd, branch, model = (part if type(part) is str else "" for part in here[1:])
        items += self._known.place(here[0], cwd=cwd, branch=branch, model="" if model == SYNTHETIC else model)

    def _tell(
        self,
        session: str,
        draft: Draft,
        uid: str,
        ts_ms: int,
        number: int,
        items: list[Item],
        is_delegated: bool = False,
    ) -> None:
        if draft.kind is not TEXT:
            draft = self._calls.joined(draft)
        elif draft.role is USER:
            items += self._known.prompt(session, draft.content)
            if is_delegated:  # a sub-agent is prompted by the agent that started it, not by a person
                [draft] = by_agent([draft])
        items.append(new(Said, (session, placed(draft, uid, number, ts_ms))))

    def _session(self, record: Record, items: list[Item]) -> str:
        """The session a record belongs to: the file's own, or that of a sub-agent inside it."""
        if self._is_agent:
            parent = text_of(record, "sessionId") or self._source.parent or ""
            items += self._known.parent(self._main, parent, Relation.SUBAGENT)
            return self._main
        if record.get("isSidechain") is not True:
            if not self._tip:
                self._copied_from(record, items)
            return self._main
        name = text_of(record, "agentId") or self._side_of(record)
        session = f"{self._main}/{name}"
        items += self._known.parent(session, self._main, Relation.SUBAGENT)
        return session

    def _copied_from(self, record: Record, items: list[Item]) -> None:
        """A file may begin with another session's records: a branch of it says so, a resumed one shows it."""
        origin = text_of(dict_of(record, "forkedFrom"), "sessionId")
        if origin:
            items += self._known.parent(self._main, origin, Relation.FORK)
        items += self._known.parent(self._main, text_of(record, "sessionId"), Relation.RESUME)

    def _side_of(self, record: Record) -> str:
        uuid = text_of(record, "uuid")
        side = self._sides.get(text_of(record, "parentUuid")) or f"sidechain-{uuid[:8]}"
        if len(self._sides) >= SIDE_RECORDS:
            del self._sides[next(iter(self._sides))]
        self._sides[uuid] = side
        return side

    def _without_queued(self, drafts: list[Draft]) -> tuple[list[Draft], str | None]:
        """Leave out what was already told when it was queued; and the uid it was told under."""
        waiting = {pair[0]: pair[1] for pair in reversed(self._queued)}  # of equal ones the first comes first
        for index, draft in enumerate(drafts):
            uid = waiting.get(_digest(draft.content.strip())) if is_typed(draft) else None
            if uid is not None:
                self._queued = [pair for pair in self._queued if pair[1] != uid]
                return drafts[:index] + drafts[index + 1 :], uid
        return drafts, None

    def _go_back(self, record: Record, drafts: list[Draft], number: int, items: list[Item]) -> None:
        """Notice that the user took back part of the conversation and went on from an earlier record."""
        parent = text_of(record, "parentUuid")
        if not parent or not self._tip or parent == self._tip:
            return
        if not drafts or any(draft.kind is TOOL_RESULT or draft.role in (TOOL, ASSISTANT) for draft in drafts):
            return
        typed = any(is_typed(draft) for draft in drafts)
        uids = self._whole_tree(number).leave(parent, spoken=1 if typed else 2)
        if uids:
            items.append(Rewound(session=self._main, uids=uids))

    def _link(
        self,
        record: Record,
        uuid: str,
        items: list[Item],
        drafts: Sequence[Draft] = (),
        messages: int = 0,
        other: str | None = None,
    ) -> None:
        """Make a record, and what was said in it, the tip of the conversation."""
        if not uuid or (record.get("isSidechain") is True and not self._is_agent):
            return
        self._tip = uuid
        if self._tree is not None:
            parent = text_of(record, "parentUuid") or text_of(record, "logicalParentUuid")
            self._tree.add(uuid, parent=parent, messages=messages, spoken=_spoken(drafts), other=other)
        if self._summaries and uuid in self._summaries:
            self._title(self._summaries.pop(uuid), TitleSource.SUMMARY, items)

    def _whole_tree(self, number: int) -> Tree:
        """The tree of all records before this line; read again from the file when it is first needed."""
        if self._tree is None:
            reader = ClaudeReader(self._source, {})
            reader._tree = self._tree = Tree()
            for at, record in records_before(self._source.path, number):
                reader.take(record, at)
        return self._tree


def _spoken(drafts: Sequence[Draft]) -> int:
    """Who spoke in a record, as the tree keeps it."""
    spoken = _NOT_SPOKEN
    for draft in drafts:
        if draft.role is USER and draft.kind is TEXT:
            return _BY_A_PERSON
        if draft.role is ASSISTANT:
            spoken = _BY_THE_AGENT
    return spoken


def _digest(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()
