"""What is said about what was said: it counts everywhere, once, and says what it is about."""

import pytest

from noctuary.authored import Author, EventStatus, EventType, MessageRef, Refs, Strength, Trust
from noctuary.errors import BadChange, BadInput, EventNotFound, NotAllowed
from noctuary.graph import NodeStatus, NodeType
from noctuary.store.memories import MemoryStatus
from noctuary.work.completeness import check
from noctuary.work.corrections import confirm, correct, retract, supersede
from noctuary.work.decisions import choose_option, log_decision, record_observation
from noctuary.work.desk import Desk
from noctuary.work.finding import rejected
from noctuary.work.notes import note
from noctuary.work.pack import pack
from noctuary.work.remembering import find_memory, remember, retire
from noctuary.work.tasks import close_node, open_task, rename_node, show_node
from tests.unit.ledger.writing import everything
from tests.unit.work.conftest import MakeDesk
from tests.unit.work.test_notes import found

WAYS: list[dict[str, object]] = [{"option": "LRU", "chosen": True, "rationale": "simple"}, {"option": "LFU"}]


def texts(desk: Desk, node: str) -> list[str]:
    """What stands about a node, the newest first."""
    return [entry.event.text for entry in desk.entries(node)]


def test_j7_15_a_correction_stands_for_what_it_corrects(desk: Desk) -> None:
    """The corrected words are nowhere any more; the new ones act as the old type, with all it rested on."""
    task = open_task(desk, "Cache")
    refs = Refs(messages=(MessageRef("s1", 1, "green"),), commits=("75f65e2",))
    old = note(desk, "evidence", "Alpha passed", node=task.id, strength="strong", confidence=0.9, refs=refs)

    new = correct(desk, old.event.id, "Beta passed")

    assert (new.event.type, new.acts_as, new.event.corrects) == ("correction", EventType.EVIDENCE, old.event.id)
    assert (new.event.strength, new.event.confidence, new.event.refs) == (Strength.STRONG, 0.9, refs)
    assert texts(desk, task.id)[0] == "Beta passed"
    assert "Alpha passed" not in texts(desk, task.id)
    assert (found(desk, "Alpha"), found(desk, "Beta")) == ([], ["Beta passed"])
    assert desk.entry(old.event.id).hidden_by == new.event.id
    before = desk.entries(task.id)
    desk.ledger.rebuild()
    assert desk.entries(task.id) == before


def test_a_correction_can_be_corrected(desk: Desk) -> None:
    """The last words count, and act as the first."""
    first = note(desk, "finding", "one")
    second = correct(desk, first.event.id, "two")

    third = correct(desk, second.event.id, "three")

    assert third.acts_as is EventType.FINDING
    assert (found(desk, "two"), found(desk, "three")) == ([], ["three"])


def test_an_agent_corrects_itself_and_never_a_rule_or_a_memory_of_the_user(desk: Desk, make_desk: MakeDesk) -> None:
    """Its words would be told as what the user has stated or approved."""
    agent = make_desk(author=Author.AGENT, trust=Trust.AGENT)
    rule, memory = note(desk, "constraint", "Never push to main"), remember(desk, "Prices are cents")
    proposed = remember(agent, "Use tabs", kind="preference", suggested=True)
    correct(agent, proposed.event, "Use spaces")
    correct(agent, note(desk, "finding", "Four minutes").event.id, "Five minutes")
    confirm(desk, find_memory(desk, proposed.id).event)

    for event in (rule.event.id, memory.event, find_memory(desk, proposed.id).event):
        with pytest.raises(NotAllowed, match="user"):
            correct(agent, event, "Whatever the agent says")
    assert [find_memory(desk, one.id).text for one in (memory, proposed)] == ["Prices are cents", "Use spaces"]
    assert correct(desk, rule.event.id, "Never push to main or release").hidden_by is None


