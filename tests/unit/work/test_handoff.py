"""Handoff notes: every byte of the four sections, and the work they used to leave out."""

from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.errors import NodeNotFound
from noctuary.testing import FakeClock
from noctuary.work.claims import claim
from noctuary.work.desk import Desk
from noctuary.work.handoff import handoff
from noctuary.work.statuses import set_status
from noctuary.work.tasks import close_node
from tests.unit.work.graph_maker import edge, make, make_many, node, set_fields

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parent / "golden"
TITLES = ["## Done", "## Remaining", "## Blocked", "## Decisions Made"]


def golden(name: str) -> str:
    """The notes as they must be, to the byte."""
    return (GOLDEN / f"handoff_{name}.md").read_bytes().decode()


@pytest.fixture(autouse=True)
def goal(desk: Desk) -> None:
    make(desk, node("g-1", "active", "Log in without passwords"))


def test_b6_notes_are_byte_for_byte(desk: Desk) -> None:
    """Four titles in order, a form of line for each, an empty line after each, also at the end."""
    make(
        desk,
        node("t-1", "completed", "Design auth schema", created_ms=100, completed_ms=200),
        node("d-1", "decided", "JWT vs sessions", created_ms=101, completed_ms=300),
        node("t-3", "pending", "Implement JWT middleware", created_ms=102),
        node("t-4", "blocked", "Rotate tokens", created_ms=103, blocked_reason="waiting for infra"),
        node("t-5", "pending", "Write the migration", created_ms=104),
        node("t-6", "in_progress", "Review the tests", created_ms=105, assigned_to="ben"),
        below="g-1",
        edges=(edge("depends_on", "t-5", "t-3"),),
    )
    make(
        desk,
        node("o-1", "chosen", "JWT tokens"),
        node("o-2", "rejected", "Sessions"),
        below="d-1",
        edges=(edge("chosen", "d-1", "o-1", "stateless, scalable"), edge("rejected", "d-1", "o-2", "state")),
    )

    assert handoff(desk, "g-1") == golden("full")


def test_b6_a_goal_without_anything_has_titles_only(desk: Desk) -> None:
    """Nothing below the goal: no `(none)`, for there was nothing to look through."""
    assert handoff(desk, "g-1") == golden("empty_goal")


def test_b6_sections_without_lines_say_none(desk: Desk) -> None:
    """There is something below the goal, but nothing of any section."""
    make(desk, node("ob-1", "active"), below="g-1")

    assert handoff(desk, "g-1") == golden("none")


def test_b6_a_decision_tells_what_is_known_of_it(desk: Desk, clock: FakeClock) -> None:
    """Without a rationale no parentheses, without a choice no arrow; the first choice counts.  It is also done."""
    titles = {2: "No rationale", 3: "Empty rationale", 4: "Nothing chosen", 5: "Chosen twice"}
    decisions = [node(f"d-{i}", "decided", titles[i], created_ms=i) for i in titles]
    make(desk, *decisions, below="g-1")
    make(desk, node("o-1", "chosen", "The one"), node("o-2", "chosen", "The other"))
    make(
        desk,
        edges=(edge("chosen", "d-2", "o-1"), edge("chosen", "d-3", "o-1", " "), edge("chosen", "d-5", "o-1", "first")),
    )
    clock.advance(timedelta(seconds=1))
    make(desk, edges=(edge("chosen", "d-5", "o-2", "second"),))

    assert handoff(desk, "g-1") == golden("decisions")


def test_b6_blocked_without_a_reason_is_a_bare_line(desk: Desk) -> None:
    """No dash without something behind it."""
    make(desk, node("t-1", "blocked", "Rotate tokens"), below="g-1")

    assert "## Blocked\n- t-1: Rotate tokens\n\n" in handoff(desk, "g-1")


def test_b6_done_is_ordered_by_its_end(desk: Desk) -> None:
    """What has no time of completion first, then by that time, then by age, then by id."""
    make(
        desk,
        node("t-a", "completed", created_ms=1, completed_ms=9),
        node("t-b", "completed", created_ms=2, completed_ms=5),
        node("t-d", "completed", created_ms=3, completed_ms=5),
        node("t-c", "completed", created_ms=3, completed_ms=5),
        node("t-e", "completed", created_ms=4, completed_ms=None),
        below="g-1",
    )
    set_fields(desk, "t-e", completed_ms=None)

    done = handoff(desk, "g-1").partition("\n\n")[0].splitlines()[1:]
    assert [line.split(":")[0] for line in done] == ["- t-e", "- t-b", "- t-c", "- t-d", "- t-a"]


def test_b6_notes_cover_all_generations(desk: Desk) -> None:
    """Descendants, not children only; the goal itself is not among them, and other goals are not either."""
    make(desk, node("t-1", "in_progress"), below="g-1")
    make(desk, node("t-2", "pending"), below="t-1")
    make(desk, node("g-2", "active"), node("t-9", "pending"))

    notes = handoff(desk, "g-1")
    assert "t-1" in notes
    assert "t-2" in notes
    assert "g-1" not in notes
    assert "t-9" not in notes
    assert handoff(desk, "t-1").count("\n- ") == 1


