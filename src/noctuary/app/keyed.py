"""What programs keep under names of their own, in one project of a memory."""

from __future__ import annotations  # a memory is named before it is loaded

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from noctuary.authored import Author, EventSource, Trust
from noctuary.work import keyed
from noctuary.work.desk import Desk, Writer
from noctuary.work.keyed import Item, Scored

if TYPE_CHECKING:
    from noctuary.app.memory import Memory

__all__ = ["PROGRAM", "Item", "Keyed", "Scored"]

PROGRAM = Writer(Author.AGENT, EventSource.API, trust=Trust.AGENT)


class Keyed:
    """The values that were put into a project; each is also a sentence that the memory keeps."""

    def __init__(self, memory: Memory, project: str | None = None, writer: Writer = PROGRAM) -> None:
        self._memory, self._project, self._writer = memory, project, writer

    def put(self, path: Sequence[str], key: str, value: Mapping[str, Any], *, is_findable: bool = True) -> None:
        """Keep a value, in place of what was kept under this name."""
        keyed.put(self._desk, path, key, value, is_findable=is_findable)

    def get(self, path: Sequence[str], key: str) -> Item | None:
        """What is kept under a name, or None."""
        return keyed.get(self._desk, path, key)

    def drop(self, path: Sequence[str], key: str) -> bool:
        """Keep it no longer; whether there was something."""
        return keyed.drop(self._desk, path, key)

    def items(self, beginning: Sequence[str] = ()) -> list[Item]:
        """All that is kept below a path, what was put there last first."""
        return [*keyed.items(self._desk, beginning)]

    def ranked(self, items: Sequence[Item], query: str) -> list[Scored]:
        """Those of the items that have words of the query, the best first."""
        return keyed.ranked(items, query)

    @property
    def _desk(self) -> Desk:
        return self._memory.work(self._project, self._writer).desk
