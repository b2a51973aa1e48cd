"""Journals as rows of a table, for a database that several machines share: a row a line, where it would be in a file.

The lines are written by the transaction that folds them, and the right to write is that of the database.  So nothing
is ever torn, behind or to be taken back, and what a file promises by locks and cuts holds by itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from noctuary.journal.contract import BEGINNING, Line, Place, are_in_order, check_new_lines, damage
from noctuary.journal.file import journal_path, write_aside
from noctuary.journal.lines import line_digest
from noctuary.store import Store

_AT_ONCE = 1_000  # lines: a journal may be longer than memory is large


class TableJournal:
    """A `Journal` in the table `journal_lines`."""

    is_file = False

    def __init__(self, store: Store, home: Path, owner: str, project: str) -> None:
        self.lines = store.journal_lines
        self.owner = owner
        self.project = project
        self.path = journal_path(home, owner, project)

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return f"The journal of {self.project or 'no project'}"

    def size(self) -> int:
        """Bytes of the lines with their ends; 0 if there are none."""
        return self.lines.end(self.owner, self.project)

    def check(self, place: Place) -> None:
        """Raise JournalDamaged unless the line before the place is the one that was read."""
        if not place.offset:
            return
        content = self.lines.at(self.owner, self.project, place.start)
        if content is None or line_digest(content) != place.digest:
            raise damage(self.name, place, self.size())

    def read(self, place: Place = BEGINNING) -> Iterator[Line]:
        """The lines behind the place."""
        start = place.offset
        while rows := self.lines.page(self.owner, self.project, start, _AT_ONCE):
            for start, number, content in rows:
                yield Line(content, number, start, start + len(content) + 1)
            start += 1

    def is_in_order(self, place: Place = BEGINNING) -> bool:
        """Whether the lines behind the place are as we write them and none has a lower id than the one before."""
        return are_in_order(line.content for line in self.read(place))

    @contextmanager
    def locked(self, place: Place) -> Iterator[None]:
        """JournalDamaged if it was not read up to the place; within a transaction nobody else writes anyway."""
        self.check(place)
        yield

    def append(self, content: bytes, place: Place) -> None:
        """Write whole lines at the end, where the place must be; JournalDamaged if one begins with a zero byte."""
        check_new_lines(self.name, content)
        self._add(content, place)

    def _add(self, content: bytes, place: Place) -> None:
        rows, start = [], place.offset
        for number, line in enumerate(content.split(b"\n")[:-1], place.number + 1):
            rows.append((start, number, line))
            start += len(line) + 1
        self.lines.add(self.owner, self.project, rows)

    def cut(self, size: int) -> None:
        """Nothing: the lines of a transaction that failed are gone, and those of another may be there by now."""

    def replace(self, content: bytes) -> None:
        """Put whole lines in the place of all there are."""
        self.lines.remove(self.owner, self.project)
        self._add(content, BEGINNING)

    def set_aside(self, ending: str) -> Path | None:
        """Write the lines to a file where the journal's own would be, and remove them; its path, None if none are.

        The file is on the disk before they are removed.
        """
        if not self.size():
            return None
        aside = write_aside(self.path, ending, (line.content for line in self.read()))
        self.lines.remove(self.owner, self.project)
        return aside

    def halves(self) -> Path | None:
        """None: a transaction leaves no half of a line."""
        return None


class TableJournals:
    """The journals of an owner in the table."""

    def __init__(self, store: Store, home: Path, owner: str) -> None:
        self.store = store
        self.home = home
        self.owner = owner
        self._journals: dict[str, TableJournal] = {}  # by project

    def journal(self, project: str) -> TableJournal:
        """The journal of a project, which may have no lines yet."""
        if project not in self._journals:
            self._journals[project] = TableJournal(self.store, self.home, self.owner, project)
        return self._journals[project]

    def projects(self) -> list[str]:
        """The projects that have a journal, by name."""
        return self.store.journal_lines.projects(self.owner)
