"""Record an event: journal first, then the tables.  Nothing else writes what is authored.

The right to write is that of the database: whoever holds it has read the journal to its end, so what is checked before
an event is written still holds when it is.  If the tables cannot be saved, the lines are taken back; killed between the
journal and the commit, the next one to look finds the line and folds it.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from pathlib import Path

from noctuary.authored import Entry, Event, EventStatus, EventType
from noctuary.clock import Clock
from noctuary.errors import BadEvent, BadInput, JournalDamaged, StoreError
from noctuary.journal.contract import BEGINNING, Journal, Journals, Place
from noctuary.journal.folder import FolderJournals
from noctuary.journal.lines import decode, said_in_line, trust_in_line
from noctuary.journal.rewritings import REWRITING, is_rewritten
from noctuary.journal.together import Together
from noctuary.ledger.cleaning import LONGEST_TEXT, cleaned
from noctuary.ledger.fold import Fold
from noctuary.ledger.reading import BadLine, Parsed, Reading, uncollected
from noctuary.ledger.table_journal import TableJournals
from noctuary.ledger.writing import Writing, of_another_project
from noctuary.redact import redact
from noctuary.store import Store
from noctuary.store.database import Row

__all__ = ["LONGEST_TEXT", "BadLine", "Ledger", "entry_from", "journals_of", "said_in_line", "trust_in_line"]

_LOOKED_UP = 200  # events at a time: enough for a query, few enough to stay in the processor's cache
Write = Callable[[Event], Event]


class Ledger:
    """The journals of one owner, and the tables that are folded from them."""

    def __init__(self, store: Store, home: Path, owner: str, clock: Clock, journals: Journals | None = None) -> None:
        """The journals are where the database of the store has them, unless others are given."""
        self.store = store
        self.home = home
        self.owner = owner
        self.clock = clock
        self.journals = journals or journals_of(store, home, owner)
        # Both are used only by whoever may write to the database.
        self._writing: dict[str, Writing] = {}  # by project
        self._open_together: Together | None = None
        self._next_number: int | None = None  # of an event, as far as this transaction knows
        self._absent: set[str] = set()  # memories that there are none of, as far as it knows
        self._made: set[str] = set()  # memories of which it has written
        self.when_changed: Callable[[], None] | None = None  # is called at the end of each transaction, within it

    def record(self, event: Event) -> Event:
        """Write one event of its project; the event with all that was filled in."""
        with self.writing(event.project) as write:
            return write(event)

    @contextmanager
    def writing(self, project: str, *, is_gathered: bool = False) -> Iterator[Write]:
        """The right to write to a project's journal; what is read meanwhile is what events are written to.

        Everything written within is in the tables at once, and in the journal at the end; nothing is, if the end is
        not reached.  Within another writing to the same project it is a part of that.  With `is_gathered`, nothing is
        in the tables before somebody asks for an `entry` or lets it `settle`, before a part begins, and before the
        end: of many events that costs less.
        """
        with self._together() as journals:
            if project in self._writing:
                self.settle()  # also of other projects: events are numbered by what the tables have
                self._writing[project].is_gathered &= is_gathered
                yield self._writing[project].write
                return
            _check_name(project)
            self.settle()
            place = self.place(project)
            if journals.lock(project, self.journal(project), place) != place.offset:
                self.fold_new(project)
                place = self.place(project)
            writing = self._writing[project] = Writing(self, project, place, is_gathered=is_gathered)
            try:
                yield writing.write
            finally:
                del self._writing[project]
            writing.finish()

    def at_once(self) -> AbstractContextManager[object]:
        """All that is written meanwhile, to journals and tables, or nothing of it."""
        return self._together()

    @contextmanager
    def _together(self) -> Iterator[Together]:
        """A transaction of the tables and of the journals locked within; one within another is a part of that."""
        with Together(lambda project: self.place(project).offset) as journals, self.store.database.transaction():
            if self._open_together is not None:
                yield self._open_together
                return
            self._open_together = journals
            try:
                yield journals
                self._tell()
            finally:
                self._open_together = self._next_number = None
                self._absent.clear()
                self._made.clear()

    def journal(self, project: str) -> Journal:
        """The journal of a project."""
        return self.journals.journal(project)

    def projects(self) -> list[str]:
        """The projects that have a journal, by name."""
        return self.journals.projects()

    def catch_up(self, project: str | None = None) -> list[BadLine]:
        """Fold what is in the journals and not yet in the tables, of one project or of all; lines that cannot be.

        If one journal cannot be read at all, the others are, before its error is raised.
        """
        if project is not None:
            return self._catch_up(project)
        bad: list[BadLine] = []
        for error in self.catch_up_all(bad).values():
            raise error
        return bad

    def catch_up_all(self, bad: list[BadLine] | None = None) -> dict[str, StoreError]:
        """Fold what is new in every journal that can be; why not, by project, for those that cannot."""
        failed: dict[str, StoreError] = {}
        for name in sorted({*self.projects(), *self.store.journals.projects(self.owner)}):
            try:
                found = self._catch_up(name)
            except StoreError as error:
                failed[name] = error
            else:
                if bad is not None:
                    bad += found
        return failed

    def _catch_up(self, project: str) -> list[BadLine]:
        if not self._is_behind(project):
            return []
        with self._together() as journals:
            if project in self._writing:
                return []
            if is_rewritten(self.journal(project), self.place(project)):
                self.store.journals.remove(self.owner, project)
            journals.lock(project, self.journal(project), self.place(project))
            return self.fold_new(project)

    def rebuild(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Drop all that was folded and fold every journal from its beginning; how many events there are.

        JournalDamaged, and nothing dropped, if a journal is gone: then the tables are all there is of it.
        """
        names = self.projects()
        with self.store.journals.many_rows(), self.store.database.transaction():
            for name in self.store.journals.projects(self.owner):
                self._check_that_it_is_there(name)
            self.store.journals.remove(self.owner)
            for done, name in enumerate(names):
                self.fold_new(name)
                if progress:
                    progress(done + 1, len(names))
            self._tell()
        return self.store.events.count(self.owner)

    def _check_that_it_is_there(self, project: str) -> None:
        """Raise JournalDamaged if a journal is gone; else it learns how far it was read, so what are lines."""
        try:
            self.journal(project).check(self.place(project))
        except JournalDamaged:
            if not self.journal(project).size():
                raise

    def _tell(self) -> None:
        """Let whoever follows what is folded know that it may have changed."""
        if self.when_changed:
            self.when_changed()

    def add_lines(self, project: str, events: Iterable[Event]) -> int:
        """Add events that were recorded elsewhere, ids and all; those known already are passed over.  How many.

        BadEvent, and nothing done, if one of them is none.
        """
        with self.writing(project):
            theirs = (event for event in events if REWRITING not in event.meta)  # which speaks of lines of theirs
            given = {event.id: cleaned(event)._replace(owner=self.owner, project=project) for event in theirs}
            known = self.store.events.known(self.owner, given)
            fresh = [given[event_id] for event_id in sorted(given.keys() - known)]
            self._writing[project].add_lines(fresh)
        return len(fresh)

    def entry(self, event_id: str) -> Entry | None:
        """One event as it stands now."""
        for writing in self._writing.values():
            if writing.is_waiting(event_id):
                writing.flush()
        row = self.store.events.find(self.owner, event_id)
        return entry_from(row) if row else None

    def settle(self) -> None:
        """Let the tables have all that was written."""
        for writing in self._writing.values():
            writing.flush()

    def new_fold(self, project: str) -> Fold:
        """A fold of what is written in this transaction; only the first has to ask how many events there are."""
        return Fold(self.store.database, self.owner, project, self._next_number, self._absent)

    def note_number(self, following: int) -> None:
        """Note the number of the next event: nobody else gives any before the end of the transaction."""
        self._next_number = following

    def note_absent(self, memories: Iterable[str]) -> None:
        """Note that there are no such memories: nobody else makes any before the end of the transaction."""
        self._absent.update(memories)

    def note_made(self, memories: Iterable[str]) -> None:
        """Note that there are such memories, or will be when the tables have what was written."""
        self._made.update(memories)

    def is_memory(self, memory: str) -> bool:
        """Whether there is a memory with this id."""
        if memory in self._made:
            return True
        if memory in self._absent:
            return False
        is_there = self.store.memories.find(self.owner, memory) is not None
        if not is_there and self._open_together is not None:
            self._absent.add(memory)
        return is_there

    def place(self, project: str) -> Place:
        """How far the journal of a project has been folded."""
        return Place(*self.store.journals.place(self.owner, project))

    def _is_behind(self, project: str) -> bool:
        """Whether the journal has lines that the tables do not know; JournalDamaged if it is not what it was."""
        journal, place = self.journal(project), self.place(project)
        if journal.size() == place.offset:
            return False
        if is_rewritten(journal, place):
            return True
        return next(journal.read(place), None) is not None  # half a line is none

    def fold_new(self, project: str) -> list[BadLine]:
        """Fold the lines behind the saved place.  Lines of before what is folded make it fold all again, in order."""
        place, journal = self.place(project), self.journal(project)
        if journal.size() == place.offset:
            return []
        journal.check(place)
        reading = Reading(journal, place)
        with uncollected():
            if not self._fold(project, reading):
                self.store.journals.remove(self.owner, project)
                reading = Reading(self.journal(project), BEGINNING)
                self._fold(project, reading)
        if reading.end() != place:
            self.store.journals.save_place(self.owner, project, reading.end())
        return reading.bad

    def _fold(self, project: str, reading: Reading) -> bool:
        """Fold what is read; False, with a fold that is not finished, if it belongs before what is folded already."""
        self._next_number = None  # this one numbers events by itself, and may make any memory
        self._absent.clear()
        fold, last = Fold(self.store.database, self.owner, project), ""
        try:
            for record, body, number in reading.events() if fold.is_first else self._unknown(reading):
                if (event_id := record["event_id"]) == last:
                    reading.bad.append(_doubled(number, event_id))
                    continue
                try:
                    fold.add(record, body)
                    last = event_id
                except BadEvent as error:
                    reading.bad.append(BadLine(number, str(error)))
                if fold.foreign:
                    reading.bad.append(BadLine(number, of_another_project(fold.foreign), is_foreign=True))
                    fold.foreign.clear()
        except _Late:
            return False
        fold.flush()
        return True

    def _unknown(self, reading: Reading) -> Iterator[Parsed]:
        """What is read and not folded yet, looked up some at a time; _Late if it belongs before what is."""
        events = reading.events()
        while chunk := list(islice(events, _LOOKED_UP)):
            known = self.store.events.known(self.owner, [record["event_id"] for record, _, _ in chunk])
            for parsed in chunk:
                event_id = parsed[0]["event_id"]
                if event_id in known:
                    reading.bad.append(_doubled(parsed[2], event_id))
                elif event_id <= reading.place.last_id:
                    raise _Late
                else:
                    yield parsed


class _Late(Exception):
    """An event belongs before what was folded already."""


def journals_of(store: Store, home: Path, owner: str) -> Journals:
    """Where the journals of an owner are: files beside a database that is a file, else a table of the database."""
    if store.database.dialect == "sqlite":
        return FolderJournals(home, owner)
    return TableJournals(store, home, owner)


def entry_from(row: Row) -> Entry:
    """The entry of a row: type, status, hidden by, superseded by, the line."""
    kind, status, hidden_by, superseded_by, body = row
    return Entry(decode(json.loads(body)), EventType(kind), EventStatus(status), hidden_by, superseded_by)


def _doubled(number: int, event_id: str) -> BadLine:
    return BadLine(number, f"event {event_id} is there twice; it counts once")


def _check_name(project: str) -> None:
    """Raise BadInput if there is a secret in the name: without it, it would be the name of another project."""
    if (shown := redact(project)) != project:
        raise BadInput(f"There is a secret in the name of the project, {shown}; give it another with --project.")
