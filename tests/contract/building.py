"""Small builders for the recall contract: say something, look for it, name the backends."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from noctuary.clock import Clock
from noctuary.recall.contract import RecallStore
from noctuary.recall.database import DatabaseRecall
from noctuary.recall.file import FileRecall
from noctuary.recall.query import Query, parse
from noctuary.recall.server import ServerRecall
from noctuary.records import Found, Hit, Message, Role, Session
from noctuary.store import open_store
from noctuary.testing import FakeClock
from tests.databases import new_database

BACKENDS = ["file", "sqlite", "postgres"]
OWNER = "ana"
NOW = FakeClock().now_ms()
MINUTE, DAY = 60_000, 86_400_000


class Backend:
    """One kind of store in one place, which can be opened any number of times."""

    def __init__(self, kind: str, place: Path | str) -> None:
        self.kind = kind
        self.place = place  # a folder, or the address of a database
        self._to_close: list[Callable[[], None]] = []

    def open(self, clock: Clock | None = None) -> RecallStore:
        """A new instance on the same data."""
        if self.kind == "file":
            return FileRecall(Path(self.place) / "recall", clock or FakeClock())
        if self.kind == "postgres":
            owners = ServerRecall(str(self.place), clock or FakeClock())
            self._to_close.append(owners.close)
            return owners
        recall = DatabaseRecall(open_store(Path(self.place) / "noctuary.db"), clock or FakeClock())
        self._to_close.append(recall.store.close)
        return recall

    def close(self) -> None:
        """Close what was opened."""
        for close in self._to_close:
            close()
        self._to_close.clear()


@contextmanager
def new_backend(kind: str, folder: Path) -> Iterator[Backend]:
    """An empty backend of a kind, closed at the end."""
    with new_database() if kind == "postgres" else nullcontext(folder) as place:
        backend = Backend(kind, place)
        try:
            yield backend
        finally:
            backend.close()


def at(year: int, month: int = 1, day: int = 1) -> int:
    """The beginning of a day, in milliseconds."""
    return round(datetime(year, month, day, tzinfo=UTC).timestamp() * 1000)


def say(text: str, role: Role = Role.USER, **fields: Any) -> Message:
    """A message."""
    return Message(role=role, content=text, **fields)


def tell(
    recall: RecallStore, session_id: str, *said: str | Message, owner: str = OWNER, start: int = NOW - DAY
) -> list[int]:
    """Append messages, a minute apart; the ids they were given."""
    messages = [say(each) if isinstance(each, str) else each for each in said]
    dated = [m if m.ts_ms else m._replace(ts_ms=start + i * MINUTE) for i, m in enumerate(messages)]
    return [recall.append(owner, session_id, message) for message in dated]


def named(recall: RecallStore, session_id: str, *said: str | Message, owner: str = OWNER, **facts: Any) -> None:
    """A session with known facts, and messages in it."""
    recall.ensure_session(owner, Session(id=session_id, **facts))
    tell(recall, session_id, *said, owner=owner)


def ask(text: str, **narrowed: Any) -> Query:
    """The query that the text means, narrowed further."""
    return parse(text, NOW)._replace(**narrowed)


def search(recall: RecallStore, text: str, *, owner: str = OWNER, limit: int = 10, **narrowed: Any) -> Found:
    """Search for a text."""
    return recall.search(owner, ask(text, **narrowed), limit)


def find(recall: RecallStore, text: str, *, owner: str = OWNER, limit: int = 10, **narrowed: Any) -> list[str]:
    """Ids of the sessions found, best first."""
    return [hit.session.id for hit in search(recall, text, owner=owner, limit=limit, **narrowed).hits]


def best(recall: RecallStore, text: str, **narrowed: Any) -> Hit:
    """The best hit."""
    return search(recall, text, **narrowed).hits[0]


def window_ids(recall: RecallStore, session_id: str, around: int, window: int, *, owner: str = OWNER) -> list[int]:
    """Ids of the messages that scrolling shows."""
    shown = recall.scroll(owner, session_id, around, window)
    return [message.id for message in shown.messages] if shown else []


def session_of(recall: RecallStore, session_id: str) -> Session:
    """The session as the store knows it."""
    shown = recall.scroll(OWNER, session_id, 1)
    assert shown is not None
    return shown.session


def first_message(recall: RecallStore, session_id: str) -> Message:
    """The first message as the store gives it back."""
    shown = recall.scroll(OWNER, session_id, 1, 0)
    assert shown is not None
    return shown.messages[0]


def append_many(kind: str, place: str, writer: str, count: int) -> None:
    """Append to the sessions `shared` and the writer's own; run in a process of its own."""
    backend = Backend(kind, place)
    recall = backend.open()
    for i in range(count):
        recall.append(OWNER, "shared", say(f"{writer} wrote line{i}", ts_ms=NOW + i))
        recall.append(OWNER, writer, say(f"{writer} alone {i}", ts_ms=NOW + i))
    backend.close()


if __name__ == "__main__":
    append_many(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
