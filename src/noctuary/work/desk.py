"""What every verb of the work needs: the tables to read, the ledger to write to, and who is at it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from noctuary.authored import NO_REFS, Author, Entry, Event, EventSource, EventStatus, EventType, Refs, Strength, Trust
from noctuary.clock import Clock
from noctuary.errors import EventNotFound, NodeNotFound
from noctuary.graph import Node, NodeType
from noctuary.ids import short_id
from noctuary.ledger.ledger import Ledger, entry_from
from noctuary.store import Store
from noctuary.work.rules import check_change
from noctuary.work.wording import only_one, with_article

PREFIXES = {
    NodeType.GOAL: "g",
    NodeType.TASK: "t",
    NodeType.DECISION: "d",
    NodeType.OPTION: "o",
    NodeType.OUTCOME: "oc",
    NodeType.OBSERVATION: "ob",
    NodeType.REVISIT: "r",
}


class Writer(NamedTuple):
    """Who writes, through which door, and in which session of an agent."""

    author: Author = Author.USER
    source: EventSource = EventSource.API
    session: str | None = None
    trust: Trust = Trust.USER


class Desk:
    """One owner's work in one project: reads of nodes and events, and the one way to write."""

    def __init__(self, ledger: Ledger, project: str, writer: Writer) -> None:
        self.ledger = ledger
        self.project = project
        self.writer = writer

    @property
    def store(self) -> Store:
        """The tables."""
        return self.ledger.store

    @property
    def owner(self) -> str:
        """Whose work it is."""
        return self.ledger.owner

    @property
    def clock(self) -> Clock:
        """What time it is."""
        return self.ledger.clock

    def node(self, name: str, *kinds: NodeType) -> Node:
        """The node with this id, or the only one whose id begins so; NodeNotFound if there is none of these types."""
        found = self.store.nodes.find(self.owner, name) if name else None
        if found is None:
            beginning = self.store.nodes.beginning_with(self.owner, name) if name else []
            full = only_one(beginning, name, "id", NodeNotFound)
            found = self.store.nodes.find(self.owner, full) if full else None
        if found is None:
            raise NodeNotFound(f"There is no node {name!r}; `noctuary task list` and `noctuary tree` show ids.")
        if kinds and found.type not in kinds:
            wanted = " or ".join(map(with_article, kinds))
            raise NodeNotFound(f"{name} is {with_article(found.type)}, not {wanted}.")
        return found

    def entry(self, name: str) -> Entry:
        """The event with this id, or the only one whose id begins so; EventNotFound if there is none."""
        found = self.ledger.entry(name.upper())
        if found is None:
            beginning = self.store.events.beginning_with(self.owner, name.upper()) if name else []
            full = only_one(beginning, name, "event", EventNotFound)
            found = self.ledger.entry(full) if full else None
        if found is None:
            raise EventNotFound(f"There is no event {name!r}; `noctuary event list` shows ids.")
        return found

    def upwards(self, name: str | None) -> Iterator[Node]:
        """The node with this id, what it is part of, what that is part of …, each once."""
        seen = set[str]()  # two machines may have made a circle together
        while name and name not in seen and (node := self.store.nodes.find(self.owner, name)):
            seen.add(name)
            yield node
            name = node.parent

    def entries(
        self, node: str, types: Sequence[EventType] | None = None, most: int = 1_000_000, *, hidden: bool = False
    ) -> list[Entry]:
        """What was said about a node, the newest first; what was taken back only with `hidden`."""
        rows = self.store.events.of_node(self.owner, node, types, most, hidden=hidden)
        return [entry_from(row) for row in rows]

    def recent(
        self,
        node: str | None = None,
        types: Sequence[EventType] | None = None,
        most: int = 20,
        *,
        suggested: bool = False,
        hidden: bool = False,
    ) -> list[Entry]:
        """What was said about a node, else in the project, the newest first; `suggested`: what nobody confirmed."""
        if node:
            about = self.node(node).id
            if not suggested:
                return self.entries(about, types, most, hidden=hidden)
            return [entry for entry in self.entries(about, types, hidden=hidden) if entry.is_suggested][:most]
        status = EventStatus.SUGGESTED if suggested else None
        rows = self.store.events.of_project(self.owner, self.project, types, most, status=status, hidden=hidden)
        return [entry_from(row) for row in rows]

    def new_id(self, kind: NodeType) -> str:
        """An id that no node has."""
        return self.unused_id(PREFIXES[kind], self.store.nodes.find)

    def unused_id(self, prefix: str, find: Callable[[str, str], object]) -> str:
        """An id that nothing has, as far as `find` knows."""
        while find(self.owner, fresh := short_id(prefix)):
            pass
        return fresh

    @contextmanager
    def writing(self, project: str | None = None) -> Iterator["Callable[..., Event]"]:
        """The right to write; what is read within still holds when `write(type, text, …)` records the event.

        `project` is where the node that is written about belongs; by default the desk's own.
        """
        name = self.project if project is None else project
        check = partial(check_change, self.store.nodes, self.owner)
        with self.ledger.writing(name) as record:

            def write(
                kind: EventType,
                text: str = "",
                *,
                node: str | None = None,
                change: Mapping[str, Any] | None = None,
                meta: Mapping[str, Any] | None = None,
                refs: Refs = NO_REFS,
                corrects: str | None = None,
                supersedes: str | None = None,
                status: EventStatus = EventStatus.CONFIRMED,
                strength: Strength | None = None,
                confidence: float | None = None,
                ts_ms: int = 0,
                is_verb: bool = False,
                is_import: bool = False,
                revived: Collection[str] = (),
            ) -> Event:
                if change:
                    check(change, project=name, is_verb=is_verb, is_import=is_import, revived=revived)
                event = Event(
                    type=kind,
                    text=text.strip(),
                    project=name,
                    node=node,
                    ts_ms=ts_ms,
                    author=self.writer.author,
                    source=self.writer.source,
                    session=self.writer.session,
                    trust=self.writer.trust,
                    confidence=confidence,
                    strength=strength,
                    refs=refs,
                    corrects=corrects,
                    supersedes=supersedes,
                    status=status,
                    meta=meta or {},
                    change=change or {},
                )
                return record(event)

            yield write
