"""Claims: one winner, a lease that ends, and a heartbeat that renews it."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import pytest

from noctuary.errors import BadInput, NodeNotFound, NotFree
from noctuary.graph import NodeStatus
from noctuary.ledger.ledger import Ledger
from noctuary.testing import FakeClock
from noctuary.work.claims import claim, heartbeat, release
from noctuary.work.desk import Desk, Writer
from noctuary.work.ready import ready
from noctuary.work.statuses import set_status
from tests.databases import store_in, where
from tests.unit.work.conftest import OWNER, PROJECT, MakeDesk
from tests.unit.work.graphs import add, become, goal, state, written

pytestmark = pytest.mark.slow

MINUTE_MS = 60_000
RIVALS = 10
CLAIMING = """
import sys
from pathlib import Path
from noctuary.clock import SystemClock
from noctuary.errors import NotFree
from noctuary.ledger.ledger import Ledger
from noctuary.work.claims import claim
from noctuary.work.desk import Desk, Writer
from tests.databases import store_at
home, place, owner, project, task, agent = sys.argv[1:]
store = store_at(place, owner)
desk = Desk(Ledger(store, Path(home), owner, SystemClock()), project, Writer())
sys.stdin.readline()
try:
    claim(desk, task, agent)
    print("won")
except NotFree as refused:
    print(refused)
"""


def test_a_claim_is_one_event_with_agent_and_lease(desk: Desk, clock: FakeClock) -> None:
    """Half an hour by default."""
    task = add(desk)
    before = written(desk)

    node = claim(desk, task.id, "ada")

    assert (node.status, node.assigned_to) == (NodeStatus.CLAIMED, "ada")
    assert node.lease_ms == clock.now_ms() + 30 * MINUTE_MS
    assert node.started_ms == clock.now_ms()
    assert written(desk) == before + 1


def test_b5_ten_threads_claim_and_one_wins(desk: Desk, home: Path, clock: FakeClock) -> None:
    """Each has its own connection; the others are told who has it and until when."""
    task, together = add(desk), Barrier(RIVALS)

    def rival(number: int) -> str:
        store = store_in(home)
        try:
            own = Desk(Ledger(store, home, OWNER, clock), PROJECT, Writer())
            together.wait()
            claim(own, task.id, f"agent-{number}")
        except NotFree as refused:
            return str(refused)
        finally:
            store.close()
        return "won"

    with ThreadPoolExecutor(RIVALS) as pool:
        answers = list(pool.map(rival, range(RIVALS)))

    assert answers.count("won") == 1
    holder = desk.node(task.id).assigned_to
    told = f"{task.id} is held by {holder} until 2026-03-01 12:30 UTC; `noctuary ready` shows tasks that are free."
    assert {answer for answer in answers if answer != "won"} == {told}


def test_b5_ten_processes_claim_and_one_wins(desk: Desk, home: Path) -> None:
    """Processes are no different, and the journal has one claim."""
    task = add(desk)
    before = written(desk)
    calls = [
        [sys.executable, "-c", CLAIMING, str(home), where(home), OWNER, PROJECT, task.id, f"agent-{number}"]
        for number in range(RIVALS)
    ]
    rivals = [subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for call in calls]
    for rival in rivals:
        assert rival.stdin
        rival.stdin.write("go\n")
        rival.stdin.flush()
    answers = [rival.communicate(timeout=60)[0].strip() for rival in rivals]

    assert answers.count("won") == 1
    assert sum("is held by agent-" in answer for answer in answers) == RIVALS - 1
    desk.ledger.catch_up()
    assert written(desk) == before + 1


def test_c38_a_dead_agents_claim_returns(desk: Desk, clock: FakeClock) -> None:
    """When the lease is over the task is ready again, and another agent can claim it."""
    task = add(desk)
    claim(desk, task.id, "ada")
    assert ready(desk).tasks == []

    clock.advance(timedelta(minutes=30))

    assert [(node.id, node.status) for node in ready(desk).tasks] == [(task.id, NodeStatus.READY)]
    assert claim(desk, task.id, "bo").assigned_to == "bo"
    with pytest.raises(NotFree, match=f"{task.id} is held by bo until 2026-03-01 13:00 UTC, not by ada"):
        heartbeat(desk, task.id, "ada")


def test_c35_work_in_progress_returns_too_and_others_work_goes_on(desk: Desk, clock: FakeClock) -> None:
    """Only the lease decides; what another process still renews is not reset by anybody's start."""
    dead, alive = add(desk), add(desk)
    for task, agent in ((dead, "ada"), (alive, "bo")):
        claim(desk, task.id, agent)
        set_status(desk, task.id, "in_progress")
    clock.advance(timedelta(minutes=20))
    heartbeat(desk, alive.id, "bo")
    clock.advance(timedelta(minutes=20))

    assert [node.id for node in ready(desk).tasks] == [dead.id]
    assert claim(desk, dead.id, "cy").status is NodeStatus.CLAIMED


