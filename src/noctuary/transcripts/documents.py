"""Transcripts that are no logs: a document that is written anew, or a database of many sessions.

They are read as a whole when they have changed.  An entry is known by what its agent calls it *and* by what it says:
said again it is the same message, and if it says something else by now, as an answer does that was still being
written, the old message is taken back and the new one told.  What the last entries of the last sessions said is
remembered for that, so that the memory of a reader stays small.

An entry that its agent took back and still keeps is told as one that was taken back.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from zlib import crc32

from noctuary.records import Message, TitleSource
from noctuary.transcripts.blocks import name_call
from noctuary.transcripts.drafts import (
    REWOUND,
    TOOL_CALL,
    TOOL_RESULT,
    Draft,
    by_agent,
    is_taken_back,
    is_typed,
    new,
    placed,
)
from noctuary.transcripts.finding import open_file
from noctuary.transcripts.items import Facts, Item, Mark, NewField, Place, Rewound, Said, Skipped, State
from noctuary.transcripts.jsonl import Line, Record, load_clean_bytes, read_lines
from noctuary.transcripts.speech import title_from

LARGEST = 100 * 1024 * 1024  # bytes of a document; all of it is held in memory
LARGEST_LOG = 512 * 1024 * 1024  # bytes of a log of changes; what it comes to is held in memory
REMEMBERED_ENTRIES, REMEMBERED_SESSIONS = 400, 40
MARK_SESSIONS = 50
ITEMS_AT_ONCE = 250  # more would no longer be in the processor's cache when it is used
_version = json.JSONEncoder(default=str, separators=(",", ":")).encode
_BOM = b"\xef\xbb\xbf"
T = TypeVar("T")
_GONE, _BACK = "-", "+"  # before what an entry said that is no longer there; after it for each time that it came back


class Entry(NamedTuple):
    """One entry of a session: what its agent calls it, the messages that it is made of, when, and where it stands."""

    key: str  # no other entry of the session has it
    drafts: Sequence[Draft]
    ts_ms: int
    line: int  # the number of its record in the transcript, from 1


Original = tuple[str, str]  # a session, and the key of an entry in it


class Talk(NamedTuple):
    """One session as a whole."""

    facts: Facts
    entries: Sequence[Entry]
    oddities: Sequence[Skipped | NewField] = ()
    started_ms: int = 0  # when its first entry was made, if that does not say so itself
    is_named_apart: bool = False  # its keys are those of no other session, so a copy in another is the same entry
    copied: Mapping[str, Original] | None = None  # by their keys, what entries of a fork are copies of


def load_document(path: Path, largest: int = LARGEST) -> Any:
    """The JSON value in a file; ValueError says what is wrong with it, OSError that it cannot be read."""
    if path.stat().st_size > largest:
        raise ValueError(f"larger than {largest // (1024 * 1024)} MB")
    with open_file(path) as file:
        raw = file.read().removeprefix(_BOM)
    try:
        return load_clean_bytes(raw)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        raise ValueError("not valid JSON") from None


def load_page(path: Path, largest: int = LARGEST) -> bytes:
    """The text in a file, with an end of line before it and after it; ValueError if it is too large, OSError.

    It is not decoded: one picture in it, and all of it would take four times the room and the time.
    """
    if path.stat().st_size > largest:
        raise ValueError(f"larger than {largest // (1024 * 1024)} MB")
    with open_file(path) as file:
        raw = b"\n%b\n" % file.read().removeprefix(_BOM)
    if b"\r" in raw:  # which is seen much sooner
        raw = raw.replace(b"\r\n", b"\n")
    return raw.replace(b"\0", "\ufffd".encode())


def load_lines(path: Path, largest: int = LARGEST_LOG) -> Iterator[Line]:
    """The lines of a log of changes to a document; one at the end that is still being written is left out.

    ValueError if there is too much of it, OSError if it cannot be read.
    """
    if path.stat().st_size > largest:
        raise ValueError(f"larger than {largest // (1024 * 1024)} MB")
    with open_file(path) as file:
        for line in read_lines(file, Place()):
            if line.complete or line.record is not None:
                yield line


def load_records(path: Path, largest: int = LARGEST_LOG) -> Iterator[tuple[int, Record | Skipped]]:
    """The records of a file of JSON lines that is read as a whole, or what is wrong with them, by their numbers."""
    for line in load_lines(path, largest):
        if line.record is not None:
            yield line.number, line.record
        elif line.problem is not None:
            yield line.number, Skipped(line=line.number, reason=line.problem)


def delegated(talk: Talk) -> Talk:
    """The session of a sub-agent: what stands there as if typed was said by the agent that started it."""
    facts = talk.facts if talk.facts.title else _titled(talk)
    told = [
        new(Entry, (entry.key, by_agent([*entry.drafts]), *entry[2:])) if any(map(is_typed, entry.drafts)) else entry
        for entry in talk.entries
    ]
    return talk._replace(facts=facts, entries=told)


def read_document(place: Place, talks: Callable[[], Iterable[Talk | Skipped]]) -> Iterator[Item]:
    """Yield what a document says that was not said when it was last read; a ValueError of `talks` is told as skipped.

    There is one Mark, at the end: a document that is broken is read again when it has changed.
    """
    memory = _Memory(place.state)
    try:
        for talk in talks():
            if isinstance(talk, Skipped):
                yield talk
            else:
                for items in memory.told(talk):
                    yield from items
    except ValueError as error:
        yield Skipped(line=1, reason=str(error))
        return
    yield Mark(place=Place(state=memory.state()))


def read_store(
    place: Place, listed: Iterable[tuple[str, str]], talk: Callable[[str], Talk | Skipped | None]
) -> Iterator[Item]:
    """Yield what is new in a database of sessions: of each there is its name, and a version that changes with it.

    Only sessions of another version than when they were last read are asked for.
    """
    memory = _Memory(place.state)
    unmarked = 0
    for session, version in listed:
        if memory.versions.get(session) == version:
            continue
        found = talk(session)
        if isinstance(found, Talk):
            for items in memory.told(found):
                yield from items
        elif found is not None:
            yield found
        memory.versions[session] = version
        unmarked += 1
        if unmarked >= max(MARK_SESSIONS, len(memory.versions) // 8):  # a mark has all versions in it
            unmarked = 0
            yield Mark(place=Place(state=memory.state()))
    yield Mark(place=Place(state=memory.state()))


def with_tool_names(entries: Iterable[Entry]) -> list[Entry]:
    """The entries of a session whose results do not say of which tool they are, but of which call."""
    names: dict[str | None, str | None] = {}
    named = []
    for entry in entries:
        drafts = entry.drafts
        for place, draft in enumerate(drafts):
            if draft.kind is TOOL_CALL:
                names[draft.call_id] = draft.tool_name
            elif draft.kind is TOOL_RESULT and draft.tool_name is None and draft.call_id in names:
                drafts = [*drafts[:place], draft._replace(tool_name=names[draft.call_id]), *drafts[place + 1 :]]
        named.append(entry if drafts is entry.drafts else entry._replace(drafts=drafts))
    return named


class _Memory:
    """What a reader remembers of sessions: their versions, and what their last entries said."""

    def __init__(self, state: State) -> None:
        self.versions: dict[str, str] = dict(state.get("versions", {}))
        self._before: dict[str, dict[str, str]] = dict(state.get("said", {}))
        self._now: dict[str, dict[str, str]] = {}  # what was said in sessions that were told since

    def state(self) -> State:
        """Plain JSON."""
        kept = _last({**self._before, **self._now}, REMEMBERED_SESSIONS)
        return {"versions": dict(self.versions), "said": kept} if self.versions else {"said": kept}

    def told(self, talk: Talk) -> Iterator[list[Item]]:
        """The items of a session that were not told before, some at a time."""
        session = talk.facts.session
        yield [_titled(talk), *talk.oddities]
        scope = "" if talk.is_named_apart else _short(session)
        before = self._now.pop(session, None) or self._before.pop(session, {})
        now: dict[str, str] = {}
        if before:
            items: list[Item] = []
            now = self._news(talk, scope, before, items)
            yield _by_their_first_names(items, scope, talk.copied) if talk.copied else items
        elif talk.copied:
            yield from (_by_their_first_names(items, scope, talk.copied) for items in _all_of(talk, scope, now))
        else:
            yield from _all_of(talk, scope, now)
        self._now[session] = _last(now, REMEMBERED_ENTRIES)
        if len(self._now) > 2 * REMEMBERED_SESSIONS:
            self._now = _last(self._now, REMEMBERED_SESSIONS)

    def _news(self, talk: Talk, scope: str, before: dict[str, str], items: list[Item]) -> dict[str, str]:
        """Add what a session says that it did not say before; what its entries say by now."""
        session, last_ms = talk.facts.session, talk.started_ms
        now: dict[str, str] = {}
        for key, drafts, said_ms, line in talk.entries:
            last_ms = said_ms or last_ms
            if key in now:
                key = f"{key}~{len(now)}"  # noqa: PLW2901
            said = _digest(drafts)
            is_gone = is_taken_back(drafts)
            if (old := before.get(key)) is not None:
                if is_gone:
                    items += self._gone(session, scope, key, old)
                    now[key] = _GONE + old.removeprefix(_GONE)
                    continue
                said = _again(said, old)
                if old == said:
                    now[key] = said
                    continue
                items += self._gone(session, scope, key, old)
            now[key] = _GONE + said if is_gone else said
            named = zip(_uids(scope, key, said), drafts, strict=True)
            items += [new(Said, (session, placed(each, uid, line, last_ms))) for uid, each in named]
        return self._with_missing(session, scope, before, now, items)

    def _gone(self, session: str, scope: str, key: str, old: str) -> list[Item]:
        """An entry is taken back, if that is not known yet."""
        return [] if old.startswith(_GONE) else [Rewound(session=session, uids=_uids(scope, key, old))]

    def _with_missing(
        self, session: str, scope: str, before: dict[str, str], now: dict[str, str], items: list[Item]
    ) -> dict[str, str]:
        """What entries said, with those that are no longer there, which are taken back."""
        missing = {key: old for key, old in before.items() if key not in now}
        gone = {key: old for key, old in missing.items() if not old.startswith(_GONE)}
        if gone:
            uids = [uid for key, old in gone.items() for uid in _uids(scope, key, old)]
            items.append(Rewound(session=session, uids=tuple(uids)))
        return {**missing, **{key: _GONE + old for key, old in gone.items()}, **now}


def _all_of(talk: Talk, scope: str, now: dict[str, str]) -> Iterator[list[Item]]:
    """The messages of a session that was never told; what its entries say is noted.  Most messages come by here."""
    session, last_ms = talk.facts.session, talk.started_ms
    items: list[Item] = []
    forgotten = len(talk.entries) - REMEMBERED_ENTRIES  # so many; of these it only counts that there is such a key
    for key, drafts, said_ms, line in talk.entries:
        if len(items) >= ITEMS_AT_ONCE:
            yield items
            items = []
        if said_ms:  # what has no time was said after what has one
            last_ms = said_ms
        if key in now:  # no agent should name two alike; then the place of the second tells them apart
            key = f"{key}~{len(now)}"  # noqa: PLW2901
        if len(drafts) == 1:  # as nearly all have
            role, kind, hidden, content, tool_name, call_id = drafts[0]
            raw = content.encode("utf-8", "surrogatepass")
            words = "%08x%x" % (crc32(raw), len(raw))  # noqa: UP031 (half as long as any other way)
            now[key] = f"{_GONE if hidden is REWOUND else ''}{words}.1" if len(now) >= forgotten else ""
            uid = f"{scope}:{key}:{words}:0"
            calls = name_call(tool_name or "", call_id or "") if kind is TOOL_CALL else None
            message = (role, content, kind, 0, last_ms, tool_name, calls, call_id, hidden, line, uid)
            items.append(new(Said, (session, new(Message, message))))
        else:
            said = _digest(drafts)
            now[key] = _GONE + said if is_taken_back(drafts) else said
            stem = f"{scope}:{key}:{said.rpartition('.')[0]}:"
            for place, (role, kind, hidden, content, tool_name, call_id) in enumerate(drafts):
                calls = name_call(tool_name or "", call_id or "") if kind is TOOL_CALL else None
                uid = f"{stem}{place}"
                message = (role, content, kind, 0, last_ms, tool_name, calls, call_id, hidden, line, uid)
                items.append(new(Said, (session, new(Message, message))))
    yield items


def _by_their_first_names(items: list[Item], scope: str, copied: Mapping[str, Original]) -> list[Item]:
    """The items of a fork: what is a copy is called as its original is, by which it is known to be the same."""
    named: list[Item] = []
    for item in items:
        if isinstance(item, Said):
            key, said, number = (item.message.uid or "").removeprefix(f"{scope}:").rsplit(":", 2)
            if key in copied:
                session, first = copied[key]
                uid = f"{_short(session)}:{first}:{said}:{number}"
                named.append(Said(item.session, item.message._replace(uid=uid)))
                continue
        named.append(item)
    return named


def _last(told: dict[str, T], most: int) -> dict[str, T]:
    return told if len(told) <= most else dict(list(told.items())[-most:])


def _again(said: str, old: str) -> str:
    """What an entry says that said something else before, or that was gone and is back: then it needs a new name.

    What was taken back under its old name is hidden for good.
    """
    was = old.removeprefix(_GONE)
    words, _, count = was.rpartition(".")
    if f"{words.rstrip(_BACK)}.{count}" != said:
        return said
    return f"{words}{_BACK}.{count}" if old.startswith(_GONE) else was


def _titled(talk: Talk) -> Facts:
    """What is known of a session, named after the first thing a human said in it if nobody named it."""
    facts = talk.facts
    if facts.title:
        return facts if facts.title_source else facts._replace(title_source=TitleSource.GIVEN)
    for entry in talk.entries:
        for draft in entry.drafts:
            if is_typed(draft) and draft.hidden is None and (title := title_from(draft.content)):
                return facts._replace(title=title, title_source=TitleSource.PROMPT)
    return facts


def _digest(drafts: Sequence[Draft]) -> str:
    """What messages say, in few characters, with how many there are.

    It only tells an entry from what it said before, so a checksum will do; a real digest takes as long as the parsing.
    """
    raw = "\0".join([draft.content for draft in drafts]).encode("utf-8", "surrogatepass")
    return f"{crc32(raw):08x}{len(raw):x}.{len(drafts)}"


def _uids(scope: str, key: str, digest: str) -> tuple[str, ...]:
    """The names of an entry's messages, by what they said and how many there were."""
    said, _, count = digest.rpartition(".")
    if count == "1":
        return (f"{scope}:{key}:{said}:0",)
    return tuple([f"{scope}:{key}:{said}:{number}" for number in range(int(count))])


def _short(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def version_of(*parts: object) -> str:
    """A version made of whatever changes with a session."""
    return _version(parts)
