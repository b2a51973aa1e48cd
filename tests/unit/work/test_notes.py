"""Notes: where they belong, what they may say, and what a decision with alternatives becomes."""

import pytest

from noctuary.authored import Author, EventStatus, EventType, Refs, Strength
from noctuary.errors import BadChange, BadInput, EventNotFound
from noctuary.graph import EdgeType, NodeStatus, NodeType
from noctuary.text import searchable
from noctuary.work.alternatives import Alternative
from noctuary.work.corrections import confirm
from noctuary.work.desk import Desk
from noctuary.work.notes import note
from noctuary.work.superseding import NOTED
from noctuary.work.tasks import list_tasks, open_task, rename_node, show_node
from tests.unit.work.conftest import MakeDesk

WAYS: list[dict[str, object]] = [
    {"option": "LRU", "chosen": True, "rationale": "simple"},
    {"option": "LFU", "rationale": "needs counters"},
]
TOKEN = "ghp_" + "Ab1" * 12


def found(desk: Desk, words: str) -> list[str]:
    """The texts of the entries that search finds."""
    rows = desk.store.events.matching(desk.owner, searchable(" ".join(f'"{word}"' for word in words.split())))
    return [desk.entry(row[4].split('"event_id":"')[1][:26]).event.text for row in rows]


@pytest.mark.parametrize("kind", NOTED)
def test_every_type_of_note_is_kept(desk: Desk, kind: EventType) -> None:
    """Each type that people write is written, found by its words, and the same after a rebuild."""
    task = open_task(desk, "Cache")

    entry = note(desk, kind, "  The cache is\nslow  ", node=task.id, confidence=0.5)

    assert (entry.event.type, entry.acts_as, entry.event.text) == (kind, kind, "The cache is\nslow")
    assert (entry.event.node, entry.status, entry.event.confidence) == (task.id, EventStatus.CONFIRMED, 0.5)
    assert found(desk, "slow") == ["The cache is\nslow"]
    desk.ledger.rebuild()
    assert desk.entry(entry.event.id) == entry


@pytest.mark.parametrize("kind", [*sorted({*EventType} - {*NOTED}), "thought", "", "Decision"])
def test_j7_3_only_notes_are_noted(desk: Desk, kind: str) -> None:
    """A note can close, reopen or rename nothing: types that do something are refused, and so are unknown ones."""
    task = open_task(desk, "Cache")

    with pytest.raises(BadInput, match="notes are hypothesis, finding"):
        note(desk, kind, "done", node=task.id)
    assert list_tasks(desk, status="open")[0].id == task.id
    assert len(desk.entries(task.id)) == 1


def test_without_a_task_a_note_is_about_the_project(desk: Desk, make_desk: MakeDesk) -> None:
    """A note belongs to its node, else to the task of its session, else to the project itself."""
    session = make_desk(session="s1", author=Author.AGENT)
    assert note(session, "constraint", "No cloud").event.node is None

    task = open_task(session, "Cache")

    assert note(session, "constraint", "No network").event.node == task.id
    assert note(desk, "constraint", "No disk").event.node is None
    assert note(desk, "constraint", "No tape").event.project == desk.project


def test_a_note_goes_to_the_journal_of_its_node(desk: Desk, make_desk: MakeDesk) -> None:
    """A note about a node of another project is written there."""
    task = open_task(desk, "Cache")

    entry = note(make_desk("/home/ana/code/blog"), "finding", "Slow", node=task.id)

    assert entry.event.project == desk.project


@pytest.mark.parametrize("text", ["", " \n ", "x" * 100_001, "x" * 1_000_000])
def test_nothing_and_too_much_are_refused(desk: Desk, text: str) -> None:
    """An entry says something, and is no book."""
    with pytest.raises(BadInput):
        note(desk, "finding", text)
    assert desk.store.events.count(desk.owner) == 0


