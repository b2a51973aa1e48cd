"""Memories that programs keep under a name of their own: a path of words and a key, with a value beside the sentence.

The sentence is a memory like any other: it stands on pages and in briefs, and journals say it.  The value is given
back as it was put in, but for secrets.  A dream may word or archive the sentence; the value stays until it is dropped.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import Any, NamedTuple

from noctuary.authored import EventType
from noctuary.errors import BadInput
from noctuary.ids import derived_id
from noctuary.store.memories import MemoryKind, MemoryStatus, Remembered
from noctuary.text import tokens
from noctuary.weighing import weight
from noctuary.work.desk import Desk
from noctuary.work.notes import needed_words

ITEM = "item"  # the fact of a memory that holds its path, key and value
MOST = 1_000_000
LONGEST = 300  # characters of a sentence that is made of a value
_SENTENCES = ("text", "content", "memory", "data")  # keys under which values usually say what they are about
_HOLDING = (MemoryStatus.ACTIVE, MemoryStatus.PROPOSED)


class Item(NamedTuple):
    """A value, and where it is kept."""

    path: tuple[str, ...]
    key: str
    value: Mapping[str, Any]
    text: str
    created_ms: int
    updated_ms: int
    is_findable: bool = True


class Scored(NamedTuple):
    """An item, and how well it answers a query: 1 if it has all of its words."""

    item: Item
    score: float


def put(desk: Desk, path: Sequence[str], key: str, value: Mapping[str, Any], *, is_findable: bool = True) -> None:
    """Keep a value, in place of what was kept under this name."""
    name = _name(desk, path, key)
    plain = _plain(value)
    text = needed_words(_sentence(key, plain))
    now_ms, trust = desk.clock.now_ms(), desk.writer.trust
    item = {"path": [*path], "key": key, "value": plain, "updated_ms": now_ms, "findable": is_findable}
    with desk.writing() as write:
        old = desk.store.memories.find(desk.owner, name)
        if old and old.text == text and old.status in _HOLDING:
            change: dict[str, Any] = {"id": name, ITEM: item}
            write(EventType.AMEND, change={"memories": [change]}, meta={"bookkeeping": True})
            return
        heavy = weight(MemoryKind.FACT, trust, last_ms=now_ms)
        change = {"id": name, "kind": "fact", "text": text, "status": "active", "trust": str(trust), "weight": heavy}
        if old and old.facts.get("approved"):
            change["approved"] = False  # the user's yes was to other words
        supersedes = old.event if old and old.status in _HOLDING else None
        write(EventType.REMEMBER, text, change={"memories": [{**change, ITEM: item}]}, supersedes=supersedes)


def get(desk: Desk, path: Sequence[str], key: str) -> Item | None:
    """What is kept under a name, or None."""
    found = desk.store.memories.find(desk.owner, _name(desk, path, key))
    return _item(found) if found else None


def drop(desk: Desk, path: Sequence[str], key: str) -> bool:
    """Keep it no longer; whether there was something."""
    name = _name(desk, path, key)
    with desk.writing() as write:
        found = desk.store.memories.find(desk.owner, name)
        if found is None or _item(found) is None:
            return False
        change = {"memories": [{"id": name, "status": str(MemoryStatus.ARCHIVED), ITEM: None}]}
        write(EventType.RETIRE, change=change, supersedes=found.event if found.status in _HOLDING else None)
    return True


def items(desk: Desk, beginning: Sequence[str] = ()) -> Iterator[Item]:
    """All that is kept below a path, what was put there last first."""
    start = tuple(beginning)
    found = desk.store.memories.where(desk.owner, project=desk.project, statuses=None, most=MOST)
    kept = [item for memory in found if memory.project == desk.project and (item := _item(memory))]
    below = [item for item in kept if item.path[: len(start)] == start]
    yield from sorted(below, key=lambda item: (-item.updated_ms, item.path, item.key))


def ranked(found: Sequence[Item], query: str) -> list[Scored]:
    """The items that have a word of the query in their sentence or their value, the best first; rare words count."""
    asked = [frozenset(token.terms) for token in tokens(query)]
    words = [{term for token in tokens(_searched(item)) for term in token.terms} for item in found]
    having = [sum(bool(forms & each) for each in words) for forms in asked]
    worth = [1 + log((1 + len(found)) / (1 + count)) for count in having]
    scores = [
        sum(value for forms, value in zip(asked, worth, strict=True) if forms & each) / (sum(worth) or 1)
        for each in words
    ]
    good = [Scored(item, score) for item, score in zip(found, scores, strict=True) if score and item.is_findable]
    return sorted(good, key=lambda scored: -scored.score)


def _name(desk: Desk, path: Sequence[str], key: str) -> str:
    if not path or not all((*path, key)):
        raise BadInput("A name is a path of at least one word, and a key; none of them may be empty.")
    return derived_id("m", ITEM, desk.project, *path, "", key)


def _item(memory: Remembered) -> Item | None:
    told = memory.facts.get(ITEM)
    if not isinstance(told, dict) or not isinstance(told.get("value"), dict):
        return None
    path, key = tuple(map(str, told.get("path") or ())), str(told.get("key", ""))
    updated_ms = told.get("updated_ms")
    return Item(
        path,
        key,
        told["value"],
        memory.text,
        memory.recorded_ms,
        updated_ms if isinstance(updated_ms, int) else memory.recorded_ms,
        told.get("findable") is not False,
    )


def _sentence(key: str, value: Mapping[str, Any]) -> str:
    for name in _SENTENCES:
        if isinstance(said := value.get(name), str) and said.strip():
            return said
    written = f"{key}: {_json(value)}"
    return written if len(written) <= LONGEST else written[: LONGEST - 1] + "…"


def _plain(value: Mapping[str, Any]) -> dict[str, Any]:
    try:
        plain: dict[str, Any] = json.loads(_json(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(f"The value cannot be written as JSON: {error}.") from error
    return plain


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _searched(item: Item) -> str:
    return " ".join([*item.path, item.key, item.text, _json(item.value)])
