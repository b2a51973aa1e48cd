"""Record an event: journal first, then the tables.  Nothing else writes what is authored.

The right to write is that of the database: whoever holds it has read the journal to its end, so what is checked before
an event is written still holds when it is.  Killed between the journal and the commit, the next one to look finds the
line and folds it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from noctuary.authored import Entry, Event, EventStatus, EventType
from noctuary.clock import Clock
from noctuary.errors import BadEvent, BadInput
from noctuary.journal.file import JournalFile, Line, Place, journal_path
from noctuary.journal.lines import decode, line_digest, parse_line
from noctuary.ledger.changes import check_shape
from noctuary.ledger.fold import Fold
from noctuary.redact import redact
from noctuary.store import Store
from noctuary.store.database import Row
from noctuary.text import clean

LONGEST_TEXT = 100_000
Write = Callable[[Event], Event]


class BadLine(NamedTuple):
    """A line that could not be folded, and why."""

    number: int
    why: str


class Ledger:
    """The journals of one owner, and the tables that are folded from them."""

    def __init__(self, store: Store, home: Path, owner: str, clock: Clock) -> None:
        self.store = store
        self.home = home
        self.owner = owner
        self.clock = clock

    def record(self, event: Event) -> Event:
        """Write one event of its project; the event with all that was filled in."""
        with self.writing(event.project) as write:
            return write(event)

    @contextmanager
    def writing(self, project: str) -> Iterator[Write]:
        """The right to write to a project's journal; what is read meanwhile is what events are written to.

        All events written within are in the journal, or none is if the first fails.
        """
        journal = self.journal(project)
        with self.store.database.transaction(), journal.locked():
            self._fold_new(project, journal)

            def write(event: Event) -> Event:
                return self._write(journal, event._replace(project=project))

            yield write

    def journal(self, project: str) -> JournalFile:
        """The journal of a project."""
        return JournalFile(journal_path(self.home, self.owner, project))

    def projects(self) -> list[str]:
        """The projects that have a journal, by name: what their first line says."""
        folder = journal_path(self.home, self.owner, "").parent
        files = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
        return [name for file in files if (name := _project_in(file)) is not None]

    def catch_up(self, project: str | None = None) -> list[BadLine]:
        """Fold what is in the journals and not yet in the tables, of one project or of all; lines that cannot be."""
        bad: list[BadLine] = []
        for name in self.projects() if project is None else [project]:
            journal = self.journal(name)
            if journal.size() != self._place(name).offset:
                with self.store.database.transaction():
                    bad += self._fold_new(name, journal)
        return bad

    def rebuild(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Drop all that was folded and fold every journal from its beginning; how many events there are."""
        names = self.projects()
        with self.store.database.transaction():
            self.store.journals.remove(self.owner)
            for done, name in enumerate(names):
                self._fold_new(name, self.journal(name))
                if progress:
                    progress(done + 1, len(names))
        return self.store.events.count(self.owner)

    def add_lines(self, project: str, events: Iterable[Event]) -> int:
        """Add events that were recorded elsewhere, ids and all; those known already are passed over.  How many."""
        journal = self.journal(project)
        with self.store.database.transaction(), journal.locked():
            self._fold_new(project, journal)
            given = {event.id: event._replace(owner=self.owner, project=project) for event in events}
            known = self.store.events.known(self.owner, given)
            fresh = [given[event_id] for event_id in sorted(given.keys() - known)]
            if fresh:
                _, place = journal.append(fresh, self._place(project), self.clock.now_ms())
                self._fold_new(project, journal)
                self.store.journals.save_place(self.owner, project, place)
        return len(fresh)

    def entry(self, event_id: str) -> Entry | None:
        """One event as it stands now."""
        row = self.store.events.find(self.owner, event_id)
        return entry_from(row) if row else None

    def _write(self, journal: JournalFile, event: Event) -> Event:
        now_ms = self.clock.now_ms()
        ready = _cleaned(event)._replace(
            owner=self.owner,
            ts_ms=min(event.ts_ms, now_ms) if event.ts_ms > 0 else now_ms,
            recorded_ms=now_ms,
        )
        check_shape(ready.change)
        place = self._place(event.project)
        (written,), place = journal.append([ready], place, now_ms)
        self._fold_new(event.project, journal)
        return written

    def _place(self, project: str) -> Place:
        return Place(*self.store.journals.place(self.owner, project))

    def _fold_new(self, project: str, journal: JournalFile) -> list[BadLine]:
        """Fold the lines behind the saved place.  Lines of before what is folded make it fold all again, in order."""
        place = self._place(project)
        lines = list(journal.read(place))
        if not lines:
            return []
        records, bad = _records(lines)
        if place.last_id and any(record["event_id"] <= place.last_id for record, _ in records):
            self.store.journals.remove(self.owner, project)
            lines = list(journal.read())
            records, bad = _records(lines)
        bad += self._fold(project, records)
        last = lines[-1]
        greatest = max([place.last_id, *(record["event_id"] for record, _ in records)])
        self.store.journals.save_place(self.owner, project, _place_after(last, greatest))
        return bad

    def _fold(self, project: str, records: list[tuple[dict[str, Any], Line]]) -> list[BadLine]:
        fold, bad = Fold(self.store.database, self.owner, project), []
        known = self.store.events.known(self.owner, [record["event_id"] for record, _ in records])
        for record, line in sorted(records, key=_by_id):
            if record["event_id"] in known:
                bad.append(BadLine(line.number, f"event {record['event_id']} is there twice; it counts once"))
                continue
            known.add(record["event_id"])
            try:
                fold.add(record, line.content.decode("utf-8", "replace"))
            except BadEvent as error:
                bad.append(BadLine(line.number, str(error)))
        fold.flush()
        return bad


def entry_from(row: Row) -> Entry:
    """The entry of a row: type, status, hidden by, superseded by, the line."""
    kind, status, hidden_by, superseded_by, body = row
    return Entry(decode(json.loads(body)), EventType(kind), EventStatus(status), hidden_by, superseded_by)


def _by_id(pair: tuple[dict[str, Any], Line]) -> str:
    return str(pair[0]["event_id"])


def _records(lines: Sequence[Line]) -> tuple[list[tuple[dict[str, Any], Line]], list[BadLine]]:
    records: list[tuple[dict[str, Any], Line]] = []
    bad: list[BadLine] = []
    for line in lines:
        if not line.content.strip():
            continue
        try:
            records.append((parse_line(line.content), line))
        except BadEvent as error:
            bad.append(BadLine(line.number, str(error)))
    return records, bad


def _place_after(line: Line, last_id: str) -> Row:
    return (line.end, line.number, line_digest(line.content), last_id, line.start)


def _project_in(file: Path) -> str | None:
    """The project that a journal is of; None if no line of it says so."""
    with file.open("rb") as lines:
        for line in lines:
            try:
                return str(parse_line(line).get("project", ""))
            except BadEvent:
                continue
    return None


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