def test_only_evidence_has_a_strength(desk: Desk) -> None:
    """Strength is weak, medium or strong, and of evidence."""
    assert note(desk, "evidence", "Green", strength="strong").event.strength is Strength.STRONG
    assert note(desk, "evidence", "Green").event.strength is None
    with pytest.raises(BadInput, match="Only evidence"):
        note(desk, "finding", "Green", strength="strong")
    with pytest.raises(BadInput, match="weak, medium, strong"):
        note(desk, "evidence", "Green", strength="certain")
    with pytest.raises(BadInput, match="between 0 and 1"):
        note(desk, "evidence", "Green", confidence=1.5)


def test_a_decision_with_alternatives_becomes_nodes(desk: Desk) -> None:
    """One event makes the decision below its task, its options, and edges that say why or why not."""
    task = open_task(desk, "Cache")

    entry = note(desk, "decision", "Evict by age\nBecause it is simple.", node=task.id, alternatives=WAYS)

    view = show_node(desk, entry.event.meta["decision"])
    node, (lru, lfu) = view.node, sorted(view.children, key=lambda option: option.title, reverse=True)
    assert (node.type, node.status, node.parent) == (NodeType.DECISION, NodeStatus.DECIDED, task.id)
    assert (node.title, node.description) == ("Evict by age", "Evict by age\nBecause it is simple.")
    assert node.completed_ms == lru.completed_ms == desk.clock.now_ms()
    assert [(option.title, option.status) for option in (lru, lfu)] == [("LRU", "chosen"), ("LFU", "rejected")]
    reasons = {(edge.type, edge.to_id): edge.label for edge in view.edges if edge.label}
    assert reasons == {(EdgeType.CHOSEN, lru.id): "simple", (EdgeType.REJECTED, lfu.id): "needs counters"}
    assert {edge.to_id for edge in view.edges if edge.type is EdgeType.LEADS_TO} == {lru.id, lfu.id}
    assert len(desk.entries(task.id)) == 2
    desk.ledger.rebuild()
    assert show_node(desk, node.id) == view


def test_what_is_not_decided_yet_stays_open(desk: Desk) -> None:
    """Of alternatives without a choice, none is rejected; the decision is to be taken."""
    entry = note(desk, "decision", "How to evict?", alternatives=[Alternative("LRU"), Alternative("LFU")])

    view = show_node(desk, entry.event.meta["decision"])
    assert (view.node.status, view.node.parent, view.node.completed_ms) == (NodeStatus.ACTIVE, None, None)
    assert {option.status for option in view.children} == {NodeStatus.ACTIVE}
    assert {edge.type for edge in view.edges} == {EdgeType.CONTAINS, EdgeType.LEADS_TO}


def test_a_decision_without_alternatives_is_an_entry_only(desk: Desk) -> None:
    """Without alternatives there is nothing to show in the graph."""
    entry = note(desk, "decision", "Evict by age")

    assert entry.event.change == {}
    assert desk.store.nodes.where(desk.owner) == []


@pytest.mark.parametrize(
    "alternatives",
    [
        [{"option": "LRU", "chosen": True}, {"option": "LFU", "chosen": True}],
        [{"option": "LRU"}, {"option": "lru"}],
        [{"option": " "}],
        [{"chosen": True}],
        [{"option": "LRU", "chosen": "yes"}],
        [{"option": "LRU", "reason": "simple"}],
        [{"option": "LRU", "rationale": 7}],
        ["LRU"],
        [{"option": f"way {number}"} for number in range(51)],
        [{"option": "x" * 501}],
    ],
)
def test_what_are_no_alternatives_is_refused(desk: Desk, alternatives: list[dict[str, object]]) -> None:
    """Two chosen, one twice, none named, too many: refused, and nothing is written."""
    with pytest.raises(BadInput):
        note(desk, "decision", "Evict", alternatives=alternatives)
    assert desk.store.events.count(desk.owner) == 0


def test_only_decisions_have_alternatives(desk: Desk) -> None:
    """Alternatives of another type are refused."""
    with pytest.raises(BadInput, match="Only a decision has alternatives, not a finding"):
        note(desk, "finding", "Evict", alternatives=WAYS)