def test_what_the_user_said_no_agent_ends(desk: Desk, make_desk: MakeDesk) -> None:
    """Neither taken back nor retired nor superseded, also not by what it notes anew; its own words it may end."""
    agent = make_desk(author=Author.AGENT, trust=Trust.AGENT)
    rule, memory = note(desk, "constraint", "Never push to main"), remember(desk, "Prices are cents")
    for name in (rule.event.id, memory.event):
        with pytest.raises(NotAllowed, match="user"):
            retract(agent, name, "not needed any more")
    for name in (rule.event.id, memory.event, memory.id):
        with pytest.raises(NotAllowed, match="user"):
            supersede(agent, name, "not needed any more")
    with pytest.raises(NotAllowed, match="user"):
        note(agent, "decision", "Prices are euros", supersedes=memory.id)
    with pytest.raises(NotAllowed, match="user"):
        retire(agent, memory.id)

    own, other = note(agent, "finding", "Four minutes"), remember(agent, "The build takes four minutes")
    assert retract(agent, own.event.id).status == "retracted"
    assert retire(agent, other.id).status is MemoryStatus.ARCHIVED
    assert find_memory(desk, memory.id).status is MemoryStatus.ACTIVE
    assert not desk.entry(rule.event.id).superseded_by
    assert retire(desk, memory.id).status is MemoryStatus.ARCHIVED


def test_what_was_hidden_is_not_corrected_again(desk: Desk) -> None:
    """A corrected, retracted or superseded entry names the event that counts now; nothing is written."""
    corrected, gone, old = (note(desk, "finding", text) for text in ("one", "two", "three"))
    by = correct(desk, corrected.event.id, "uno").event.id
    retract(desk, gone.event.id, "wrong")
    instead = supersede(desk, old.event.id).event.id
    count = desk.store.events.count(desk.owner)

    with pytest.raises(BadChange, match=f"replaced by {by}"):
        correct(desk, corrected.event.id, "eins")
    with pytest.raises(BadChange, match="retracted by"):
        correct(desk, gone.event.id, "zwei")
    with pytest.raises(BadChange, match=f"superseded by {instead}"):
        correct(desk, old.event.id, "drei")
    with pytest.raises(BadChange, match=f"replaced by {by}"):
        retract(desk, corrected.event.id)
    assert desk.store.events.count(desk.owner) == count


def test_a_corrected_decision_is_called_by_its_new_words(desk: Desk) -> None:
    """Title and description of the node follow; its options stay."""
    old = note(desk, "decision", "Evict by age", alternatives=WAYS)

    new = correct(desk, old.event.id, "Evict by use\nas measured")
    again = correct(desk, new.event.id, "Evict")

    node = desk.node(old.event.meta["decision"])
    assert (node.title, node.description, node.status) == ("Evict", "", NodeStatus.DECIDED)
    assert again.event.meta == old.event.meta
    assert len(show_node(desk, node.id).children) == 2


def test_a_corrected_choice_renames_no_decision(desk: Desk) -> None:
    """The words of a choice are not the title of what was to be decided; retracted, the choice still ends it."""
    decision = log_decision(desk, "How to evict?", options=["LRU", "LFU"])
    choose_option(desk, decision.node.id, decision.options[0].id, "simple")
    (choice,) = desk.entries(decision.node.id, [EventType.DECISION])

    corrected = correct(desk, choice.event.id, "LRU, as it is simple")
    assert desk.node(decision.node.id).title == "How to evict?"

    retract(desk, corrected.event.id)
    assert desk.node(decision.node.id).status is NodeStatus.SUPERSEDED


def test_a_corrected_opening_does_not_rename_the_task(desk: Desk) -> None:
    """What was said when a task was opened is its context; its title is renamed."""
    task = open_task(desk, "Cache", context="Redis fell over")

    correct(desk, desk.entries(task.id)[0].event.id, "Redis fell over twice")

    assert desk.node(task.id).title == "Cache"
    assert texts(desk, task.id) == ["Redis fell over twice"]


