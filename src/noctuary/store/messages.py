"""Messages in the database, and the index they are found by: added, hidden and removed together."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from noctuary.digests import digest
from noctuary.records import Hidden, Kind, Message, Role, Session
from noctuary.store import keys
from noctuary.store.backlog import Backlog
from noctuary.store.database import Database, Row, Value
from noctuary.store.vectors import Vectors
from noctuary.text import searchable

PREVIEW_CHARACTERS = 120
_INJECTED = Hidden.INJECTED
_ROLES = {role.value: role for role in Role}  # looking up costs a fifth of calling the enum
_KINDS = {kind.value: kind for kind in Kind}


class Messages:
    """The messages of all sessions, by the session's internal number."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.backlog = Backlog(database)
        self.vectors = Vectors(database)
        self._is_index_later = False

    @contextmanager
    def indexing_later(self) -> Iterator[None]:
        """Leave what is added inside to the backlog; whoever adds it has it worked off in the end."""
        self._is_index_later = True
        try:
            yield
        finally:
            self._is_index_later = False

    def add(self, owner: str, session_no: int, messages: Sequence[Message]) -> list[int]:
        """Store and index the messages at the end of the session; the ids they were given."""
        if not messages:
            return []
        times = [m.ts_ms for m in messages if m.ts_ms > 0]
        with self.database.transaction():
            first_id: int = self.database.fetch(
                "count_up_session",
                no=session_no,
                added=len(messages),
                visible=sum(m.hidden is None for m in messages),
                first_ms=min(times, default=0),
                last_ms=max(times, default=0),
                preview=_preview(messages),
            )[0][0]
            self._insert(owner, session_no, first_id, messages)
        return list(range(first_id, first_id + len(messages)))

    def _insert(self, owner: str, session_no: int, first_id: int, messages: Sequence[Message]) -> None:
        rows: list[Sequence[Value]] = []
        indexed: list[tuple[int, str]] = []
        characters = 0
        for place, m in enumerate(messages, first_id):
            role, content, kind, _, ts_ms, tool_name, tool_calls, call_id, hidden, line, uid = m
            key = keys.key_at(session_no, place, m)
            hashed = uid_hash(uid) if uid else None
            rows.append((key, role, kind, ts_ms, hidden, tool_name, call_id, line, hashed, tool_calls, content))
            if hidden is None or hidden is _INJECTED:
                indexed.append((key, content))
                characters += len(content)
        self.database.run_many("add_message", rows)
        if self._is_index_later:
            self.backlog.add(**span(session_no, first_id, first_id + len(messages) - 1), characters=characters)
        else:
            self.database.run_many("index_message", [(key, searchable(text)) for key, text in indexed])
        self.database.fetch("add_totals", owner=owner, messages=len(indexed), characters=characters)

    def _unindex(self, wanted: Iterable[int]) -> None:
        self.database.run_many("unindex_message", [(key,) for key in wanted])  # no harm if it is not indexed yet

    def index_title(self, session_no: int, old: str | None, new: str | None) -> None:
        """Make the session findable by its title, and no longer by the old one."""
        if old:
            key = _title_key(session_no, old)
            self._unindex([key])
            self.backlog.drop(key, key)
        if not new:
            return
        key = _title_key(session_no, new)
        if self._is_index_later:
            self.backlog.add(key, key, len(new))
        else:
            self.database.run_many("index_message", [(key, searchable(new))])

    def between(self, session_no: int, first: int, last: int) -> list[Message]:
        """Every message from one id to another, hidden ones too."""
        rows = self.database.fetch("messages_between", **span(session_no, first, last))
        return [message_from(row) for row in rows]

    def visible(self, session_no: int, first: int, last: int, most: int) -> list[Message]:
        """Messages of the conversation in a range of ids; in order."""
        rows = self.database.fetch("visible_after", most=most, **span(session_no, first, last))
        return [message_from(row) for row in rows]

    def around(self, session_no: int, place: int, most: int) -> list[Message]:
        """The message at this place, and so many of the conversation before and after it; in order."""
        fetch = self.database.fetch
        earlier = fetch("visible_before", most=most, **span(session_no, 1, place - 1)) if place > 1 else []
        following = span(session_no, place, keys.MOST_MESSAGES)
        later = fetch("from_message_on", most=most + 1, next=keys.pack(session_no, place + 1), **following)
        return [message_from(row) for row in (*reversed(earlier), *later)]

    def first_talk(self, session_no: int, before: int, most: int) -> list[Message]:
        """What people and agents said first in the session, before this id."""
        rows = self.database.fetch("first_talk", most=most, **span(session_no, 1, before - 1))
        return [message_from(row) for row in rows]

    def last_talk(self, session_no: int, after: int, most: int) -> list[Message]:
        """What people and agents said last in the session, after this id."""
        rows = self.database.fetch("last_talk", most=most, **span(session_no, after + 1, keys.MOST_MESSAGES))
        return [message_from(row) for row in reversed(rows)]

    def count_visible(self, session_no: int, first: int, last: int) -> int:
        """How many messages of the conversation have ids in the range."""
        return int(self.database.fetch("count_visible", **span(session_no, first, last))[0][0])

    def first_words(self, session_no: int) -> str | None:
        """How the first thing a human said in the session begins."""
        page, first = 100, 1
        while found := self.visible(session_no, first, keys.MOST_MESSAGES, page):
            if preview := _preview(found):
                return preview
            first = found[-1].id + 1
        return None

    def by_key(self, wanted: Iterable[int]) -> dict[int, Message]:
        """The messages with these keys."""
        rows = self.database.fetch("messages_by_key", keys=json.dumps(list(wanted)))
        return {row[0]: message_from(row) for row in rows}

    def texts(self, wanted: Iterable[int]) -> dict[int, tuple[int, str]]:
        """Time and text of the messages with these keys."""
        rows = self.database.fetch("texts_by_key", keys=json.dumps(list(wanted)))
        return {row[0]: (row[1], row[2]) for row in rows}

    def containing(self, text: str) -> list[int]:
        """Keys of all messages, hidden ones too, that contain the text; the case of a to z makes no difference."""
        return [row[0] for row in self.database.fetch("containing_word", text=text)]

    def beyond_ascii(self) -> list[int]:
        """Keys of all messages, hidden ones too, with a character beyond ASCII: words in them have many spellings."""
        return [row[0] for row in self.database.fetch("beyond_ascii")]

    def known(self, uids: Iterable[str]) -> dict[str, list[int]]:
        """Of these transcript entries, the ones that are stored already, and under which keys."""
        hashes = {uid_hash(uid): uid for uid in uids}
        known: dict[str, list[int]] = {}
        for hashed, key in self.database.fetch("known_uids", uids=json.dumps(list(hashes))):
            known.setdefault(hashes[hashed], []).append(key)
        return known

    def hide(self, owner: str, session_no: int, wanted: Sequence[int], why: Hidden) -> int:
        """Take messages out of the conversation and out of the index; how many were visible."""
        found = {key: m for key, m in self.by_key(wanted).items() if is_indexed(m)}
        visible = sum(m.hidden is None for m in found.values())
        with self.database.transaction():
            self.database.run_many("hide_message", [(why, key) for key in found])
            self._take_out(owner, found)
            self.database.fetch("hide_in_session", no=session_no, visible=visible)
        return visible

    def remove(self, owner: str, wanted: Sequence[int]) -> int:
        """Remove messages and their index entries for good; how many there were."""
        removed = self.by_key(wanted)
        with self.database.transaction():
            self.database.run_many("remove_message", [(key,) for key in removed])
            self._take_out(owner, removed)
            by_session: dict[int, int] = {}
            for key, m in removed.items():
                by_session[keys.session_of(key)] = by_session.get(keys.session_of(key), 0) + (m.hidden is None)
            for no, visible in by_session.items():
                self.database.fetch("hide_in_session", no=no, visible=visible)
        return len(removed)

    def rewrite(self, owner: str, session_no: int, rows: Sequence[tuple[Row, str | None, str]]) -> None:
        """Put other tool calls and another content into rows, each as `owned_messages` gives it; all else stays.

        The session is embedded anew.
        """
        old = {row[0]: len(row[-1]) for row, _, _ in rows if row[4] is None or row[4] == _INJECTED}
        indexed = [(_rekeyed(row[0], text), text) for row, _, text in rows if row[0] in old]
        with self.database.transaction():
            self.database.run_many("remove_message", [(row[0],) for row, _, _ in rows])
            self._unindex(old)
            self.database.run_many(
                "add_message", [(_rekeyed(row[0], text), *row[1:-2], calls, text) for row, calls, text in rows]
            )
            self.database.run_many("index_message", [(key, searchable(text)) for key, text in indexed])
            self.vectors.drop_session(session_no)
            characters = sum(len(text) for _, text in indexed) - sum(old.values())
            self.database.fetch("add_totals", owner=owner, messages=0, characters=characters)

    def remove_all(self, owner: str, session_no: int, session: Session) -> int:
        """Remove every message of a session, and its title from the index; how many there were."""
        whole = span(session_no, 0, keys.MOST_MESSAGES)
        with self.database.transaction():
            self.index_title(session_no, session.title, None)
            self.vectors.drop_session(session_no)
            rows = self.database.fetch("messages_between", **whole)
            self._take_out(owner, {row[0]: message_from(row) for row in rows})
            self.database.fetch("remove_messages", **whole)
            self.backlog.drop(**whole)  # or it would be that of the next session with this number
        return len(rows)

    def _take_out(self, owner: str, removed: dict[int, Message]) -> None:
        indexed = {key: m for key, m in removed.items() if is_indexed(m)}
        self._unindex(indexed)
        self.vectors.drop(removed)
        self.database.fetch(
            "add_totals",
            owner=owner,
            messages=-len(indexed),
            characters=-sum(len(m.content) for m in indexed.values()),
        )


