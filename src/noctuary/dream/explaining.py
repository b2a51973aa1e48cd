"""Why a line stands in MEMORY.md: the memory, the sentences it rests on, who said them and when."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from noctuary.authored import Entry, MessageRef
from noctuary.dream.comparing.sameness import Relation, compare
from noctuary.dream.merging.history import History
from noctuary.dream.night import Night
from noctuary.errors import NotFound
from noctuary.store.memories import MemoryStatus, Remembered

_ID = re.compile(r"\bm-[0-9a-z]{4,}")
_MOST = 20


class Ground(NamedTuple):
    """Something a memory rests on: an entry, and the messages it cites."""

    entry: Entry
    messages: Sequence[MessageRef]


class Why(NamedTuple):
    """A memory, and all that speaks for it."""

    memory: Remembered
    grounds: Sequence[Ground]
    runs: Sequence[str]  # of the dreams that wrote about it


def why(night: Night, project: str, line: str) -> Why:
    """What a line rests on; the line may be whole, a part of it, or the id at its end.  NotFound if there is none."""
    memory = _memory_of(night, project, line)
    if memory is None:
        raise NotFound("No memory says that; `noctuary memory list` shows those there are.")
    return explain(night, memory)


def explain(night: Night, memory: Remembered) -> Why:
    """What a memory rests on."""
    named = [memory.event, *(name for name in memory.facts.get("events", ()) if name != memory.event)]
    entries = [entry for name in named[:_MOST] if (entry := night.ledger.entry(name)) is not None]
    runs = dict.fromkeys(run for entry in entries if (run := entry.event.meta.get("dream", {}).get("run")))
    return Why(memory, [Ground(entry, entry.event.refs.messages) for entry in entries], [*runs])


def _memory_of(night: Night, project: str, line: str) -> Remembered | None:
    memories = night.store.memories
    if named := _ID.search(line):
        known = memories.find(night.owner, named.group())
        if known is not None:
            return known
    said = _plain(line)
    if not said:
        return None
    near = [*History(night.store, night.owner, project).near(said), *History(night.store, night.owner, "").near(said)]
    found = [memory for known in near for memory in memories.of_event(night.owner, known.event_id)]
    same = [memory for memory in found if compare(said, memory.text) in (Relation.SAME, Relation.SAYS_MORE)]
    return next(iter([*_saying(said, found), *same, *_saying_anywhere(night, project, said)]), None)


def _saying(said: str, memories: Iterable[Remembered]) -> list[Remembered]:
    """The memories in which this is said, letter for letter; those that hold first."""
    saying = [memory for memory in memories if said.casefold() in _plain(memory.text).casefold()]
    return sorted(saying, key=lambda memory: memory.status is not MemoryStatus.ACTIVE)


def _saying_anywhere(night: Night, project: str, said: str) -> list[Remembered]:
    """The same of all projects, this one first: a person may stand in another folder than the page is of."""
    known = night.store.memories.where(night.owner, statuses=None, most=1_000_000)
    return sorted(_saying(said, known), key=lambda memory: memory.project not in (project, ""))


def _plain(line: str) -> str:
    """A line as a memory says it: without its mark, date and id."""
    return re.sub(r"\s*\(\d{4}-\d\d-\d\d\)|\s*\(pinned\)|\s*\[m-[0-9a-z]+\]|^\s*-\s+", "", line).strip().rstrip("….")
