"""Import transcripts: find them, read what is new, store it whole or not at all.

Each batch of messages, the facts of their sessions and the place reading has come to are one transaction.  Killed
anywhere, the next run goes on from the last saved place.  A transcript that cannot be read to its end keeps what was
stored, is marked as interrupted, and is taken up again next time.

What a fork or resumed session repeats belongs to its parent.  So transcripts are read the oldest first, and a parent
that is found later all the same is read as soon as a child names it.  A child of a parent that cannot be read now waits
for the next import: stored without it, what both say would be there twice from then on.
"""

import gc
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from noctuary.importing.batch import Batch
from noctuary.importing.files import Change, FileState, change_since, fingerprint, look, printable
from noctuary.importing.report import ImportReport
from noctuary.importing.storing import Progress, Write, Writer
from noctuary.importing.told import Told
from noctuary.lazily import lazy_module
from noctuary.records import Relation
from noctuary.settings import Settings
from noctuary.store import Store
from noctuary.store.places import SavedPlace
from noctuary.store.tombstones import Graveyard
from noctuary.transcripts.agents import Roster, adapters
from noctuary.transcripts.items import Adapter, Facts, Mark, NewField, Place, Rewound, Said, Skipped, Source
from noctuary.transcripts.repositories import walked_once

if TYPE_CHECKING:
    from noctuary.transcripts import recognising
else:
    recognising = lazy_module("noctuary.transcripts.recognising")  # knows many formats, and few imports name a file

ShowProgress = Callable[[int, int], None]  # bytes done, bytes in all
MOST_PROBLEMS = 20
BULK_BYTES = 2_000_000
RARELY = 100_000  # objects made and still there
MOST_NESTED = 50  # parents of parents read while their children wait
_OUR_STATE = "noctuary"  # what the importer itself keeps in a place's state, beside the adapter's own
_PRINTING = "printing"  # the same of calls that print secrets


def discover(settings: Settings) -> list[Source]:
    """Every transcript under the user's home folder."""
    home, environ = settings.user_home, settings.environ
    with walked_once():
        return [source for adapter in adapters(settings.formats) for source in adapter.find(home, environ)]


def recognise(path: Path) -> tuple[list[Source], list[str]]:
    """Every transcript in a file or folder that somebody names, known by what stands in it; and what is unreadable."""
    problems: list[str] = []
    return list(recognising.transcripts_at(path.expanduser().absolute(), problems)), problems


def left_out(settings: Settings) -> Sequence[str]:
    """What is wrong with formats that people described and with plug-ins; these are asked to look for transcripts."""
    roster = Roster(settings.formats)
    for adapter in roster.brought:
        deque(adapter.find(settings.user_home, settings.environ), maxlen=0)
    return roster.problems


