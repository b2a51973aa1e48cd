"""Turn the lines of a session of Pi, or of an agent made of it, into items.

Entries name their parents.  Whoever goes back to an earlier entry leaves a branch behind, which is no longer part of
the conversation; whoever returns to it makes it part of it again, so it is told once more, under names of its own.
Ids of entries change when an old file is brought to a new version and files are copied by forks, so a message is
known by when it was written and what it says.
"""

from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from typing import NamedTuple

from noctuary.records import Relation, TitleSource
from noctuary.transcripts.drafts import Draft, by_agent, is_typed, new, placed
from noctuary.transcripts.fields import text_of, time_ms
from noctuary.transcripts.items import Facts, Item, Rewound, Said, Skipped, Source, State
from noctuary.transcripts.jsonl import Record, records_before
from noctuary.transcripts.known import Known
from noctuary.transcripts.open_calls import OpenCalls
from noctuary.transcripts.pi_messages import Turn, read_injected, read_message, read_summary
from noctuary.transcripts.unfamiliar import new_fields

_ENTRY = frozenset(["type", "id", "parentId", "timestamp", "message"])
_MESSAGE = frozenset(
    [
        "role",
        "content",
        "timestamp",
        "api",
        "provider",
        "model",
        "responseModel",
        "usage",
        "stopReason",
        "errorMessage",
        "toolCallId",
        "toolName",
        "isError",
        "details",
        "command",
        "output",
        "exitCode",
        "cancelled",
        "truncated",
        "fullOutputPath",
        "excludeFromContext",
        "customType",
        "display",
        "summary",
        "fromId",
        "tokensBefore",
        "code",
        "attribution",
        "responseId",
        "diagnostics",
        "duration",
        "ttft",
        "prunedAt",
        "meta",
        "idempotencyKey",
    ]
)
_SILENT = frozenset(
    [
        "thinking_level_change",
        "label",
        "custom",
        "context_edit",
        "model_usage",
        "service_tier_change",
        "credential_pin",
        "session_init",
        "mode_change",
        "ttsr_injection",
        "archive",
        "reset_boundary",
        "leaf",
    ]
)
MOST_KEPT = 4_000_000  # characters of what was said last, in case somebody returns to it
_BEGINNING = frozenset(["user", "bashExecution"])  # what may be said first after all was left behind
Before = Callable[[int], Iterator[tuple[int, Record]]]  # the records before a line, with their numbers


