"""What dreams suggest, and a person's word about it: disputes are settled, tasks are opened, memories come back."""

from typing import Any

from noctuary.authored import Author, Event, EventSource, EventStatus, EventType, Trust
from noctuary.graph import NodeStatus
from noctuary.store.memories import MemoryStatus, Remembered
from noctuary.work.corrections import confirm, retract
from noctuary.work.desk import Desk
from noctuary.work.pack import pack
from noctuary.work.tasks import show_node
from tests.unit.ledger.writing import everything


def dreamt(desk: Desk, kind: EventType, text: str, **more: Any) -> Event:
    """An entry as a dream writes it."""
    event = Event(
        kind,
        text,
        project=desk.project,
        author=Author.DREAM,
        source=EventSource.DREAM,
        status=EventStatus.SUGGESTED,
        trust=Trust.AGENT,
    )
    return desk.ledger.record(event._replace(**more))


def remembered(desk: Desk, name: str) -> Remembered:
    """A memory that there is."""
    found = desk.store.memories.find(desk.owner, name)
    assert found is not None
    return found


def memory(name: str, text: str, **facts: Any) -> dict[str, Any]:
    """The change that makes a memory."""
    return {"memories": [{"id": name, "kind": "decision", "text": text, "status": "active", "trust": "agent", **facts}]}


def disputing(desk: Desk) -> tuple[Event, Event]:
    """Two entries that contradict each other."""
    redis = dreamt(
        desk, EventType.DECISION, "Sessions in Redis", change=memory("m-redis", "Sessions in Redis", disputed=["m-sql"])
    )
    sql = dreamt(
        desk, EventType.DECISION, "Sessions in SQL", change=memory("m-sql", "Sessions in SQL", disputed=["m-redis"])
    )
    return redis, sql


def test_who_confirms_one_of_two_settles_the_dispute(desk: Desk) -> None:
    """The confirmed one holds and has superseded the other, which is kept."""
    redis, _ = disputing(desk)

    confirm(desk, redis.id)

    assert remembered(desk, "m-redis").facts["approved"] is True
    assert remembered(desk, "m-redis").facts["disputed"] == []
    other = remembered(desk, "m-sql")
    assert (other.status, other.superseded_by) == (MemoryStatus.SUPERSEDED, "m-redis")
    assert other.facts["valid_to"] == desk.clock.now_ms()


def test_who_confirms_what_was_superseded_does_not_bring_it_back(desk: Desk) -> None:
    """It was right when it was said; whoever accepts all that a dream proposed keeps the order of things."""
    old = dreamt(desk, EventType.DECISION, "Sessions in Redis", change=memory("m-redis", "Sessions in Redis"))
    ended = {"id": "m-redis", "status": "superseded", "superseded_by": "m-sql", "was": "active"}
    made = memory("m-sql", "Sessions in SQL")["memories"]
    new = dreamt(desk, EventType.DECISION, "Sessions in SQL", supersedes=old.id, change={"memories": [*made, ended]})

    confirm(desk, old.id)
    confirm(desk, new.id)

    assert remembered(desk, "m-redis").status is MemoryStatus.SUPERSEDED
    assert remembered(desk, "m-sql").status is MemoryStatus.ACTIVE
    assert desk.entry(old.id).superseded_by == new.id


def test_who_retracts_one_of_two_leaves_the_other_undisputed(desk: Desk) -> None:
    """Nothing speaks against it any more."""
    redis, _ = disputing(desk)

    retract(desk, redis.id)

    assert remembered(desk, "m-redis").status is MemoryStatus.RETRACTED
    assert (remembered(desk, "m-sql").status, remembered(desk, "m-sql").facts["disputed"]) == (MemoryStatus.ACTIVE, [])


def test_a_confirmed_memory_counts_more(desk: Desk) -> None:
    """A user's yes is as good as a user's own words."""
    said = dreamt(desk, EventType.DECISION, "Ports start at 8000", change=memory("m-ports", "Ports start at 8000"))
    before = remembered(desk, "m-ports").facts.get("weight", 0)

    confirm(desk, said.id)

    assert remembered(desk, "m-ports").facts["weight"] > before + 5


def test_a_stale_memory_that_is_confirmed_is_vouched_for(desk: Desk) -> None:
    """It is on the page again, and no check takes it off again."""
    stale = memory("m-ports", "Ports start at 8000", verified="stale", why="conf.py is gone")
    said = dreamt(desk, EventType.DECISION, "Ports start at 8000", change=stale)
    assert desk.store.memories.leading(desk.owner, desk.project, 10) == []

    confirm(desk, said.id)

    assert [one.id for one in desk.store.memories.leading(desk.owner, desk.project, 10)] == ["m-ports"]
    assert remembered(desk, "m-ports").facts["vouched"] is True


