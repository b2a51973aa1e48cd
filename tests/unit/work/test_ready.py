"""What is ready, what is stuck, and what comes next: computed whenever it is asked."""

from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.authored import Event, EventType
from noctuary.errors import NodeNotFound
from noctuary.graph import NodeStatus, NodeType
from noctuary.ledger.ledger import Ledger
from noctuary.store import Store
from noctuary.testing import FakeClock
from noctuary.work.claims import claim
from noctuary.work.desk import Desk, Writer
from noctuary.work.linking import depend, undepend
from noctuary.work.ready import as_they_stand, effective_status, next_task, ready, waiting_behind
from noctuary.work.statuses import set_status
from tests.unit.listening import Listening
from tests.unit.work.conftest import MakeDesk
from tests.unit.work.graphs import add, become, goal

S = NodeStatus


def free(desk: Desk, name: str | None = None) -> list[str]:
    return [task.title for task in ready(desk, name).tasks]


def test_c28_a_task_without_dependencies_is_ready_at_once(desk: Desk) -> None:
    """Nobody has to promote it; it is shown as ready though it is stored as pending."""
    task = add(desk)

    assert [(node.id, node.status) for node in ready(desk).tasks] == [(task.id, S.READY)]
    assert desk.node(task.id).status is S.PENDING


def test_c28_a_dependency_on_what_is_done_keeps_nothing_back(desk: Desk) -> None:
    """Whether it was done before or after the dependency was added."""
    done = become(desk, add(desk, "Done"), S.COMPLETED)
    task = add(desk, "Waits")

    depend(desk, task.id, done.id)

    assert free(desk) == ["Waits"]


def test_c28_a_dependency_added_or_taken_away_counts_at_once(desk: Desk) -> None:
    """A ready task that comes to depend on something is not ready any more, and the other way round."""
    first, second = add(desk, "First"), add(desk, "Second", status=S.READY)
    depend(desk, second.id, first.id)
    assert free(desk) == ["First"]

    undepend(desk, second.id, first.id)
    assert set(free(desk)) == {"First", "Second"}


def test_b5_all_that_a_task_depends_on_must_be_done(desk: Desk) -> None:
    """Two of three are not enough; a decision is done when it is decided."""
    tasks = [add(desk, f"Part {number}") for number in range(2)]
    decision = add(desk, "Which?", NodeType.DECISION)
    add(desk, "Whole", after=(*tasks, decision))
    for task in tasks:
        become(desk, task, S.COMPLETED)
    assert free(desk) == []

    become(desk, decision, S.DECIDED)
    assert free(desk) == ["Whole"]


def test_reopened_work_keeps_back_again_what_depends_on_it(desk: Desk) -> None:
    """Ready is never remembered."""
    first = become(desk, add(desk, "First"), S.COMPLETED)
    add(desk, "Second", after=(first,))
    assert free(desk) == ["Second"]

    set_status(desk, first.id, "pending")
    assert free(desk) == ["First"]


@pytest.mark.parametrize("status", ["cancelled", "failed"])
def test_c28_what_waits_for_the_impossible_is_said_to_be_stuck(desk: Desk, status: str) -> None:
    """Neither ready nor silently pending for ever: it is named, with what it waits for and all that is behind it."""
    first = add(desk, "First")
    second = add(desk, "Second", after=(first,))
    third = add(desk, "Third", after=(second,))
    add(desk, "Fourth", after=(third,))
    become(desk, first, S(status))

    answer = ready(desk)

    assert answer.tasks == []
    (stuck,) = answer.stuck
    assert (stuck.task.title, stuck.task.status, stuck.behind) == ("Second", S.PENDING, 2)
    assert [(wait.on, wait.title, wait.status) for wait in stuck.on] == [(first.id, "First", S(status))]


def test_c28_what_waits_for_a_superseded_decision_is_stuck(desk: Desk) -> None:
    """The decision that took its place may be what it should wait for."""
    decision = add(desk, "Which?", NodeType.DECISION)
    add(desk, "Build it", after=(decision,))
    become(desk, decision, S.SUPERSEDED)

    assert [stuck.task.title for stuck in ready(desk).stuck] == ["Build it"]


