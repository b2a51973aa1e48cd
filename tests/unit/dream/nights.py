"""Nights for tests, and sessions to dream of: `add_session(night, "s-1", "Use tabs.", "Done.")`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from noctuary.authored import Author, Event, EventSource, EventType
from noctuary.clock import Clock
from noctuary.dream.night import Night
from noctuary.dream_settings import DreamSettings
from noctuary.dreams import DreamRecord
from noctuary.ledger.ledger import Ledger
from noctuary.recall.database import DatabaseRecall
from noctuary.records import Message, Role, Session, Status
from noctuary.store import Store
from tests.databases import run_behind, store_in

OWNER = "ana"
PROJECT = "/home/ana/code/shop"
DEFAULTS = DreamSettings()
Said = str | Message


def night_on(store: Store, home: Path, clock: Clock, settings: DreamSettings = DEFAULTS, owner: str = OWNER) -> Night:
    """A night on a store that is open."""
    return Night(Ledger(store, home, owner, clock), settings)


@contextmanager
def open_night(home: Path, clock: Clock, settings: DreamSettings = DEFAULTS, owner: str = OWNER) -> Iterator[Night]:
    """A night on the memory in this folder, as another process would open it."""
    store = store_in(home, owner)
    try:
        yield night_on(store, home, clock, settings, owner)
    finally:
        store.close()


def add_session(
    night: Night,
    session_id: str,
    *said: Said,
    project: str | None = PROJECT,
    status: Status = Status.ACTIVE,
    ts_ms: int | None = None,
    **facts: Any,
) -> Session:
    """A session in which this was said, by a user and an agent in turn, a second apart, ending now or at `ts_ms`."""
    last_ms = night.now_ms() if ts_ms is None else ts_ms
    session = Session(id=session_id, project=project, status=status, started_ms=last_ms)._replace(**facts)
    _recall(night).add_session(night.owner, session, _messages(said, last_ms))
    return stored(night, session_id)


def add_messages(night: Night, session_id: str, *said: Said, ts_ms: int | None = None) -> Sequence[int]:
    """The session goes on, whatever its status is; the ids of what was said."""
    messages = _messages(said, night.now_ms() if ts_ms is None else ts_ms)
    return [_recall(night).append(night.owner, session_id, message) for message in messages]


def stored(night: Night, session_id: str) -> Session:
    """The session as it is stored now."""
    found = night.store.sessions.find(night.owner, session_id)
    assert found is not None
    return found[1]


def records(night: Night, session_id: str) -> list[DreamRecord]:
    """The completions of a session."""
    return night.store.dreams.of_session(night.owner, session_id)


def write_mark(night: Night, record: DreamRecord, run: str, *events: str, project: str = PROJECT) -> str:
    """The line that a run leaves in the journal for a session it read; its id."""
    read = {"session": record.session, "epoch": record.epoch, "first": record.first_id, "last": record.last_id}
    meta = {"bookkeeping": True, "dream": {"run": run, **read, "events": list(events), "before": []}}
    event = Event(EventType.STATUS, project=project, author=Author.DREAM, source=EventSource.DREAM, meta=meta)
    return night.ledger.record(event).id


def damage(home: Path, sql: str, *values: object) -> None:
    """Change the database behind everybody's back."""
    run_behind(home, sql, *values)


def _recall(night: Night) -> DatabaseRecall:
    return DatabaseRecall(night.store, night.ledger.clock)


def _messages(said: Sequence[Said], last_ms: int) -> list[Message]:
    first_ms = last_ms - 1000 * (len(said) - 1)
    return [
        each
        if isinstance(each, Message)
        else Message(role=Role.ASSISTANT if place % 2 else Role.USER, content=each, ts_ms=first_ms + 1000 * place)
        for place, each in enumerate(said)
    ]