class PiReader:
    """Reads the lines of one session, from its beginning or from a state."""

    def __init__(self, source: Source, state: State, turn: Turn, before: Before | None = None) -> None:
        self._source, self._turn = source, turn
        self._before = before or partial(records_before, source.path)
        self._session = source.session
        self._is_agent = source.relation is Relation.SUBAGENT
        self._has_header: bool = state.get("header", False)
        self._tip: str = state.get("tip", "")
        self._ts: int = state.get("ts", 0)
        self._last: str  # names given last
        self._digest: str  # of the words said last
        self._last, self._digest = state.get("last", ["", ""])
        self._words: str | None = None  # these words, if they were said since then
        self._calls = OpenCalls(state.get("calls", {}))
        self._known = Known(source.session, state.get("known", {}))
        self._tree: _Tree | None = None
        self._recent: dict[int, list[Said]] = {}  # what lines said last, once somebody went back
        self._kept = 0  # characters of that
        self._model = ""  # that was told last
        self._stays = False  # told what there is, whatever is part of the conversation

    def state(self) -> State:
        """What another reader needs to go on here."""
        return {
            "header": self._has_header,
            "tip": self._tip,
            "ts": self._ts,
            "last": [self._last, self._said_last()],
            "calls": self._calls.state(),
            "known": self._known.state(),
        }

    def take(self, record: Record, number: int) -> list[Item]:
        """The items of one line."""
        kind = record.get("type")
        if kind == "session":
            return self._take_header(record)
        if kind == "title":
            return self._title(text_of(record, "title"), record)
        if not self._has_header:
            return [Skipped(line=number, reason="not in a session")]
        self._ts = time_ms(record.get("timestamp")) or self._ts
        items: list[Item] = []
        has_id = "id" in record
        here, parent = (text_of(record, "id"), text_of(record, "parentId")) if has_id else ("", "")
        if has_id:
            if parent != self._tip:
                self._move(record, parent, number, items)
            self._tip = here
        is_message = kind == "message"
        drafts = (self._of_message if is_message else self._drafts)(record, number, items)
        said = self._say(drafts, record, number) if drafts else []
        if self._tree is not None and has_id:
            self._tree.add(here, parent, number, [each.message.uid or "" for each in said])
            self._keep(number, said)
        for draft in drafts:
            if is_typed(draft):
                items += self._known.prompt(self._session, draft.content)
        items += said
        return items

    def _take_header(self, record: Record) -> list[Item]:
        if self._has_header:
            return []
        self._has_header = True
        self._ts = time_ms(record.get("timestamp"))
        items: list[Item] = []
        cwd, model = text_of(record, "cwd"), text_of(record, "modelId")
        items += self._known.place(self._session, cwd=cwd, model=model)
        parent = text_of(record, "parentSession") or text_of(record, "branchedFrom")
        if parent and not self._is_agent:
            items += self._known.parent(self._session, session_in(parent), Relation.FORK)
        return [*items, *self._title(text_of(record, "title"), record)]

    def _title(self, title: str, record: Record) -> list[Item]:
        if not title.strip():
            return []
        is_given = (text_of(record, "titleSource") or text_of(record, "source")) == "user"
        given = TitleSource.GIVEN if is_given else TitleSource.SUMMARY
        return [Facts(session=self._session, title=title.strip(), title_source=given)]

    def _drafts(self, record: Record, number: int, items: list[Item]) -> list[Draft]:
        """What an entry that is no message says; what else it tells goes to the items."""
        kind = text_of(record, "type")
        if kind == "compaction" or kind == "branch_summary":
            return read_summary(record)
        if kind == "custom_message":
            return read_injected(record)
        if kind == "model_change":
            model = text_of(record, "modelId") or text_of(record, "model").rpartition("/")[2]
            items += self._known.place(self._session, cwd="", model=model)
        elif kind == "session_info":
            if name := text_of(record, "name").strip():
                items.append(Facts(session=self._session, title=name, title_source=TitleSource.GIVEN))
        elif kind == "title_change":
            items += self._title(text_of(record, "title"), record)
        elif kind not in _SILENT:
            items.append(Skipped(line=number, reason="unknown type of record", unknown=kind[:60] or "?"))
        return []

    def _of_message(self, record: Record, number: int, items: list[Item]) -> list[Draft]:
        message = record.get("message")
        if type(message) is not dict:
            items.append(Skipped(line=number, reason="a message without one"))
            return []
        if not (_ENTRY.issuperset(record) and _MESSAGE.issuperset(message)):
            items += new_fields("entry", record, _ENTRY, number)
            items += new_fields("message", message, _MESSAGE, number)
        drafts = read_message(message, self._turn)
        if drafts is None:
            role = text_of(message, "role")[:60]
            items.append(Skipped(line=number, reason="unknown role", unknown=f"message/{role or '?'}"))
            return []
        if message.get("role") == "assistant":
            if message.get("provider") == "openclaw":
                return self._without_mirrored(drafts)
            if (model := text_of(message, "model")) != self._model:
                self._model = model
                items += self._known.place(self._session, cwd="", model=model)
        if self._is_agent:  # an agent prompts those that work for it, not a person
            return by_agent(drafts)
        return drafts

    def _without_mirrored(self, drafts: list[Draft]) -> list[Draft]:
        """What was delivered is noted once more; if it is what was said last, it says nothing new."""
        last = self._said_last()
        return [draft for draft in drafts if _short(draft.content.strip()) != last]

    def _said_last(self) -> str:
        """The digest of the words said last, which few ever ask for."""
        if self._words is not None:
            self._digest, self._words = _short(self._words.strip()), None
        return self._digest

    def _say(self, drafts: list[Draft], record: Record, number: int) -> list[Said]:
        words = [f"{record.get('timestamp')}", *[f"{kind}{content}" for _, kind, _, content, _, _ in drafts]]
        named = _short("\0".join(words))
        if self._last.startswith(named):  # written in the same moment, and says the same
            named = f"{self._last}+"
        self._last, self._words = named, drafts[-1].content
        session, ts_ms, joined = self._session, self._ts, self._calls.joined
        if len(drafts) == 1:
            return [new(Said, (session, placed(joined(drafts[0]), f"{named}:0", number, ts_ms)))]
        return [
            new(Said, (session, placed(joined(draft), f"{named}:{at}", number, ts_ms)))
            for at, draft in enumerate(drafts)
        ]

    def _move(self, record: Record, parent: str, number: int, items: list[Item]) -> None:
        """Go to an entry that does not hang on the last one: other entries are part of the conversation by now."""
        is_aside = self._tip and "parentId" in record and (parent or _begins(record))
        if is_aside and not self._stays:
            if self._tree is None:
                self._tree = self._tree_before(number)
            left, again = self._tree.go(self._tip, parent, number)
            if left:
                items.append(Rewound(session=self._session, uids=tuple(left)))
            items += self._told_again(again) if again else []

    def _tree_before(self, number: int) -> "_Tree":
        """How the entries before a line hang together, out of the file again."""
        reader = PiReader(self._source, {}, self._turn, self._before)
        reader._tree = tree = _Tree()
        for _ in reader._again(number):
            pass
        self._recent, self._kept = reader._recent, reader._kept
        return tree

    def _keep(self, number: int, said: list[Said]) -> None:
        """Keep what a line said, in case somebody returns to it; what was said long ago is then read again."""
        self._recent[number] = said
        for each in said:
            self._kept += len(each.message.content)
        while self._kept > MOST_KEPT:
            self._kept -= sum([len(each.message.content) for each in self._recent.pop(next(iter(self._recent)))])

    def _told_again(self, names: dict[int, list[str]]) -> list[Item]:
        """What these lines of the file say, under new names."""
        said = self._recent if self._recent.keys() >= names.keys() else self._read_again(names)
        return [
            Said(self._session, item.message._replace(uid=name))
            for number in sorted(names)
            for item, name in zip(said.get(number, ()), names[number], strict=False)
        ]

    def _read_again(self, names: dict[int, list[str]]) -> dict[int, list[Said]]:
        reader = PiReader(self._source, {}, self._turn, self._before)
        reader._stays = True
        lines = ((number, told) for number, told in reader._again(max(names) + 1) if number in names)
        return {number: [item for item in told if isinstance(item, Said)] for number, told in lines}

    def _again(self, end: int) -> Iterator[tuple[int, list[Item]]]:
        """Read the lines before one, from the first on."""
        for number, record in self._before(end):
            yield number, self.take(record, number)


