"""Forget for good: rows and index entries go, and a tombstone keeps the next import from bringing them back.

What dreams took from it is taken back first: entries, memories, and the pages that show them.

A word is out of the database's file only once the index has been merged and the write-ahead log folded in; both
happen here, so forgetting takes as long as the index is large.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from noctuary.dream.forgetting import Gone, holds, take_back, taken_from
from noctuary.dream.forgetting_lines import rewrite_lines
from noctuary.dream.life.run_lock import dream_lock
from noctuary.dream.night import Night
from noctuary.dream.pages.striking import strike_pages, strike_reports
from noctuary.errors import BadInput, StoreBusy
from noctuary.importing.batch import is_made_of
from noctuary.importing.run import ShowProgress
from noctuary.recall.database import DatabaseRecall
from noctuary.recall.query import Query
from noctuary.records import Relation, Session, TitleSource
from noctuary.store import keys
from noctuary.store.lexicon import MERGES, Within
from noctuary.store.messages import span
from noctuary.store.sessions import EVERYTHING
from noctuary.store.tombstones import Buried, Graveyard, content_marks, entry_mark, text_hash, words_in

MOST_MATCHES = 100
_PAGE = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What to forget: exactly one of these."""

    session: str | None = None
    project: str | None = None
    query: Query | None = None  # the messages a search for it finds, if they have all its words; `MOST_MATCHES`
    text: str | None = None  # every message with these words in a row, now and in what is imported later


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """What would go, so that a door can show it before it is gone."""

    sessions: tuple[str, ...] = ()
    messages: tuple[int, ...] = ()  # keys
    examples: tuple[str, ...] = ()
    entries: int = 0  # that dreams took from it
    memories: tuple[str, ...] = ()  # texts of those that rest on it, or have the words

    @property
    def is_anything(self) -> bool:
        """Whether there is anything to forget."""
        return bool(self.sessions or self.messages or self.entries or self.memories)


