"""Forget for good: rows and index entries go, and a tombstone keeps the next import from bringing them back."""

from collections.abc import Iterable
from dataclasses import dataclass

from noctuary.clock import Clock
from noctuary.errors import BadInput
from noctuary.recall.database import DatabaseRecall
from noctuary.recall.query import Query
from noctuary.store import Store, keys
from noctuary.store.tombstones import Buried, message_keys

MOST_MATCHES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What to forget: exactly one of these."""

    session: str | None = None
    project: str | None = None
    query: Query | None = None  # the messages a search for it finds, at most `MOST_MATCHES`
    text: str | None = None  # every message with these words in a row, now and in what is imported later


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """What would go, so that a door can show it before it is gone."""

    sessions: tuple[str, ...] = ()
    messages: tuple[int, ...] = ()  # keys
    examples: tuple[str, ...] = ()


class Eraser:
    """Removes what an owner wants forgotten."""

    def __init__(self, store: Store, recall: DatabaseRecall, owner: str, clock: Clock) -> None:
        self.store, self.recall, self.owner, self.clock = store, recall, owner, clock

    def plan(self, what: Forgotten) -> Forgetting:
        """What forgetting this would remove; nothing is removed yet."""
        chosen = [name for name in (what.session, what.project, what.query, what.text) if name]
        if len(chosen) != 1:
            raise BadInput("Say one thing to forget: a session, a project, a query or a text.")
        if what.session:
            return Forgetting(sessions=(what.session,))
        if what.project:
            return Forgetting(sessions=tuple(self.store.sessions.of_project(self.owner, what.project)))
        found = self._matching(what.query) if what.query else self._containing(what.text or "")
        texts = self.store.messages.texts(found[:5])
        examples = tuple(" ".join(text.split())[:100] for _, text in texts.values())
        return Forgetting(messages=tuple(found), examples=examples)

    def forget(self, what: Forgotten) -> int:
        """Remove it and leave tombstones, all or nothing; how many messages went."""
        now_ms = self.clock.now_ms()
        tombstones = self.store.tombstones
        with self.store.database.transaction():
            plan = self.plan(what)
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
        return removed

    def _remove_session(self, session_id: str, now_ms: int) -> int:
        found = self.store.sessions.find(self.owner, session_id)
        if not found:
            return 0
        count = found[1].message_count
        self.recall.delete_session(self.owner, session_id)
        self.store.tombstones.bury(self.owner, Buried.SESSION, session_id, now_ms)
        return count

    def _remove_messages(self, wanted: Iterable[int], now_ms: int) -> int:
        messages = self.store.messages.by_key(wanted)
        sessions = self.store.sessions.by_number({keys.session_of(key) for key in messages})
        for key, message in messages.items():
            session_id = sessions[keys.session_of(key)].id
            for mark in message_keys(self.owner, session_id, None, message.content):
                self.store.tombstones.bury(self.owner, Buried.MESSAGE, mark, now_ms)
        return self.store.messages.remove(self.owner, list(messages))

    def _matching(self, query: Query) -> list[int]:
        hits = self.recall.search_messages(self.owner, query, MOST_MATCHES).hits
        found = []
        for hit in hits:
            numbered = self.store.sessions.find(self.owner, hit.session.id)
            if numbered:
                found.append(keys.key_of(numbered[0], hit.anchor))
        return found

    def _containing(self, text: str) -> list[int]:
        mine = set(self.store.sessions.numbers(self.owner))
        return [key for key in self.store.messages.containing(text) if keys.session_of(key) in mine]
