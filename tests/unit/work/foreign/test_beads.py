"""Issues of Beads become tasks and goals, and a newer file brings what has changed."""

import json
from typing import Any

import pytest

from noctuary.authored import EventSource, EventType, Trust
from noctuary.errors import BadInput
from noctuary.graph import EdgeType, NodeStatus, NodeType, Priority
from noctuary.journal.lines import moment
from noctuary.ledger.changes import is_id
from noctuary.work.desk import Desk
from noctuary.work.exchange import export_journal
from noctuary.work.foreign.files import import_lines
from noctuary.work.tasks import open_task

CREATED, UPDATED, CLOSED = "2025-10-14T12:00:00.123456-07:00", "2025-10-15T09:00:00Z", "2025-10-16T08:00:00Z"


def issue(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": name,
        "title": f"Issue {name}",
        "status": "open",
        "priority": 2,
        "issue_type": "task",
        "created_at": CREATED,
        "updated_at": UPDATED,
    } | fields


def on(name: str, other: str, kind: str = "blocks") -> dict[str, str]:
    return {"issue_id": name, "depends_on_id": other, "type": kind, "created_at": UPDATED, "created_by": "ana"}


EPIC = issue("bd-1", issue_type="epic", title="Payments", description="All of it", priority=0, labels=["money"])
FULL = issue(
    "bd-2", title="Card\nform", description="Long\ntext", status="in_progress", priority=1, issue_type="feature",
    assignee="ben", created_by="ana", labels=["ui", "b"], external_ref="gh-9", design="a form", notes="see wiki",
    acceptance_criteria="it works", estimated_minutes=90, due_at=CLOSED, pinned=True, bonded_from=[{"source_id": "x"}],
    dependencies=[on("bd-2", "bd-1", "parent-child"), on("bd-2", "bd-3"), on("bd-2", "bd-4", "related"),
                  on("bd-2", "bd-3", "discovered-from")],
    comments=[{"id": 1, "issue_id": "bd-2", "author": "ben", "text": "half done", "created_at": CLOSED}],
)  # fmt: skip
DONE = issue("bd-3", status="closed", closed_at=CLOSED, close_reason="merged in 75f65e2", priority=4)
BLOCKED = issue("bd-4", status="deferred", defer_until=CLOSED, issue_type="chore", priority=3)
GONE = issue("bd-5", status="tombstone", deleted_at=CLOSED, delete_reason="dup", issue_type="bug")
ALL = [EPIC, FULL, DONE, BLOCKED, GONE]


def as_lines(records: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(record, ensure_ascii=False) + "\n" for record in records]


def test_an_issue_becomes_a_task_with_all_its_fields(desk: Desk) -> None:
    """Fields have their places; what has none is metadata, letter for letter."""
    report = import_lines(desk, as_lines(ALL))
    task = desk.node("bd-2")

    assert (list(report.bad), list(report.notes)) == ([], [])
    assert (task.type, task.title, task.description) == (NodeType.TASK, "Card form", "Long\ntext")
    assert (task.status, task.priority) == (NodeStatus.IN_PROGRESS, Priority.HIGH)
    assert (task.assigned_to, task.created_by) == ("ben", "ana")
    assert (list(task.labels), list(task.external)) == (["ui", "b"], ["gh-9"])
    assert task.created_ms == moment(CREATED)
    assert task.metadata == {
        "design": "a form", "notes": "see wiki", "acceptance_criteria": "it works", "estimated_minutes": "90",
        "due_at": CLOSED, "pinned": "true", "bonded_from": '[{"source_id": "x"}]', "issue_type": "feature",
        "updated_at": UPDATED,
    }  # fmt: skip


def test_statuses_and_priorities_are_ours(desk: Desk) -> None:
    """Closed is completed, deferred is blocked and says until when, what was deleted is cancelled; 4 is no priority."""
    import_lines(desk, as_lines(ALL))
    done, blocked, gone = (desk.node(name) for name in ("bd-3", "bd-4", "bd-5"))

    assert (done.status, done.outcome, done.outcome_tag) == (NodeStatus.COMPLETED, "merged in 75f65e2", "done")
    assert (done.completed_ms, done.priority) == (moment(CLOSED), None)
    assert (blocked.status, blocked.blocked_reason) == (NodeStatus.BLOCKED, f"deferred until {CLOSED}")
    assert (gone.status, gone.completed_ms) == (NodeStatus.CANCELLED, moment(CLOSED))
    assert gone.metadata["delete_reason"] == "dup"


