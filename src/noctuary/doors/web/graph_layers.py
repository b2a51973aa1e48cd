"""Columns for a picture of a graph: which node stands in which, in which order, and how far down.

Every node stands behind all that leads to it; within the columns nodes are moved next to what they are joined with; a
way that crosses a column has a place in it.  Circles are cut at one edge.  The same graph always gives the same.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

_SWEEPS = 8


def islands(names: Sequence[str], pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The nodes by what is joined with what, the largest island first; within one, and where equal, in their order."""
    joined: dict[str, list[str]] = defaultdict(list)
    for one, other in pairs:
        joined[one].append(other)
        joined[other].append(one)
    number: dict[str, int] = {}
    for root in names:
        pending = [root] if root not in number else []
        while pending:
            name = pending.pop()
            if name not in number:
                number[name] = number.get(root, len(number))
                pending += joined[name]
    found: dict[int, list[str]] = defaultdict(list)
    for name in names:
        found[number[name]].append(name)
    return sorted(found.values(), key=lambda island: -len(island))


def without_circles(names: Sequence[str], ways: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Where ways lead from each node; those that would close a circle are left out.  Depth first, no recursion."""
    leads: dict[str, list[str]] = defaultdict(list)
    for start, end in ways:
        leads[start].append(end)
    kept: dict[str, list[str]] = {name: [] for name in names}
    is_open: dict[str, bool] = {}  # on the way that is being walked
    for root in names:
        walk = [] if root in is_open else [(root, iter(leads[root]))]
        is_open.setdefault(root, True)
        while walk:
            name, rest = walk[-1]
            end = next(rest, "")
            if not end:
                is_open[name] = False
                walk.pop()
            elif not is_open.get(end):
                kept[name].append(end)
                if end not in is_open:
                    is_open[end] = True
                    walk.append((end, iter(leads[end])))
    return kept


def ranks_of(names: Sequence[str], ahead: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """The column of each node: behind all that leads to it, and what nothing leads to next to where it leads."""
    before = dict.fromkeys(names, 0)
    for ends in ahead.values():
        for end in ends:
            before[end] += 1
    roots = [name for name in names if not before[name]]
    ranks, order = dict.fromkeys(names, 0), list(roots)
    for name in order:
        for end in ahead[name]:
            ranks[end] = max(ranks[end], ranks[name] + 1)
            before[end] -= 1
            if not before[end]:
                order.append(end)
    for root in roots:
        ranks[root] = max(0, min((ranks[end] for end in ahead[root]), default=1) - 1)
    return ranks


class Net:
    """Nodes in columns; a way over several columns has a place in each of them."""

    def __init__(
        self, ranks: Mapping[str, int], ahead: Mapping[str, Sequence[str]], *, node_room: float, way_room: float
    ) -> None:
        self.ranks = dict(ranks)
        self._rooms = node_room, way_room
        self.through: dict[tuple[str, str], list[str]] = {}
        self.joined: tuple[dict[str, list[str]], dict[str, list[str]]] = (defaultdict(list), defaultdict(list))
        for start, ends in ahead.items():
            for end in ends:
                self._lay(start, end)
        self.columns: list[list[str]] = [[] for _ in range(max(self.ranks.values(), default=-1) + 1)]
        for name, rank in self.ranks.items():
            self.columns[rank].append(name)
        self._real = set(ranks)

    def _lay(self, start: str, end: str) -> None:
        between = [f"{start}>{end}>{rank}" for rank in range(self.ranks[start] + 1, self.ranks[end])]
        for step, name in enumerate(between):
            self.ranks[name] = self.ranks[start] + 1 + step
        self.through[start, end] = between
        for one, other in zip([start, *between], [*between, end], strict=True):
            self.joined[0][other].append(one)
            self.joined[1][one].append(other)

    def order(self) -> None:
        """Move nodes of each column next to what they are joined with, from the left and from the right in turn."""
        for sweep in range(_SWEEPS):
            columns = self.columns if sweep % 2 == 0 else self.columns[::-1]
            places = {name: place for column in self.columns for place, name in enumerate(column)}
            for column in columns:
                middles = {
                    name: _middle([places[o] for o in self.joined[sweep % 2][name]], places[name]) for name in column
                }
                column.sort(key=lambda name: (middles[name], places[name]))
                places |= {name: place for place, name in enumerate(column)}

    def heights(self) -> dict[str, float]:
        """How far down each stands: as near to what it is joined with as the others of its column allow."""
        heights = {name: float(place) for column in self.columns for name, place in self._offsets(column).items()}
        for sweep in range(_SWEEPS):
            for column in self.columns if sweep % 2 == 0 else self.columns[::-1]:
                offsets = self._offsets(column)
                both = {name: [*self.joined[0][name], *self.joined[1][name]] for name in column}
                wanted = [_middle([heights[o] for o in both[name]], heights[name]) - offsets[name] for name in column]
                spread = _rising(wanted)
                heights |= {name: spread[place] + offsets[name] for place, name in enumerate(column)}
        return heights

    def _offsets(self, column: Sequence[str]) -> dict[str, float]:
        """How far down each is at least, if the first is at 0."""
        offsets, y = {}, 0.0
        for place, name in enumerate(column):
            if place:
                y += (self._room(column[place - 1]) + self._room(name)) / 2
            offsets[name] = y
        return offsets

    def _room(self, name: str) -> float:
        node_room, way_room = self._rooms
        return node_room if name in self._real else way_room


def _middle(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _rising(wanted: Sequence[float]) -> list[float]:
    """The numbers nearest to those wanted of which none is less than the one before (pool adjacent violators)."""
    pools: list[tuple[float, int]] = []
    for value in wanted:
        pool = (value, 1)
        while pools and pools[-1][0] > pool[0]:
            mean, count = pools.pop()
            pool = ((mean * count + pool[0] * pool[1]) / (count + pool[1]), count + pool[1])
        pools.append(pool)
    return [mean for mean, count in pools for _ in range(count)]