def test_a_heartbeat_renews_the_lease_without_an_event(desk: Desk, clock: FakeClock) -> None:
    """The journal is not filled with signs of life, and a rebuild forgets none."""
    task = add(desk)
    claim(desk, task.id, "ada")
    before = state(desk)
    clock.advance(timedelta(minutes=20))

    renewed = heartbeat(desk, task.id, "ada", lease_minutes=60)

    assert renewed.lease_ms == clock.now_ms() + 60 * MINUTE_MS
    assert state(desk) == before
    desk.ledger.rebuild()
    assert desk.node(task.id).lease_ms == renewed.lease_ms


def test_a_heartbeat_never_shortens_a_lease(desk: Desk) -> None:
    """A shorter one leaves what was promised."""
    task = add(desk)
    lease_ms = claim(desk, task.id, "ada", lease_minutes=120).lease_ms

    assert heartbeat(desk, task.id, "ada", lease_minutes=1).lease_ms == lease_ms
    assert claim(desk, task.id, "ada", lease_minutes=1).lease_ms == lease_ms


def test_a_late_heartbeat_keeps_what_nobody_took(desk: Desk, clock: FakeClock) -> None:
    """The lease was over, but the task is still the agent's own."""
    task = add(desk)
    claim(desk, task.id, "ada")
    clock.advance(timedelta(hours=2))

    heartbeat(desk, task.id, "ada")

    assert ready(desk).tasks == []


def test_only_the_holder_renews_or_releases(desk: Desk) -> None:
    """Another agent is told who holds it; a task nobody holds is not given back."""
    task, free = add(desk), add(desk)
    claim(desk, task.id, "ada")
    before = state(desk)

    for verb in (heartbeat, release):
        with pytest.raises(NotFree, match=r"is held by ada until .*, not by bo"):
            verb(desk, task.id, "bo")
        with pytest.raises(NotFree, match="is pending, so bo does not hold it"):
            verb(desk, free.id, "bo")
    assert state(desk) == before


def test_the_same_agent_claims_again_and_renews(desk: Desk, clock: FakeClock) -> None:
    """A second claim of one's own task is no error and no event; begun work stays begun."""
    task = add(desk)
    claim(desk, task.id, "ada")
    set_status(desk, task.id, "in_progress")
    before = state(desk)
    clock.advance(timedelta(minutes=10))

    again = claim(desk, task.id, "ada")

    assert (again.status, again.lease_ms) == (NodeStatus.IN_PROGRESS, clock.now_ms() + 30 * MINUTE_MS)
    assert state(desk) == before


def test_an_old_renewal_does_not_prolong_a_new_claim(desk: Desk, clock: FakeClock) -> None:
    """Released and claimed again, the lease is the one that was asked for now."""
    task = add(desk)
    claim(desk, task.id, "ada")
    heartbeat(desk, task.id, "ada", lease_minutes=600)
    release(desk, task.id, "ada")

    assert claim(desk, task.id, "ada", lease_minutes=5).lease_ms == clock.now_ms() + 5 * MINUTE_MS


