"""What prompts are held against."""

import pytest

from noctuary.app import Memory
from noctuary.authored import EventType
from noctuary.brief.recallable import MOST, entries
from tests.unit.brief.shop import SHOP, note, talk

pytestmark = pytest.mark.slow


def test_memories_and_events_are_entries(memory: Memory) -> None:
    """Each with id, kind, day, session and text; memories first, then what was noted, the newest first."""
    talk(memory, "s-1", "Rounding")
    kept = memory.work(SHOP).remember("Prices are whole cents.", kind="constraint")
    note(memory, "finding", "Floats lose cents", session="s-1", days_ago=1)
    note(memory, "rejection", "Redis for sessions", session="s-1")
    note(memory, "hypothesis", "It may be the zone", session="s-1")
    found = entries(memory.ledger, SHOP)

    assert found[0] == (kept.id, "constraint", "2026-03-01", "", "Prices are whole cents.")
    assert [(kind, day, session, text) for _, kind, day, session, text in found[1:]] == [
        ("rejection", "2026-03-01", "s-1", "Redis for sessions"),
        ("finding", "2026-02-28", "s-1", "Floats lose cents"),
    ]
    assert all(name.startswith("e-") for name, *_ in found[1:])


def test_other_projects_are_not_recalled(memory: Memory) -> None:
    """But what holds everywhere is; what holds no longer is not, nor is what is stale."""
    note(memory, "finding", "Elsewhere", project="/other")
    memory.work("/other").remember("Of the other.")
    memory.work(SHOP).remember("Answer in English.", everywhere=True)
    stale = memory.work(SHOP).remember("Taxes are in tax.py.")
    memory.work(SHOP).retire(memory.work(SHOP).remember("Old.").id)
    with memory.work(SHOP).desk.writing() as write:
        change = {"memories": [{"id": stale.id, "verified": "stale"}]}
        write(EventType.AMEND, change=change, meta={"bookkeeping": True})

    assert [text for *_, text in entries(memory.ledger, SHOP)] == ["Answer in English."]


def test_an_event_that_is_a_memory_is_there_once(memory: Memory) -> None:
    """As the memory; and rejections are called so, whatever kind the memory has."""
    with memory.work(SHOP).desk.writing() as write:
        change = {"memories": [{"id": "m-0123456789", "kind": "decision", "text": "No Redis.", "status": "active"}]}
        write(EventType.REJECTION, "Redis for sessions", change=change)

    assert [(name, kind) for name, kind, *_ in entries(memory.ledger, SHOP)] == [("m-0123456789", "rejection")]


def test_there_are_never_too_many(memory: Memory) -> None:
    """The newest are there."""
    with memory.ledger.writing(SHOP, is_gathered=True):
        for number in range(MOST + 5):
            note(memory, "finding", f"Finding {number}")
    found = entries(memory.ledger, SHOP)

    assert len(found) == MOST
    assert found[0][4] == f"Finding {MOST + 4}"
