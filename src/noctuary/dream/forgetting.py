"""What is forgotten leaves dreams, too: entries that were taken from it, and memories that rest on nothing else.

All of it is done before the messages themselves go, and can be done again: whoever is killed in between forgets the
same once more.  Lines of the journal stay, for nothing is ever taken out of a journal.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from noctuary.authored import Author, Entry, Event, EventSource, EventStatus, EventType, MessageRef, Refs
from noctuary.dream.merging.touched import HOLDING, supporting
from noctuary.dream.night import Night
from noctuary.dream.reviewing import REVIEWER
from noctuary.ledger.ledger import entry_from
from noctuary.store.memories import MemoryStatus, Remembered
from noctuary.work import event_meta
from noctuary.work.corrections import retract

_REASON = "Forgotten."
Fields = dict[str, Any]


class Gone(NamedTuple):
    """What is to be forgotten."""

    sessions: Collection[str] = ()
    messages: Mapping[str, Collection[int]] = {}  # ids of single messages, by session
    has_words: Callable[[str], bool] | None = None  # whether a text has the words that are to be forgotten

    def names(self, session: str) -> bool:
        """Whether something of the session goes."""
        return session in self.sessions or session in self.messages

    def says(self, *texts: str) -> bool:
        """Whether one of the texts has the words."""
        return self.has_words is not None and any(map(self.has_words, texts))


class Taken(NamedTuple):
    """What dreams took from it."""

    entries: list[Entry]  # those taken back already as well
    memories: list[Remembered]  # that rest on them, or say the words
    ending: list[Remembered]  # those of them that nobody says any more

    @property
    def ids(self) -> frozenset[str]:
        """Of the memories."""
        return frozenset(memory.id for memory in self.memories)

    @property
    def projects(self) -> list[str]:
        """Where they are."""
        entries = {entry.event.project for entry in self.entries}
        return sorted(entries | {memory.project for memory in self.memories})


def taken_from(night: Night, gone: Gone) -> Taken:
    """The entries that dreams took from what is to be forgotten, and the memories that rest on them."""
    entries = {entry.event.id: entry for entry in _entries(night, gone)}
    entries |= {entry.event.id: entry for entry in _tasks_for(night, gone, entries)}
    names = [*entries, *(entry.hidden_by for entry in entries.values() if entry.hidden_by)]  # said otherwise since
    found = [memory for name in names for memory in night.store.memories.of_event(night.owner, name)]
    if gone.has_words:
        known = night.store.memories.where(night.owner, statuses=None, most=1_000_000_000)
        found += [memory for memory in known if gone.says(memory.text)]
    memories = [*{memory.id: memory for memory in found}.values()]
    ending = [one for one in memories if one.status in HOLDING and _is_ending(night, one, {*entries}, gone)]
    return Taken([*entries.values()], memories, ending)


def take_back(night: Night, gone: Gone, taken: Taken) -> None:
    """Retract the entries, and the memories unless other sessions stand for them; their pages are due then."""
    ids = {entry.event.id for entry in taken.entries}
    for project in taken.projects:
        with night.ledger.writing(project) as write:
            memories = [memory for memory in taken.memories if memory.project == project]
            changes = [change for memory in memories for change in _without(night, memory, ids, gone)]
            for entry in taken.entries:
                if entry.event.project == project and holds(entry):
                    retract(night.desk(project, REVIEWER), entry.event.id, _REASON)
            for change in changes:  # after the retractions, which know of no other sessions
                write(change)
            night.store.pages.mark_due(night.owner, project)


def _entries(night: Night, gone: Gone) -> Iterator[Entry]:
    events, owner = night.store.events, night.owner
    for session in gone.sessions:
        names = [name for record in night.store.dreams.of_session(owner, session) for name in record.artifacts]
        rows = [row for name in names if (row := events.find(owner, name))]
        yield from _dreamt([*rows, *events.citing(owner, session)])
    for session, ids in gone.messages.items():
        for message in ids:
            yield from _dreamt(events.citing(owner, session, message))
    if gone.has_words:
        for entry in _dreamt(events.all(owner, None)):
            if gone.says(entry.event.text, *(cited.quote for cited in entry.event.refs.messages)):
                yield entry


def _tasks_for(night: Night, gone: Gone, taken: Collection[str]) -> Iterator[Entry]:
    """Tasks that were proposed for entries which go: their titles are words of the session, and cite no message."""
    for session in gone.messages:
        names = [name for record in night.store.dreams.of_session(night.owner, session) for name in record.artifacts]
        for entry in _dreamt(row for name in names if (row := night.store.events.find(night.owner, name))):
            planned = event_meta.opens(entry.event.meta)
            if planned is not None and not set(planned.events).isdisjoint(taken):
                yield entry


def _dreamt(rows: Iterable[Any]) -> Iterator[Entry]:
    """Those of the rows that are entries which a dream took from a conversation."""
    for row in rows:
        entry = entry_from(row)
        if entry.event.author is Author.DREAM and not entry.event.meta.get("bookkeeping"):
            yield entry


def holds(entry: Entry) -> bool:
    """Whether nobody has taken it back or said it otherwise."""
    return entry.hidden_by is None and entry.status is not EventStatus.RETRACTED


def _is_ending(night: Night, memory: Remembered, gone_events: set[str], gone: Gone) -> bool:
    """Whether nobody says it any more: neither its own entry, nor another, nor a message that is cited."""
    left = _left(night, memory, gone_events, gone)
    return not _is_still_said(memory, gone_events, gone) and not left.entries and not left.messages


def _is_still_said(memory: Remembered, gone_events: set[str], gone: Gone) -> bool:
    """Whether the entry that says it stays, as when a user worded it."""
    return memory.event not in gone_events and not gone.says(memory.text)


def _without(night: Night, memory: Remembered, gone_events: set[str], gone: Gone) -> Iterator[Event]:
    """What becomes of a memory, and of those that it contradicts, if it no longer rests on these events."""
    if memory.status is MemoryStatus.RETRACTED:
        return
    left, said = _left(night, memory, gone_events, gone), night.ledger.entry(memory.event)
    if _is_ending(night, memory, gone_events, gone) or said is None:
        yield _bookkeeping(memory.project, [{"id": memory.id, "status": str(MemoryStatus.RETRACTED)}])
        return
    fields: Fields = {"id": memory.id, **left.facts(memory)}
    if _is_still_said(memory, gone_events, gone):
        yield _bookkeeping(memory.project, [fields])
        return
    fields["status"] = str(memory.status)
    disputes = _disputes(night, memory)
    if left.entries:  # others say it, in words of their own
        event = left.entries[-1].event
        yield _bookkeeping(memory.project, [{**fields, "text": event.text, "event": event.id}, *disputes])
    else:
        yield _said_by_others(said, left, [fields, *disputes])


class _Left(NamedTuple):
    """What a memory still rests on."""

    entries: list[Entry]
    messages: list[Mapping[str, Any]]  # cited, with the words
    sessions: list[str]

    def facts(self, memory: Remembered) -> Fields:
        events = [entry.event.id for entry in self.entries if entry.event.id != memory.event]
        return {
            "events": events,
            "messages": self.messages,
            "sessions": self.sessions,
            "support": max(1, len(self.sessions)),
        }


def _left(night: Night, memory: Remembered, gone_events: set[str], gone: Gone) -> _Left:
    others = [entry for name in supporting(memory) if name not in gone_events and (entry := night.ledger.entry(name))]
    entries = [entry for entry in others if holds(entry) and not gone.says(entry.event.text)]
    messages = [cited for cited in memory.facts.get("messages") or () if not _is_gone(cited, gone)]
    named = {cited.session for entry in entries for cited in entry.event.refs.messages}
    named |= {str(cited.get("session")) for cited in messages}
    sessions = [
        session
        for session in memory.facts.get("sessions") or ()
        if session not in gone.sessions and (session not in gone.messages or session in named)
    ]
    return _Left(entries, messages, sessions)


def _is_gone(cited: Mapping[str, Any], gone: Gone) -> bool:
    session = str(cited.get("session"))
    is_forgotten = session in gone.sessions or cited.get("id") in gone.messages.get(session, ())
    return is_forgotten or gone.says(str(cited.get("quote", "")))


def _disputes(night: Night, memory: Remembered) -> list[Fields]:
    """What contradicts a memory that stays: the retraction of its entry would settle that."""
    found = (night.store.memories.find(night.owner, name) for name in memory.facts.get("disputed") or ())
    return [
        {"id": other.id, "disputed": other.facts.get("disputed") or []}
        for other in found
        if other is not None and other.status in HOLDING
    ]


def _said_by_others(said: Entry, left: _Left, memories: list[Fields]) -> Event:
    """An entry in the words of a session that stays, for a memory whose own words go."""
    cited = [MessageRef(str(one["session"]), int(one["id"]), str(one.get("quote", ""))) for one in left.messages]
    words = cited[-1].quote
    return said.event._replace(
        id="",
        text=words,
        status=said.status,
        refs=Refs(messages=tuple(cited)),
        supersedes=None,
        corrects=None,
        meta={"dream": {"session": cited[-1].session}},
        change={"memories": [{**memories[0], "text": words}, *memories[1:]]},
    )


def _bookkeeping(project: str, memories: list[Fields]) -> Event:
    return Event(
        EventType.STATUS,
        project=project,
        author=Author.USER,
        source=EventSource.API,
        meta={"bookkeeping": True, "dream": {"forgot": True}},
        change={"memories": memories},
    )
