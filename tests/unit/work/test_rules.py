"""What may be done to the graph, as tables: every status, every step, every kind of edge."""

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.authored import EventType
from noctuary.errors import BadChange, BadInput, NodeNotFound
from noctuary.graph import EdgeType, NodeStatus, NodeType, Priority
from noctuary.work.desk import Desk
from noctuary.work.rules import (
    check_change,
    edge_type_named,
    node_type_named,
    priority_named,
    status_named,
)
from tests.unit.work.conftest import MakeDesk
from tests.unit.work.graphs import add, goal, state

# For each type its statuses, and what may follow each; whatever is not here is refused.
STEPS = {
    "goal": {
        "pending": "active cancelled",
        "active": "pending completed cancelled",
        "completed": "active",
        "cancelled": "active",
    },
    "task": {
        "pending": "ready claimed in_progress blocked cancelled",
        "ready": "pending claimed in_progress blocked cancelled",
        "claimed": "pending ready in_progress blocked cancelled",
        "in_progress": "pending ready claimed review completed blocked failed cancelled",
        "review": "in_progress completed blocked failed cancelled",
        "blocked": "pending ready in_progress failed cancelled",
        "completed": "pending ready in_progress",
        "failed": "pending ready in_progress cancelled",
        "cancelled": "pending ready",
    },
    "decision": {
        "pending": "active decided superseded",
        "active": "pending decided superseded",
        "decided": "superseded",
        "superseded": "",
    },
    "option": {
        "pending": "active chosen rejected abandoned",
        "active": "pending chosen rejected abandoned",
        "chosen": "abandoned",
        "rejected": "abandoned",
        "abandoned": "active",
    },
    "outcome": {"active": "completed", "completed": "active"},
    "observation": {"active": ""},
    "revisit": {"active": "completed", "completed": "active"},
}
ENDS_OF_WORK = {"completed", "decided", "failed", "cancelled", "superseded", "chosen", "rejected"}
# From which types to which an edge may lead: g(oal), t(ask), d(ecision), o(ption), u (outcome), b (observation),
# r(evisit).
JOINED = {
    "contains": ("gtd", "tdoubr"),
    "depends_on": ("gtd", "gtd"),
    "leads_to": ("gtdour", "tdoubr"),
    "chosen": ("d", "o"),
    "rejected": ("d", "o"),
    "supersedes": ("gtdoubr", "gtdoubr"),
    "informs": ("ubr", "gtdoubr"),
    "discovered_from": ("gtdoubr", "gtdoubr"),
}
LETTERS = {
    NodeType.GOAL: "g",
    NodeType.TASK: "t",
    NodeType.DECISION: "d",
    NodeType.OPTION: "o",
    NodeType.OUTCOME: "u",
    NodeType.OBSERVATION: "b",
    NodeType.REVISIT: "r",
}


def check(desk: Desk, change: dict[str, Any], *, is_verb: bool = False) -> None:
    check_change(desk.store.nodes, desk.owner, change, project=desk.project, is_verb=is_verb)


def is_allowed(desk: Desk, change: dict[str, Any], *, is_verb: bool = False) -> bool:
    try:
        check(desk, change, is_verb=is_verb)
    except BadChange:
        return False
    return True


@pytest.mark.parametrize("kind", NodeType)
def test_b2_every_step_is_allowed_or_refused_as_the_table_says(desk: Desk, kind: NodeType) -> None:
    """Of each type, from each status to each of all fifteen: only legal steps, and staying."""
    for old, nexts in STEPS[kind].items():
        node = add(desk, kind=kind, status=NodeStatus(old))
        for new in NodeStatus:
            expected = new in STEPS[kind] and (new == old or new in nexts.split())
            assert is_allowed(desk, {"set": {node.id: {"status": str(new)}}}) is expected, f"{kind} {old} → {new}"


@pytest.mark.parametrize("kind", NodeType)
def test_b2_a_verb_may_jump_to_an_end_but_not_from_one(desk: Desk, kind: NodeType) -> None:
    """Closing and superseding end a node from wherever it stands; what has ended takes legal steps only."""
    for old, nexts in STEPS[kind].items():
        node = add(desk, kind=kind, status=NodeStatus(old))
        for new in NodeStatus:
            jumps = new in ENDS_OF_WORK and old not in ENDS_OF_WORK
            expected = new in STEPS[kind] and (new == old or jumps or new in nexts.split())
            change = {"set": {node.id: {"status": str(new)}}}
            assert is_allowed(desk, change, is_verb=True) is expected, f"{kind} {old} → {new}"