def test_what_waits_for_open_work_is_not_stuck(desk: Desk) -> None:
    """It only waits."""
    add(desk, "Second", after=(add(desk, "First"),))

    assert ready(desk).stuck == []


@pytest.mark.parametrize("status", ["claimed", "in_progress", "review", "completed", "blocked", "failed", "cancelled"])
def test_only_tasks_that_nobody_is_at_are_ready(desk: Desk, status: str) -> None:
    """Under way, blocked and ended tasks are not; neither are goals and decisions."""
    add(desk, status=S(status))
    goal(desk)
    add(desk, kind=NodeType.DECISION)

    assert ready(desk) == ([], [])


def test_ready_can_be_asked_of_one_goal(desk: Desk) -> None:
    """At any depth below it; or of a task; an unknown goal is an error, not an empty answer."""
    one, other = goal(desk), goal(desk)
    task = add(desk, "Inside", parent=one)
    add(desk, "Deep inside", parent=task)
    add(desk, "Elsewhere", parent=other)

    assert set(free(desk, one.id)) == {"Inside", "Deep inside"}
    assert set(free(desk, task.id)) == {"Inside", "Deep inside"}
    with pytest.raises(NodeNotFound):
        ready(desk, "g-nowhere")
    with pytest.raises(NodeNotFound, match="not a goal or a task"):
        ready(desk, add(desk, kind=NodeType.DECISION).id)


def test_ready_of_all_projects(desk: Desk, make_desk: MakeDesk) -> None:
    """By default one's own project; everywhere if asked; never another owner's."""
    add(desk, "Here")
    add(make_desk("/elsewhere"), "There")
    add(make_desk(owner="eve"), "Hers")

    assert free(desk) == ["Here"]
    assert {task.title for task in ready(desk, everywhere=True).tasks} == {"Here", "There"}


def test_ready_tasks_come_by_priority_and_age(desk: Desk, clock: FakeClock) -> None:
    """Critical first, none at all last; among equals the oldest."""
    for title, priority in (("none", None), ("low", "low"), ("high 1", "high"), ("critical", "critical"),
                            ("medium", "medium"), ("high 2", "high")):  # fmt: skip
        add(desk, title, priority=priority)
        clock.advance(timedelta(seconds=1))

    assert free(desk) == ["critical", "high 1", "high 2", "medium", "low", "none"]


def test_b5_the_next_task_is_the_most_important(desk: Desk) -> None:
    """Priority counts before all else."""
    first = add(desk, "Much waits for it")
    add(desk, after=(first,))
    add(desk, "Matters", priority="low")

    chosen = next_task(desk)

    assert chosen
    assert (chosen.task.title, chosen.others) == ("Matters", 1)
    assert chosen.why == ["priority low"]


def test_b5_among_equals_the_one_that_most_waits_for(desk: Desk, clock: FakeClock) -> None:
    """Counted through others, not only directly, and without what has ended."""
    add(desk, "Alone")
    clock.advance(timedelta(seconds=1))
    wide = add(desk, "Wide")
    become(desk, add(desk, after=(wide,)), S.CANCELLED)
    add(desk, after=(wide,))
    add(desk, after=(wide,))
    deep = link = add(desk, "Deep")
    for _ in range(3):
        link = add(desk, after=(link,))

    chosen = next_task(desk)

    assert chosen
    assert (chosen.task.title, chosen.dependents) == ("Deep", 3)
    assert chosen.why == ["no ready task has a priority", "3 others wait for it"]
    assert waiting_behind(desk, [wide.id, deep.id]) == {wide.id: 2, deep.id: 3}


def test_b5_among_those_the_oldest(desk: Desk, clock: FakeClock) -> None:
    """And it says so."""
    for title in ("Old", "Young"):
        add(desk, title)
        clock.advance(timedelta(seconds=1))

    chosen = next_task(desk)

    assert chosen
    assert chosen.task.title == "Old"
    assert chosen.why == ["no ready task has a priority", "the oldest of 2 such tasks"]


def test_there_may_be_no_next_task(desk: Desk) -> None:
    """None at all, none below a goal, or just one."""
    assert next_task(desk) is None
    add(desk, "Only")
    assert next_task(desk, goal(desk).id) is None
    only = next_task(desk)
    assert only
    assert only.why == ["the only ready task"]


