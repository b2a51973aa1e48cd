"""What went wrong with graphs and sessions in the systems before us, where no other test is its natural place."""

from datetime import timedelta

import pytest

from noctuary.authored import EventType
from noctuary.errors import BadInput
from noctuary.graph import EdgeType, Node, NodeStatus, Priority
from noctuary.recall.query import parse
from noctuary.testing import FakeClock
from noctuary.work.claims import claim
from noctuary.work.corrections import supersede
from noctuary.work.decisions import choose_option, log_decision, record_observation, record_outcome
from noctuary.work.desk import Desk
from noctuary.work.finding import find_events, find_nodes
from noctuary.work.handoff import handoff
from noctuary.work.interchange.exporting import export_goal
from noctuary.work.interchange.importing import import_goal, plan_import
from noctuary.work.linking import depend, link, move
from noctuary.work.notes import note
from noctuary.work.ready import ready
from noctuary.work.remembering import list_memories, remember
from noctuary.work.sessions import end_session, list_sessions, start_session
from noctuary.work.statuses import set_status
from noctuary.work.tasks import amend_node, close_node, list_tasks, open_goal, open_task, rename_node, show_node
from tests.unit.work.conftest import MakeDesk
from tests.unit.work.graph_maker import make, node
from tests.unit.work.graphs import add, become, edges_of, goal, state, written


def found(desk: Desk, text: str) -> list[str]:
    return [each.node.title for each in find_nodes(desk, parse(text, 0).terms)]


def test_b1_a_node_has_all_its_fields(desk: Desk, clock: FakeClock) -> None:
    """Whatever a node can have is kept as it was said, and given again by a rebuild."""
    whole = open_goal(desk, "Ship", description="All of it", labels=["shop"])
    task = open_task(
        desk, "Pay", goal="money", parent=whole.id, priority="high", labels=["card", "ui"], external=["gh-1"]
    )
    amend_node(desk, task.id, description="By card", metadata={"size": "S"})
    claim(desk, task.id, "ada")
    clock.advance(timedelta(hours=1))
    set_status(desk, task.id, "blocked", reason="no contract")

    stored = desk.node(task.id)

    assert stored == Node(
        id=task.id, type=task.type, title="Pay", status=NodeStatus.BLOCKED, project=desk.project,
        description="By card", priority=Priority.HIGH, assigned_to="ada", created_by="user", labels=("card", "ui"),
        parent=whole.id, goal="money", external=("gh-1",), blocked_reason="no contract",
        created_ms=task.created_ms, started_ms=task.created_ms, last_ms=task.created_ms + 3_600_000,
        metadata={"size": "S"},
    )  # fmt: skip
    desk.ledger.rebuild()
    assert desk.node(task.id) == stored


def test_b1_priorities_have_an_order_and_none_is_last(desk: Desk) -> None:
    """Critical before high before medium before low before none, whichever was made first."""
    for priority in (None, "low", "medium", "high", "critical"):
        open_task(desk, str(priority), priority=priority)

    assert [task.title for task in ready(desk).tasks] == ["critical", "high", "medium", "low", "None"]


def test_b3_every_type_of_edge_is_made_by_a_verb(desk: Desk) -> None:
    """None of them exists only on paper, and none has to be put together by hand."""
    whole = open_goal(desk, "Ship")
    first, second = open_task(desk, "First", parent=whole.id), open_task(desk, "Second", parent=whole.id)
    depend(desk, second.id, first.id)
    decision = log_decision(desk, "Which store", parent=whole.id, options=["SQLite", "Redis"])
    chosen, refused = (option.id for option in decision.options)
    choose_option(desk, decision.node.id, chosen, "one file")
    outcome = record_outcome(desk, first.id, "It holds", success=True)
    seen = record_observation(desk, "Redis restarts at night", about=first.id)
    third = open_task(desk, "Third", parent=whole.id)
    supersede(desk, second.id, by=third.id)
    link(desk, "discovered_from", third.id, first.id)

    assert (whole.id, first.id) in edges_of(desk, EdgeType.CONTAINS)
    assert edges_of(desk, EdgeType.DEPENDS_ON) == {(second.id, first.id)}
    assert edges_of(desk, EdgeType.LEADS_TO) >= {(decision.node.id, chosen), (first.id, outcome.id)}
    assert edges_of(desk, EdgeType.CHOSEN) == {(decision.node.id, chosen)}
    assert edges_of(desk, EdgeType.REJECTED) == {(decision.node.id, refused)}
    assert edges_of(desk, EdgeType.INFORMS) == {(seen.id, first.id)}
    assert edges_of(desk, EdgeType.SUPERSEDES) == {(third.id, second.id)}
    assert edges_of(desk, EdgeType.DISCOVERED_FROM) == {(third.id, first.id)}