@pytest.mark.parametrize("kind", NodeType)
def test_c33_a_node_is_made_only_in_a_status_that_it_can_have(desk: Desk, kind: NodeType) -> None:
    """An outcome that is pending, or a task that is decided, is never made."""
    for status in NodeStatus:
        node = {"id": "x-1", "type": str(kind), "title": "It", "status": str(status)}
        assert is_allowed(desk, {"nodes": [node]}) is (status in STEPS[kind]), f"{kind} {status}"


def test_c33_an_illegal_step_names_what_is_legal(desk: Desk) -> None:
    """A refusal says where the node stands and where it can go from there."""
    task = add(desk)

    with pytest.raises(BadChange, match=f"{task.id} is pending and cannot become completed .* in_progress, ready"):
        check(desk, {"set": {task.id: {"status": "completed"}}})
    with pytest.raises(BadChange, match=f"{task.id} is a task and cannot be decided; it can be blocked, "):
        check(desk, {"set": {task.id: {"status": "decided"}}})


def test_what_a_change_makes_may_be_set_to_any_status_of_its_type(desk: Desk) -> None:
    """A node that a change makes and sets has no earlier status; what it is set to must still exist."""
    node = {"id": "t-1", "type": "task", "title": "It", "status": "pending"}

    check(desk, {"nodes": [node], "set": {"t-1": {"status": "completed"}}})
    with pytest.raises(BadChange, match="cannot be chosen"):
        check(desk, {"nodes": [node], "set": {"t-1": {"status": "chosen"}}})


@pytest.mark.parametrize("kind", EdgeType)
def test_c29_each_edge_joins_only_the_types_it_is_for(desk: Desk, kind: EdgeType) -> None:
    """All pairs of types for all edges: a rejected task or a goal inside an observation cannot be."""
    starts = {letter: add(desk, kind=node_type) for node_type, letter in LETTERS.items()}
    ends = {letter: add(desk, kind=node_type) for node_type, letter in LETTERS.items()}
    for one, start in starts.items():
        for other, end in ends.items():
            change = {"edges": [{"type": str(kind), "from": start.id, "to": end.id}]}
            expected = one in JOINED[kind][0] and other in JOINED[kind][1]
            assert is_allowed(desk, change) is expected, f"{start.type} {kind} {end.type}"


@pytest.mark.parametrize("kind", EdgeType)
def test_c29_no_edge_leads_from_a_node_to_itself(desk: Desk, kind: EdgeType) -> None:
    """A self-edge is refused, whatever its type."""
    for node_type in NodeType:
        node = add(desk, kind=node_type)
        assert not is_allowed(desk, {"edges": [{"type": str(kind), "from": node.id, "to": node.id}]})


def test_c33_unknown_nodes_are_never_changed_silently(desk: Desk) -> None:
    """A change of a node that is not there is an error, wherever the node is named."""
    task = add(desk)
    for change in (
        {"set": {"t-nowhere": {"title": "x"}}},
        {"edges": [{"type": "depends_on", "from": task.id, "to": "t-nowhere"}]},
        {"unlink": [{"type": "depends_on", "from": "t-nowhere", "to": task.id}]},
    ):
        with pytest.raises(NodeNotFound, match="There is no node 't-nowhere'"):
            check(desk, change)


def test_c33_unknown_types_in_a_change_are_named(desk: Desk) -> None:
    """A type of node or edge that is not known is refused with those that are; no ValueError gets out."""
    task = add(desk)

    with pytest.raises(BadChange, match="no type of node 'epic'; there are goal, task, "):
        check(desk, {"nodes": [{"id": "e-1", "type": "epic", "title": "x", "status": "pending"}]})
    with pytest.raises(BadChange, match="no type of edge 'blocks'; there are contains, depends_on, "):
        check(desk, {"edges": [{"type": "blocks", "from": task.id, "to": task.id}]})


def test_c30_a_node_is_made_once(desk: Desk) -> None:
    """An id that is taken, or twice in one change, is refused."""
    task = add(desk)
    twin = {"id": "t-1", "type": "task", "title": "It", "status": "pending"}

    with pytest.raises(BadChange, match=f"There is a node {task.id} already"):
        check(desk, {"nodes": [{**twin, "id": task.id}]})
    with pytest.raises(BadChange, match="There is a node t-1 already"):
        check(desk, {"nodes": [twin, twin]})