class _Entry(NamedTuple):
    parent: str
    line: int
    names: list[str]


class _Tree:
    """The entries of a session; made only of one in which somebody went back."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}

    def add(self, here: str, parent: str, line: int, names: list[str]) -> None:
        self._entries.setdefault(here, _Entry(parent, line, names))

    def go(self, tip: str, parent: str, number: int) -> tuple[list[str], dict[int, list[str]]]:
        """Go from one entry to another: the names of what is left, and by lines the new names of what is returned to.

        An entry that names a parent which is not there goes nowhere: a line was lost.
        """
        if parent and parent not in self._entries:
            return [], {}
        old, new = self._path(tip), self._path(parent)
        left = [name for key in old.keys() - new.keys() for name in self._entries[key].names]
        again: dict[int, list[str]] = {}
        for key in new.keys() - old.keys():
            entry = self._entries[key]
            renamed = [f"{name.partition('@')[0]}@{number}" for name in entry.names]
            self._entries[key] = entry._replace(names=renamed)
            if renamed:
                again[entry.line] = renamed
        return sorted(left), again

    def _path(self, key: str) -> dict[str, None]:
        """An entry and all that it hangs on."""
        path: dict[str, None] = {}
        while key in self._entries and key not in path:
            path[key] = None
            key = self._entries[key].parent
        return path


def session_in(path: str) -> str:
    """The session that a path to its file names: `<time>_<session>.jsonl`, or `.sqlite`."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return name.removesuffix(".jsonl").removesuffix(".sqlite").rpartition("_")[2]


def _begins(record: Record) -> bool:
    """Whether an entry without a parent begins the conversation anew; agents also note things without a place."""
    message = record.get("message")
    return record.get("type") == "branch_summary" or (type(message) is dict and message.get("role") in _BEGINNING)


def _short(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