def test_next_skips_what_is_claimed(desk: Desk) -> None:
    """What one agent took is not given to the next."""
    first, second = add(desk, priority="high"), add(desk)
    claim(desk, first.id, "ada")

    chosen = next_task(desk)

    assert chosen
    assert chosen.task.id == second.id


@pytest.mark.parametrize(
    ("status", "lease", "is_waiting", "expected"),
    [
        ("pending", None, False, "ready"),
        ("pending", None, True, "pending"),
        ("ready", None, False, "ready"),
        ("ready", None, True, "pending"),
        ("claimed", 101, False, "claimed"),
        ("claimed", 100, False, "ready"),
        ("claimed", None, False, "claimed"),
        ("in_progress", 99, True, "pending"),
        ("in_progress", None, True, "in_progress"),
        ("review", 1, False, "review"),
        ("blocked", None, True, "blocked"),
        ("completed", None, True, "completed"),
        ("failed", None, False, "failed"),
        ("cancelled", None, False, "cancelled"),
    ],
)
def test_where_a_task_stands_now(desk: Desk, status: str, lease: int | None, is_waiting: bool, expected: str) -> None:
    """Ready is computed for what nobody is at; the rest is shown as it is stored.  The time is 100."""
    task = add(desk)._replace(status=S(status), lease_ms=lease)

    assert effective_status(task, is_waiting=is_waiting, now_ms=100) is S(expected)


def test_only_tasks_become_ready(desk: Desk) -> None:
    """A pending goal or decision stays pending."""
    for kind in (NodeType.GOAL, NodeType.DECISION, NodeType.OPTION):
        assert effective_status(add(desk, kind=kind, status=S.PENDING), is_waiting=False, now_ms=0) is S.PENDING


def test_lists_are_shown_as_they_stand(desk: Desk, clock: FakeClock) -> None:
    """One look for all of them."""
    first = add(desk)
    second = add(desk, after=(first,))
    third = add(desk)
    claim(desk, third.id, "ada")
    clock.advance(timedelta(hours=1))

    nodes = as_they_stand(desk, [desk.node(node.id) for node in (first, second, third)])

    assert [node.status for node in nodes] == [S.READY, S.PENDING, S.READY]
    assert as_they_stand(desk, []) == []


def test_a_circle_that_two_machines_made_is_survived(desk: Desk) -> None:
    """A merge can bring what no verb would write: nothing hangs, and nobody in the circle is ready."""
    a, b = add(desk), add(desk)
    for start, end in ((a, b), (b, a)):
        change = {"edges": [{"type": "depends_on", "from": start.id, "to": end.id}]}
        desk.ledger.record(Event(type=EventType.LINK, project=desk.project, change=change))

    assert ready(desk).tasks == []
    assert waiting_behind(desk, [a.id, b.id]) == {a.id: 1, b.id: 1}


def test_ready_is_one_query_unless_there_is_more_to_tell(home: Path, clock: FakeClock) -> None:
    """Only a goal to look below, or something that is stuck, needs others."""
    database = Listening(home / "noctuary.db")
    desk = Desk(Ledger(Store(database), home, "ana", clock), "/home/ana/code/shop", Writer())
    add(desk, "Waits", after=(add(desk, "First"),))
    database.asked.clear()

    assert free(desk) == ["First"]
    assert [query for query, _ in database.asked] == ["ready_tasks"]
    database.close()


def test_a_stuck_task_names_all_that_will_not_be_done(desk: Desk, clock: FakeClock) -> None:
    """Each task once, the oldest first, whatever its priority; what may still be done is not named."""
    given_up = become(desk, add(desk, "Given up"), S.CANCELLED)
    clock.advance(timedelta(seconds=1))
    broken = become(desk, add(desk, "Broken"), S.FAILED)
    add(desk, "Older", after=(given_up, broken, add(desk, "Under way")))
    clock.advance(timedelta(seconds=1))
    add(desk, "Younger", after=(broken,), priority="critical")

    stuck = ready(desk).stuck

    assert [(each.task.title, [wait.title for wait in each.on]) for each in stuck] == [
        ("Older", ["Given up", "Broken"]),
        ("Younger", ["Broken"]),
    ]
    assert {each.task.status for each in stuck} == {S.PENDING}
