"""Recall on a database: the store's parts behind the `RecallStore` contract."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from noctuary.clock import Clock
from noctuary.recall.contract import DEFAULT_LIMIT, DEFAULT_WINDOW, MOST_WINDOW
from noctuary.recall.grouping import Grouping, by_session, one_by_one
from noctuary.recall.meaning import Understand, nothing_understood
from noctuary.recall.query import Query
from noctuary.recall.searching import Sources, search
from noctuary.recall.storing import safe, safe_session
from noctuary.records import Found, Hit, Message, Session, Term, Window
from noctuary.store import Store, keys
from noctuary.store.lexicon import NEWEST, IndexSize, Within
from noctuary.store.sessions import EVERYTHING, Selection

if TYPE_CHECKING:
    from noctuary.recall.reranking import Judge
    from noctuary.store.citations import Citation

UNFINISHED = "Part of the memory cannot be found yet: an import runs or was stopped. `noctuary import` completes it."


class DatabaseRecall:
    """A `RecallStore` on SQLite or PostgreSQL."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        understand: Understand = nothing_understood,
        judge: "Judge | None" = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.understand = understand
        self.judge = judge

    def ensure_session(self, owner: str, session: Session) -> None:
        """Make the session known, or fill in what was missing."""
        with self.store.database.transaction():
            self._ensure(owner, session)

    def append(self, owner: str, session_id: str, message: Message) -> int:
        """Store the message at the end of the session and give its id."""
        stored = safe(message)
        with self.store.database.transaction():
            known = self.store.sessions.find(owner, session_id)
            no = known[0] if known else self._ensure(owner, Session(id=session_id, started_ms=message.ts_ms or None))
            return self.store.messages.add(owner, no, [stored])[0]

    def add_session(self, owner: str, session: Session, messages: Iterable[Message]) -> list[int]:
        """Store a whole conversation, all or nothing; the ids of its messages."""
        stored = [safe(message) for message in messages]
        with self.store.database.transaction():
            return self.store.messages.add(owner, self._ensure(owner, session), stored)

    def read(self, owner: str, session_id: str, first: int = 1, last: int = keys.MOST_MESSAGES) -> Window | None:
        """The conversation from one message to another; None if there is no such session."""
        found = self.store.sessions.find(owner, session_id)
        if not found:
            return None
        no, session = found
        messages = self.store.messages.visible(no, first, last, EVERYTHING)
        return Window(
            session=session,
            messages=messages,
            before=self.store.messages.count_visible(no, 1, first - 1) if first > 1 else 0,
            after=self.store.messages.count_visible(no, last + 1, keys.MOST_MESSAGES),
        )

    def search(self, owner: str, query: Query, limit: int = DEFAULT_LIMIT) -> Found:
        """The best hits, one a session."""
        return self._search(owner, query, limit, by_session)

    def search_messages(self, owner: str, query: Query, limit: int = DEFAULT_LIMIT) -> Found:
        """The best hits, one a message."""
        return self._search(owner, query, limit, one_by_one)

    def scroll(self, owner: str, session_id: str, around: int, window: int = DEFAULT_WINDOW) -> Window | None:
        """The message and its visible neighbours, counted in messages."""
        found = self.store.sessions.find(owner, session_id)
        if not found or not 0 < around <= keys.MOST_MESSAGES:
            return None
        no, session = found
        anchor = self.store.messages.between(no, around, around)
        if not anchor:
            return None
        shelf = _Shelf(self.store, owner)
        if not shelf.sessions([no]):
            return None
        messages, before, after = shelf.around(no, around, max(0, min(window, MOST_WINDOW)))
        return Window(session=session, messages=messages, before=before, after=after)

    def recent(self, owner: str, limit: int = DEFAULT_LIMIT, selection: Selection | None = None) -> list[Session]:
        """Sessions by last activity, the newest first."""
        return self.store.sessions.recent(owner, max(0, limit), selection or Selection())

    def delete_session(self, owner: str, session_id: str) -> bool:
        """Remove the session, its messages and its index entries, all or nothing."""
        with self.store.database.transaction():
            found = self.store.sessions.find(owner, session_id)
            if not found:
                return False
            no, session = found
            self.store.messages.remove_all(owner, no, session)
            self.store.sessions.remove(no)
            return True

    def _ensure(self, owner: str, session: Session) -> int:
        session = safe_session(session)
        known = self.store.sessions.find(owner, session.id)
        no = self.store.sessions.ensure(owner, session)
        if session.title and (known is None or known[1].title is None):
            if known:
                self.store.sessions.set_title(no, session.title, session.title_source)
            self.store.messages.index_title(no, None, session.title)
        return no

    def _search(self, owner: str, query: Query, limit: int, grouped: Grouping) -> Found:
        before = self.store.changes()
        is_everything = query.selection.is_everything and self.store.sessions.is_only_owner(owner)
        found = self._search_among(None, owner, query, limit, grouped) if is_everything else None
        is_same = found is not None and self.store.changes() == before
        if found is None or not (is_same or self.store.sessions.is_only_owner(owner)):  # somebody else came meanwhile
            picked = self.store.sessions.pick(owner, query.selection)
            found = self._search_among(picked, owner, query, limit, grouped)
        return found._replace(note=f"{found.note} {UNFINISHED}".strip()) if self.store.backlog.is_any(owner) else found

    def _search_among(
        self, picked: Sequence[int] | None, owner: str, query: Query, limit: int, grouped: Grouping
    ) -> Found:
        """The best hits in the picked sessions (None: all); whatever happens meanwhile, none of another owner."""
        shelf = _Shelf(self.store, owner)
        sources = Sources(
            words=_Index(self.store, owner),
            shelf=shelf,
            pick=lambda selection: self.store.sessions.pick(owner, selection),
            understand=self.understand,
            judge=self.judge,
            notes=_Notes(self.store, owner),
        )
        now_ms, before = self.clock.now_ms(), self.store.changes()
        found = search(sources, query, limit=limit, grouped=grouped, picked=picked, now_ms=now_ms)
        return found if self.store.changes() == before else found._replace(hits=shelf.still_there(found.hits))