@pytest.mark.parametrize("text", ["", "  ", "x" * 100_001])
def test_a_correction_says_something(desk: Desk, text: str) -> None:
    """Nothing and too much are refused."""
    entry = note(desk, "finding", "one")

    with pytest.raises(BadInput):
        correct(desk, entry.event.id, text)
    assert desk.entry(entry.event.id) == entry


def test_what_did_something_is_done_otherwise(desk: Desk) -> None:
    """A renaming or closing is not taken back by words: what to do instead is said."""
    task = open_task(desk, "Cache")
    rename_node(desk, task.id, "Index")
    renaming = desk.entries(task.id)[0].event.id
    close_node(desk, task.id, reason="Works")
    closing = desk.entries(task.id)[0].event.id

    with pytest.raises(BadInput, match="rename the node again instead"):
        correct(desk, renaming, "Other")
    with pytest.raises(BadInput, match="reopen the node instead"):
        retract(desk, closing)
    assert correct(desk, closing, "Works on Windows too").acts_as is EventType.CLOSE
    assert desk.node(task.id).status is NodeStatus.COMPLETED


def test_unknown_events_are_refused(desk: Desk) -> None:
    """An event that is not there is neither corrected, nor confirmed, nor retracted."""
    note(desk, "finding", "one")
    for name in ("01ZZZZ", "", "t-abc"):
        with pytest.raises(EventNotFound):
            correct(desk, name, "two")
        with pytest.raises(EventNotFound):
            confirm(desk, name)
        with pytest.raises(EventNotFound):
            retract(desk, name)


def test_j7_7_a_suggestion_is_confirmed(desk: Desk) -> None:
    """A suggested entry is confirmed as it is, once; the confirmation itself is no entry."""
    task = open_task(desk, "Cache")
    entry = note(desk, "finding", "Slow", node=task.id, suggested=True)
    assert desk.entry(entry.event.id).is_suggested

    confirmed = confirm(desk, entry.event.id)

    assert (confirmed.status, confirmed.event.id) == (EventStatus.CONFIRMED, entry.event.id)
    assert texts(desk, task.id) == ["Slow", "Cache"]
    with pytest.raises(BadChange, match="confirmed already"):
        confirm(desk, entry.event.id)
    with pytest.raises(BadChange, match="confirmed already"):
        confirm(desk, note(desk, "finding", "Fast").event.id)


def test_j7_7_a_suggestion_is_confirmed_in_other_words(desk: Desk) -> None:
    """The edited words take the place of the suggested ones, as what they were, and are confirmed."""
    task = open_task(desk, "Cache")
    entry = note(desk, "evidence", "Slow", node=task.id, suggested=True, strength="weak")

    confirmed = confirm(desk, entry.event.id, "Slow on Windows")

    assert (confirmed.acts_as, confirmed.status) == (EventType.EVIDENCE, EventStatus.CONFIRMED)
    assert (confirmed.event.strength, confirmed.event.corrects) == (Strength.WEAK, entry.event.id)
    assert texts(desk, task.id) == ["Slow on Windows", "Cache"]
    assert [entry.event.text for entry in desk.entries(task.id, [EventType.EVIDENCE])] == ["Slow on Windows"]
    with pytest.raises(BadChange, match=f"replaced by {confirmed.event.id}"):
        confirm(desk, entry.event.id)


def test_j7_7_a_suggestion_is_retracted(desk: Desk) -> None:
    """A retracted suggestion is gone, and cannot be confirmed: the retraction is named."""
    task = open_task(desk, "Cache")
    entry = note(desk, "finding", "Slow", node=task.id, suggested=True)

    gone = retract(desk, entry.event.id, "It was the network")

    assert gone.status is EventStatus.RETRACTED
    assert "Slow" not in texts(desk, task.id)
    assert found(desk, "Slow") == []
    with pytest.raises(BadChange, match=f"retracted by {gone.hidden_by}"):
        confirm(desk, entry.event.id)
    with pytest.raises(BadChange, match=f"retracted by {gone.hidden_by}"):
        retract(desk, entry.event.id)


