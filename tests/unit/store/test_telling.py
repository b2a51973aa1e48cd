"""What a brief asks the tables: of one project, what still holds, by an index."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.authored import EventType, Trust
from noctuary.store.memories import MemoryStatus
from noctuary.store.telling import Telling
from noctuary.work.corrections import retract
from tests.unit.brief.shop import SHOP, note, opened, talk

KINDS = (EventType.DECISION, EventType.FINDING)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory."""
    with opened(tmp_path) as memory:
        yield memory


@pytest.fixture
def telling(memory: Memory) -> Telling:
    """What is asked."""
    return Telling(memory.store.database)


def plan(memory: Memory, query: str) -> str:
    """How SQLite answers a query."""
    database = memory.store.database
    connection = database._connection  # type: ignore[attr-defined]
    given = dict.fromkeys(("owner", "project", "types", "most", "status", "events", "ending"), 1)
    rows = connection.execute(f"explain query plan {database.queries[query]}", given)  # type: ignore[attr-defined]
    return "\n".join(row[3] for row in rows)


def test_events_of_a_project_that_hold(memory: Memory, telling: Telling) -> None:
    """The newest first, of the types asked for; what was taken back or superseded is none of them."""
    old = note(memory, "finding", "Old", days_ago=2, session="s-1", confidence=0.7, trust=Trust.TOOL)
    note(memory, "decision", "New")
    note(memory, "hypothesis", "A guess")
    note(memory, "finding", "Elsewhere", project="/other")
    wrong = note(memory, "finding", "Wrong")
    retract(memory.work(SHOP).desk, wrong.id, "It is")
    new, first = telling.events("ana", SHOP, KINDS, 10)

    assert (new.text, first.text) == ("New", "Old")
    assert (first.id, first.session, first.confidence, first.trust) == (old.id, "s-1", 0.7, Trust.TOOL)
    assert (new.session, new.confidence, new.alternatives) == ("", None, ())
    assert [event.text for event in telling.events("ana", SHOP, KINDS, 1)] == ["New"]
    assert telling.events("bob", SHOP, KINDS, 10) == []


def test_events_that_are_memories(memory: Memory, telling: Telling) -> None:
    """Those that say one that holds, or support one; not those whose memory is only proposed."""
    kept = memory.work(SHOP).remember("Prices are whole cents.")
    proposed = memory.work(SHOP).remember("Coupons expire.", suggested=True)
    other = note(memory, "finding", "Other")

    assert telling.remembered("ana", [kept.event, proposed.event, other.id]) == {kept.event: kept.id}


def test_memories_by_weight(memory: Memory, telling: Telling) -> None:
    """Of a project alone, with the status asked for; pinned ones first."""
    memory.work(SHOP).remember("Plain.")
    memory.work(SHOP).remember("Pinned.", pinned=True)
    memory.work(SHOP).remember("Proposed.", suggested=True)
    memory.work(SHOP).remember("Everywhere.", everywhere=True)

    def texts(status: MemoryStatus, most: int = 9) -> list[str]:
        return [each.text for each in telling.memories("ana", SHOP, status, most)]

    assert texts(MemoryStatus.ACTIVE) == ["Pinned.", "Plain."]
    assert texts(MemoryStatus.ACTIVE, 1) == ["Pinned."]
    assert texts(MemoryStatus.PROPOSED) == ["Proposed."]


def test_the_last_sessions(memory: Memory, telling: Telling) -> None:
    """The newest first, without what agents said to themselves."""
    talk(memory, "s-1", "Old", days_ago=2)
    talk(memory, "s-2", "New")
    talk(memory, "agent-1", "Helper", parent="s-2")

    assert [session.id for session in telling.sessions("ana", SHOP, 9)] == ["s-2", "s-1"]
    assert [session.id for session in telling.sessions("ana", SHOP, 1)] == ["s-2"]
    assert telling.sessions("ana", "/other", 9) == []


def test_events_by_the_end_of_their_id(memory: Memory, telling: Telling) -> None:
    """Whoever reads a brief has only that."""
    event = note(memory, "finding", "Floats lose cents")

    assert telling.ending_in("ana", event.id[-8:]) == [event.id]
    assert telling.ending_in("bob", event.id[-8:]) == []
    assert telling.ending_in("ana", "????????") == []


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("told_events", "events USING INDEX events_by_project (owner=? AND project=?)"),
        ("weightiest_memories", "memories USING INDEX memories_by_weight (owner=? AND project=? AND status=?)"),
        ("last_sessions", "sessions USING INDEX"),
    ],
)
def test_nothing_is_read_through(memory: Memory, query: str, index: str) -> None:
    """Every question of a brief is answered by an index, so its cost does not grow with what was ever said."""
    assert index in plan(memory, query)
    assert "SCAN events" not in plan(memory, query)
    assert "SCAN memories" not in plan(memory, query)