class Eraser:
    """Removes what an owner wants forgotten."""

    def __init__(self, recall: DatabaseRecall, night: Night) -> None:
        self.store, self.recall, self.owner, self.night = night.store, recall, night.owner, night
        self.done: dict[str, int] = {}  # what dreams had of it, by what it was

    def plan(self, what: Forgotten, progress: ShowProgress | None = None) -> Forgetting:
        """What forgetting this would remove; nothing is removed yet."""
        plan = self._planned(what, progress)
        taken = taken_from(self.night, self._gone(what, plan))
        texts = tuple(memory.text for memory in taken.ending)
        return replace(plan, entries=sum(map(holds, taken.entries)), memories=texts)

    def _planned(self, what: Forgotten, progress: ShowProgress | None = None) -> Forgetting:
        """The sessions or messages that would go."""
        chosen = [name for name in (what.session, what.project, what.query, what.text) if name]
        if len(chosen) != 1:
            raise BadInput("Say one thing to forget: a session, a project, a query or a text.")
        if what.session:
            return Forgetting(sessions=self._with_subagents([what.session]))
        if what.project:
            return Forgetting(sessions=self._with_subagents(self.store.sessions.of_project(self.owner, what.project)))
        if what.query:
            self.store.backlog.work_off()  # what cannot be found cannot be forgotten
        found = self._matching(what.query) if what.query else self._containing(what.text or "", progress)
        texts = self.store.messages.texts(found[:5])
        examples = tuple(" ".join(text.split())[:100] for _, text in texts.values())
        return Forgetting(messages=tuple(found), examples=examples)

    def words(self, what: Forgotten) -> Iterator[str]:
        """The texts of all that would go."""
        plan = self.plan(what)
        yield from ([what.text] if what.text else [])
        yield from plan.memories
        for session_id in plan.sessions:
            if found := self.store.sessions.find(self.owner, session_id):
                yield from (message.content for message in self.store.messages.between(found[0], 1, keys.MOST_MESSAGES))
        yield from (text for _, text in self.store.messages.texts(plan.messages).values())

    def forget(self, what: Forgotten, progress: ShowProgress | None = None) -> int:
        """Remove it and leave tombstones, all or nothing; how many messages went.

        StoreBusy while a dream goes on, which may be reading it.
        """
        with dream_lock(self.night) as is_mine:
            if not is_mine:
                raise StoreBusy("A dream is going on, and may be reading what should go; try again when it has ended.")
            self._forget_dreams(self._gone(what, self._planned(what, progress)))
            return self._forget(what)

    def _forget_dreams(self, gone: Gone) -> None:
        """Take back what dreams took from it; whoever is killed here has lost nothing, and forgets it again."""
        taken = taken_from(self.night, gone)
        take_back(self.night, gone, taken)
        strike_pages(self.night, gone, taken)
        strike_reports(self.night, gone, taken)
        lines = rewrite_lines(self.night, gone, taken)
        entries, memories = sum(map(holds, taken.entries)), len(taken.ending)
        self.done = {"entries of dreams": entries, "memories": memories, "lines of the journal": lines}

    def _gone(self, what: Forgotten, plan: Forgetting) -> Gone:
        messages: dict[str, list[int]] = {}
        found = self.store.messages.by_key(plan.messages)
        sessions = self.store.sessions.by_number({keys.session_of(key) for key in found})
        for key, message in found.items():
            messages.setdefault(sessions[keys.session_of(key)].id, []).append(message.id)
        grave = self._text_grave(what.text) if what.text else None
        has_words = partial(grave.holds_text, self.owner) if grave else None
        return Gone(plan.sessions, messages, has_words)

    def _forget(self, what: Forgotten) -> int:
        now_ms = self.night.now_ms()
        tombstones = self.store.tombstones
        with self.store.database.transaction():
            plan = self._planned(what)  # again, for something may have come meanwhile
            names = {what.project, *self.store.sessions.project_names(self.owner, what.project)} if what.project else ()
            removed = sum(self._remove_session(session_id, now_ms) for session_id in plan.sessions)
            removed += self._remove_messages(plan.messages, now_ms)
            if what.session:
                tombstones.bury(self.owner, Buried.SESSION, what.session, now_ms)
            if what.project:
                for project in names:
                    tombstones.bury(self.owner, Buried.PROJECT, project, now_ms)
            if what.text:
                tombstones.bury_text(self.owner, what.text, now_ms)
                self._clear_titles(self._mine(), self._text_grave(what.text))
            for query in MERGES:
                self.store.database.fetch(query)
        self.store.database.fetch("tidy_log")
        return removed

    def _remove_session(self, session_id: str, now_ms: int) -> int:
        found = self.store.sessions.find(self.owner, session_id)
        if not found:
            return 0
        no, session = found
        self._bury_entries(no, session_id, 1, keys.MOST_MESSAGES, now_ms)
        self.recall.delete_session(self.owner, session_id)
        self.store.dreams.remove(self.owner, session_id)
        self.store.dreams.remove_answers(self.owner, session_id)
        self.store.tombstones.bury(self.owner, Buried.SESSION, session_id, now_ms)
        return session.message_count

    def _remove_messages(self, wanted: Iterable[int], now_ms: int) -> int:
        messages = self.store.messages.by_key(wanted)
        sessions = self.store.sessions.by_number({keys.session_of(key) for key in messages})
        for key, message in messages.items():
            no = keys.session_of(key)
            for mark in content_marks(self.owner, sessions[no].id, message.content):
                self.store.tombstones.bury(self.owner, Buried.MESSAGE, mark, now_ms)
            self._bury_entries(no, sessions[no].id, message.id, message.id, now_ms)
            title = sessions[no].title if sessions[no].title_source is TitleSource.PROMPT else None
            if is_made_of(title, message.content):
                sessions[no] = self._without_title(no, sessions[no])
        removed = self.store.messages.remove(self.owner, list(messages))
        for no, session in sessions.items():
            self.store.dreams.remove_answers(self.owner, session.id)
            first = self.store.messages.first_words(no)
            self.store.database.fetch("preview_session", no=no, preview=first)
        return removed

    def _bury_entries(self, no: int, session_id: str, first: int, last: int, now_ms: int) -> None:
        """So that a fork or resumed session, which has copies of them, does not bring them back."""
        for (uid,) in self.store.database.fetch("uids_of_session", **span(no, first, last)):
            self.store.tombstones.bury(self.owner, Buried.MESSAGE, entry_mark(session_id, uid), now_ms)

    def _clear_titles(self, sessions: dict[int, Session], grave: Graveyard) -> None:
        for no, session in sessions.items():
            if session.title and grave.holds_text(self.owner, session.title):
                self._without_title(no, session)

    def _without_title(self, no: int, session: Session) -> Session:
        self.store.messages.index_title(no, session.title, None)
        self.store.database.fetch("title_session", no=no, title=None, title_source=None)
        return session._replace(title=None, title_source=None)

    def _with_subagents(self, chosen: Iterable[str]) -> tuple[str, ...]:
        """The sessions and, since they are part of them, all their sub-agents."""
        parts: dict[str, list[str]] = {}
        for session in self._mine().values():
            if session.relation is Relation.SUBAGENT and session.parent:
                parts.setdefault(session.parent, []).append(session.id)
        found, waiting = dict[str, None](), list(chosen)
        while waiting:
            session_id = waiting.pop(0)
            if session_id not in found:
                found[session_id] = None
                waiting += parts.get(session_id, [])
        return tuple(found)

    def _mine(self) -> dict[int, Session]:
        return self.store.sessions.by_number(self.store.sessions.numbers(self.owner))

    def _matching(self, query: Query) -> list[int]:
        """What a search finds, but only if it has every word: to remove what is merely like it cannot be undone."""
        words = [term for term in query.terms if term.weight == 1.0]
        within = Within(required=query.required, excluded=query.excluded)
        whole = set(self.store.lexicon.matching(words, within, EVERYTHING)) if words or query.required else None
        hits = self.recall.search_messages(self.owner, query, MOST_MATCHES).hits
        found = []
        for hit in hits:
            numbered = self.store.sessions.find(self.owner, hit.session.id)
            key = keys.key_of(numbered[0], hit.anchor) if numbered else 0
            has_words = key in whole if whole is not None else any(why.name == "words" for why in hit.why)
            if key and has_words:
                found.append(key)
        return found

    def _containing(self, text: str, progress: ShowProgress | None) -> list[int]:
        """Every message of this owner that a later import would be kept from bringing back.

        Read are those that have the rarest word in them, and all beyond ASCII, in which it may be spelled otherwise.
        """
        grave, rarest = self._text_grave(text), max(words_in(text), key=len)
        mine = set(self.store.sessions.numbers(self.owner))
        likely = {*self.store.messages.containing(rarest), *self.store.messages.beyond_ascii()}
        candidates = sorted(key for key in likely if keys.session_of(key) in mine)
        found: list[int] = []
        for start in range(0, len(candidates), _PAGE):
            if progress:
                progress(start, len(candidates))
            texts = self.store.messages.texts(candidates[start : start + _PAGE])
            found += [key for key, (_, content) in texts.items() if grave.holds_text(self.owner, content)]
        return found

    def _text_grave(self, text: str) -> Graveyard:
        words = words_in(text)
        if not words:
            raise BadInput("The text to forget has no words in it; name the session instead.")
        return Graveyard(texts={len(words): {text_hash(self.owner, words)}})