def test_b4_c38_an_id_is_no_place_and_outlives_moves_and_names(desk: Desk) -> None:
    """What is moved and renamed is still called the same, and all that spoke of it still does."""
    one, other = goal(desk, "One"), goal(desk, "Other")
    task, waiter = add(desk, parent=one), add(desk, parent=one)
    depend(desk, waiter.id, task.id)
    said = note(desk, "finding", "It is slow", node=task.id).event.id

    move(desk, task.id, other.id)
    rename_node(desk, task.id, "Another name")

    assert desk.node(task.id).parent == other.id
    assert edges_of(desk, EdgeType.DEPENDS_ON) == {(waiter.id, task.id)}
    assert said in [entry.event.id for entry in desk.entries(task.id)]


def test_c25_what_is_there_already_is_not_told_as_new(desk: Desk) -> None:
    """Edges that are here are not counted as added, and the same file again does nothing."""
    whole = open_goal(desk, "Ship")
    open_task(desk, "Build", parent=whole.id)
    file = export_goal(desk, whole.id)
    before = state(desk)

    plan = import_goal(desk, file)

    assert (plan.added_nodes, plan.added_edges, plan.changed, plan.unchanged) == ([], [], [], 2)
    assert state(desk) == before


def test_c25_version_and_content_are_looked_at(desk: Desk) -> None:
    """A file of another version is refused, and one that was edited since it was written is told."""
    whole = open_goal(desk, "Ship")
    file = export_goal(desk, whole.id)

    assert not plan_import(desk, file).is_edited
    assert plan_import(desk, file.replace('"Ship"', '"Sail"')).is_edited
    with pytest.raises(BadInput, match="version 99"):
        plan_import(desk, file.replace("version = 1", "version = 99"))


def test_c27_what_fails_midway_leaves_nothing_and_blocks_nobody(desk: Desk, make_desk: MakeDesk) -> None:
    """An end that is not reached writes neither line nor row, and the next one to write can."""
    session = start_session(desk, goal(desk).id).session
    before = state(desk)

    change = {"sessions": [{"id": session.id, "goal": session.goal, "ended": True, "notes": "half"}]}

    def end_and_fail() -> None:
        with desk.writing() as write:
            write(EventType.STATUS, node=session.goal, change=change)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        end_and_fail()

    assert state(desk) == before
    assert list_sessions(desk) == [session]
    assert end_session(make_desk(), session.id).notes == handoff(desk, session.goal)


def test_c32_nodes_are_found_by_labels_names_elsewhere_and_metadata(desk: Desk) -> None:
    """Whatever was said of a node is a way to it, as long as it is still said."""
    task = open_task(desk, "Pay by card", labels=["check-out"], external=["SHOP-417"])
    record_outcome(desk, task.id, "Customers pay", success=True)
    amend_node(desk, task.id, metadata={"vendor": "Zebra\nLtd"})

    assert found(desk, "check-out") == found(desk, "shop-417") == found(desk, "zebra") == ["Pay by card"]
    assert found(desk, "vendor") == found(desk, "true") == []
    amend_node(desk, task.id, remove_labels=["check-out"], metadata={"vendor": None})
    assert found(desk, "check-out") == found(desk, "zebra") == []
    assert found(desk, "shop-417") == ["Pay by card"]


@pytest.mark.parametrize("value", ["x", '"x"', "{}", "null", "a\nb", "\\"])
def test_c33_metadata_stays_as_it_was_said(desk: Desk, value: str) -> None:
    """No quotes are put around it, and what looks like JSON is text."""
    task = add(desk)

    amend_node(desk, task.id, metadata={"note": value})

    assert desk.node(task.id).metadata == {"note": value.strip()}


def test_c35_all_that_waits_behind_what_is_stuck_is_counted(desk: Desk) -> None:
    """Not only what depends on the failed task itself, but what depends on that, too."""
    first = add(desk, "First")
    second = add(desk, "Second", after=(first,))
    third = add(desk, "Third", after=(second,))
    add(desk, "Fourth", after=(third,))
    become(desk, first, NodeStatus.FAILED)

    answer = ready(desk)

    assert answer.tasks == []
    assert [(stuck.task.id, [wait.on for wait in stuck.on], stuck.behind) for stuck in answer.stuck] == [
        (second.id, [first.id], 2)
    ]


