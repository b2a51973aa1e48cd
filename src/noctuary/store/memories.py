"""Memories in the database: sentences worth keeping, as the journal says them."""

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from noctuary.authored import Trust
from noctuary.store.database import Database, Row
from noctuary.store.sessions import like_literal


class MemoryKind(StrEnum):
    """What sort of sentence a memory is."""

    DECISION = "decision"
    CONSTRAINT = "constraint"
    PREFERENCE = "preference"
    FACT = "fact"
    PROCEDURE = "procedure"
    GOTCHA = "gotcha"


class MemoryStatus(StrEnum):
    """Whether a memory holds."""

    PROPOSED = "proposed"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    ARCHIVED = "archived"


EVERY_PROJECT = ""  # the project of what holds in all of them
_KINDS = {str(kind): kind for kind in MemoryKind}
_STATUSES = {str(status): status for status in MemoryStatus}


class Remembered(NamedTuple):
    """A memory, and the event that says it, with what it rests on."""

    id: str
    project: str  # empty: of all projects
    kind: MemoryKind
    text: str
    status: MemoryStatus
    recorded_ms: int
    retired_ms: int | None
    superseded_by: str | None
    event: str
    facts: Mapping[str, Any]  # topic, validity, support, pinned, trust

    def __hash__(self) -> int:
        """By its name; facts have no hash, but memories that are equal are so in all of them."""
        return hash(self.id)


def holds_everywhere(memory: Remembered) -> bool:
    """Whether a memory of no project is one of all: not if it was only said outside of all, unless approved."""
    return memory.facts.get("everywhere") is not False or memory.facts.get("approved") is True


def is_of_user(memory: Remembered) -> bool:
    """Whether a user said a memory, or has approved it."""
    return memory.facts.get("trust") == Trust.USER or memory.facts.get("approved") is True


class MemoryChoice(NamedTuple):
    """Which memories are wanted; what is None does not restrict."""

    project: str | None = None  # of this alone, without those of all projects
    kind: MemoryKind | None = None
    topic: str | None = None
    statuses: Iterable[MemoryStatus] = (MemoryStatus.ACTIVE,)
    is_pinned: bool | None = None
    words: str = ""  # anywhere in the text, in any case