def test_work_begun_without_a_claim_gets_a_lease_by_one(desk: Desk, clock: FakeClock) -> None:
    """Whoever is named as its agent can hold it by a lease; nobody else takes it away."""
    task = add(desk, status=NodeStatus.IN_PROGRESS, assigned_to="ada")
    nameless = add(desk, status=NodeStatus.IN_PROGRESS)

    with pytest.raises(NotFree, match="held by ada, without an end"):
        claim(desk, task.id, "bo")
    with pytest.raises(NotFree, match="in_progress, held by somebody who gave no name"):
        claim(desk, nameless.id, "bo")
    assert claim(desk, task.id, "ada").lease_ms == clock.now_ms() + 30 * MINUTE_MS


def test_a_released_task_is_free(desk: Desk) -> None:
    """It is nobody's, and says why it was given back."""
    task = add(desk)
    claim(desk, task.id, "ada")

    back = release(desk, task.id, "ada", "too big for me")

    assert (back.status, back.assigned_to, back.lease_ms) == (NodeStatus.PENDING, None, None)
    assert [node.id for node in ready(desk).tasks] == [task.id]
    assert desk.entries(task.id)[0].event.text == "too big for me"


def test_a_task_that_waits_cannot_be_claimed(desk: Desk) -> None:
    """The refusal says for what it waits, and where that stands."""
    first = add(desk, "First")
    second = add(desk, after=(first,))

    with pytest.raises(NotFree, match=rf"{second.id} waits for {first.id} First \(pending\)"):
        claim(desk, second.id, "ada")
    become(desk, first, NodeStatus.COMPLETED)
    assert claim(desk, second.id, "ada").status is NodeStatus.CLAIMED


@pytest.mark.parametrize("status", ["review", "completed", "blocked", "failed", "cancelled"])
def test_what_is_not_ready_cannot_be_claimed(desk: Desk, status: str) -> None:
    """The refusal says where it stands."""
    task = add(desk, status=NodeStatus(status))
    before = state(desk)

    with pytest.raises(NotFree, match=f"{task.id} is {status} and cannot be claimed"):
        claim(desk, task.id, "ada")
    assert state(desk) == before


def test_only_tasks_are_claimed(desk: Desk) -> None:
    """A goal is nobody's task, and an unknown one is not found."""
    with pytest.raises(NodeNotFound, match="is a goal, not a task"):
        claim(desk, goal(desk).id, "ada")
    with pytest.raises(NodeNotFound, match="t-nowhere"):
        claim(desk, "t-nowhere", "ada")


@pytest.mark.parametrize("agent", ["", "  ", "x" * 201])
def test_an_agent_has_a_name(desk: Desk, agent: str) -> None:
    """Nobody holds a task namelessly."""
    with pytest.raises(BadInput, match="name of an agent"):
        claim(desk, add(desk).id, agent)


@pytest.mark.parametrize("minutes", [0, -1, 10_081, float("nan"), float("inf")])
def test_a_lease_is_neither_nothing_nor_endless(desk: Desk, minutes: float) -> None:
    """More than nothing, and a week at most."""
    with pytest.raises(BadInput, match="A lease lasts"):
        claim(desk, add(desk).id, "ada", minutes)


def test_an_agent_named_like_a_secret_is_still_itself(desk: Desk) -> None:
    """What is written is redacted, and the agent still holds its task."""
    task, agent = add(desk), "ghp_" + "a1B2" * 9

    claim(desk, task.id, agent)

    assert agent not in (desk.node(task.id).assigned_to or "")
    assert heartbeat(desk, task.id, agent).status is NodeStatus.CLAIMED


def test_another_owners_tasks_are_not_seen(desk: Desk, make_desk: MakeDesk) -> None:
    """Nobody claims what belongs to another."""
    with pytest.raises(NodeNotFound):
        claim(make_desk(owner="eve"), add(desk).id, "ada")