def test_what_a_retracted_suggestion_superseded_holds_again(desk: Desk) -> None:
    """A dream lets some suggestions hold at once, so what they superseded has to come back with them."""
    dreamt(desk, EventType.DECISION, "Sessions in Redis", change=memory("m-redis", "Sessions in Redis"))
    ended = {"id": "m-redis", "status": "superseded", "superseded_by": "m-sql", "valid_to": 5, "was": "active"}
    made = memory("m-sql", "Sessions in SQL")["memories"]
    sql = dreamt(desk, EventType.DECISION, "Sessions in SQL", change={"memories": [*made, ended]})
    assert remembered(desk, "m-redis").status is MemoryStatus.SUPERSEDED

    retract(desk, sql.id)

    back = remembered(desk, "m-redis")
    assert (back.status, back.superseded_by, back.facts["valid_to"]) == (MemoryStatus.ACTIVE, None, None)


def opening(desk: Desk) -> tuple[list[Event], Event]:
    """What a session gave that nobody opened a task for, and the suggestion to open one."""
    said = [dreamt(desk, EventType.FINDING, f"The cache misses {n} times") for n in (1, 2, 3)]
    planned = {"id": "t-cache", "title": "Fix the cache", "events": [event.id for event in said]}
    return said, dreamt(desk, EventType.OPEN, "Fix the cache", meta={"dream": {}, "opens": planned})


def test_j7_5_a_suggested_task_is_opened_when_it_is_confirmed(desk: Desk) -> None:
    """Sessions without a task are mined too: then the task is there, and what the session gave belongs to it."""
    said, suggestion = opening(desk)
    assert desk.store.nodes.find(desk.owner, "t-cache") is None

    confirm(desk, suggestion.id)

    task = desk.store.nodes.find(desk.owner, "t-cache")
    assert task is not None
    assert task.status is NodeStatus.PENDING
    assert {entry.event.id for entry in desk.entries("t-cache")} == {*(event.id for event in said), suggestion.id}
    assert "misses 2 times" in pack(desk, "t-cache")
    live = everything(desk.ledger)
    desk.ledger.rebuild()
    assert everything(desk.ledger) == live


def test_a_suggested_task_is_confirmed_under_another_title(desk: Desk) -> None:
    """What the person calls it is what it is called."""
    _, suggestion = opening(desk)

    confirm(desk, suggestion.id, "Make the cache hit")

    assert show_node(desk, "t-cache").node.title == "Make the cache hit"


def test_a_suggested_task_that_is_rejected_leaves_the_entries_alone(desk: Desk) -> None:
    """They are about nothing, as before; no task is made."""
    said, suggestion = opening(desk)

    retract(desk, suggestion.id)

    assert desk.store.nodes.find(desk.owner, "t-cache") is None
    assert all(desk.entry(event.id).hidden_by is None for event in said)


def test_a_task_that_was_opened_by_mistake_ends(desk: Desk) -> None:
    """What was confirmed can be retracted, as any other task that somebody opened."""
    _, suggestion = opening(desk)
    confirm(desk, suggestion.id)

    retract(desk, suggestion.id)

    assert show_node(desk, "t-cache").node.status is NodeStatus.CANCELLED


def test_an_entry_that_is_about_something_is_not_adopted(desk: Desk) -> None:
    """Somebody has said meanwhile where it belongs."""
    said, suggestion = opening(desk)
    other = {"id": "t-other", "type": "task", "title": "Other", "status": "pending"}
    desk.ledger.record(Event(EventType.OPEN, "Other", project=desk.project, change={"nodes": [other]}))
    adopted = {"adopt": {said[0].id: "t-other"}}
    desk.ledger.record(Event(EventType.STATUS, project=desk.project, meta={"bookkeeping": True}, change=adopted))

    confirm(desk, suggestion.id)

    assert said[0].id in {entry.event.id for entry in desk.entries("t-other")}
    assert said[0].id not in {entry.event.id for entry in desk.entries("t-cache")}


def test_a_memory_that_nobody_weighed_has_its_place(desk: Desk) -> None:
    """What was written before there were weights, or by others, stands where its like stand: users' words first."""
    for name, trust in (("m-agent", "agent"), ("m-user", "user"), ("m-odd", 5)):
        dreamt(desk, EventType.DECISION, name, change=memory(name, name, trust=trust, weight="heavy"))

    leading = [one.id for one in desk.store.memories.leading(desk.owner, desk.project, 10)]

    assert leading == ["m-user", "m-agent", "m-odd"]
