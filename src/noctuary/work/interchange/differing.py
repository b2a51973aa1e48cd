"""What is different between a file of a goal and the goal as it is here; nothing is changed."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from noctuary.work.desk import Desk
from noctuary.work.interchange.exporting import goal_file
from noctuary.work.interchange.goal_file import Ends, Fields, GoalFile, read_goal_file
from noctuary.work.interchange.importing import Difference


class Diff(NamedTuple):
    """Seen from here: what the file adds, changes and does not have."""

    added_nodes: Sequence[str] = ()
    changed: Sequence[Difference] = ()  # fields of nodes and edges
    removed_nodes: Sequence[str] = ()  # here, and not in the file
    added_edges: Sequence[Ends] = ()
    removed_edges: Sequence[Ends] = ()
    unchanged_nodes: int = 0
    unchanged_edges: int = 0
    titles: Mapping[str, str] = {}  # of nodes that are only on one side

    @property
    def is_empty(self) -> bool:
        """Whether the file says what is here."""
        return not any(self[:5])


def diff(desk: Desk, text: str) -> Diff:
    """What is different; edges that leave the goal are compared like all others.  BadInput if it is no such file."""
    file = read_goal_file(text)
    here = _here(desk, file)
    edges, old_edges = {**file.edges, **file.outside}, {**here.edges, **here.outside}
    nodes = {name: _differences(name, here.nodes[name], file.nodes[name]) for name in here.nodes if name in file.nodes}
    labels = {
        ends: _differences(" ".join(ends), old_edges[ends], edges[ends], ("label",))
        for ends in old_edges
        if ends in edges
    }
    return Diff(
        added_nodes=sorted(file.nodes.keys() - here.nodes.keys()),
        changed=[each for found in (*nodes.values(), *labels.values()) for each in found],
        removed_nodes=sorted(here.nodes.keys() - file.nodes.keys()),
        added_edges=sorted(edges.keys() - old_edges.keys()),
        removed_edges=sorted(old_edges.keys() - edges.keys()),
        unchanged_nodes=sum(not found for found in nodes.values()),
        unchanged_edges=sum(not found for found in labels.values()),
        titles={
            name: str(fields["title"])
            for side, other in ((file, here), (here, file))
            for name, fields in side.nodes.items()
            if name not in other.nodes
        },
    )


def _here(desk: Desk, file: GoalFile) -> GoalFile:
    is_known = desk.store.nodes.find(desk.owner, file.goal) is not None
    return goal_file(desk, file.goal) if is_known else GoalFile(file.goal, file.project, {}, {}, {}, {})


def _differences(name: str, here: Fields, in_file: Fields, keys: Sequence[str] = ()) -> list[Difference]:
    return [
        Difference(name, key, here.get(key), in_file.get(key))
        for key in keys or sorted(here.keys() | in_file.keys())
        if (here.get(key) or None) != (in_file.get(key) or None)
    ]