def test_j7_7_a_corrected_suggestion_is_still_one(desk: Desk) -> None:
    """To say it better is not to say that it is right; but the first words are gone everywhere, and count no more."""
    task = open_task(desk, "Cache", goal="Speed")
    entry = note(desk, "decision", "Evict by age", node=task.id, alternatives=WAYS, suggested=True)

    better = correct(desk, entry.event.id, "Evict by use")
    assert better.is_suggested
    assert desk.store.nodes.where(desk.owner, types=[NodeType.DECISION]) == []
    assert texts(desk, task.id) == ["Evict by use", "Cache"]
    assert [each.event.id for each in desk.recent(task.id, suggested=True)] == [better.event.id]
    assert (found(desk, "age"), found(desk, "use")) == ([], ["Evict by use"])
    assert "by age" not in pack(desk, task.id)
    assert [better.event.id in gap.detail for gap in check(desk, task.id).gaps] == [True]
    for verb in (confirm, retract):
        with pytest.raises(BadChange, match=f"replaced by {better.event.id}"):
            verb(desk, entry.event.id)

    confirm(desk, better.event.id)
    assert desk.node(entry.event.meta["decision"]).title == "Evict by use"
    assert texts(desk, task.id) == ["Evict by use", "Cache"]
    retract(desk, better.event.id)
    assert desk.node(entry.event.meta["decision"]).status is NodeStatus.SUPERSEDED
    assert texts(desk, task.id) == ["Cache"]


def test_j7_7_a_suggestion_comes_back_when_its_correction_is_retracted(desk: Desk) -> None:
    """Only the new words go: the first ones are shown and found again, still as a suggestion, and can be confirmed."""
    task = open_task(desk, "Cache")
    entry = note(desk, "decision", "Evict by age", node=task.id, alternatives=WAYS, suggested=True)
    better = correct(desk, entry.event.id, "Evict by use")

    retract(desk, better.event.id)

    assert texts(desk, task.id) == ["Evict by age", "Cache"]
    assert (found(desk, "age"), found(desk, "use")) == (["Evict by age"], [])
    grown = everything(desk.ledger, ("age", "use"))
    desk.ledger.rebuild()
    assert everything(desk.ledger, ("age", "use")) == grown
    assert confirm(desk, entry.event.id).status is EventStatus.CONFIRMED
    assert desk.node(entry.event.meta["decision"]).title == "Evict by age"


def test_j7_7_a_suggested_memory_comes_back_when_its_correction_is_retracted(desk: Desk) -> None:
    """It is proposed in its first words, and its event is the one that says them."""
    memory = remember(desk, "Port 80", suggested=True)
    better = correct(desk, memory.event, "Port 8080")
    assert find_memory(desk, memory.id).event == better.event.id

    retract(desk, better.event.id)

    assert find_memory(desk, memory.id) == memory
    desk.ledger.rebuild()
    assert find_memory(desk, memory.id) == memory
    confirm(desk, memory.event)
    assert find_memory(desk, memory.id).status == "active"


def test_what_was_confirmed_elsewhere_is_not_ended_by_words_that_nobody_confirmed(desk: Desk) -> None:
    """One machine confirms a suggestion, another corrects it: the correction is retracted, or confirmed, for itself."""
    decisions = []
    for verb in (retract, confirm):
        entry = note(desk, "decision", "Evict by age", alternatives=WAYS, suggested=True)
        confirm(desk, entry.event.id)
        other = {"corrects": entry.event.id, "meta": entry.event.meta, "status": EventStatus.SUGGESTED}
        with desk.writing() as write:
            better = write(EventType.CORRECTION, "Evict by use", **other)
        verb(desk, better.id)
        decisions.append(desk.node(entry.event.meta["decision"]))

    assert [node.status for node in decisions] == [NodeStatus.DECIDED] * 2
    assert [node.title for node in decisions] == ["Evict by age", "Evict by use"]


