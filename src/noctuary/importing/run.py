"""Import transcripts: find them, read what is new, store it whole or not at all.

Each batch of messages, the facts of their sessions and the place reading has come to are one transaction.  Killed
anywhere, the next run goes on from the last saved place.  A transcript that cannot be read to its end keeps what was
stored, is marked as interrupted, and is taken up again next time.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from noctuary.importing.batch import Batch
from noctuary.importing.files import Change, FileState, change_since, look
from noctuary.importing.report import ImportReport
from noctuary.importing.storing import Progress, Write, Writer
from noctuary.settings import Settings
from noctuary.store import Store
from noctuary.store.places import SavedPlace
from noctuary.store.tombstones import Graveyard
from noctuary.transcripts.claude_code import ClaudeCode
from noctuary.transcripts.codex import Codex
from noctuary.transcripts.items import Adapter, Facts, Mark, Place, Rewound, Said, Skipped, Source

ShowProgress = Callable[[int, int], None]  # bytes done, bytes in all
MOST_PROBLEMS = 20
_OUR_STATE = "noctuary"  # what the importer itself keeps in a place's state, beside the adapter's own


def adapters() -> Sequence[Adapter]:
    """Every agent whose transcripts we can read."""
    return (ClaudeCode(), Codex())


def discover(settings: Settings) -> list[Source]:
    """Every transcript under the user's home folder."""
    return [source for adapter in adapters() for source in adapter.find(settings.user_home, settings.environ)]


@dataclass(frozen=True, slots=True)
class _Due:
    source: Source
    change: Change
    file: FileState
    saved: SavedPlace | None

    @property
    def unread(self) -> int:
        """How many bytes there are to read."""
        start = self.saved.byte_offset if self.saved and self.change is Change.GROWN else 0
        return max(0, self.file.size - start)

    @property
    def start(self) -> Place:
        """Where to begin."""
        if self.saved and self.change is Change.GROWN:
            return Place(offset=self.saved.byte_offset, line=self.saved.line, state=json.loads(self.saved.state))
        return Place()


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


class Importer:
    """Brings transcripts into one owner's memory."""

    def __init__(self, store: Store, owner: str) -> None:
        self.store = store
        self.owner = owner
        self.adapters = {adapter.name: adapter for adapter in adapters()}
        self.report = ImportReport()
        self.graveyard = Graveyard()
        self.writer = Writer(store, owner, self.graveyard, self.report)

    def run(self, sources: Iterable[Source], progress: ShowProgress | None = None) -> ImportReport:
        """Read what is new in each transcript; the report says what became of every one."""
        self.report = ImportReport()
        self.graveyard = self.store.tombstones.all(self.owner)
        self.writer = Writer(self.store, self.owner, self.graveyard, self.report)
        # Oldest first: what a fork or resumed session repeats belongs to the session that had it first.
        due = sorted(self._due(sources), key=lambda d: (d.file.mtime_ns, str(d.source.path)))
        counter = _ByteCounter(sum(d.unread for d in due), progress)
        outcomes = [(entry, self._read(entry, counter)) for entry in due]
        self.writer.flush()
        for entry, outcome in outcomes:
            self._account(entry, outcome)
        return self.report

    def _due(self, sources: Iterable[Source]) -> Iterator[_Due]:
        for source in sources:
            self.report.found += 1
            if source.session in self.graveyard.sessions:
                self.report.skipped["forgotten"] += 1
                continue
            try:
                file = look(source.path)
                saved = self.store.places.find(self.owner, str(source.path))
                change = change_since(source.path, file, saved)
            except OSError as error:
                self._cannot_read(source.path, error)
                continue
            if change is Change.UNCHANGED:
                self.report.unchanged += 1
            elif file.size == 0:
                self.report.skipped["empty"] += 1
            else:
                yield _Due(source, change, file, saved)

    def _read(self, due: _Due, counter: "_ByteCounter") -> Progress:
        adapter = self.adapters[due.source.adapter]
        progress = Progress(due.source, due.file, adapter.globally_unique)
        batch = Batch(due.source, self.graveyard, self.owner)
        batch.recalls |= set(due.start.state.get(_OUR_STATE, ()))
        place = due.start
        try:
            for item in adapter.read(due.source, due.start):
                match item:
                    case Said():
                        batch.say(item)
                    case Facts():
                        batch.learn(item)
                    case Rewound():
                        batch.take_back(item)
                    case Skipped():
                        self._count_skipped(due.source, item)
                    case Mark():
                        place = self._with_recalls(item.place, batch)
                        if batch.is_full:
                            self._hand_over(progress, batch, place, is_end=False)
                            counter.reached(place.offset - due.start.offset)
            self._hand_over(progress, batch, place, is_end=True)
        except OSError as error:
            self._cannot_read(due.source.path, error)
            self.writer.flush()
            self.writer.interrupted(progress, error.strerror or str(error))
        counter.finished(due.unread)
        progress.forgotten += batch.forgotten
        return progress

    def _hand_over(self, progress: Progress, batch: Batch, place: Place, *, is_end: bool) -> None:
        characters = batch.characters
        self.writer.add(Write(progress, batch.take(), place, is_end), characters)

    @staticmethod
    def _with_recalls(place: Place, batch: Batch) -> Place:
        if not batch.recalls:
            return place
        return replace(place, state={**place.state, _OUR_STATE: sorted(batch.recalls)})

    def _account(self, due: _Due, progress: Progress) -> None:
        self.report.new += due.change is Change.NEW
        self.report.grown += due.change in (Change.GROWN, Change.REWRITTEN)
        self.report.repeated += progress.repeated
        self.report.forgotten += progress.forgotten

    def _cannot_read(self, path: Path, error: OSError) -> None:
        self.report.skipped["unreadable"] += 1
        self.report.problems.append(f"{path}: {error.strerror or error}. Nothing stored was lost; import again later.")

    def _count_skipped(self, source: Source, item: Skipped) -> None:
        if item.unknown:
            self.report.unknown[item.unknown] += 1
            return
        self.report.malformed += 1
        if self.report.malformed <= MOST_PROBLEMS:
            self.report.problems.append(f"{source.path}:{item.line}: {item.reason}; the line was left out.")