class Memories:
    """The memories of all owners; every call names the owner."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def find(self, owner: str, memory_id: str) -> Remembered | None:
        """One memory, or None."""
        rows = self.database.fetch("find_memory", owner=owner, id=memory_id)
        return memory_from(rows[0]) if rows else None

    def named(self, owner: str, ids: Iterable[str]) -> dict[str, Remembered]:
        """Those of these memories that there are, by id."""
        rows = self.database.fetch("memories_named", owner=owner, ids=json.dumps(list(ids)))
        return {row[0]: memory_from(row) for row in rows}

    def where(
        self,
        owner: str,
        *,
        project: str | None = None,
        statuses: Iterable[MemoryStatus] | None = (MemoryStatus.ACTIVE,),
        most: int = 1_000,
    ) -> list[Remembered]:
        """Memories of a project and of all projects, the newest first."""
        wanted = None if statuses is None else json.dumps([str(status) for status in statuses])
        rows = self.database.fetch("memories_where", owner=owner, project=project, statuses=wanted, most=most)
        return [memory_from(row) for row in rows]

    def page(self, owner: str, wanted: MemoryChoice, most: int, skip: int = 0) -> tuple[list[Remembered], int]:
        """Some of the memories that are wanted, the newest first, and how many there are; 0 behind the last."""
        rows = self.database.fetch(
            "memories_page",
            owner=owner,
            project=wanted.project,
            kind=wanted.kind,
            topic=wanted.topic,
            pinned=None if wanted.is_pinned is None else int(wanted.is_pinned),
            statuses=json.dumps([str(status) for status in wanted.statuses]),
            words=f"%{like_literal(wanted.words.lower())}%" if wanted.words else None,
            most=most,
            skip=skip,
        )
        return [memory_from(row[:10]) for row in rows], rows[0][10] if rows else 0

    def shares(self, owner: str, project: str | None = None) -> list[tuple[str, MemoryKind, MemoryStatus, int]]:
        """How many memories there are of each project, kind and status."""
        rows = self.database.fetch("memory_shares", owner=owner, project=project)
        return [(name, _KINDS[kind], _STATUSES[status], count) for name, kind, status, count in rows]

    def main_topics(self, owner: str, project: str | None, most: int) -> dict[str, int]:
        """The topics that most active memories are about, of a project or of all, and how many."""
        return dict(self.database.fetch("memory_topic_shares", owner=owner, project=project, most=most))

    def superseded_by(self, owner: str, memory_id: str, most: int = 20) -> list[Remembered]:
        """The memories whose place this one took, the newest first."""
        rows = self.database.fetch("memories_superseded_by", owner=owner, id=memory_id, most=most)
        return [memory_from(row) for row in rows]

    def leading(self, owner: str, project: str, most: int) -> list[Remembered]:
        """The memories of a project that a page should show, the most important first; stale ones wait."""
        return [
            memory_from(row) for row in self.database.fetch("leading_memories", owner=owner, project=project, most=most)
        ]

    def verified(self, owner: str, project: str, most: int) -> list[Remembered]:
        """The memories of a project that a page should show and that were looked up once, in any order."""
        rows = self.database.fetch("verified_memories", owner=owner, project=project, most=most)
        return [memory_from(row) for row in rows]

    def stale(self, owner: str, project: str, most: int) -> list[Remembered]:
        """The memories of a project that no page shows because what they name is gone, the most important first."""
        rows = self.database.fetch("stale_memories", owner=owner, project=project, most=most)
        return [memory_from(row) for row in rows]

    def of_topic(self, owner: str, project: str, topic: str, most: int = 1_000) -> list[Remembered]:
        """The active memories of a topic, the most important first."""
        rows = self.database.fetch("memories_of_topic", owner=owner, project=project, topic=topic, most=most)
        return [memory_from(row) for row in rows]

    def names_of_topic(self, owner: str, project: str, topic: str, most: int) -> list[str]:
        """The ids of the active memories of a topic, the most important first, without reading any."""
        rows = self.database.fetch("names_of_topic", owner=owner, project=project, topic=topic, most=most)
        return [row[0] for row in rows]

    def topics(self, owner: str, project: str) -> dict[str, int]:
        """How many active memories each topic has."""
        return dict(self.database.fetch("memory_topics", owner=owner, project=project))

    def weights(self, owner: str, ids: Iterable[str]) -> dict[str, float]:
        """How important those of these memories are of which it was said."""
        wanted = list(ids)
        rows = self.database.fetch("memory_weights", owner=owner, ids=json.dumps(wanted)) if wanted else []
        return {name: float(weight) for name, weight in rows if isinstance(weight, (int, float))}

    def said_as(self, owner: str, memories: Iterable[Remembered], kind: str) -> set[str]:
        """The ids of those of these memories that are said by an event of this type."""
        by_event = [(memory.event, memory.id) for memory in memories]
        events = json.dumps([event for event, _ in by_event])
        found = {row[0] for row in self.database.fetch("events_of_type", owner=owner, ids=events, type=kind)}
        return {name for event, name in by_event if event in found}

    def said_by(self, owner: str, memories: Iterable[Remembered]) -> dict[str, tuple[str, str]]:
        """The projects and types of the events that say these memories, by the memories' ids; of those there are."""
        by_event = {memory.id: memory.event for memory in memories}
        rows = self.database.fetch("types_of_events", owner=owner, ids=json.dumps([*by_event.values()]))
        found = {event: (project, kind) for event, project, kind in rows}
        return {name: found[event] for name, event in by_event.items() if event in found}

    def touched_after(self, owner: str, project: str, event: str, most: int) -> dict[str, set[str]] | None:
        """The memories that events after this one changed, and what of them; None if there are too many to look at."""
        rows = self.database.fetch("memory_changes_after", owner=owner, project=project, after=event, most=most + 1)
        if len(rows) > most:
            return None
        touched: dict[str, set[str]] = {}
        for (body,) in rows:
            for memory in (json.loads(body).get("change") or {}).get("memories", ()):
                touched.setdefault(memory["id"], set()).update(memory)
        return touched

    def topic_names(self, owner: str, project: str) -> list[str]:
        """The topics there are, at most a hundred, each looked up by index however many memories it has."""
        return [row[0] for row in self.database.fetch("memory_topic_names", owner=owner, project=project)]

    def of_event(self, owner: str, event: str) -> list[Remembered]:
        """The memories that rest on an event, or that it says."""
        return [memory_from(row) for row in self.database.fetch("memory_of_event", owner=owner, event=event)]


@lru_cache(maxsize=2_048)  # a dream reads the memories of a page again and again
def memory_from(row: Row) -> Remembered:
    """The memory of a row."""
    name, project, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body = row
    sort, stand = _KINDS[kind], _STATUSES[status]
    return Remembered(name, project, sort, text, stand, recorded_ms, retired_ms, superseded_by, event, json.loads(body))
