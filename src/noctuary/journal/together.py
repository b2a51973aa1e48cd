"""Journals that are written to as one with the tables: none keeps a line that the tables could not be told of.

The locks are held until the tables are saved, so that nobody reads a line that may still be taken back.
"""

from collections.abc import Callable
from contextlib import ExitStack, suppress

from noctuary.errors import StoreError
from noctuary.journal.contract import Journal, Place


class Together:
    """A context around a transaction: if that fails, every journal is as long again as it was when it was locked."""

    def __init__(self, known_bytes: Callable[[str], int]) -> None:
        """`known_bytes` says how much of a project's journal the tables know."""
        self._known_bytes = known_bytes
        self._locks = ExitStack()
        self._locked: dict[str, tuple[Journal, int]] = {}  # by project, with its length then

    def lock(self, project: str, journal: Journal, place: Place) -> int:
        """Let nobody else write to the journal until the end; its length.  JournalDamaged if it was not read so far."""
        if project in self._locked:
            return journal.size()
        self._locks.enter_context(journal.locked(place))
        size = journal.size()
        self._locked[project] = journal, size
        return size

    def __enter__(self) -> "Together":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._locks:
            if kind is not None:
                for project, (journal, size) in self._locked.items():
                    self._take_back(project, journal, size)

    def _take_back(self, project: str, journal: Journal, size: int) -> None:
        """Cut the journal, unless the tables know the lines: Ctrl-C may come just after they were saved."""
        with suppress(StoreError):  # then the lines stay, and whoever looks next reads them
            if self._known_bytes(project) <= size:
                journal.cut(size)
