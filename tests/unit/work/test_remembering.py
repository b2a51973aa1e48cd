"""Memories as they are made by hand."""

import pytest

from noctuary.authored import Author, MessageRef, Refs, Trust
from noctuary.errors import BadChange, BadInput, NotFound
from noctuary.store.memories import MemoryKind, MemoryStatus
from noctuary.weighing import weight
from noctuary.work.desk import Desk
from noctuary.work.remembering import find_memory, list_memories, remember, retire, said_again
from tests.unit.work.conftest import MakeDesk


@pytest.mark.parametrize("kind", MemoryKind)
def test_a_memory_is_kept(desk: Desk, kind: MemoryKind) -> None:
    """Every kind is kept with what is known of it, and a rebuild gives the same."""
    refs = Refs(messages=(MessageRef("s1", 3, "port 80"),))

    memory = remember(desk, " Port 80 ", kind=kind, topic="ports", pinned=True, confidence=0.5, refs=refs)

    assert (memory.text, memory.kind, memory.status, memory.project) == ("Port 80", kind, "active", desk.project)
    facts = dict(memory.facts)
    assert facts.pop("weight") == weight(kind, "user", approved=True, confidence=0.5, last_ms=memory.recorded_ms)
    assert facts == {"topic": "ports", "pinned": True, "trust": "user", "confidence": 0.5}
    assert desk.entry(memory.event).event.refs == refs
    desk.ledger.rebuild()
    assert find_memory(desk, memory.id) == memory


def test_what_is_kept_already_is_not_kept_twice(desk: Desk, make_desk: MakeDesk) -> None:
    """The same words give the same memory; another project's are others."""
    memory = remember(desk, "Use  tabs")

    assert remember(desk, "use tabs") == memory
    assert desk.store.events.count(desk.owner) == 1
    assert remember(make_desk("/home/ana/code/blog"), "Use tabs").id != memory.id


@pytest.mark.parametrize("suggested", [True, False])
def test_what_a_user_says_again_is_the_users_word(desk: Desk, make_desk: MakeDesk, *, suggested: bool) -> None:
    """An agent kept or proposed it; from now on it holds, as a rule.  What an agent repeats changes nothing."""
    agent = make_desk(author=Author.AGENT, trust=Trust.AGENT)
    proposed = remember(agent, "Never push to main.", suggested=suggested)
    assert said_again(agent, proposed, "constraint") == proposed
    known = said_again(desk, proposed, "constraint")

    assert (known.id, known.status, known.kind) == (proposed.id, MemoryStatus.ACTIVE, "constraint")
    assert known.facts["approved"] is True
    assert said_again(desk, known) == said_again(agent, known) == known
    desk.ledger.rebuild()
    assert find_memory(desk, known.id) == known


def test_what_holds_everywhere_is_listed_everywhere(desk: Desk, make_desk: MakeDesk) -> None:
    """A memory of all projects is listed in each, that of one only there."""
    everywhere, here = remember(desk, "Use tabs", everywhere=True), remember(desk, "Port 80")

    assert {memory.id for memory in list_memories(desk)} == {everywhere.id, here.id}
    assert list_memories(make_desk("/home/ana/code/blog")) == [everywhere]
    assert list_memories(make_desk(owner="bob")) == []


def test_j7_24_a_retired_memory_holds_no_longer(desk: Desk) -> None:
    """It is listed only if asked for, and is not retired twice."""
    memory = remember(desk, "Use tabs", everywhere=True)

    retired = retire(desk, memory.id, "We use spaces now")

    assert (retired.status, retired.retired_ms) == ("archived", desk.clock.now_ms())
    assert list_memories(desk) == []
    assert list_memories(desk, held_only=False) == [retired]
    assert desk.entry(memory.event).superseded_by is not None
    with pytest.raises(BadChange, match="archived already"):
        retire(desk, memory.id)
    assert remember(desk, "Use tabs", everywhere=True).id != memory.id


def test_a_memory_is_named_by_its_beginning(desk: Desk) -> None:
    """As much of its id as says which one is enough; more than one that begins so are refused."""
    first = remember(desk, "one")

    assert find_memory(desk, "m-") == first
    assert retire(desk, first.id[:5]).status == "archived"
    remember(desk, "two")
    with pytest.raises(NotFound, match="More than one memory begins with 'm-'"):
        find_memory(desk, "m-")
    with pytest.raises(NotFound, match="There is no memory ''"):
        find_memory(desk, "")


def test_what_is_no_memory_is_refused(desk: Desk) -> None:
    """Nothing to say, no kind, no such memory."""
    with pytest.raises(BadInput):
        remember(desk, " ")
    with pytest.raises(BadInput, match="kind of memory"):
        remember(desk, "Port 80", kind="idea")
    with pytest.raises(NotFound, match="no memory"):
        retire(desk, "m-0000000000")
    assert desk.store.events.count(desk.owner) == 0
