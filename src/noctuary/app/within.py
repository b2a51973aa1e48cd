"""A memory as far as somebody may see it: of one owner, and perhaps of one project of theirs alone.

Names are whole here, never beginnings: over a network nobody types ids, and to say that several begin so would name
what may not be seen.  What there is but may not be seen is not there.
"""

from contextlib import AbstractContextManager

from noctuary.app.dreaming import Dreams
from noctuary.app.memory import Memory
from noctuary.app.work import Work
from noctuary.authored import Entry
from noctuary.errors import EventNotFound, NodeNotFound, NotFound, SessionNotFound
from noctuary.graph import Edge, Node
from noctuary.lazily import Once
from noctuary.records import Session
from noctuary.store.memories import Remembered
from noctuary.work.desk import Writer


class Within:
    """One owner's memory, or what it holds of one project."""

    def __init__(self, memory: Memory, project: str | None) -> None:
        self.memory = memory
        self.project = project  # the only one that may be seen; None is all of them
        self._is_caught_up = False

    def catch_up(self) -> None:
        """Let the tables know what others wrote to the journals; what cannot be read of them is the doctor's."""
        if not self._is_caught_up:
            self.memory.ledger.catch_up_all()
            self._is_caught_up = True

    def sees(self, project: str | None) -> bool:
        """Whether what is of this project may be seen."""
        return self.project is None or self.project == (project or "")

    def session(self, name: str) -> Session:
        """The session with this id; SessionNotFound if there is none that may be seen."""
        found = self.memory.store.sessions.find(self.memory.owner, name)
        if found is None or not self.sees(found[1].project):
            raise SessionNotFound("There is no session with this id.")
        return found[1]

    def is_taken(self, name: str) -> bool:
        """Whether there is a session with this id, seen or not."""
        return self.memory.store.sessions.find(self.memory.owner, name) is not None

    def node(self, name: str) -> Node:
        """The node with this id; NodeNotFound if there is none that may be seen."""
        self.catch_up()
        found = self.memory.store.nodes.find(self.memory.owner, name)
        if found is None or not self.sees(found.project):
            raise NodeNotFound("There is no goal, task or decision with this id.")
        return found

    def entry(self, name: str) -> Entry:
        """The event with this id; EventNotFound if there is none that may be seen."""
        self.catch_up()
        found = self.memory.ledger.entry(name)
        if found is None or not self.sees(found.event.project):
            raise EventNotFound("There is no event with this id.")
        return found

    def remembered(self, name: str) -> Remembered:
        """The memory with this id; NotFound if there is none that may be seen."""
        self.catch_up()
        found = self.memory.store.memories.find(self.memory.owner, name)
        if found is None or not self.sees(found.project):
            raise NotFound("There is no memory with this id.")
        return found

    def work(self, project: str | None = None, writer: Writer | None = None) -> Work:
        """The work of a project; without one that of the only one that may be seen, or of none in particular."""
        return self.memory.work((project or "") if self.project is None else self.project, writer)

    @Once
    def dreams(self) -> Dreams:
        """Dreams, caught up with the journals as they are now."""
        return Dreams(self.memory)

    def at_once(self) -> AbstractContextManager[object]:
        """All that is done meanwhile or nothing, and nobody else writes."""
        return self.memory.ledger.at_once()

    def edges(self, nodes: list[str]) -> list[Edge]:
        """The edges between nodes of which both may be seen."""
        store, owner = self.memory.store.nodes, self.memory.owner
        edges = store.edges_of(owner, nodes)
        if self.project is None:
            return edges
        known = store.by_id(owner, {end for edge in edges for end in (edge.from_id, edge.to_id)})
        seen = {node.id for node in known.values() if self.sees(node.project)}
        return [edge for edge in edges if edge.from_id in seen and edge.to_id in seen]

    def shown(self, entry: Entry) -> Entry:
        """The entry; without its words, if it joins something with what may not be seen: they would name that."""
        return entry._replace(event=entry.event._replace(text="")) if self.names_others(entry) else entry

    def names_others(self, entry: Entry) -> bool:
        """Whether an entry joins something with what may not be seen, or takes it apart."""
        change = entry.event.change
        edges = (*change.get("edges", ()), *change.get("unlink", ()))
        if self.project is None or not edges:
            return False
        ends = {edge[end] for edge in edges for end in ("from", "to")}
        known = self.memory.store.nodes.by_id(self.memory.owner, ends)
        return not all(end in known and self.sees(known[end].project) for end in ends)

    def is_joined_elsewhere(self, root: str) -> bool:
        """Whether anything in or below a node is joined with what may not be seen: a text about it could tell that."""
        if self.project is None:
            return False
        nodes = [node.id for node in self.memory.store.nodes.subtree(self.memory.owner, root)]
        return len(self.edges(nodes)) < len(self.memory.store.nodes.edges_of(self.memory.owner, nodes))
