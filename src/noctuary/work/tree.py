"""The work as a tree: each node below what contains it, with where it stands, what it waits for and how far it is."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from noctuary.graph import ENDED, EdgeType, Node, NodeStatus, NodeType
from noctuary.work.desk import Desk
from noctuary.work.ready import as_they_stand
from noctuary.work.wording import first_of


class Branch(NamedTuple):
    """A node in the tree, with its status as it stands now."""

    node: Node
    depth: int
    depends_on: Sequence[str] = ()
    done: int = 0  # tasks below it, at any depth
    total: int = 0  # without those that were cancelled


class _Place(NamedTuple):
    name: str
    depth: int
    above: str | None


def tree(desk: Desk, root: str | None = None, *, everywhere: bool = False) -> list[Branch]:
    """What a node contains, or all of the project, or of all projects: each before its parts, the oldest first."""
    if root is not None:
        top = desk.node(root).id
        nodes = desk.store.nodes.subtree(desk.owner, top)
    else:
        top = None
        nodes = desk.store.nodes.where(desk.owner, project=None if everywhere else desk.project)
    by_id = {node.id: node for node in as_they_stand(desk, nodes)}
    parts = _targets(desk, by_id, EdgeType.CONTAINS)
    contained = {part for below in parts.values() for part in below}
    first = [top] if top else [name for name in by_id if name not in contained]
    # What is part of itself, after a merge, hangs below no root; it comes last rather than not at all.
    order = _walk([*first, *by_id], parts, list(by_id))
    counts = _counts(order, by_id)
    waits = _targets(desk, by_id, EdgeType.DEPENDS_ON)
    return [Branch(by_id[place.name], place.depth, waits.get(place.name, ()), *counts[place.name]) for place in order]


def left_open(desk: Desk, name: str) -> list[str]:
    """A note on the tasks below a node, at any depth, that have not ended; none if all have."""
    below = desk.store.nodes.subtree(desk.owner, name)
    left = [task for task in below if task.type is NodeType.TASK and task.id != name and task.status not in ENDED]
    return [f"Still open below it: {first_of([f'{task.id} {task.title}' for task in left])}."] if left else []


def _targets(desk: Desk, by_id: Mapping[str, Node], kind: EdgeType) -> dict[str, list[str]]:
    """Where edges of the type lead from these nodes; what contains something leads to what is shown only."""
    found: dict[str, list[str]] = defaultdict(list)
    for edge in desk.store.nodes.edges_of(desk.owner, by_id, kind):
        if edge.from_id in by_id and (kind is not EdgeType.CONTAINS or edge.to_id in by_id):
            found[edge.from_id].append(edge.to_id)
    return found


def _walk(roots: Iterable[str], parts: Mapping[str, Sequence[str]], ages: Sequence[str]) -> list[_Place]:
    """Every node once; without recursion, for a tree may be deep."""
    age = {name: number for number, name in enumerate(ages)}
    order: list[_Place] = []
    seen: set[str] = set()
    for root in roots:
        pending = [_Place(root, 0, None)]
        while pending:
            place = pending.pop()
            if place.name not in seen:
                seen.add(place.name)
                order.append(place)
                below = sorted(parts.get(place.name, ()), key=age.__getitem__, reverse=True)
                pending += [_Place(name, place.depth + 1, place.name) for name in below]
    return order


def _counts(order: Sequence[_Place], by_id: Mapping[str, Node]) -> dict[str, tuple[int, int]]:
    """For each node the tasks below it: how many are done, and how many there are that were not given up."""
    counts = {place.name: (0, 0) for place in order}
    for name, _, above in reversed(order):
        if above is not None:
            node, (done, total), (done_above, total_above) = by_id[name], counts[name], counts[above]
            is_counted = node.type is NodeType.TASK and node.status is not NodeStatus.CANCELLED
            is_done = is_counted and node.status is NodeStatus.COMPLETED
            counts[above] = (done_above + done + is_done, total_above + total + is_counted)
    return counts
