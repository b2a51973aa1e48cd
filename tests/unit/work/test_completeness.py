"""The score of a record, what to do about its gaps, and tasks that nobody works on."""

from datetime import timedelta

import pytest

from noctuary.errors import BadInput, NodeNotFound
from noctuary.testing import FakeClock
from noctuary.work.completeness import check, fix_prompt, stale
from noctuary.work.desk import Desk
from noctuary.work.notes import note
from noctuary.work.pack import pack
from noctuary.work.tasks import close_node, open_task
from tests.unit.work.conftest import MakeDesk


def test_s4_5_the_score_is_100_less_the_gaps(desk: Desk) -> None:
    """Ten for no goal, three for a decision on nothing, one for a suggestion."""
    task = open_task(desk, "Look at it")
    note(desk, "decision", "Use SQLite", node=task.id)
    note(desk, "finding", "Perhaps", node=task.id, suggested=True)

    found = check(desk, task.id)
    assert found.score == 100 - 10 - 3 - 1
    assert [str(gap.kind) for gap in found.gaps] == ["NoGoal", "DecisionNoEvidence", "SuggestedUnconfirmed"]


def test_the_score_is_never_below_0(desk: Desk) -> None:
    """However much is missing."""
    task = open_task(desk, "Look at it")
    for number in range(40):
        note(desk, "decision", f"Decision {number}", node=task.id)

    assert check(desk, task.id).score == 0


def test_an_unknown_task_is_refused(desk: Desk) -> None:
    """There is nothing to check."""
    with pytest.raises(NodeNotFound):
        check(desk, "t-nothing")


def test_the_prompt_has_a_line_for_each_gap_and_the_pack(desk: Desk) -> None:
    """What to do, what not to do, and all that is known; the same record gives the same prompt."""
    task = open_task(desk, "Look at it")
    decision = note(desk, "decision", "Use SQLite", node=task.id)
    prompt = fix_prompt(desk, task.id)
    head, record = prompt.split("\n\nThis is the record:\n\n")

    assert head.splitlines()[0] == f"The record of {task.id} has 2 gaps; its score is 87 of 100."
    assert [line[:2] for line in head.splitlines()[3:]] == ["1.", "2."]
    assert f"decision {decision.event.id} rests on nothing: Use SQLite." in head
    assert record == pack(desk, task.id)
    assert prompt == fix_prompt(desk, task.id)


def test_a_record_without_gaps_needs_no_prompt(desk: Desk) -> None:
    """There is nothing to fill."""
    task = open_task(desk, "Look at it", goal="See it")

    assert fix_prompt(desk, task.id) == f"The record of {task.id} has no gaps.\n"


def test_stale_tasks_are_the_longest_idle_first(desk: Desk, clock: FakeClock, make_desk: MakeDesk) -> None:
    """Open ones of this project, by when anything was last said about them; late words of long ago do not count."""
    first, second, third = (open_task(desk, title) for title in ("first", "second", "third"))
    open_task(make_desk(project="/elsewhere"), "foreign")
    close_node(desk, third.id)
    clock.advance(timedelta(days=3))
    note(desk, "finding", "Something", node=first.id)
    note(desk, "finding", "Long ago", node=second.id, ts_ms=1)
    clock.advance(timedelta(days=5))

    assert [(task.id, task.status) for task in stale(desk)] == [(second.id, "ready")]
    assert [task.id for task in stale(desk, 5)] == [second.id, first.id]
    assert [task.id for task in stale(desk, 0)] == [second.id, first.id]
    assert stale(desk, 9) == stale(desk, 10**12) == []
    with pytest.raises(BadInput):
        stale(desk, -1)