def _rekeyed(key: int, content: str) -> int:
    """The key of a message that has another content now."""
    return key >> keys.LENGTH_BITS << keys.LENGTH_BITS | keys.length_class(len(content))


def is_indexed(message: Message) -> bool:
    """Whether search may find the message at all."""
    return message.hidden is None or message.hidden is _INJECTED


def uid_hash(uid: str) -> int:
    """63 bits that stand for what identifies an entry of a transcript."""
    return int.from_bytes(digest(uid.encode("utf-8", "surrogatepass"), size=8)) >> 1


def span(session_no: int, first: int, last: int) -> dict[str, int]:
    """The range of keys that holds the session's messages from one id to another."""
    lowest = max(first, 1)
    return {
        "low": keys.pack(session_no, lowest),
        "high": keys.pack(session_no, min(max(last, 0), keys.MOST_MESSAGES)) | (1 << keys.PLACE_SHIFT) - 1,
    }


def message_from(row: Row) -> Message:
    """A message from a row of one of the message queries."""
    return Message(
        id=keys.place_of(row[0]),
        role=_ROLES[row[1]],
        kind=_KINDS[row[2]],
        ts_ms=row[3],
        hidden=Hidden(row[4]) if row[4] else None,
        tool_name=row[5],
        call_id=row[6],
        source_line=row[7],
        tool_calls=row[8],
        content=row[9],
    )


def _preview(messages: Sequence[Message]) -> str | None:
    for m in messages:
        if m.role is Role.USER and m.kind is Kind.TEXT and m.hidden is None and m.content.strip():
            return " ".join(m.content[: PREVIEW_CHARACTERS * 4].split())[:PREVIEW_CHARACTERS]
    return None


def _title_key(session_no: int, title: str) -> int:
    return keys.pack(session_no, 0, keys.TITLE, keys.length_class(len(title)))