class _Index:
    """The owner's part of the store's index, as searching asks for it."""

    def __init__(self, store: Store, owner: str) -> None:
        self.store = store
        self.owner = owner

    def size(self) -> IndexSize:
        return self.store.lexicon.size(self.owner)

    def sessions_from(self, no: int) -> int:
        return self.store.lexicon.sessions_from(self.owner, no)

    def matching(self, terms: Sequence[Term], within: Within, most: int, below: int = NEWEST) -> list[int]:
        return self.store.lexicon.matching(terms, within, most, below)

    def matching_any(self, terms: Sequence[Term], any_of: Sequence[Term], within: Within, most: int) -> list[int]:
        return self.store.lexicon.matching_any(terms, any_of, within, most)

    def containing(self, text: str, within: Within, most: int) -> list[int]:
        return self.store.lexicon.containing(text, within, most)

    def keys_at(self, positions: Iterable[int]) -> list[int]:
        return self.store.lexicon.keys_at(positions)

    def texts(self, keys: Iterable[int]) -> dict[int, tuple[int, str]]:
        return self.store.messages.texts(keys)


class _Notes:
    """The owner's events, as far as they lead to messages."""

    def __init__(self, store: Store, owner: str) -> None:
        self.store = store
        self.owner = owner

    def is_any(self) -> bool:
        return self.store.citations.is_any(self.owner)

    def speaking_of(self, terms: Sequence[Term], most: int) -> list[int]:
        return self.store.citations.speaking_of(self.owner, terms, most)

    def by(self, events: Sequence[int]) -> "list[Citation]":
        return self.store.citations.by(self.owner, events)

    def within(self, sessions: Sequence[int], most: int) -> "list[Citation]":
        return self.store.citations.within(self.owner, sessions, most)


class _Shelf:
    """Messages and sessions of an owner for hits, read from the store."""

    def __init__(self, store: Store, owner: str) -> None:
        self.store = store
        self.owner = owner
        self.numbers: dict[str, int] = {}  # by session id
        self.extents: dict[int, tuple[int, int]] = {}  # session number → last id given, messages in the conversation

    def sessions(self, numbers: Sequence[int]) -> dict[int, Session]:
        every = self.store.sessions.with_last_id(numbers)  # also of who got the number of one that was forgotten
        found = {no: (session, last_id) for no, (session, last_id) in every.items() if session.owner == self.owner}
        self.extents.update((no, (last_id, session.message_count)) for no, (session, last_id) in found.items())
        self.numbers.update((session.id, no) for no, (session, _) in found.items())
        return {no: session for no, (session, _) in found.items()}

    def still_there(self, hits: Sequence[Hit]) -> Sequence[Hit]:
        """The hits whose sessions still have the numbers under which their messages were read."""
        before = {hit.session.id: self.numbers[hit.session.id] for hit in hits}
        now = self.sessions(list(before.values())) if hits else {}
        return [hit for hit in hits if (no := before[hit.session.id]) in now and now[no].id == hit.session.id]

    def around(self, number: int, place: int, window: int) -> tuple[list[Message], int, int]:
        messages = self.store.messages
        last_id, count = self.extents[number]
        if last_id == count:  # nothing is hidden and nothing was forgotten, so ids count messages
            shown = messages.between(number, place - window, place + window)
            return (shown, shown[0].id - 1, last_id - shown[-1].id) if shown else ([], 0, 0)
        shown = messages.around(number, place, window)
        if not shown:  # forgotten since its session was read
            return [], 0, 0
        before = messages.count_visible(number, 1, shown[0].id - 1) if shown[0].id > 1 else 0
        return shown, before, messages.count_visible(number, shown[-1].id + 1, keys.MOST_MESSAGES)

    def first_talk(self, number: int, before: int, most: int) -> list[Message]:
        return self.store.messages.first_talk(number, before, most)

    def last_talk(self, number: int, after: int, most: int) -> list[Message]:
        return self.store.messages.last_talk(number, after, most)
