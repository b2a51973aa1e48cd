"""Whether new edges would close a circle, and through which nodes.

What contains something is done when its parts are, and what depends on something is begun when that is done.  Both
make work wait, so a circle of the two is as deadly as one of either: nothing in it could ever be finished.  All edges
of a change are looked at together, as they will be afterwards.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from noctuary.errors import BadChange
from noctuary.graph import EdgeType
from noctuary.store.nodes import Nodes

_WAITS = frozenset({EdgeType.CONTAINS, EdgeType.DEPENDS_ON})
# Edges that are followed together: a circle of any of them is refused.
TOGETHER = (_WAITS, frozenset({EdgeType.SUPERSEDES}))
_PARTS = frozenset({EdgeType.CONTAINS})
_MOST_NAMED = 12  # of a circle


class Step(NamedTuple):
    """One edge of a way through the graph."""

    type: EdgeType
    start: str
    end: str


class Afterwards:
    """The edges of some types as they will be when a change was made."""

    def __init__(self, stored: Sequence[Step], added: Sequence[Step], removed: Collection[Step]) -> None:
        self.added = dict.fromkeys(added)
        self.steps = dict.fromkeys(step for step in (*stored, *added) if step in self.added or step not in removed)
        self.leaving: dict[str, list[Step]] = defaultdict(list)
        for step in self.steps:
            self.leaving[step.start].append(step)
        self.parents = {step.end: step for step in self.steps if step.type is EdgeType.CONTAINS}

    def circle(self) -> list[Step]:
        """A circle that an added edge is part of, beginning with it; none if there is none."""
        never_left = self._never_left()
        for step in self.added:
            if step.start not in never_left and step.end not in never_left and (way := self._way(step.end, step.start)):
                return [step, *way]
        return []

    def whole_on_part(self) -> Step | None:
        """A dependency of something on a part of it, if the change adds the one or makes the other a part."""
        for step in self.steps:
            if step.type is EdgeType.DEPENDS_ON:
                is_new, name, seen = step in self.added, step.end, {step.end}
                while (up := self.parents.get(name)) and up.start not in seen:
                    is_new |= up in self.added
                    if up.start == step.start and is_new:
                        return step
                    name = up.start
                    seen.add(name)
        return None

    def _never_left(self) -> set[str]:
        """Nodes from which every way ends, so that they are in no circle; found in one pass."""
        waits = {name: len(steps) for name, steps in self.leaving.items()}
        arriving: dict[str, list[str]] = defaultdict(list)
        for step in self.steps:
            arriving[step.end].append(step.start)
        ended = [name for name in arriving if name not in waits]
        for name in ended:  # grows while it is walked
            for before in arriving.get(name, ()):
                waits[before] -= 1
                if not waits[before]:
                    ended.append(before)
        return set(ended)

    def _way(self, start: str, end: str) -> list[Step]:
        """A shortest way from the one node to the other; none if there is none."""
        came_by: dict[str, Step | None] = {start: None}
        pending = [start]
        for name in pending:  # grows while it is walked: the nearest first
            for step in self.leaving.get(name, ()):
                if step.end not in came_by:
                    came_by[step.end] = step
                    pending.append(step.end)
        found: list[Step] = []
        at = came_by.get(end)
        while at is not None:
            found.append(at)
            at = came_by[at.start]
        return found[::-1]


def refuse_circles(nodes: Nodes, owner: str, change: Mapping[str, Any]) -> None:
    """Raise BadChange, naming the circle, if an edge of the change closes one; and if a whole waits for its part."""
    made = {node["id"] for node in change.get("nodes", ())}
    for kinds in TOGETHER:
        added = [step for step in map(_step, change.get("edges", ())) if step.type in kinds]
        removed = {step for step in map(_step, change.get("unlink", ())) if step.type in kinds}
        if not added or (len(added) == 1 and not removed and not _may_be_refused(nodes, owner, kinds, added[0], made)):
            continue
        stored = [] if _is_among_new(added, made) else _stored(nodes, owner, kinds)
        after = Afterwards(stored, added, removed)
        if circle := after.circle():
            raise BadChange(_refusal(circle))
        if step := after.whole_on_part():
            raise BadChange(
                f"{step.start} cannot depend on {step.end}, which is part of it: it is at work as soon as its parts "
                "are, and would not be ready for that. It is done when they are, without a dependency."
            )


def _is_among_new(added: Iterable[Step], made: Collection[str]) -> bool:
    """Whether all edges lead to new nodes, which no stored edge leaves; then none of those is in a circle with them."""
    return all(step.end in made and step.type is not EdgeType.DEPENDS_ON for step in added)


def _stored(nodes: Nodes, owner: str, kinds: frozenset[EdgeType]) -> list[Step]:
    return [Step(kind, start, end) for kind in kinds for start, end in nodes.pairs(owner, kind)]


def _may_be_refused(nodes: Nodes, owner: str, kinds: frozenset[EdgeType], step: Step, made: Collection[str]) -> bool:
    """Whether there is anything against one edge: asked of the database, which need not read all edges for it."""
    if step.end in made:
        return False
    if nodes.is_reachable(owner, kinds, step.end, step.start):
        return True
    if step.type is EdgeType.DEPENDS_ON:
        return nodes.is_reachable(owner, _PARTS, step.start, step.end)
    if step.type is EdgeType.CONTAINS:
        above = _above(nodes, owner, step.start)
        waits = nodes.edges_of(owner, above, EdgeType.DEPENDS_ON)
        needed = {edge.to_id for edge in waits if edge.from_id in above}
        return any(nodes.is_reachable(owner, _PARTS, step.end, name) for name in needed)
    return False


def _above(nodes: Nodes, owner: str, name: str) -> set[str]:
    """The node, what contains it, what contains that, and so on."""
    found = {name}
    node = nodes.find(owner, name)
    while node and node.parent and node.parent not in found:
        found.add(node.parent)
        node = nodes.find(owner, node.parent)
    return found


def _refusal(circle: Sequence[Step]) -> str:
    kinds = {step.type for step in circle}
    if len(kinds) == 1:
        names = _shown([step.start for step in circle])
        return f"That would close a circle of {circle[0].type}: {' → '.join([*names, names[0]])}."
    told = ", ".join(_shown([f"{step.start} {step.type} {step.end}" for step in circle]))
    return f"None of these could ever be ready and done, for each waits for the next: {told}."


def _shown(parts: list[str]) -> list[str]:
    left_out = len(parts) - _MOST_NAMED
    return [*parts[: _MOST_NAMED - 1], f"… {left_out + 1} more …"] if left_out > 0 else parts


def _step(edge: Mapping[str, Any]) -> Step:
    return Step(EdgeType(edge["type"]), edge["from"], edge["to"])