@contextmanager
def _collecting_rarely() -> Iterator[None]:
    """Parsed records have no cycles; to look for some after every hundred of them took a twentieth of an import."""
    usual = gc.get_threshold()
    gc.set_threshold(max(usual[0], RARELY) if usual[0] else 0, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


@dataclass(frozen=True, slots=True)
class _Due:
    source: Source
    change: Change
    file: FileState
    start: Place
    saved: SavedPlace | None = None

    @property
    def unread(self) -> int:
        """How many bytes there are to read."""
        return max(0, self.file.size - self.start.offset) if self.source.is_log else self.file.size


class _ByteCounter:
    """Tells whoever watches how many bytes of all have been read."""

    def __init__(self, total: int, show: ShowProgress | None) -> None:
        self.total, self.show, self.done = total, show, 0

    def reached(self, read: int) -> None:
        """So much of the present file has been read."""
        if self.show:
            self.show(self.done + read, self.total)

    def finished(self, read: int) -> None:
        """The present file is done."""
        self.done += read
        self.reached(0)


_Outcome = tuple[_Due, Progress]


class _ParentUnread(Exception):
    """A transcript repeats another, which could not be read."""


class Importer:
    """Brings transcripts into one owner's memory."""

    def __init__(
        self, store: Store, owner: str, formats: Path | None = None, *, readers: Iterable[Adapter] | None = None
    ) -> None:
        """Transcripts are read by our adapters and by formats that are described in a folder, or by those given."""
        self.store = store
        self.owner = owner
        self.roster = Roster(formats)
        self.adapters = {each.name: each for each in (self.roster.adapters if readers is None else readers)}
        self._begin(ImportReport(), Graveyard())

    def _begin(self, report: ImportReport, graveyard: Graveyard) -> None:
        self.report, self.graveyard = report, graveyard
        self.writer = Writer(self.store, self.owner, graveyard, report)
        self.told = Told(self.store, self.owner)
        self._by_session: dict[str, _Due] = {}
        self._begun: set[Path] = set()
        self._unread: dict[str, Path] = {}  # sessions whose transcripts could not be read, or wait for one
        self._nested = 0

    def run(self, sources: Iterable[Source], progress: ShowProgress | None = None) -> ImportReport:
        """Read what is new in each transcript; the report says what became of every one."""
        self._begin(ImportReport(), self.store.tombstones.all(self.owner))
        sources = list(sources)
        self.report.problems += self.roster.problems
        due = sorted(self._due(sources), key=lambda d: (d.file.mtime_ns, str(d.source.path)))
        self._by_session = {entry.source.session: entry for entry in reversed(due) if entry.source.session}
        unread = sum(d.unread for d in due)
        counter = _ByteCounter(unread, progress)
        with _collecting_rarely(), self.store.database.hurried(), self._merging_the_index(unread):
            self.writer.index()  # what an import left that was killed
            outcomes = [outcome for entry in due for outcome in self._read_once(entry, counter)]
            self.writer.flush()
            self.writer.index()
        for entry, outcome in outcomes:
            self._account(entry, outcome)
        return self.report

    @contextmanager
    def _merging_the_index(self, unread: int) -> Iterator[None]:
        """A first import merges the index once, at its end; a later one leaves that to the index itself."""
        lexicon = self.store.lexicon
        is_bulk = unread > max(BULK_BYTES, lexicon.size(self.owner).characters)
        if not is_bulk:
            lexicon.merge_while_adding()
            yield
            return
        lexicon.merge_afterwards()
        try:
            yield
            if lexicon.pieces() > 1:
                lexicon.merge()
        finally:
            lexicon.merge_while_adding()

    def _due(self, sources: Iterable[Source]) -> Iterator[_Due]:
        for found in sources:
            self.report.found += 1
            source = found._replace(session=printable(found.session))
            if source.adapter not in self.adapters:
                self.report.skipped["nobody can read it"] += 1
                continue
            if self._is_forgotten(source):
                self.report.skipped["forgotten"] += 1
                continue
            try:
                file = look(source)
                saved = self.store.places.find(self.owner, printable(source.path))
                change = change_since(source, file, saved)
            except OSError as error:
                self._cannot_read(source, error)
                continue
            if change is Change.UNCHANGED:
                self.report.unchanged += 1
            elif file.size == 0:
                self.report.skipped["empty"] += 1
            else:
                yield _Due(source, change, file, self._start(source, change, saved), saved)

    def _is_forgotten(self, source: Source) -> bool:
        is_part = source.relation is Relation.SUBAGENT and source.parent in self.graveyard.sessions
        return is_part or source.session in self.graveyard.sessions

    def _start(self, source: Source, change: Change, saved: SavedPlace | None) -> Place:
        """Where to begin: at the saved place, unless what was told before it was never stored."""
        if not saved or change is not Change.GROWN:
            return Place()
        if source.session and not self.store.sessions.find(self.owner, source.session):
            return Place()
        return Place(offset=saved.byte_offset, line=saved.line, state=json.loads(saved.state))

    def _read_once(self, due: _Due, counter: _ByteCounter) -> list[_Outcome]:
        """Read the transcript, and before it is stored its parents; nothing if that was begun already."""
        if due.source.path in self._begun:
            return []
        self._begun.add(due.source.path)
        self._nested += 1
        outcomes: list[_Outcome] = []
        progress = self._read(due, counter, outcomes)
        self._nested -= 1
        return [*outcomes, (due, progress)]

    def _read(self, due: _Due, counter: _ByteCounter, parents: list[_Outcome]) -> Progress:
        adapter = self.adapters[due.source.adapter]
        progress = Progress(due.source, due.file, adapter.globally_unique, due.start.offset == 0, due.saved)
        batch = Batch(due.source, self.graveyard, self.owner, self.told)
        batch.recalls |= set(due.start.state.get(_OUR_STATE, ()))
        batch.printing |= set(due.start.state.get(_PRINTING, ()))
        place = due.start
        try:
            for item in adapter.read(due.source, due.start):
                match item:
                    case Said():
                        progress.said += 1
                        batch.say(item)
                    case Facts():
                        parent = self._by_session.get(item.parent or "")
                        if parent and self._nested < MOST_NESTED:
                            parents += self._read_once(parent, counter)
                        if item.parent in self._unread and due.start.offset == 0 and not progress.said:
                            raise _ParentUnread(item.parent)
                        batch.learn(item)
                    case Rewound():
                        batch.take_back(item)
                    case Skipped():
                        progress.tally.skip(item)
                        self._count_skipped(due.source, item)
                    case NewField():
                        progress.tally.notice(item)
                        self.report.fields[f"{due.source.adapter}: {item.name}"] += 1
                    case Mark():
                        place = self._with_recalls(item.place, batch)
                        if batch.is_full:
                            self._hand_over(progress, batch, place, is_end=False)
                            counter.reached(place.offset - due.start.offset)
            self._hand_over(progress, batch, place, is_end=True)
        except OSError as error:
            progress.failed = True
            self._cannot_read(due.source, error)
            self.writer.flush()
            self.writer.interrupted(progress, error.strerror or str(error))
        except _ParentUnread as error:
            progress.failed = True
            self._must_wait(due.source, str(error))
        counter.finished(due.unread)
        progress.forgotten += batch.forgotten
        return progress

    def _hand_over(self, progress: Progress, batch: Batch, place: Place, *, is_end: bool) -> None:
        characters, seen = batch.characters, fingerprint(progress.source, place.offset)
        tally, before, way = progress.tally, progress.before, progress.way
        odd = (tally.malformed_in_all(before, way), tally.drift(before, way))
        self.writer.add(Write(progress, batch.take(), place, seen, is_end, *odd), characters)

    @staticmethod
    def _with_recalls(place: Place, batch: Batch) -> Place:
        if not batch.recalls and not batch.printing:
            return place
        open_calls = {_OUR_STATE: sorted(batch.recalls), _PRINTING: sorted(batch.printing)}
        return replace(place, state={**place.state, **{name: calls for name, calls in open_calls.items() if calls}})

    def _account(self, due: _Due, progress: Progress) -> None:
        self.report.repeated += progress.repeated
        self.report.forgotten += progress.forgotten
        if progress.failed:
            return  # counted as unreadable
        if due.change is not Change.NEW:
            self.report.grown += 1
        elif progress.said:
            self.report.new += 1
        else:
            self.report.skipped["no conversation"] += 1

    def _cannot_read(self, source: Source, error: OSError) -> None:
        self.report.skipped["unreadable"] += 1
        why = error.strerror or str(error)
        self.report.problems.append(f"{printable(source.path)}: {why}. Nothing stored was lost; import again later.")
        if source.session and not isinstance(error, PermissionError):  # nobody waits for what is not his to read
            self._unread[source.session] = source.path

    def _must_wait(self, source: Source, parent: str) -> None:
        self.report.skipped["waits for its parent"] += 1
        path = self._unread[parent]
        self.report.problems.append(
            f"{printable(source.path)}: it repeats {printable(path)}, which cannot be read now. "
            "Import again later; without that file it is brought in alone."
        )
        if source.session:
            self._unread[source.session] = path

    def _count_skipped(self, source: Source, item: Skipped) -> None:
        if item.unknown:
            self.report.unknown[f"{source.adapter}: {item.unknown}"] += 1
            return
        self.report.malformed += 1
        if self.report.malformed <= MOST_PROBLEMS:
            where = f"{printable(source.path)}:{item.line}"
            self.report.problems.append(f"{where}: {item.reason}; the line was left out.")