def test_an_epic_is_a_goal_and_dependencies_are_edges(desk: Desk) -> None:
    """Parent and child, what blocks, what it was found in; what is only related is a labelled edge."""
    import_lines(desk, as_lines(ALL))
    edges = {
        (edge.type, edge.from_id, edge.to_id, edge.label) for edge in desk.store.nodes.edges_of(desk.owner, ["bd-2"])
    }

    assert (desk.node("bd-1").type, desk.node("bd-1").status) == (NodeType.GOAL, NodeStatus.ACTIVE)
    assert desk.node("bd-2").parent == "bd-1"
    assert edges == {
        (EdgeType.CONTAINS, "bd-1", "bd-2", None),
        (EdgeType.DEPENDS_ON, "bd-2", "bd-3", None),
        (EdgeType.DISCOVERED_FROM, "bd-2", "bd-3", None),
        (EdgeType.LEADS_TO, "bd-2", "bd-4", "related"),
    }


def test_an_epic_within_an_epic_is_a_task_with_children(desk: Desk) -> None:
    """Goals are at the top."""
    inner = issue("bd-6", issue_type="epic", dependencies=[on("bd-6", "bd-1", "parent-child")])
    leaf = issue("bd-7", dependencies=[on("bd-7", "bd-6", "parent-child")])

    import_lines(desk, as_lines([leaf, inner, EPIC]))

    assert (desk.node("bd-6").type, desk.node("bd-6").parent) == (NodeType.TASK, "bd-1")
    assert desk.node("bd-7").parent == "bd-6"


def test_the_whole_line_and_every_comment_is_in_the_journal(desk: Desk) -> None:
    """Nothing is lost, and nothing is trusted more than an import is."""
    import_lines(desk, as_lines(ALL))
    entries = desk.entries("bd-2")
    kept = [entry.event.meta["beads"] for entry in entries if entry.event.type is EventType.AMEND]
    (comment,) = [entry.event for entry in entries if entry.event.type is EventType.FINDING]

    assert kept == [FULL]
    assert (comment.text, comment.meta["beads"]["author"], comment.ts_ms) == ("half done", "ben", moment(CLOSED))
    assert {(entry.event.source, entry.event.trust) for entry in entries} == {(EventSource.IMPORT, Trust.IMPORT)}


def test_importing_twice_adds_nothing_and_a_newer_file_what_has_changed(desk: Desk) -> None:
    """Every event's id belongs to what it says."""
    import_lines(desk, as_lines(ALL))
    before = list(export_journal(desk.ledger))
    assert import_lines(desk, as_lines(ALL)).added == 0
    assert list(export_journal(desk.ledger)) == before

    newer = FULL | {"status": "closed", "closed_at": "2025-11-01T00:00:00Z", "title": "Card form, done"}
    report = import_lines(desk, as_lines([EPIC, newer, DONE, BLOCKED, GONE]))

    assert report.added == 1
    assert (desk.node("bd-2").status, desk.node("bd-2").title) == (NodeStatus.COMPLETED, "Card form, done")


def test_an_issue_that_got_another_parent_is_moved(desk: Desk) -> None:
    """It is part of one thing only."""
    import_lines(desk, as_lines(ALL))
    other = issue("bd-8", issue_type="epic")
    moved = FULL | {"dependencies": [on("bd-2", "bd-8", "parent-child")], "updated_at": CLOSED}

    import_lines(desk, as_lines([EPIC, other, moved, DONE, BLOCKED]))

    assert desk.node("bd-2").parent == "bd-8"
    assert [node.id for node in desk.store.nodes.subtree(desk.owner, "bd-1")] == ["bd-1"]


