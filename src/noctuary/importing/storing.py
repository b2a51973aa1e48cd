"""Write what was read: several transcripts' batches, their facts and places in one short transaction.

An entry met again (after a crash, in a file without a last newline, in a rewritten file) is known by its uid and not
stored twice.  A fork or resumed session repeats its parent's beginning; that prefix stays with the parent.
"""

import json
from dataclasses import dataclass, field, replace

from noctuary.importing.batch import MOST_CHARACTERS, MOST_MESSAGES, PendingSession
from noctuary.importing.files import FileState, fingerprint
from noctuary.importing.report import ImportReport
from noctuary.records import Hidden, Message
from noctuary.store import Store, keys
from noctuary.store.places import SavedPlace
from noctuary.store.tombstones import Graveyard
from noctuary.transcripts.items import Place, Source


@dataclass(slots=True)
class Progress:
    """What must be remembered about one transcript from one batch to the next."""

    source: Source
    file: FileState
    uids_are_global: bool
    still_repeating: dict[str, bool] = field(default_factory=dict)  # session → only its parent's entries so far
    repeated: int = 0
    forgotten: int = 0


@dataclass(slots=True)
class Write:
    """One batch of one transcript, and the place reading had come to."""

    progress: Progress
    sessions: list[PendingSession]
    place: Place
    is_end: bool


class Writer:
    """Collects batches and stores them together, so that many small transcripts cost few transactions."""

    def __init__(self, store: Store, owner: str, graveyard: Graveyard, report: ImportReport) -> None:
        self.store, self.owner, self.graveyard, self.report = store, owner, graveyard, report
        self._waiting: list[Write] = []
        self._messages = 0
        self._characters = 0

    def add(self, write: Write, characters: int) -> None:
        """Take a batch; store all that wait once there is enough."""
        self._waiting.append(write)
        self._messages += sum(len(pending.messages) for pending in write.sessions) + 1
        self._characters += characters
        if self._messages >= MOST_MESSAGES or self._characters >= MOST_CHARACTERS:
            self.flush()

    def flush(self) -> None:
        """Store everything that waits, all or nothing."""
        writes, self._waiting, self._messages, self._characters = self._waiting, [], 0, 0
        if not writes:
            return
        with self.store.database.transaction():
            for write in writes:
                for pending in write.sessions:
                    self._store(write.progress, pending)
                self._save_place(write)

    def interrupted(self, progress: Progress, reason: str) -> None:
        """Say that a transcript could not be read to its end; what was stored of it stays."""
        path = str(progress.source.path)
        saved = self.store.places.find(self.owner, path)
        if saved:
            self.store.places.save(self.owner, path, replace(saved, error=reason))

    def _save_place(self, write: Write) -> None:
        file, place, path = write.progress.file, write.place, write.progress.source.path
        self.store.places.save(
            self.owner,
            str(path),
            SavedPlace(
                size=file.size if write.is_end else place.offset,
                mtime_ns=file.mtime_ns,
                byte_offset=place.offset,
                line=place.line,
                fingerprint=fingerprint(path, place.offset),
                state=json.dumps(place.state),
            ),
        )

    def _store(self, progress: Progress, pending: PendingSession) -> None:
        session = pending.session
        if session.id in self.graveyard.sessions or session.project in self.graveyard.projects:
            progress.forgotten += len(pending.messages)
            return
        known = self.store.sessions.find(self.owner, session.id)
        fresh = self._without_known(progress, pending, known[0] if known else None)
        if not known and not fresh:
            return  # nothing but metadata is no conversation
        no = self.store.sessions.ensure(self.owner, replace(session, title=None, title_source=None))
        if session.title and session.title_source:
            old = known[1] if known else None
            if self.store.sessions.retitle(no, old, session.title, session.title_source):
                self.store.messages.index_title(no, old.title if old else None, session.title)
        self.store.messages.add(self.owner, no, fresh)
        self.report.messages += len(fresh)
        self.report.sessions += known is None
        self.report.by_agent[progress.source.adapter] += len(fresh)
        if pending.rewound:
            stored = self.store.messages.known(pending.rewound)
            own = [key for found in stored.values() for key in found if keys.session_of(key) == no]
            self.report.rewound += self.store.messages.hide(no, own, Hidden.REWOUND)

    def _without_known(self, progress: Progress, pending: PendingSession, no: int | None) -> list[Message]:
        """The messages that are not stored yet: neither here, nor in the session that this one begins with."""
        stored = self.store.messages.known(m.uid for m in pending.messages if m.uid)
        if not stored:
            progress.still_repeating[pending.session.id] = False
            return pending.messages
        parent = self._parent_number(pending)
        repeating = progress.still_repeating.get(pending.session.id, no is None)
        fresh: list[Message] = []
        for message in pending.messages:
            holders = {keys.session_of(key) for key in stored.get(message.uid or "", ())}
            if no in holders:
                continue
            repeating = repeating and bool(holders) and (progress.uids_are_global or parent in holders)
            if repeating:
                progress.repeated += 1
            else:
                fresh.append(message)
        progress.still_repeating[pending.session.id] = repeating
        return fresh

    def _parent_number(self, pending: PendingSession) -> int | None:
        parent = pending.session.parent
        found = self.store.sessions.find(self.owner, parent) if parent else None
        return found[0] if found else None
