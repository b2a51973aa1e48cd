"""Record an event: journal first, then the tables.  Nothing else writes what is authored.

The right to write is that of the database: whoever holds it has read the journal to its end, so what is checked before
an event is written still holds when it is.  Killed between the journal and the commit, the next one to look finds the
line and folds it.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from noctuary.authored import Entry, Event, EventStatus, EventType
from noctuary.clock import Clock
from noctuary.errors import BadChange, BadEvent, BadInput, StoreError
from noctuary.ids import ulid_after
from noctuary.journal.file import BEGINNING, ENDING, JournalFile, Place, journal_path, project_in
from noctuary.journal.lines import decode, encode, line_digest, parse_line
from noctuary.ledger.changes import check_shape
from noctuary.ledger.fold import Fold
from noctuary.ledger.reading import BadLine, Reading, uncollected
from noctuary.redact import redact
from noctuary.store import Store
from noctuary.store.database import Row
from noctuary.text import clean

__all__ = ["BadLine", "Ledger", "entry_from"]

LONGEST_TEXT = 100_000
Write = Callable[[Event], Event]


class Ledger:
    """The journals of one owner, and the tables that are folded from them."""

    def __init__(self, store: Store, home: Path, owner: str, clock: Clock) -> None:
        self.store = store
        self.home = home
        self.owner = owner
        self.clock = clock
        self._writing: dict[str, _Writing] = {}  # by project; used only by whoever may write to the database

    def record(self, event: Event) -> Event:
        """Write one event of its project; the event with all that was filled in."""
        with self.writing(event.project) as write:
            return write(event)

    @contextmanager
    def writing(self, project: str) -> Iterator[Write]:
        """The right to write to a project's journal; what is read meanwhile is what events are written to.

        Everything written within is in the tables at once, and in the journal at the end; nothing is, if the end is
        not reached.  Within another writing to the same project it is a part of that.
        """
        with self.store.database.transaction():
            if project in self._writing:
                yield self._writing[project].write
                return
            journal, place = self.journal(project), self.place(project)
            with journal.locked(place):
                self.fold_new(project)
                writing = self._writing[project] = _Writing(self, project)
                try:
                    yield writing.write
                finally:
                    del self._writing[project]
                writing.finish()

    def journal(self, project: str) -> JournalFile:
        """The journal of a project."""
        return JournalFile(journal_path(self.home, self.owner, project))

    def projects(self) -> list[str]:
        """The projects that have a journal, by name."""
        folder = journal_path(self.home, self.owner, "").parent
        files = sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else []
        return [name for file in files if (name := _project_of(file)) is not None]

    def catch_up(self, project: str | None = None) -> list[BadLine]:
        """Fold what is in the journals and not yet in the tables, of one project or of all; lines that cannot be.

        If one journal cannot be read at all, the others are, before its error is raised.
        """
        bad: list[BadLine] = []
        failed: StoreError | None = None
        names = {*self.projects(), *self.store.journals.projects(self.owner)} if project is None else {project}
        for name in sorted(names):
            try:
                if self._is_behind(name):
                    with self.store.database.transaction():
                        bad += self.fold_new(name)
            except StoreError as error:
                failed = failed or error
        if failed:
            raise failed
        return bad

    def rebuild(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Drop all that was folded and fold every journal from its beginning; how many events there are.

        JournalDamaged, and nothing dropped, if a journal is gone: then the tables are all there is of it.
        """
        names = self.projects()
        with self.store.journals.many_rows(), self.store.database.transaction():
            for name in self.store.journals.projects(self.owner):
                if not self.journal(name).size():
                    self.journal(name).check(self.place(name))
            self.store.journals.remove(self.owner)
            for done, name in enumerate(names):
                self.fold_new(name)
                if progress:
                    progress(done + 1, len(names))
        return self.store.events.count(self.owner)

    def add_lines(self, project: str, events: Iterable[Event]) -> int:
        """Add events that were recorded elsewhere, ids and all; those known already are passed over.  How many.

        BadEvent, and nothing done, if one of them is none.
        """
        with self.writing(project):
            given = {event.id: _cleaned(event)._replace(owner=self.owner, project=project) for event in events}
            known = self.store.events.known(self.owner, given)
            fresh = [given[event_id] for event_id in sorted(given.keys() - known)]
            self._writing[project].add_lines(fresh)
        return len(fresh)

    def entry(self, event_id: str) -> Entry | None:
        """One event as it stands now."""
        row = self.store.events.find(self.owner, event_id)
        return entry_from(row) if row else None

    def place(self, project: str) -> Place:
        """How far the journal of a project has been folded."""
        return Place(*self.store.journals.place(self.owner, project))

    def _is_behind(self, project: str) -> bool:
        """Whether the journal has lines that the tables do not know; JournalDamaged if it is not what it was."""
        journal, place = self.journal(project), self.place(project)
        if journal.size() == place.offset:
            return False
        journal.check(place)
        return next(journal.read(place), None) is not None  # half a line is none

    def fold_new(self, project: str) -> list[BadLine]:
        """Fold the lines behind the saved place.  Lines of before what is folded make it fold all again, in order."""
        place = self.place(project)
        self.journal(project).check(place)
        reading = Reading(self.journal(project), place)
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
        fold, last = Fold(self.store.database, self.owner, project), ""
        for chunk in reading.chunks():
            ids = [record["event_id"] for record, _, _ in chunk]
            known = self.store.events.known(self.owner, ids) if not fold.is_first else set()
            if min(ids) <= reading.place.last_id and any(_is_late(event_id, reading, known) for event_id in ids):
                return False
            for record, body, number in chunk:
                event_id = record["event_id"]
                if event_id == last or event_id in known:
                    reading.bad.append(BadLine(number, f"event {event_id} is there twice; it counts once"))
                    continue
                try:
                    fold.add(record, body)
                    last = event_id
                except BadEvent as error:
                    reading.bad.append(BadLine(number, str(error)))
        fold.flush()
        return True