def test_a_suggested_decision_has_no_nodes_yet(desk: Desk) -> None:
    """What nobody has confirmed does nothing to the graph; confirmed, it makes the very nodes it announced."""
    task = open_task(desk, "Cache")
    entry = note(desk, "decision", "Evict by age", node=task.id, alternatives=WAYS, suggested=True)
    assert entry.is_suggested
    assert show_node(desk, task.id).children == []

    confirmed = confirm(desk, entry.event.id)

    node = desk.node(entry.event.meta["decision"])
    assert (confirmed.status, node.status, node.parent) == (EventStatus.CONFIRMED, NodeStatus.DECIDED, task.id)
    assert node.title == "Evict by age"


def test_a_decision_takes_the_place_of_another(desk: Desk) -> None:
    """A note supersedes the entry of an old decision and its node, whichever is named; the edge says so."""
    task = open_task(desk, "Cache")
    old = note(desk, "decision", "Evict by age", node=task.id, alternatives=WAYS)

    new = note(desk, "decision", "Evict by use", node=task.id, alternatives=WAYS, supersedes=old.event.meta["decision"])

    names = [entry.event.meta["decision"] for entry in (new, old)]
    assert desk.entry(old.event.id).superseded_by == new.event.id
    assert desk.node(names[1]).status is NodeStatus.SUPERSEDED
    edges = desk.store.nodes.edges_of(desk.owner, [names[1]], EdgeType.SUPERSEDES)
    assert [(edge.from_id, edge.to_id) for edge in edges] == [(names[0], names[1])]
    with pytest.raises(BadChange, match=new.event.id):
        note(desk, "decision", "Evict at random", node=task.id, supersedes=old.event.id)


def test_a_suggestion_supersedes_only_when_it_is_confirmed(desk: Desk) -> None:
    """Until then, what it would supersede holds."""
    old = note(desk, "constraint", "Python 3.10")
    new = note(desk, "constraint", "Python 3.11", suggested=True, supersedes=old.event.id)
    assert desk.entry(old.event.id).superseded_by is None

    confirm(desk, new.event.id)

    assert desk.entry(old.event.id).superseded_by is not None


def test_nothing_of_another_project_is_superseded_from_here(desk: Desk, make_desk: MakeDesk) -> None:
    """Each journal changes its own: the other project's entry is superseded there."""
    old = note(desk, "constraint", "Python 3.10")

    with pytest.raises(BadInput, match="another project"):
        note(make_desk("/home/ana/code/blog"), "constraint", "Python 3.11", supersedes=old.event.id)
    assert desk.entry(old.event.id).superseded_by is None


def test_unknown_things_are_not_superseded(desk: Desk) -> None:
    """An event, node or memory that is not there is named, and nothing is written."""
    for name in ("01JZZZ", "t-0000000000", "m-0000000000"):
        with pytest.raises(Exception, match="no"):
            note(desk, "decision", "Evict", supersedes=name)
    with pytest.raises(EventNotFound):
        note(desk, "decision", "Evict", refs=Refs(events=("01JZZZ",)))
    assert desk.store.events.count(desk.owner) == 0


def test_j7_24_secrets_are_redacted_before_they_are_written(desk: Desk) -> None:
    """No secret reaches the journal or the tables: not by a text, a title, a goal, an option or a reason."""
    task = open_task(desk, f"Rotate {TOKEN}", goal=f"Away with {TOKEN}", context=f"It was {TOKEN}")
    rename_node(desk, task.id, f"Rotate {TOKEN} now")
    ways = [{"option": f"Keep {TOKEN}", "chosen": True, "rationale": f"because {TOKEN}"}]
    note(desk, "decision", f"Use {TOKEN}", node=task.id, alternatives=ways)

    journal = b"".join(line.content for line in desk.ledger.journal(desk.project).read())
    assert b"[redacted:" in journal
    assert TOKEN.encode() not in journal
    assert "[redacted:" in desk.node(task.id).title
    shown = [str(row) for row in desk.store.events.all(desk.owner, None)] + list(map(str, list_tasks(desk)))
    assert not any(TOKEN in line for line in shown)
