"""LangGraph: a store of long-term memory that is this memory.

    store = NoctuaryStore(memory)
    store.put(("users", "ana"), "editor", {"text": "Ana prefers tabs in Makefiles."})
    store.search(("users",), query="tabs or spaces")

An item is a value under a path and a key, and at the same time a sentence that the memory keeps: it stands on pages,
in briefs and in the journal.  Secrets are left out of values.  Items are found by their words.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from noctuary.app import Memory
from noctuary.app.keyed import Item as Kept
from noctuary.app.keyed import Keyed
from noctuary.integrations.capture import project_named

_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda one, other: bool(one == other),
    "$ne": lambda one, other: bool(one != other),
    "$gt": lambda one, other: bool(one > other),
    "$gte": lambda one, other: bool(one >= other),
    "$lt": lambda one, other: bool(one < other),
    "$lte": lambda one, other: bool(one <= other),
}


class NoctuaryStore(BaseStore):
    """A `BaseStore` over the memories of one project; may be used by several threads at once."""

    def __init__(self, memory: Memory, project: str | Path | None = None) -> None:
        """`project` is a name of a project, a folder of it, or None for the folder that the program runs in."""
        self._keyed = Keyed(memory, project_named(memory, project))
        self._lock = Lock()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do all of this: what is asked for is answered first, then what is put is kept, the last of each name."""
        given = [*ops]
        with self._lock:
            results = [self._answer(op) for op in given]
            puts = {(op.namespace, op.key): op for op in given if isinstance(op, PutOp)}
            for put in puts.values():
                self._put(put)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same in a thread, so that an event loop goes on."""
        return await asyncio.to_thread(self.batch, [*ops])

    def _answer(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            found = self._keyed.get(op.namespace, op.key) if op.namespace else None
            return _item(found) if found else None
        if isinstance(op, SearchOp):
            return self._search(op)
        return self._namespaces(op) if isinstance(op, ListNamespacesOp) else None

    def _put(self, op: PutOp) -> None:
        if op.value is None:
            self._keyed.drop(op.namespace, op.key)
        else:
            self._keyed.put(op.namespace, op.key, op.value, is_findable=op.index is not False)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        items = [item for item in self._keyed.items(op.namespace_prefix) if _passes(item.value, op.filter)]
        if op.query:
            scored = [(each.item, each.score) for each in self._keyed.ranked(items, op.query)]
            found = [_found(item, score) for item, score in scored]
        else:
            found = [_found(item, None) for item in items]
        return found[op.offset : op.offset + op.limit]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        paths = {item.path for item in self._keyed.items()}
        matching = {path for path in paths if all(_matches(path, each) for each in op.match_conditions or ())}
        shown = sorted({path[: op.max_depth] for path in matching})
        return shown[op.offset : op.offset + op.limit]


def _item(item: Kept) -> Item:
    return Item(
        value=dict(item.value),
        key=item.key,
        namespace=item.path,
        created_at=_moment(item.created_ms),
        updated_at=_moment(item.updated_ms),
    )


def _found(item: Kept, score: float | None) -> SearchItem:
    return SearchItem(item.path, item.key, dict(item.value), _moment(item.created_ms), _moment(item.updated_ms), score)


def _moment(ts_ms: int) -> datetime:
    return datetime.fromtimestamp(ts_ms / 1000, UTC)


def _passes(value: Mapping[str, Any], wanted: dict[str, Any] | None) -> bool:
    return all(_compares(value.get(key), each) for key, each in (wanted or {}).items())


def _compares(value: Any, wanted: Any) -> bool:
    """Whether a field is as the filter wants it: equal, or by its operators; what cannot be compared is not."""
    if isinstance(wanted, dict) and any(str(key).startswith("$") for key in wanted):
        try:
            return all(_COMPARED[operator](value, other) for operator, other in wanted.items())
        except TypeError:
            return False
    if isinstance(wanted, dict):
        return isinstance(value, dict) and all(_compares(value.get(key), each) for key, each in wanted.items())
    return bool(value == wanted)


def _matches(path: Sequence[str], condition: MatchCondition) -> bool:
    wanted = condition.path
    if len(path) < len(wanted):
        return False
    part = path[: len(wanted)] if condition.match_type == "prefix" else path[len(path) - len(wanted) :]
    return all(other in ("*", each) for each, other in zip(part, wanted, strict=True))