def _is_late(event_id: str, reading: Reading, known: Collection[str]) -> bool:
    """Whether an event belongs before what was folded already."""
    return event_id <= reading.place.last_id and event_id not in known


class _Writing:
    """Events that are in the tables, and will be in the journal when all of them are."""

    def __init__(self, ledger: Ledger, project: str) -> None:
        self.ledger = ledger
        self.project = project
        self.start = self.place = ledger.place(project)
        self.lines: list[bytes] = []
        self.is_late = False

    def write(self, event: Event) -> Event:
        """Fold the event; it comes back with its id and all that was filled in."""
        now_ms = self.ledger.clock.now_ms()
        ready = _cleaned(event)._replace(
            id=ulid_after(self.place.last_id, now_ms),
            owner=self.ledger.owner,
            project=self.project,
            ts_ms=min(event.ts_ms, now_ms) if event.ts_ms > 0 else now_ms,
            recorded_ms=now_ms,
        )
        self._fold([self._line_of(ready)])
        return ready

    def add_lines(self, events: list[Event]) -> None:
        """Add events that have ids, in the order of those; late ones are folded at the end, with all the others."""
        last_id = self.place.last_id
        lines = [self._line_of(event) for event in events]
        if events and events[0].id > last_id:
            self._fold(lines)
        else:
            self.is_late = True

    def finish(self) -> None:
        """Write the lines to the journal, and note how far it is folded."""
        if not self.lines:
            return
        self.ledger.journal(self.project).append(b"".join(self.lines), self.start)
        journals = self.ledger.store.journals
        if self.is_late:
            journals.remove(self.ledger.owner, self.project)
            self.ledger.fold_new(self.project)
        else:
            journals.save_place(self.ledger.owner, self.project, self.place)

    def _line_of(self, event: Event) -> str:
        """The event as the next line of the journal; BadEvent if it is none that could be folded."""
        offset, number, digest, last_id, _ = self.place
        line = encode(event, digest)
        text = line.decode().rstrip("\n")
        try:
            check_shape(parse_line(text).get("change", {}))
        except BadEvent as error:
            raise BadEvent(f"This event cannot be recorded: {error}.") from None
        self.lines.append(line)
        self.place = Place(offset + len(line), number + 1, line_digest(line), max(last_id, event.id), offset)
        return text

    def _fold(self, lines: list[str]) -> None:
        fold = Fold(self.ledger.store.database, self.ledger.owner, self.project)
        for line in lines:
            fold.add(parse_line(line), line)
        if fold.foreign:
            names = ", ".join(sorted(fold.foreign))
            raise BadChange(f"{names}: of another project, whose journal it has to be written to.")
        fold.flush()


def entry_from(row: Row) -> Entry:
    """The entry of a row: type, status, hidden by, superseded by, the line."""
    kind, status, hidden_by, superseded_by, body = row
    return Entry(decode(json.loads(body)), EventType(kind), EventStatus(status), hidden_by, superseded_by)


def _project_of(file: Path) -> str | None:
    """The project that a journal is of; None if it is none of ours."""
    name = project_in(file)
    if name is None:  # too long for a file's name, so the lines say it
        for line in JournalFile(file).read():
            try:
                name = str(parse_line(line.content).get("project", ""))
            except (BadEvent, StoreError):
                continue
            return name if journal_path(Path(), "", name).name == file.name else None
    return name


def _cleaned(event: Event) -> Event:
    """The event without secrets and without what no database can hold."""
    if len(event.text) > LONGEST_TEXT:
        raise BadInput(f"The text has {len(event.text):,} characters; {LONGEST_TEXT:,} are the most an entry can have.")
    refs = event.refs._replace(
        messages=tuple(ref._replace(quote=_clean_text(ref.quote)) for ref in event.refs.messages)
    )
    return event._replace(
        text=_clean_text(event.text), refs=refs, meta=_clean_value(event.meta), change=_clean_value(event.change)
    )


def _clean_text(text: str) -> str:
    return redact(clean(text))


def _clean_value(value: Any) -> Any:
    if isinstance(value, str):
        return _clean_text(value)
    if isinstance(value, dict):
        return {clean(str(key)): _clean_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean_value(item) for item in value]
    return value
