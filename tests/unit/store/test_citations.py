"""Which messages events rest on: kept by the database, whoever writes or folds the events."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

import noctuary.store
from noctuary.authored import Event, EventType, MessageRef, Refs
from noctuary.ledger.ledger import Ledger
from noctuary.records import Message, Role, Session
from noctuary.store import Store, keys
from noctuary.testing import FakeClock
from tests.databases import store_in

OWNER = "ana"
MIGRATION = Path(noctuary.store.__file__).parent / "sql" / "migrations" / "0006_citations.sql"


@pytest.fixture
def store(tmp_path: Path, database: str) -> Iterator[Store]:
    """A store with a session of three messages."""
    made = store_in(tmp_path)
    with made.database.transaction():
        number = made.sessions.ensure(OWNER, Session(id="talk"))
        made.messages.add(OWNER, number, [Message(role=Role.USER, content=f"remark {i}") for i in range(3)])
    yield made
    made.close()


def note(store: Store, tmp_path: Path, *cited: int, **fields: str) -> Event:
    """Record an event that rests on these messages."""
    refs = Refs(messages=[MessageRef("talk", message) for message in cited])
    event = Event(EventType.FINDING, "it leaks", refs=refs, supersedes=fields.get("supersedes"))
    return Ledger(store, tmp_path, OWNER, FakeClock()).record(event)


def cited(store: Store, owner: str = OWNER) -> list[tuple[int, bool]]:
    """Ids of the messages that events rest on, and whether those hold."""
    numbers = store.sessions.numbers(OWNER)
    found = store.citations.within(owner, numbers, 100)
    return sorted((citation.position & keys.MOST_MESSAGES, citation.holds) for citation in found)


def test_each_message_of_an_event_is_cited(store: Store, tmp_path: Path) -> None:
    """An event cites all that it rests on, for its owner and nobody else."""
    assert not store.citations.is_any(OWNER)

    note(store, tmp_path, 1, 3)

    assert store.citations.is_any(OWNER)
    assert not store.citations.is_any("ben")
    assert cited(store) == [(1, True), (3, True)]
    assert cited(store, "ben") == []


def test_what_is_superseded_says_so(store: Store, tmp_path: Path) -> None:
    """What an event rests on that holds no longer is still cited, and told from the rest."""
    old = note(store, tmp_path, 1)
    note(store, tmp_path, 2, supersedes=old.id)

    assert cited(store) == [(1, False), (2, True)]


def test_a_rebuild_cites_the_same(store: Store, tmp_path: Path) -> None:
    """Events that are folded again cite what they cited, once."""
    note(store, tmp_path, 1, 3)
    before = cited(store)

    Ledger(store, tmp_path, OWNER, FakeClock()).rebuild()

    assert cited(store) == before


@pytest.mark.parametrize("message", [0, 1 << keys.PLACE_BITS])
def test_ids_that_no_message_has_are_left_out(store: Store, tmp_path: Path, message: int) -> None:
    """A citation never leads into another session, whatever a journal says."""
    note(store, tmp_path, message)

    assert cited(store) == []


@pytest.mark.of_files
def test_a_database_from_before_learns_its_citations(store: Store, tmp_path: Path) -> None:
    """The migration reads the events that are there already."""
    note(store, tmp_path, 1, 3)
    before = cited(store)
    connection = apsw.Connection(str(tmp_path / "noctuary.db"))
    connection.execute("drop trigger forget_citations; drop table citations")

    connection.execute(MIGRATION.read_text(encoding="utf-8"))
    connection.close()

    assert cited(store) == before