def test_words_about_a_superseded_memory_are_not_its_own(desk: Desk) -> None:
    """An entry that superseded or retired a memory is corrected without a change of what the memory says."""
    memory = remember(desk, "Port 80")
    said = note(desk, "finding", "Ports are random", supersedes=memory.id)

    correct(desk, said.event.id, "Ports are chosen at random")

    assert find_memory(desk, memory.id).text == "Port 80"


def test_a_decision_confirmed_in_other_words_is_called_by_them(desk: Desk) -> None:
    """The nodes are made as confirmed, not as suggested."""
    entry = note(desk, "decision", "Evict by age", alternatives=WAYS, suggested=True)

    confirmed = confirm(desk, entry.event.id, "Evict by use")

    assert desk.node(confirmed.event.meta["decision"]).title == "Evict by use"


def test_a_retracted_decision_ends_its_nodes(desk: Desk) -> None:
    """The decision is superseded; what was chosen, or could still be, is abandoned."""
    decided = note(desk, "decision", "Evict by age", alternatives=WAYS)
    undecided = note(desk, "decision", "How to fill?", alternatives=[{"option": "Early"}, {"option": "Late"}])
    better = correct(desk, decided.event.id, "Evict by use")

    retract(desk, better.event.id)
    retract(desk, undecided.event.id)

    for entry in (decided, undecided):
        assert desk.node(entry.event.meta["decision"]).status is NodeStatus.SUPERSEDED
    chosen = desk.node(decided.event.meta["alternatives"][0]["id"])
    options = [desk.node(option["id"]) for option in undecided.event.meta["alternatives"]]
    assert {option.status for option in (chosen, *options)} == {NodeStatus.ABANDONED}


def test_what_a_retracted_decision_rejected_is_not_rejected_any_more(desk: Desk) -> None:
    """Options that were only rejected by a decision that is taken back are abandoned; nobody finds them rejected."""
    decided = note(desk, "decision", "Evict by age", alternatives=WAYS)
    assert [each.option.title for each in rejected(desk, ()) if each.option] == ["LFU"]

    retract(desk, decided.event.id)

    assert rejected(desk, ()) == []
    assert desk.node(decided.event.meta["alternatives"][1]["id"]).status is NodeStatus.ABANDONED


def test_a_retracted_opening_ends_the_task(desk: Desk) -> None:
    """A task that should never have been is cancelled; a done one stays done."""
    task, done = open_task(desk, "Cache"), open_task(desk, "Index")
    close_node(desk, done.id)

    retract(desk, desk.entries(task.id)[-1].event.id)
    retract(desk, desk.entries(done.id)[-1].event.id)

    assert (desk.node(task.id).status, desk.node(task.id).outcome_tag) == (NodeStatus.CANCELLED, "abandoned")
    assert desk.node(done.id).status is NodeStatus.COMPLETED


def test_a_retracted_observation_is_about_nothing(desk: Desk) -> None:
    """What cannot end loses its edges."""
    task = open_task(desk, "Cache")
    observation = record_observation(desk, "Slow on Windows", about=task.id)
    (entry,) = desk.entries(task.id, [EventType.FINDING])

    corrected = correct(desk, entry.event.id, "Slow on macOS")
    assert desk.node(observation.id).title == "Slow on macOS"
    retract(desk, corrected.event.id)

    view = show_node(desk, observation.id)
    assert (view.edges, view.node.parent) == ([], None)


def test_memories_follow_their_events(desk: Desk) -> None:
    """A proposed memory is confirmed, reworded and retracted by its event."""
    memory = remember(desk, "Port 80", suggested=True)
    assert memory.status == "proposed"

    confirm(desk, memory.event)
    assert find_memory(desk, memory.id)[:-1] == memory._replace(status=MemoryStatus.ACTIVE)[:-1]

    correct(desk, find_memory(desk, memory.id).event, "Port 8080")
    reworded = find_memory(desk, memory.id)
    assert reworded.text == "Port 8080"

    retract(desk, reworded.event)
    assert find_memory(desk, memory.id).status == "retracted"