def test_missing_ends_circles_and_second_parents_are_noted(desk: Desk) -> None:
    """The issue is read; the edge that cannot be is told with the line."""
    records = [
        issue("bd-1", dependencies=[on("bd-1", "bd-2"), on("bd-1", "bd-1")]),
        issue("bd-2", dependencies=[on("bd-2", "bd-1"), on("bd-2", "bd-99")]),
        issue("bd-3", dependencies=[on("bd-3", "bd-1", "parent-child"), on("bd-3", "bd-2", "parent-child")]),
    ]

    report = import_lines(desk, as_lines(records))

    assert [note.number for note in report.notes] == [1, 2, 2, 3]
    assert "bd-99 is neither in the file nor here" in report.notes[2].why
    assert desk.node("bd-3").parent == "bd-1"
    assert len(desk.store.nodes.edges_of(desk.owner, ["bd-1", "bd-2", "bd-3"])) == 2


def test_an_issue_may_depend_on_what_is_here(desk: Desk) -> None:
    """And a circle through what is here is one too."""
    task = open_task(desk, "Ours")
    first = issue("bd-1", dependencies=[on("bd-1", task.id)])
    import_lines(desk, as_lines([first]))
    with desk.writing() as write:
        edge = {"type": "depends_on", "from": task.id, "to": "bd-1"}
        write(EventType.UNLINK, node=task.id, change={"unlink": [{**edge, "from": "bd-1", "to": task.id}]})
        write(EventType.LINK, node=task.id, change={"edges": [edge]})

    report = import_lines(desk, as_lines([first]))

    assert "closes a circle" in report.notes[0].why


def test_two_projects_may_both_have_a_bd_1(desk: Desk) -> None:
    """Their ids are counted in many a repository; here the second one's get other names, the same each time."""
    lines = as_lines([EPIC, issue("bd-2", dependencies=[on("bd-2", "bd-1", "parent-child")])])
    import_lines(desk, lines)

    first, second = (import_lines(desk, lines, "/elsewhere") for _ in range(2))
    (goal,), (task,) = (
        desk.store.nodes.where(desk.owner, project="/elsewhere", types=[kind])
        for kind in (NodeType.GOAL, NodeType.TASK)
    )

    assert (first.added, second.added) == (5, 0)
    assert (goal.title, task.parent) == ("Payments", goal.id)
    assert goal.metadata["beads_id"] == "bd-1"
    assert not [*first.notes, *second.notes]


def test_bad_lines_are_set_aside(desk: Desk) -> None:
    """No title, wrong types, too long, torn: told with number and reason; custom statuses and types are read."""
    lines = [
        "\ufeff" + as_lines([EPIC])[0].replace("\n", "\r\n"),
        *as_lines([issue("bd-2", title=" "), issue(""), issue("bd-3", labels="x"), issue("bd-4", description=["x"])]),
        '{"id": "bd-5", "title"',
        *as_lines([issue("bd-6", description="x" * 1_000_000, dependencies=[on("bd-6", "bd-7")])]),
        *as_lines(
            [issue("bd-7", status="triage", issue_type="spike", priority="high", created_at="?", comments=["hm"])]
        ),
    ]

    report = import_lines(desk, lines)

    assert [bad.number for bad in report.bad] == [2, 3, 4, 5, 6, 7]
    assert (desk.node("bd-7").status, desk.node("bd-7").priority) == (NodeStatus.PENDING, None)
    assert desk.node("bd-7").metadata["issue_type"] == "spike"
    assert desk.store.nodes.edges_of(desk.owner, ["bd-6", "bd-7"]) == []


@pytest.mark.parametrize("lines", [['{"a": 1}'], ["x"], []])
def test_lines_of_nobody_are_refused(desk: Desk, lines: list[str]) -> None:
    """What no tool that is known here wrote is not guessed at."""
    with pytest.raises(BadInput):
        import_lines(desk, lines)


def test_ids_that_cannot_be_ids_here_are_replaced(desk: Desk) -> None:
    """An id with spaces or lines gets another, always the same, and what it was called is kept."""
    odd = "my issue\n## Done"
    lines = [json.dumps(EPIC), json.dumps(issue(odd, dependencies=[on(odd, "bd-1", "parent-child")]))]
    lines.append(json.dumps(issue("bd-9", dependencies=[on("bd-9", odd)])))

    assert import_lines(desk, lines).bad == []
    assert import_lines(desk, lines).added == 0

    (node,) = [each for each in desk.store.nodes.where(desk.owner) if each.metadata.get("beads_id") == odd]
    assert is_id(node.id)
    assert node.parent == "bd-1"
    assert ("bd-9", node.id) in desk.store.nodes.pairs(desk.owner, EdgeType.DEPENDS_ON)