def test_a_node_has_one_parent(desk: Desk) -> None:
    """A second parent is refused, unless the first is taken off in the same change; two at once are refused too."""
    one, other = goal(desk), goal(desk)
    task = add(desk, parent=one)
    to_other = [{"type": "contains", "from": other.id, "to": task.id}]

    with pytest.raises(BadChange, match=f"{task.id} is part of {one.id} already"):
        check(desk, {"edges": to_other})
    check(desk, {"edges": to_other, "unlink": [{"type": "contains", "from": one.id, "to": task.id}]})
    loose = add(desk)
    both = [{"type": "contains", "from": whole.id, "to": loose.id} for whole in (one, other)]
    with pytest.raises(BadChange, match=f"{loose.id} cannot be part of 2 nodes"):
        check(desk, {"edges": both})


def test_a_journal_changes_only_nodes_of_its_own_project(desk: Desk, make_desk: MakeDesk) -> None:
    """Journals are folded in any order, so one never sets what another made; it may lead to it."""
    here, there = add(desk), add(make_desk("/elsewhere"))

    check(desk, {"edges": [{"type": "depends_on", "from": here.id, "to": there.id}]})
    for change in (
        {"set": {there.id: {"status": "blocked"}}},
        {"edges": [{"type": "depends_on", "from": there.id, "to": here.id}]},
        {"unlink": [{"type": "depends_on", "from": there.id, "to": here.id}]},
    ):
        with pytest.raises(BadChange, match=f"{there.id} is of another project"):
            check(desk, change)
    with pytest.raises(BadChange, match=r"of another project than .* cannot be part of it"):
        check(desk, {"edges": [{"type": "contains", "from": here.id, "to": there.id}]})


def test_what_is_refused_leaves_everything_as_it_was(desk: Desk) -> None:
    """A refused change writes nothing: the journal has the same bytes."""
    task = add(desk)
    before = state(desk)

    with pytest.raises(BadChange), desk.writing() as write:
        write(EventType.STATUS, node=task.id, change={"set": {task.id: {"status": "completed"}}})
    assert state(desk) == before


@pytest.mark.parametrize(
    "typed", ["in_progress", "inprogress", "InProgress", "IN-PROGRESS", "in progress", " in_progress"]
)
def test_b2_statuses_are_read_in_any_case_and_spelling(typed: str) -> None:
    """What other tools write for a status is understood."""
    assert status_named(typed) is NodeStatus.IN_PROGRESS


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        ("dependson", EdgeType.DEPENDS_ON),
        ("Depends On", EdgeType.DEPENDS_ON),
        ("LEADSTO", EdgeType.LEADS_TO),
        ("leads-to", EdgeType.LEADS_TO),
        ("Contains", EdgeType.CONTAINS),
        ("discoveredFrom", EdgeType.DISCOVERED_FROM),
    ],
)
def test_b2_types_of_edges_are_read_in_any_case_and_spelling(typed: str, kind: EdgeType) -> None:
    """`dependson` and `leadsto` are spellings that are around."""
    assert edge_type_named(typed) is kind


def test_types_and_priorities_are_read_in_any_case() -> None:
    """So are the others."""
    assert node_type_named("TASK") is NodeType.TASK
    assert priority_named("Critical") is Priority.CRITICAL


@pytest.mark.parametrize(
    ("read", "listed"),
    [
        (status_named, "pending, active, ready"),
        (node_type_named, "goal, task, decision"),
        (edge_type_named, "contains, depends_on"),
        (priority_named, "critical, high, medium, low"),
    ],
)
def test_c33_unknown_names_are_refused_with_those_there_are(read: Callable[[str], object], listed: str) -> None:
    """A name that means nothing is never dropped silently; a long one is cut in the message."""
    for typed in ("", "done-ish", "x" * 100_000, "\0", "in_progress; drop table"):
        with pytest.raises(BadInput, match=f"there are {listed}") as refused:
            read(typed)
        assert len(str(refused.value)) < 400


@given(st.text(max_size=30))
def test_any_text_is_a_name_or_refused(text: str) -> None:
    """Whatever is typed, there is a status or BadInput."""
    with contextlib.suppress(BadInput):
        assert status_named(text) in NodeStatus