def test_c38_every_change_is_in_the_history(desk: Desk) -> None:
    """Who did what, in order, with the reason; nothing changes without an entry, and nothing is edited away."""
    task = open_task(desk, "Pay")
    rename_node(desk, task.id, "Pay by card")
    amend_node(desk, task.id, priority="high")
    claim(desk, task.id, "ada")
    set_status(desk, task.id, "blocked", reason="no contract")
    close_node(desk, task.id, reason="no money", tag="abandoned")

    history = [entry.event for entry in reversed(desk.entries(task.id))]

    assert [str(event.type) for event in history] == ["open", "rename", "amend", "status", "status", "close"]
    assert [event.text for event in history if event.type is EventType.STATUS] == ["claimed by ada", "no contract"]
    assert all(event.recorded_ms and event.author == "user" for event in history)
    assert written(desk) == len(history)


def test_d3_a_session_ends_only_when_somebody_ends_it(desk: Desk, clock: FakeClock) -> None:
    """Neither time nor finished work is taken for an end."""
    whole = goal(desk)
    task = add(desk, parent=whole)
    session = start_session(desk, whole.id).session
    close_node(desk, task.id)
    close_node(desk, whole.id)
    clock.advance(timedelta(days=400))

    assert list_sessions(desk) == [session]
    assert session.ended_ms is None


def test_d76_what_ended_is_never_opened_again(desk: Desk, clock: FakeClock) -> None:
    """The next start on the goal is another session; that which ended keeps its end, its agents and its notes."""
    whole = goal(desk)
    start_session(desk, whole.id, ["ada"])
    ended = end_session(desk, summary="done")
    clock.advance(timedelta(hours=1))

    fresh = start_session(desk, whole.id, ["bo"])

    assert fresh.is_new
    assert fresh.session.id != ended.id
    assert list_sessions(desk) == [fresh.session, ended]


def test_d78_lists_have_one_order_also_where_times_are_equal(desk: Desk) -> None:
    """Sessions and tasks of the very same moment come in the same order every time, also after a rebuild."""
    make(desk, *(node(f"t-{number}", "pending") for number in (3, 1, 2)))
    for number in (1, 2, 3):
        start_session(desk, f"t-{number}")
    tasks, sessions = list_tasks(desk), list_sessions(desk)

    desk.ledger.rebuild()

    assert len({session.started_ms for session in sessions}) == 1
    assert (list_tasks(desk), list_sessions(desk)) == (tasks, sessions)
    assert [task.id for task in ready(desk).tasks] == ["t-1", "t-2", "t-3"]


def test_j7_10_tasks_are_listed_by_status_without_a_query(desk: Desk, make_desk: MakeDesk) -> None:
    """Open ones are a question of its own, and the answer has titles and goals, not bare ids."""
    open_task(desk, "Pay", goal="money")
    close_node(desk, open_task(desk, "Ship").id)
    open_task(make_desk("/elsewhere"), "Other")

    assert [(task.title, task.goal, str(task.status)) for task in list_tasks(desk, status="open")] == [
        ("Pay", "money", "ready")
    ]
    assert [task.title for task in list_tasks(desk, status="closed")] == ["Ship"]


def test_j7_11_a_type_is_no_word(desk: Desk) -> None:
    """To look for `decision` finds what speaks of one, and to look among decisions is another question."""
    note(desk, "decision", "Use SQLite")
    note(desk, "finding", "The decision was hard")
    open_task(desk, "Pay")
    terms = parse("decision", 0).terms

    assert [each.entry.event.text for each in find_events(desk, terms)] == ["The decision was hard"]
    assert find_events(desk, terms, types=[EventType.DECISION]) == []
    assert found(desk, "task") == []


def test_j7_11_events_are_found_by_their_date(desk: Desk, clock: FakeClock) -> None:
    """Only what was said since then, if that is asked."""
    note(desk, "finding", "The cache is slow")
    clock.advance(timedelta(days=2))
    since = clock.now_ms()
    note(desk, "finding", "The cache is fast")

    recent = find_events(desk, parse("cache", 0).terms, since_ms=since)

    assert [each.entry.event.text for each in recent] == ["The cache is fast"]


def test_j7_17_a_memory_keeps_its_kind_its_time_and_its_place(
    desk: Desk, make_desk: MakeDesk, clock: FakeClock
) -> None:
    """What sort of sentence it is and when it was said is written down with it, and it is known where it holds."""
    then = clock.now_ms()
    remember(desk, "Tests run with make", kind="procedure", everywhere=True)
    clock.advance(timedelta(days=1))

    (kept,) = list_memories(make_desk("/elsewhere"))

    assert (kept.text, str(kept.kind), kept.recorded_ms) == ("Tests run with make", "procedure", then)


def test_c38_a_move_shows_at_both_ends(desk: Desk) -> None:
    """What was moved is where it is now, and no longer where it was."""
    one, other = goal(desk, "One"), goal(desk, "Other")
    task = add(desk, parent=one)

    move(desk, task.id, other.id)

    assert show_node(desk, one.id).children == []
    assert [child.id for child in show_node(desk, other.id).children] == [task.id]
