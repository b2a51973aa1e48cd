"""Decisions, outcomes and new looks at them: each verb one event, all or nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from noctuary.authored import EventType
from noctuary.errors import BadChange, BadInput, NodeNotFound
from noctuary.graph import EdgeType, NodeStatus, NodeType
from noctuary.work.decisions import (
    Decision,
    NewOption,
    add_option,
    choose_option,
    decision_of,
    log_decision,
    record_observation,
    record_outcome,
    reject_option,
    revisit,
)
from noctuary.work.desk import Desk
from tests.unit.work.conftest import MakeDesk
from tests.unit.work.graphs import add, edges_of, goal, state, written

S = NodeStatus


def storage(desk: Desk, parent: str | None = None) -> Decision:
    return log_decision(desk, "Where do sessions live?", parent=parent, options=["SQLite", "Redis", "Files"])


def label(desk: Desk, kind: EdgeType, start: str, end: str) -> str | None:
    (edge,) = [e for e in desk.store.nodes.edges_of(desk.owner, [start], kind) if (e.from_id, e.to_id) == (start, end)]
    return edge.label


def statuses(desk: Desk, decision: Decision) -> list[NodeStatus]:
    return [option.status for option in decision_of(desk, decision.node.id).options]


def test_b10_a_decision_is_logged_with_its_options_in_one_event(desk: Desk) -> None:
    """Decision and options are active; options are its parts, it leads to each, and they keep their order."""
    whole = goal(desk)
    before = written(desk)

    logged = log_decision(
        desk,
        "Where do sessions live?",
        description="Redis went down twice.",
        parent=whole.id,
        options=["SQLite", NewOption("Redis", "As it is", pros="fast", cons="one more server"), "Files"],
    )

    assert written(desk) == before + 1
    assert (logged.node.status, logged.node.parent, logged.node.description) == (
        S.ACTIVE,
        whole.id,
        "Redis went down twice.",
    )
    assert [option.title for option in logged.options] == ["SQLite", "Redis", "Files"]
    assert {option.status for option in logged.options} == {S.ACTIVE}
    assert dict(logged.options[1].metadata) == {"pros": "fast", "cons": "one more server"}
    pairs = {(logged.node.id, option.id) for option in logged.options}
    assert edges_of(desk, EdgeType.LEADS_TO) == pairs
    assert edges_of(desk, EdgeType.CONTAINS) == pairs | {(whole.id, logged.node.id)}
    assert logged.chosen is None


def test_b10_choosing_decides_and_rejects_the_others_in_one_event(desk: Desk) -> None:
    """The chosen edge says why; the others are rejected as not chosen, or for the reason given."""
    logged = storage(desk)
    sqlite, redis, files = logged.options
    before = written(desk)

    made = choose_option(desk, logged.node.id, sqlite.id, "no server", rejected_because={"redis": "goes down"})

    assert written(desk) == before + 1
    assert made.node.status is S.DECIDED
    assert (made.chosen and made.chosen.id, made.rationale) == (sqlite.id, "no server")
    assert statuses(desk, made) == [S.CHOSEN, S.REJECTED, S.REJECTED]
    assert edges_of(desk, EdgeType.CHOSEN) == {(made.node.id, sqlite.id)}
    assert edges_of(desk, EdgeType.REJECTED) == {(made.node.id, redis.id), (made.node.id, files.id)}
    assert label(desk, EdgeType.REJECTED, made.node.id, redis.id) == "goes down"
    assert label(desk, EdgeType.REJECTED, made.node.id, files.id) == "not chosen"
    entry = desk.entries(made.node.id, [EventType.DECISION])[0]
    assert entry.event.text == "Where do sessions live?: SQLite. no server"


def test_an_option_is_chosen_by_its_title_too(desk: Desk) -> None:
    """In any case, and without a reason if there is none."""
    made = choose_option(desk, storage(desk).node.id, "sqlite")

    assert made.chosen
    assert (made.chosen.title, made.rationale) == ("SQLite", None)


def test_c34_a_second_choice_is_refused(desk: Desk) -> None:
    """There are never two chosen options; to decide anew there is a verb."""
    logged = storage(desk)
    choose_option(desk, logged.node.id, "SQLite", "no server")
    before = state(desk)

    for option in ("Redis", "SQLite"):
        with pytest.raises(BadChange, match=r"is decided for .* SQLite; to decide anew, record what came of it"):
            choose_option(desk, logged.node.id, option, "after all")
    with pytest.raises(BadChange, match="is decided"):
        add_option(desk, logged.node.id, "PostgreSQL")
    assert state(desk) == before


def test_c34_an_option_must_belong_to_the_decision(desk: Desk) -> None:
    """One of another decision is refused with those there are, and nothing is written, not even half."""
    logged, other = storage(desk), log_decision(desk, "Which language?", options=["Python", "Rust"])
    before = state(desk)

    with pytest.raises(BadChange, match=f"is no option of {logged.node.id}; its options are: .* SQLite, .* Redis"):
        choose_option(desk, logged.node.id, other.options[0].id, "typed")
    with pytest.raises(BadChange, match="is no option of"):
        choose_option(desk, logged.node.id, "SQLite", "x", rejected_because={"Rust": "slow to build"})
    with pytest.raises(BadChange, match="its options are: none yet"):
        choose_option(desk, log_decision(desk, "Empty").node.id, "")
    assert statuses(desk, logged) == [S.ACTIVE] * 3
    assert state(desk) != before  # the empty decision was logged, and nothing else
    assert edges_of(desk, EdgeType.CHOSEN) == set()


def test_an_option_is_rejected_alone(desk: Desk) -> None:
    """One event with the reason; the decision stays open, and a later choice leaves that reason."""
    logged = storage(desk)
    before = written(desk)

    option = reject_option(desk, logged.options[1].id, "goes down")

    assert written(desk) == before + 1
    assert option.status is S.REJECTED
    assert decision_of(desk, logged.node.id).node.status is S.ACTIVE
    assert desk.entries(logged.node.id, [EventType.REJECTION])[0].event.text.endswith("Redis. goes down")
    choose_option(desk, logged.node.id, "SQLite")
    assert label(desk, EdgeType.REJECTED, logged.node.id, option.id) == "goes down"
    with pytest.raises(BadChange, match="is rejected already"):
        reject_option(desk, option.id, "again")


def test_a_rejected_option_is_not_chosen(desk: Desk) -> None:
    """What was ruled out is named anew if it is to be chosen after all."""
    logged = storage(desk)
    reject_option(desk, logged.options[1].id, "goes down")

    with pytest.raises(BadChange, match="is rejected and cannot become chosen"):
        choose_option(desk, logged.node.id, "Redis")


def test_an_option_of_no_decision_cannot_be_rejected(desk: Desk) -> None:
    """There is nothing that could say why."""
    with pytest.raises(BadChange, match="option of no decision"):
        reject_option(desk, add(desk, kind=NodeType.OPTION).id, "x")
    with pytest.raises(NodeNotFound, match="not an option"):
        reject_option(desk, add(desk).id, "x")


def test_options_can_be_added_while_nothing_is_decided(desk: Desk) -> None:
    """Behind those there are; none twice."""
    logged = storage(desk)

    more = add_option(desk, logged.node.id, NewOption("PostgreSQL", pros="we have it"))

    assert [option.title for option in more.options] == ["SQLite", "Redis", "Files", "PostgreSQL"]
    with pytest.raises(BadInput, match="two options named"):
        add_option(desk, logged.node.id, "redis")
    with pytest.raises(BadInput, match="two options named 'A'"):
        log_decision(desk, "Which?", options=["A", "a"])


@pytest.mark.parametrize("success", [True, False])
def test_b10_an_outcome_says_whether_it_worked(desk: Desk, success: bool) -> None:
    """It is done when it is written, follows from its parent, is part of it, and is one event."""
    task = add(desk)
    before = written(desk)

    outcome = record_outcome(desk, task.id, "p95 fell to 40 ms", success=success, description="Measured twice.")

    assert written(desk) == before + 1
    assert (outcome.status, outcome.metadata["success"]) == (S.COMPLETED, "true" if success else "false")
    assert outcome.completed_ms == desk.clock.now_ms()
    assert edges_of(desk, EdgeType.LEADS_TO) == edges_of(desk, EdgeType.CONTAINS) == {(task.id, outcome.id)}
    (entry,) = desk.entries(task.id, [EventType.EVIDENCE])
    assert entry.event.text.startswith("Worked: p95" if success else "Did not work: p95")


def test_an_outcome_of_an_option_is_part_of_the_decision(desk: Desk) -> None:
    """Options contain nothing; the decision does."""
    logged = storage(desk)

    outcome = record_outcome(desk, logged.options[0].id, "It holds", success=True)

    assert outcome.parent == logged.node.id
    assert (logged.options[0].id, outcome.id) in edges_of(desk, EdgeType.LEADS_TO)


def test_b10_an_observation_informs_what_it_is_about(desk: Desk) -> None:
    """One event; without a subject it stands alone."""
    task = add(desk)
    before = written(desk)

    seen = record_observation(desk, "The cache is cold after deploys", about=task.id)
    alone = record_observation(desk, "Fridays are slow")

    assert written(desk) == before + 2
    assert (seen.status, seen.parent, alone.parent) == (S.ACTIVE, task.id, None)
    assert edges_of(desk, EdgeType.INFORMS) == {(seen.id, task.id)}
    assert desk.entries(task.id, [EventType.FINDING])[0].event.text == "The cache is cold after deploys"


def test_c34_a_new_look_supersedes_the_old_decision_in_one_event(desk: Desk) -> None:
    """Outcome, new look and new decision follow each other; the old one is superseded, and so is its event."""
    whole = goal(desk)
    logged = storage(desk, whole.id)
    choose_option(desk, logged.node.id, "Redis", "fast")
    outcome = record_outcome(desk, logged.node.id, "Redis went down", success=False)
    before = written(desk)

    look = revisit(desk, outcome.id, "It loses sessions", new_decision="Where now?", options=["SQLite", "Files"])

    assert written(desk) == before + 1
    assert look.old
    assert look.new
    assert (look.old.id, look.old.status) == (logged.node.id, S.SUPERSEDED)
    assert (look.node.type, look.node.status, look.node.description) == (
        NodeType.REVISIT,
        S.COMPLETED,
        "It loses sessions",
    )
    assert (look.new.node.status, look.new.node.parent) == (S.ACTIVE, whole.id)
    assert [option.title for option in look.new.options] == ["SQLite", "Files"]
    leads_to = edges_of(desk, EdgeType.LEADS_TO)
    assert {(outcome.id, look.node.id), (look.node.id, look.new.node.id)} <= leads_to
    assert edges_of(desk, EdgeType.SUPERSEDES) == {(look.new.node.id, logged.node.id)}
    (choice,) = desk.entries(whole.id, [EventType.DECISION])
    assert choice.superseded_by == desk.entries(whole.id, [EventType.SUPERSEDE])[0].event.id


def test_c34_without_a_new_decision_the_new_look_itself_supersedes(desk: Desk) -> None:
    """What will be done instead is still open."""
    logged = storage(desk)
    choose_option(desk, logged.node.id, "Redis")
    outcome = record_outcome(desk, logged.options[1].id, "Redis went down", success=False)

    look = revisit(desk, outcome.id, "It loses sessions")

    assert (look.node.status, look.new) == (S.ACTIVE, None)
    assert edges_of(desk, EdgeType.SUPERSEDES) == {(look.node.id, logged.node.id)}
    with pytest.raises(BadChange, match=f"{logged.node.id} is superseded already by {look.node.id}"):
        revisit(desk, outcome.id, "again")


def test_an_outcome_of_work_that_followed_leads_back_to_the_decision(desk: Desk) -> None:
    """Decision, task that it led to, outcome of the task."""
    logged = storage(desk)
    task = add(desk, "Build it", parent=logged.node)
    outcome = record_outcome(desk, task.id, "Too slow", success=False)

    assert revisit(desk, outcome.id, "Too slow").old == decision_of(desk, logged.node.id).node


def test_an_outcome_without_a_decision_can_be_revisited(desk: Desk) -> None:
    """There is nothing to supersede; the work goes another way from here."""
    task = add(desk)
    outcome = record_outcome(desk, task.id, "Too slow", success=False)

    look = revisit(desk, outcome.id, "Try again", new_decision="How?")

    assert look.old is None
    assert look.new
    assert next(entry.acts_as for entry in desk.entries(task.id)) is EventType.REDIRECT


def test_a_new_look_needs_a_reason_and_an_outcome(desk: Desk) -> None:
    """And options need a decision."""
    task = add(desk)
    outcome = record_outcome(desk, task.id, "Too slow", success=False)

    with pytest.raises(BadInput, match="Say why"):
        revisit(desk, outcome.id, "  ")
    with pytest.raises(BadInput, match="Options belong to a decision"):
        revisit(desk, outcome.id, "x", options=["A"])
    with pytest.raises(NodeNotFound, match="not an outcome"):
        revisit(desk, task.id, "x")


@pytest.mark.parametrize(
    "verb",
    [
        lambda desk: log_decision(desk, "  \n "),
        lambda desk: log_decision(desk, "x" * 501),
        lambda desk: log_decision(desk, "Which?", options=["A", " "]),
        lambda desk: log_decision(desk, "Which?", description="x" * 1_000_001),
        lambda desk: log_decision(desk, "Which?", parent="g-nowhere"),
        lambda desk: record_outcome(desk, "t-nowhere", "Done", success=True),
        lambda desk: record_observation(desk, "\u202e", about=None),
        lambda desk: choose_option(desk, "d-nowhere", "A"),
    ],
)
def test_bad_input_changes_nothing(desk: Desk, verb: Callable[[Desk], Any]) -> None:
    """A clear error, and the journal as it was."""
    add(desk)
    before = state(desk)

    with pytest.raises((BadInput, NodeNotFound)):
        verb(desk)
    assert state(desk) == before


def test_titles_are_one_line_without_what_cannot_be_seen(desk: Desk) -> None:
    """Newlines, controls and marks that turn the direction of text do not get into titles; Markdown is text."""
    logged = log_decision(desk, "# Which\n\tone\u202e?", options=["*A*\x07"])

    assert logged.node.title == "# Which one ?"
    assert logged.options[0].title == "*A*"


def test_events_belong_to_the_work_they_were_made_in(desk: Desk, make_desk: MakeDesk) -> None:
    """Of a decision within a task the task's history tells; its project is the task's, whoever's desk it is."""
    task = add(desk, parent=goal(desk))
    elsewhere = make_desk("/elsewhere")
    logged = storage(elsewhere, task.id)
    choose_option(elsewhere, logged.node.id, "SQLite", "no server")
    record_outcome(elsewhere, logged.node.id, "It holds", success=True)

    assert {entry.event.type for entry in desk.entries(task.id)} >= {
        EventType.OPEN,
        EventType.DECISION,
        EventType.EVIDENCE,
    }
    assert {entry.event.project for entry in desk.entries(task.id)} == {desk.project}


def test_a_rebuild_gives_the_same_decisions(desk: Desk) -> None:
    """Options, order, reasons and what superseded what are all in the journal."""
    logged = storage(desk)
    choose_option(desk, logged.node.id, "Redis", "fast")
    outcome = record_outcome(desk, logged.node.id, "Down", success=False)
    revisit(desk, outcome.id, "Loses sessions", new_decision="Where now?", options=["SQLite"])
    before = [
        decision_of(desk, name)
        for name in sorted(n.id for n in desk.store.nodes.where(desk.owner, types=[NodeType.DECISION]))
    ]

    desk.ledger.rebuild()

    assert [decision_of(desk, decision.node.id) for decision in before] == before