def test_c27_running_and_failed_work_does_not_vanish(desk: Desk) -> None:
    """Claimed, reviewed, failed and cancelled work has sections of its own, behind the four."""
    make(
        desk,
        node("t-1", "claimed", created_ms=1, assigned_to="ana's agent"),
        node("t-2", "in_progress", created_ms=2, assigned_to="ben"),
        node("t-3", "in_progress", created_ms=3),
        node("t-4", "review", created_ms=4, assigned_to="cat"),
        node("t-5", "failed", created_ms=5, completed_ms=50, outcome="no access\nto staging"),
        node("t-6", "failed", created_ms=6, completed_ms=60),
        node("t-7", "cancelled", created_ms=7, completed_ms=10, outcome="superseded by a library"),
        node("t-8", "cancelled", created_ms=8, completed_ms=10),
        node("t-9", "pending", created_ms=9),
        below="g-1",
    )

    assert handoff(desk, "g-1") == golden("extras")


@pytest.mark.parametrize("statuses", [("completed",), ("pending",), ("blocked",), ("completed", "pending")])
def test_without_such_work_there_are_four_sections(desk: Desk, statuses: tuple[str, ...]) -> None:
    """In Progress and Failed are there only if they say something."""
    make(desk, *(node(f"t-{i}", status) for i, status in enumerate(statuses)), below="g-1")

    assert [line for line in handoff(desk, "g-1").splitlines() if line.startswith("##")] == TITLES


def test_the_reason_given_when_it_was_closed_is_told(desk: Desk) -> None:
    """Failed work says why, wherever that was written down."""
    make(desk, node("t-1", "in_progress", created_ms=1), node("t-2", "in_progress", created_ms=2), below="g-1")
    close_node(desk, "t-1", tag="failed", reason="The vendor has no API")
    set_status(desk, "t-2", "failed", reason="Tests stay red")

    failed = handoff(desk, "g-1").partition("## Failed\n")[2]
    assert (
        failed
        == "- t-1: Title of t-1 [failed] — The vendor has no API\n- t-2: Title of t-2 [failed] — Tests stay red\n\n"
    )


def test_c28_ready_is_computed(desk: Desk) -> None:
    """A task is ready if nothing keeps it and pending if something does, whatever is stored."""
    make(
        desk,
        node("t-1", "pending", created_ms=1),
        node("t-2", "ready", created_ms=2),
        below="g-1",
        edges=(edge("depends_on", "t-2", "t-1"),),
    )

    assert "- t-1: Title of t-1 [ready]\n- t-2: Title of t-2 [pending]\n" in handoff(desk, "g-1")


def test_c38_a_dead_agent_holds_nothing(desk: Desk, clock: FakeClock) -> None:
    """When the lease is over, the task is ready again and nobody is at it."""
    make(desk, node("t-1", "pending"), below="g-1")
    claim(desk, "t-1", "ben", 30)

    assert "## In Progress\n- t-1: Title of t-1 [claimed by ben]\n\n" in handoff(desk, "g-1")

    clock.advance(timedelta(minutes=31))

    notes = handoff(desk, "g-1")
    assert "## Remaining\n- t-1: Title of t-1 [ready]\n\n" in notes
    assert "In Progress" not in notes


def test_c26_done_work_is_ordered_by_when_it_was_done(desk: Desk, clock: FakeClock) -> None:
    """Completion is timed by the change of status: the older task that was done later comes later."""
    make(desk, node("t-1", "in_progress", created_ms=1), node("t-2", "in_progress", created_ms=2), below="g-1")
    set_status(desk, "t-2", "completed")
    clock.advance(timedelta(seconds=1))
    set_status(desk, "t-1", "completed")

    done = "## Done\n- t-2: Title of t-2 (completed)\n- t-1: Title of t-1 (completed)\n\n"
    assert handoff(desk, "g-1").startswith(done)


def test_c20_any_text_stays_one_line(desk: Desk) -> None:
    """Letters of any script, Markdown and HTML stand as they are; reasons of many lines become one."""
    make(
        desk,
        node("t-1", "completed", "Größe prüfen — 日本語", created_ms=1),
        node("t-2", "pending", "## Done [x] (completed) → مرحبا", created_ms=2),
        node(
            "t-3", "blocked", "`rm -rf` | <b>", created_ms=3, blocked_reason="wartet auf Änderung,\r\n\n  dann 审查\n"
        ),
        below="g-1",
    )

    assert handoff(desk, "g-1") == golden("unicode")


def test_c27_ten_thousand_descendants_are_no_limit(desk: Desk) -> None:
    """However many nodes and decisions: no list of variables breaks."""
    half = 5_100
    tasks = [node(f"t-{i:05}", "pending", created_ms=i) for i in range(half)]
    decisions = [node(f"d-{i:05}", "decided", created_ms=i) for i in range(half)]
    parts = [edge("contains", "g-1", made["id"]) for made in (*tasks, *decisions)]
    choices = [edge("chosen", made["id"], "o-1", "why") for made in decisions]
    make_many(desk, [*tasks, *decisions, node("o-1", "chosen", "The one")], [*parts, *choices])

    notes = handoff(desk, "g-1")
    assert notes.count("[ready]") == half
    assert notes.count("→ The one (why)") == half


def test_notes_are_the_same_every_time(desk: Desk) -> None:
    """Made at the same moment, nodes stand by id."""
    make(desk, *(node(f"t-{i}", "pending", created_ms=1) for i in (3, 1, 2)), below="g-1")

    notes = handoff(desk, "g-1")
    assert [line[2:5] for line in notes.splitlines() if line.startswith("- ")] == ["t-1", "t-2", "t-3"]
    assert notes == handoff(desk, "g-1")


@pytest.mark.parametrize("name", ["g-404", "", "d-1"])
def test_unknown_goals_are_refused(desk: Desk, name: str) -> None:
    """Notes are of goals and tasks."""
    make(desk, node("d-1", "active"))

    with pytest.raises(NodeNotFound):
        handoff(desk, name)
