"""Turn the lines of one Codex rollout into items.

A message's uid is a link of a chain: it depends on what was said before it and on nothing else, neither times
nor line numbers.  Reading in pieces or reading a fork gives the same uids, and only the last link is kept.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from noctuary.records import Hidden, Relation
from noctuary.transcripts.codex_records import (
    EVENTS,
    RESPONSE_ITEMS,
    SILENT_ENDINGS,
    SILENT_EVENTS,
    SILENT_ITEMS,
    read_compacted,
    twin_key,
)
from noctuary.transcripts.drafts import TEXT, THINKING, Draft, by_agent, is_typed, new, placed
from noctuary.transcripts.fields import dict_of, int_of, text_of, time_ms
from noctuary.transcripts.items import Facts, Item, NewField, Rewound, Said, Skipped, Source, State
from noctuary.transcripts.jsonl import Record, records_before
from noctuary.transcripts.known import Known
from noctuary.transcripts.log_fields import CODEX
from noctuary.transcripts.open_calls import OpenCalls
from noctuary.transcripts.unfamiliar import new_fields

SINGLES = 32  # pieces of speech whose copy may still come
TWIN_LINES = 100  # how far apart the two copies may be
DIGEST = 16
INJECTED = Hidden.INJECTED  # to read a member off its enum costs as much as a call

_SILENT_TYPES = {"world_state", "state"}


class CodexReader:
    """Reads the lines of one rollout, from its beginning or from a state."""

    def __init__(self, source: Source, state: State) -> None:
        self._source = source
        self._session: str = state.get("session", "")
        self._delegated: bool = state.get("delegated", False)
        self._ts: int = state.get("ts", 0)
        self._link = bytes.fromhex(state.get("link", ""))
        self._beside: int = state.get("beside", 0)
        self._calls = OpenCalls(state.get("calls", {}))
        self._singles: list[list[Any]] = [list(single) for single in state.get("singles", [])]
        self._known = Known(source.session, state.get("known", {}))
        self._turns: _Turns | None = None if state else _Turns()

    def state(self) -> State:
        """What another reader needs to go on here."""
        return {
            "session": self._session,
            "delegated": self._delegated,
            "ts": self._ts,
            "link": self._link.hex(),
            "beside": self._beside,
            "calls": self._calls.state(),
            "singles": [list(single) for single in self._singles],
            "known": self._known.state(),
        }

    def take(self, record: Record, number: int) -> list[Item]:
        """The items of one line."""
        kind, payload = text_of(record, "type"), record.get("payload")
        self._ts = time_ms(record.get("timestamp")) or self._ts
        is_bare = False
        if type(payload) is not dict:
            is_bare, (kind, payload) = True, _bare(record, kind)
        if kind == "session_meta":
            return [*self._take_meta(payload), *_new_in(payload, kind, number)]
        if not self._session:
            self._session = self._source.session
        if kind == "turn_context":
            cwd, model = text_of(payload, "cwd"), text_of(payload, "model")
            return [*self._known.place(self._session, cwd=cwd, model=model), *_new_in(payload, kind, number)]
        if kind == "compacted":
            return self._say(read_compacted(payload), number)
        if kind == "response_item":
            return self._take_item(payload, number, is_bare=is_bare)
        if kind == "event_msg":
            return self._take_event(payload, number)
        return [] if kind in _SILENT_TYPES else [_unknown(number, kind or "?")]

    def _take_meta(self, meta: Record) -> list[Item]:
        """Only the first counts: a fork repeats that of its parent."""
        if self._session:
            return []
        self._session = text_of(meta, "id") or self._source.session
        git, origin = dict_of(meta, "git"), meta.get("source")
        spawn = dict_of(dict_of(meta, "source"), "subagent")
        self._delegated = type(origin) is dict and ("subagent" in origin or "internal" in origin)
        parent = text_of(dict_of(spawn, "thread_spawn"), "parent_thread_id")
        relation = Relation.SUBAGENT
        if not parent:
            parent = text_of(meta, "forked_from_id")
            relation = Relation.SUBAGENT if self._delegated else Relation.FORK
        items: list[Item] = []
        items += self._known.parent(self._session, parent, relation)
        cwd, branch = text_of(meta, "cwd"), text_of(git, "branch")
        items += self._known.place(self._session, cwd=cwd, branch=branch)
        repository = text_of(git, "repository_url") or None
        name = _origin_name(origin) or text_of(meta, "originator") or None
        if repository or name:
            items.append(Facts(session=self._session, repository=repository, source=name))
        return items

    def _take_item(self, item: Record, number: int, *, is_bare: bool) -> list[Item]:
        kind = text_of(item, "type")
        read = RESPONSE_ITEMS.get(kind)
        if read is None:
            return [] if kind in SILENT_ITEMS else [_unknown(number, f"response_item/{kind}")]
        drafts = read(item)
        if not is_bare:  # the versions that wrote such wrote nothing twice
            drafts = self._without_twins(drafts, "item", number)
        items = self._say(drafts, number)
        items += _new_in(item, f"response_item/{kind}", number)
        return items

    def _take_event(self, event: Record, number: int) -> list[Item]:
        kind = text_of(event, "type")
        if kind == "thread_rolled_back":
            return self._roll_back(max(1, int_of(event, "num_turns", 1)), number)
        read = EVENTS.get(kind)
        if read is None:
            if kind in SILENT_EVENTS or kind.endswith(SILENT_ENDINGS):
                return []
            return [_unknown(number, f"event_msg/{kind}")]
        items = self._say(self._without_twins(read(event), "event", number), number)
        items += _new_in(event, f"event_msg/{kind}", number)
        return items

    def _without_twins(self, drafts: list[Draft], origin: str, number: int) -> list[Draft]:
        """Leave out what an item repeats of an event or an event of an item, whichever came first."""
        kept = []
        for draft in drafts:
            if draft.kind is not TEXT and draft.kind is not THINKING:
                kept.append(draft)
                continue
            key = blake2b(twin_key(draft).encode("utf-8", "replace"), digest_size=8).hexdigest()
            twins = [single for single in self._singles if single[0] == key]
            twin = next((each for each in twins if each[1] != origin and number - each[2] <= TWIN_LINES), None)
            if twin is not None:
                self._singles.remove(twin)
                continue
            self._singles.append([key, origin, number])
            if len(self._singles) > SINGLES:
                del self._singles[0]
            kept.append(draft)
        return kept

    def _say(self, drafts: list[Draft], number: int) -> list[Item]:
        items: list[Item] = []
        for draft in drafts:
            digest = self._next_link(draft)
            typed = is_typed(draft)
            if self._turns is not None:
                self._turns.add(digest, begins=typed)
            if typed:
                items += self._known.prompt(self._session, draft.content)
                [told] = by_agent([draft]) if self._delegated else [draft]  # an agent prompts its sub-agents
            else:
                told = self._calls.joined(draft)
            items.append(new(Said, (self._session, placed(told, digest.hex(), number, self._ts))))
        return items

    def _next_link(self, draft: Draft) -> bytes:
        """The digest of a draft.  What was injected hangs beside the chain: a fork may be told otherwise."""
        role, kind, hidden, content, _, call_id = draft
        said = "\0".join(("", role, kind, call_id or "", content.strip())).encode("utf-8", "replace")
        if hidden is INJECTED:
            self._beside += 1
            return blake2b(b"%b\0%d%b" % (self._link, self._beside, said), digest_size=DIGEST).digest()
        self._link, self._beside = blake2b(self._link + said, digest_size=DIGEST).digest(), 0
        return self._link

    def _roll_back(self, turns: int, number: int) -> list[Item]:
        if self._turns is None:
            self._turns = self._turns_before(number)
        uids = self._turns.drop(turns)
        return [Rewound(session=self._session, uids=uids)] if uids else []

    def _turns_before(self, number: int) -> "_Turns":
        """The turns of the part that an earlier reading went over, out of the file again."""
        reader = CodexReader(self._source, {})
        for at, record in records_before(self._source.path, number):
            reader.take(record, at)
        return reader._turns or _Turns()


class _Turns:
    """The messages of a session by turns; a turn begins with a prompt.  Sixteen bytes a message."""

    def __init__(self) -> None:
        self._digests = bytearray()
        self._starts: list[int] = []

    def add(self, digest: bytes, *, begins: bool) -> None:
        if begins:
            self._starts.append(len(self._digests))
        self._digests += digest

    def drop(self, turns: int) -> tuple[str, ...]:
        """Take the last turns away; their uids."""
        if not self._starts:
            return ()
        start = self._starts[-min(turns, len(self._starts))]
        dropped = bytes(self._digests[start:])
        del self._digests[start:]
        del self._starts[-min(turns, len(self._starts)) :]
        return tuple(dropped[at : at + DIGEST].hex() for at in range(0, len(dropped), DIGEST))


def _bare(record: Record, kind: str) -> tuple[str, Record]:
    """Early rollouts have the item itself on the line, and begin with a line that names the session."""
    if kind in RESPONSE_ITEMS or kind in SILENT_ITEMS:
        return "response_item", record
    if not kind and "id" in record and "timestamp" in record:
        return "session_meta", record
    if not kind and "record_type" in record:
        return "state", record
    return kind, {}


def _origin_name(origin: Any) -> str:
    """Where the session was started, as one word."""
    if type(origin) is str:
        return origin
    return next((key for key in origin if type(key) is str), "") if type(origin) is dict else ""


def _new_in(payload: Record, kind: str, number: int) -> Sequence[NewField]:
    known = CODEX.get(kind)
    return () if known is None or known.issuperset(payload) else new_fields(kind, payload, known, number)


def _unknown(number: int, kind: str) -> Skipped:
    return Skipped(line=number, reason="unknown type of record", unknown=kind)
