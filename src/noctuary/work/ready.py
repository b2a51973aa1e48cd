"""What can be begun now, what should be begun first, and what never will be if nobody does something about it.

That a task is ready is computed whenever it is asked, never stored: it is not begun, or its agent's lease is over, and
all it depends on is done.  So a dependency added or taken away, a task cancelled or an agent that died counts at once.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from noctuary.graph import ENDED, HELD, WAITING, EdgeType, Node, NodeStatus, NodeType, Priority
from noctuary.store.nodes import Free, Waiting
from noctuary.work.desk import Desk
from noctuary.work.wording import first_of

_RANKS = {priority: rank for rank, priority in enumerate(Priority)}


class Stuck(NamedTuple):
    """A task that waits for what will not be done any more."""

    task: Node
    on: Sequence[Waiting]
    behind: int = 0  # open nodes that wait for this task in turn


class Ready(NamedTuple):
    """Tasks that can be begun, the most important and then the oldest first; and those that are stuck."""

    tasks: Sequence[Node]
    stuck: Sequence[Stuck] = ()


class Ranked(NamedTuple):
    """A task, and why it comes first."""

    task: Node
    dependents: int  # open nodes that wait for it, directly or through others
    others: int  # ready tasks that come after it
    why: Sequence[str] = ()


def ready(desk: Desk, goal: str | None = None, *, everywhere: bool = False) -> Ready:
    """The ready and the stuck tasks of the project, of one goal or task and all it contains, or of all projects.

    One query, unless a goal is given or something is stuck.
    """
    free = _free(desk, goal, everywhere=everywhere)
    return Ready(free.ready, _stuck(desk, free.stuck))


def next_task(desk: Desk, goal: str | None = None, *, everywhere: bool = False) -> Ranked | None:
    """The ready task to begin with: by priority, then by how much waits for it, then by age; None if none is ready."""
    tasks = _free(desk, goal, everywhere=everywhere).ready
    if not tasks:
        return None
    first_rank = [task for task in tasks if task.priority is tasks[0].priority]
    counts = waiting_behind(desk, [task.id for task in first_rank])
    chosen = min(first_rank, key=lambda task: (-counts[task.id], task.created_ms, task.id))
    why = _why(chosen, first_rank, counts, len(tasks))
    return Ranked(chosen, counts[chosen.id], len(tasks) - 1, why)


def effective_status(node: Node, *, is_waiting: bool, now_ms: int) -> NodeStatus:
    """Where a node stands now: what is stored, but for tasks that are not begun or whose lease is over."""
    is_free = node.status in WAITING or (node.status in HELD and not is_held(node, now_ms))
    if node.type is NodeType.TASK and is_free:
        return NodeStatus.PENDING if is_waiting else NodeStatus.READY
    return node.status


def is_held(node: Node, now_ms: int) -> bool:
    """Whether somebody is at it: claimed or in progress, without a lease or with one that is not over."""
    return node.status in HELD and (node.lease_ms is None or node.lease_ms > now_ms)


def as_they_stand(desk: Desk, nodes: Iterable[Node]) -> list[Node]:
    """The nodes with the status each has now."""
    given = list(nodes)
    unsettled = [node.id for node in given if node.type is NodeType.TASK and node.status in WAITING | HELD]
    waiting = {unmet.task for unmet in desk.store.nodes.waiting(desk.owner, unsettled)} if unsettled else set()
    now_ms = desk.clock.now_ms()
    return [
        node._replace(status=effective_status(node, is_waiting=node.id in waiting, now_ms=now_ms)) for node in given
    ]


def waiting_behind(desk: Desk, ids: Collection[str]) -> Mapping[str, int]:
    """For each node, how many that are not done wait for it, directly or through others."""
    if not ids:
        return {}
    dependents: dict[str, list[str]] = defaultdict(list)
    for waiter, on in desk.store.nodes.pairs(desk.owner, EdgeType.DEPENDS_ON):
        dependents[on].append(waiter)
    behind = {name: _reached(dependents, name) for name in ids if name in dependents}
    known = desk.store.nodes.by_id(desk.owner, set[str]().union(*behind.values()))
    is_open = {name for name, node in known.items() if node.status not in ENDED}
    return Counter({name: len(found & is_open) for name, found in behind.items()})


def waits_told(unmet: Iterable[Waiting]) -> str:
    """What is waited for, and where that stands."""
    return first_of([f"{wait.on} {wait.title} ({wait.status})" for wait in unmet])


def _reached(dependents: Mapping[str, Sequence[str]], name: str) -> set[str]:
    """All that wait for the node, without itself, even where a merge of two machines' work made a circle."""
    found, pending = {name}, [name]
    while pending:
        fresh = [waiter for waiter in dependents.get(pending.pop(), ()) if waiter not in found]
        found.update(fresh)
        pending += fresh
    return found - {name}


def _below(desk: Desk, goal: str | None) -> set[str] | None:
    """The ids of all that a goal or task contains, with itself; None without one: nothing is left out."""
    if goal is None:
        return None
    root = desk.node(goal, NodeType.GOAL, NodeType.TASK)
    return {node.id for node in desk.store.nodes.subtree(desk.owner, root.id)}


def _free(desk: Desk, goal: str | None, *, everywhere: bool) -> Free:
    """The tasks that nobody is at, with the status each has now."""
    below = _below(desk, goal)
    free = desk.store.nodes.free(desk.owner, None if everywhere or goal else desk.project, desk.clock.now_ms())
    return Free(
        [task._replace(status=NodeStatus.READY) for task in free.ready if below is None or task.id in below],
        [(t._replace(status=NodeStatus.PENDING), on) for t, on in free.stuck if below is None or t.id in below],
    )


def _stuck(desk: Desk, waits: Iterable[tuple[Node, Waiting]]) -> list[Stuck]:
    """Each task once, the oldest first."""
    tasks: dict[str, Node] = {}
    hopeless: dict[str, list[Waiting]] = defaultdict(list)
    for task, unmet in waits:
        tasks[task.id] = task
        hopeless[task.id].append(unmet)
    counts = waiting_behind(desk, tasks)
    oldest_first = sorted(tasks.values(), key=lambda task: (task.created_ms, task.id))
    return [Stuck(task, hopeless[task.id], counts.get(task.id, 0)) for task in oldest_first]


def _why(chosen: Node, rivals: Sequence[Node], counts: Mapping[str, int], ready_tasks: int) -> list[str]:
    if ready_tasks == 1:
        why = ["the only ready task"]
    else:
        why = [f"priority {chosen.priority}" if chosen.priority else "no ready task has a priority"]
    if waiters := counts[chosen.id]:
        why.append(f"{waiters} other{'s wait' if waiters > 1 else ' waits'} for it")
    equals = [task for task in rivals if counts[task.id] == counts[chosen.id]]
    if len(equals) > 1:
        why.append(f"the oldest of {len(equals)} such tasks")
    return why
