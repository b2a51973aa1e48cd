"""What an entry superseded holds again once that entry is retracted."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from noctuary.authored import EventType
from noctuary.errors import BadChange
from noctuary.graph import EdgeType, Node, NodeStatus
from noctuary.testing import FakeClock
from noctuary.work.corrections import confirm, correct, retract, supersede
from noctuary.work.decisions import choose_option, log_decision, record_outcome, revisit
from noctuary.work.desk import Desk
from noctuary.work.finding import rejected
from noctuary.work.handoff import handoff
from noctuary.work.notes import note
from noctuary.work.pack import pack
from noctuary.work.remembering import find_memory, list_memories, remember
from noctuary.work.reviving import is_retracted
from noctuary.work.tasks import close_node, open_goal, open_task
from tests.unit.ledger.writing import everything
from tests.unit.work.test_notes import found

pytestmark = pytest.mark.slow

REDIS: list[dict[str, object]] = [{"option": "Redis", "chosen": True, "rationale": "fast"}, {"option": "Memcached"}]
SQLITE: list[dict[str, object]] = [{"option": "SQLite", "chosen": True}, {"option": "Redis", "rationale": "daemon"}]
WORDS = ("redis", "sqlite", "files", "windows")


def assert_rebuilt_is_the_same(desk: Desk) -> None:
    """The journal alone tells what holds."""
    grown = everything(desk.ledger, WORDS)
    desk.ledger.rebuild()
    assert everything(desk.ledger, WORDS) == grown


def superseding_edges(desk: Desk, name: str) -> Sequence[object]:
    return desk.store.nodes.edges_of(desk.owner, [name], EdgeType.SUPERSEDES)


def two_decisions(desk: Desk, task: Node) -> tuple[str, str]:
    """Two events: the second supersedes the first."""
    old = note(desk, "decision", "Use Redis", node=task.id, alternatives=REDIS)
    new = note(desk, "decision", "Use SQLite", node=task.id, alternatives=SQLITE, supersedes=old.event.id)
    return old.event.id, new.event.id


def test_a_constraint_holds_again(desk: Desk) -> None:
    """Without a node: the mark is gone, and packs and searches show it."""
    task = open_task(desk, "Cache")
    old = note(desk, "constraint", "Runs on Windows", node=task.id)
    new = note(desk, "constraint", "Runs on Linux only", node=task.id, supersedes=old.event.id)
    assert "Runs on Windows" not in pack(desk, task.id)

    retract(desk, new.event.id, "Nobody said so")

    assert desk.entry(old.event.id).superseded_by is None
    assert "Runs on Windows" in pack(desk, task.id)
    assert "Linux" not in pack(desk, task.id)
    assert found(desk, "windows") == ["Runs on Windows"]
    assert_rebuilt_is_the_same(desk)


def test_a_decision_holds_again(desk: Desk, clock: FakeClock) -> None:
    """The node is decided as it was, and when; packs, notes and what was rejected tell of it alone."""
    goal = open_goal(desk, "Fast")
    task = open_task(desk, "Cache", parent=goal.id)
    old = note(desk, "decision", "Use Redis", node=task.id, alternatives=REDIS)
    before = desk.node(old.event.meta["decision"])
    clock.advance(timedelta(days=1))
    new = note(desk, "decision", "Use SQLite", node=task.id, alternatives=SQLITE, supersedes=old.event.id)

    retract(desk, new.event.id)

    assert desk.node(before.id) == before
    assert superseding_edges(desk, before.id) == []
    assert f"- {before.id}: Use Redis → Redis (fast)" in handoff(desk, goal.id)
    assert f"Use Redis ({before.id})" in pack(desk, task.id)
    for text in (handoff(desk, goal.id), pack(desk, task.id)):
        assert "SQLite" not in text
    assert [each.option.title for each in rejected(desk, ()) if each.option] == ["Memcached"]
    assert_rebuilt_is_the_same(desk)


@pytest.mark.parametrize("text", ["", "Use SQLite everywhere"])
def test_what_a_confirmed_suggestion_superseded_holds_again(desk: Desk, text: str) -> None:
    """Whether it was confirmed as it was or in other words, and corrected since."""
    task = open_task(desk, "Cache")
    old = note(desk, "decision", "Use Redis", node=task.id, alternatives=REDIS)
    guess = note(desk, "decision", "Use SQLite", alternatives=SQLITE, supersedes=old.event.id, suggested=True)
    confirmed = confirm(desk, guess.event.id, text)
    assert desk.entry(old.event.id).superseded_by == confirmed.event.id
    better = correct(desk, confirmed.event.id, "Use SQLite, one file")

    retract(desk, better.event.id)

    assert desk.entry(old.event.id).superseded_by is None
    assert desk.node(old.event.meta["decision"]).status is NodeStatus.DECIDED
    assert superseding_edges(desk, old.event.meta["decision"]) == []
    assert is_retracted(desk.node(guess.event.meta["decision"]))
    assert_rebuilt_is_the_same(desk)


def test_a_supersession_itself_is_retracted(desk: Desk) -> None:
    """Whoever only said that something holds no longer can take that back; what took its place stays."""
    task, other = open_task(desk, "Cache"), open_task(desk, "Better cache")
    said = supersede(desk, task.id, by=other.id)

    retract(desk, said.event.id)

    assert (desk.node(task.id).status, desk.node(task.id).outcome_tag) == (NodeStatus.PENDING, None)
    assert desk.node(other.id).status is NodeStatus.PENDING
    assert superseding_edges(desk, task.id) == []
    assert_rebuilt_is_the_same(desk)


def test_a_new_look_is_retracted(desk: Desk) -> None:
    """The decision that was looked at again is decided, the new one is not any more."""
    decision = log_decision(desk, "Which store?", options=["Redis", "SQLite"])
    choose_option(desk, decision.node.id, decision.options[0].id)
    outcome = record_outcome(desk, decision.node.id, "It fell over", success=False)
    new = revisit(desk, outcome.id, "Too much to run", new_decision="Which file?", options=["One", "Many"]).new
    assert new
    (look,) = desk.entries(decision.node.id, [EventType.SUPERSEDE])

    retract(desk, look.event.id)

    assert desk.node(decision.node.id).status is NodeStatus.DECIDED
    assert is_retracted(desk.node(new.node.id))
    assert_rebuilt_is_the_same(desk)


def test_tasks_goals_and_open_decisions_come_back(desk: Desk) -> None:
    """What was open is open again; what was done before it was superseded is done."""
    task, goal, done = open_task(desk, "Cache"), open_goal(desk, "Fast"), open_task(desk, "Index")
    undecided = log_decision(desk, "Which store?", options=["Redis"]).node
    close_node(desk, done.id)
    for node in (task, goal, done, undecided):
        said = note(desk, "redirect", f"No {node.title}", supersedes=node.id)
        retract(desk, said.event.id)

    standing = [desk.node(node.id) for node in (task, goal, done, undecided)]
    assert [(node.status, node.outcome_tag) for node in standing] == [
        (NodeStatus.PENDING, None),
        (NodeStatus.ACTIVE, None),
        (NodeStatus.COMPLETED, "done"),
        (NodeStatus.ACTIVE, None),
    ]
    assert_rebuilt_is_the_same(desk)


def test_memories_come_back(desk: Desk) -> None:
    """A memory that was superseded holds again, or is proposed again; it is not retracted itself."""
    kept, proposed = remember(desk, "Port 80"), remember(desk, "Port 81", suggested=True)
    for memory in (kept, proposed):
        said = note(desk, "finding", "Ports are random", supersedes=memory.id)
        assert find_memory(desk, memory.id).status == "superseded"
        retract(desk, said.event.id)

    assert {memory.text: memory.status for memory in list_memories(desk)} == {
        "Port 80": "active",
        "Port 81": "proposed",
    }
    assert find_memory(desk, kept.id).superseded_by is None
    assert desk.entry(kept.event).superseded_by is None
    assert_rebuilt_is_the_same(desk)


def test_what_was_superseded_in_turn_hands_on(desk: Desk) -> None:
    """If another took the place of what is retracted, that one supersedes the first; retracted too, the first holds."""
    task = open_task(desk, "Cache")
    old, middle = two_decisions(desk, task)
    last = note(desk, "decision", "Use files", node=task.id, supersedes=middle).event.id
    decision = desk.node(desk.entry(old).event.meta["decision"])

    retract(desk, middle)
    assert desk.entry(old).superseded_by == last
    assert desk.node(decision.id).status is NodeStatus.SUPERSEDED
    assert_rebuilt_is_the_same(desk)

    retract(desk, last)
    assert desk.entry(old).superseded_by is None
    assert desk.node(decision.id).status is NodeStatus.DECIDED
    assert desk.node(desk.entry(middle).event.meta["decision"]).status is NodeStatus.SUPERSEDED
    assert_rebuilt_is_the_same(desk)


def test_only_a_retraction_revives(desk: Desk) -> None:
    """A superseded decision does not become decided by any other way."""
    task = open_task(desk, "Cache")
    old, _ = two_decisions(desk, task)
    change = {"set": {desk.entry(old).event.meta["decision"]: {"status": "decided"}}}

    with desk.writing() as write, pytest.raises(BadChange, match="nothing else any more"):
        write(EventType.STATUS, change=change, is_verb=True)
