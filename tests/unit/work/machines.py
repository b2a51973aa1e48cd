"""Several memories in one test, as on several machines."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from noctuary.authored import EventType
from noctuary.graph import Node
from noctuary.ledger.ledger import Ledger
from noctuary.testing import FakeClock
from noctuary.work.desk import Desk, Writer
from noctuary.work.tasks import close_node, open_goal, open_task
from tests.databases import store_in
from tests.unit.work.conftest import OWNER, PROJECT


@contextmanager
def machine(folder: Path, clock: FakeClock, owner: str = OWNER, project: str = PROJECT) -> Iterator[Desk]:
    """A desk in a memory of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    store = store_in(folder, owner)
    try:
        yield Desk(Ledger(store, folder, owner, clock), project, Writer())
    finally:
        store.close()


def link(desk: Desk, kind: str, start: str, end: str, label: str | None = None) -> None:
    """Join two nodes."""
    edge = {"type": kind, "from": start, "to": end, **({"label": label} if label else {})}
    with desk.writing() as write:
        write(EventType.LINK, node=start, change={"edges": [edge]})


def amend(desk: Desk, name: str, **fields: object) -> None:
    """Set fields of a node."""
    with desk.writing() as write:
        write(EventType.AMEND, node=name, change={"set": {name: fields}}, is_import=True)


def make_goal(desk: Desk, clock: FakeClock) -> Node:
    """A goal with three tasks, a dependency, an end, and every field that can be set."""
    goal = open_goal(desk, "Ship the shop", description='Lines:\n  "quoted" \\ \t\u202e\n日本', labels=["b", "a"])
    first = open_task(desk, "Pay by card", parent=goal.id, priority="high", external=["gh-1"], goal="money")
    second = open_task(desk, "Refund", parent=first.id)
    third = open_task(desk, "Send mail", parent=goal.id)
    link(desk, "depends_on", second.id, third.id, "mail tells of it")
    close_node(desk, third.id, outcome="it sends", tag="done")
    started = clock.now_ms() - 5_000
    amend(desk, first.id, status="blocked", blocked_reason="no contract", assigned_to="ben", started_ms=started)
    amend(desk, second.id, metadata={"size": "S", "odd key.": "x\ny", "empty": ""})
    amend(desk, second.id, status="claimed", assigned_to="agent-1", lease_ms=clock.now_ms() + 60_000)
    return goal
