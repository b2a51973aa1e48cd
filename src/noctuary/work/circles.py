"""Whether new edges would close a circle, and through which nodes.

What contains something is done when its parts are, and what depends on something is begun when that is done.  Both
make work wait, so a circle of the two is as deadly as one of either: nothing in it could ever be finished.  All edges
of a change are looked at together, as they will be afterwards.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from noctuary.errors import BadChange
from noctuary.graph import EdgeType
from noctuary.store.nodes import Nodes

_WAITS = frozenset({EdgeType.CONTAINS, EdgeType.DEPENDS_ON})
# Which edges are followed to see whether one of a type closes a circle.
TOGETHER: Mapping[EdgeType, frozenset[EdgeType]] = {
    EdgeType.CONTAINS: _WAITS,
    EdgeType.DEPENDS_ON: _WAITS,
    EdgeType.SUPERSEDES: frozenset({EdgeType.SUPERSEDES}),
}


class Step(NamedTuple):
    """One edge of a way through the graph."""

    type: EdgeType
    start: str
    end: str


class Afterwards:
    """The edges as they will be when a change was made."""

    def __init__(self, nodes: Nodes, owner: str, change: Mapping[str, Any]) -> None:
        self.nodes = nodes
        self.owner = owner
        self.added = [_step(edge) for edge in change.get("edges", ())]
        self.removed = {_step(edge) for edge in change.get("unlink", ())}
        self._parents = {step.end: step.start for step in self.added if step.type is EdgeType.CONTAINS}

    def leaving(self, names: Iterable[str], kinds: frozenset[EdgeType]) -> list[Step]:
        """The edges of these types that begin at one of the nodes."""
        starts = set(names)
        kind = next(iter(kinds)) if len(kinds) == 1 else None
        stored = (Step(e.type, e.from_id, e.to_id) for e in self.nodes.edges_of(self.owner, starts, kind))
        kept = [step for step in stored if step not in self.removed]
        return [step for step in (*kept, *self.added) if step.start in starts and step.type in kinds]

    def way(self, start: str, end: str, kinds: frozenset[EdgeType]) -> list[Step]:
        """A shortest way from the one node to the other along edges of these types; none if there is none."""
        came_by: dict[str, Step | None] = {start: None}
        nearest = [start]
        while nearest and end not in came_by:
            steps = self.leaving(nearest, kinds)
            nearest = []
            for step in steps:
                if step.end not in came_by:
                    came_by[step.end] = step
                    nearest.append(step.end)
        found: list[Step] = []
        at = came_by.get(end)
        while at is not None:
            found.append(at)
            at = came_by[at.start]
        return found[::-1]

    def above(self, name: str) -> list[str]:
        """The node, what contains it, what contains that, and so on; each once."""
        found: dict[str, None] = {}
        while name and name not in found:
            found[name] = None
            name = self._parent(name)
        return list(found)

    def _parent(self, name: str) -> str:
        if name in self._parents:
            return self._parents[name]
        node = self.nodes.find(self.owner, name)
        parent = (node.parent if node else None) or ""
        return "" if Step(EdgeType.CONTAINS, parent, name) in self.removed else parent


def refuse_circles(nodes: Nodes, owner: str, change: Mapping[str, Any]) -> None:
    """Raise BadChange, naming the circle, if an edge of the change closes one; and if a whole waits for its part."""
    after = Afterwards(nodes, owner, change)
    for step in after.added:
        kinds = TOGETHER.get(step.type)
        if kinds and (way := after.way(step.end, step.start, kinds)):
            raise BadChange(_refusal([step, *way]))
        if step.type is EdgeType.DEPENDS_ON:
            _refuse_part(after, [step])
        elif step.type is EdgeType.CONTAINS:
            _refuse_part(after, after.leaving(after.above(step.start), frozenset({EdgeType.DEPENDS_ON})))


def _refuse_part(after: Afterwards, dependencies: Iterable[Step]) -> None:
    for step in dependencies:
        if step.start in after.above(step.end):
            raise BadChange(
                f"{step.start} cannot depend on {step.end}, which is part of it: it is at work as soon as its parts "
                "are, and would not be ready for that. It is done when they are, without a dependency."
            )


def _refusal(circle: Sequence[Step]) -> str:
    kinds = {step.type for step in circle}
    if len(kinds) == 1:
        names = [step.start for step in circle]
        return f"That would close a circle of {circle[0].type}: {' → '.join([*names, names[0]])}."
    told = ", ".join(f"{step.start} {step.type} {step.end}" for step in circle)
    return f"None of these could ever be ready and done, for each waits for the next: {told}."


def _step(edge: Mapping[str, Any]) -> Step:
    return Step(EdgeType(edge["type"]), edge["from"], edge["to"])
