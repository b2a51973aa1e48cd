"""Write what was read: several transcripts' batches, their facts and places in one short transaction.

An entry met again (after a crash, in a file without a last newline, in a rewritten file) is known by its uid and not
stored twice.  A fork or resumed session repeats its parent's beginning; that prefix stays with the parent.
"""

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from noctuary.importing.batch import MOST_CHARACTERS, MOST_MESSAGES, PendingSession
from noctuary.importing.files import FileState, printable
from noctuary.importing.report import ImportReport
from noctuary.importing.tally import Tally, Way
from noctuary.lazily import lazy_module
from noctuary.records import Hidden, Message, Relation, Session
from noctuary.store import Store, keys
from noctuary.store.backlog import MOST_AT_ONCE
from noctuary.store.places import SavedPlace
from noctuary.store.tombstones import Graveyard
from noctuary.transcripts.items import Place, Source

if TYPE_CHECKING:
    from noctuary import redact
else:
    redact = lazy_module("noctuary.redact")  # a hundred patterns to compile, and most imports find nothing new

MOST_ANCESTORS = 100


@dataclass(slots=True)
class Progress:
    """What must be remembered about one transcript from one batch to the next."""

    source: Source
    file: FileState
    uids_are_global: bool
    from_start: bool
    before: SavedPlace | None = None  # what is known of it from readings before
    still_repeating: dict[str, bool] = field(default_factory=dict)  # session → only its parent's entries so far
    said: int = 0
    made: dict[str, int] = field(default_factory=dict)  # sessions this reading made → the last id it gave in them
    repeated: int = 0
    forgotten: int = 0
    failed: bool = False
    stored: int = 0  # messages
    tally: Tally = field(init=False)

    def __post_init__(self) -> None:
        self.tally = Tally(self.file.mtime_ns // 1_000_000)

    @property
    def way(self) -> Way:
        """How what is odd in it belongs to what was odd before."""
        if self.source.is_log:
            return Way.ANEW if self.from_start else Way.ON
        return Way.ANEW if self.source.session else Way.PARTLY


@dataclass(slots=True)
class Write:
    """One batch of one transcript, and the place reading had come to."""

    progress: Progress
    sessions: list[PendingSession]
    place: Place
    fingerprint: str  # taken while the file was open: by now it may be gone
    is_end: bool
    malformed: int = 0
    drift: str = "{}"


class Writer:
    """Collects batches and stores them together, so that many small transcripts cost few transactions."""

    def __init__(self, store: Store, owner: str, graveyard: Graveyard, report: ImportReport) -> None:
        self.store, self.owner, self.graveyard, self.report = store, owner, graveyard, report
        self._known_tombstones = graveyard  # what the batches were already held to while they were read
        self._waiting: list[Write] = []
        self._messages = 0
        self._characters = 0
        self._unindexed = 0

    def add(self, write: Write, characters: int) -> None:
        """Take a batch; store all that wait once there is enough."""
        self._waiting.append(write)
        self._messages += sum(len(pending.messages) for pending in write.sessions) + 1
        self._characters += characters
        if self._messages >= MOST_MESSAGES or self._characters >= MOST_CHARACTERS:
            self.flush()

    def flush(self) -> None:
        """Store everything that waits, all or nothing."""
        writes, self._waiting = self._waiting, []
        if not writes:
            return
        with self.store.database.transaction(), self.store.messages.indexing_later():
            self._heed_new_tombstones(writes)
            for write in writes:
                for pending in write.sessions:
                    self._store(write.progress, pending)
                self._save_place(write)
        self._unindexed += self._characters
        self._messages = self._characters = 0
        if self._unindexed >= MOST_AT_ONCE:
            self.index()

    def index(self) -> None:
        """Make all that was stored findable; also what an import stored that was killed before it came to this."""
        self.store.backlog.work_off()
        self._unindexed = 0

    def _heed_new_tombstones(self, writes: list[Write]) -> None:
        """What was forgotten since this import began stays forgotten, though it was read before."""
        now = self.store.tombstones.all(self.owner)
        if now == self._known_tombstones:
            return
        self.graveyard = now
        for write in writes:
            for pending in write.sessions:
                kept = [m for m in pending.messages if not self._is_buried(pending.session.id, m.content)]
                write.progress.forgotten += len(pending.messages) - len(kept)
                pending.messages = kept

    def _is_buried(self, session_id: str, content: str) -> bool:
        return self.graveyard.holds_text(self.owner, content) or self.graveyard.holds_content(
            self.owner, session_id, content
        )

    def interrupted(self, progress: Progress, reason: str) -> None:
        """Say that a transcript could not be read to its end; what was stored of it stays."""
        path = printable(progress.source.path)
        saved = self.store.places.find(self.owner, path)
        if saved:
            self.store.places.save(self.owner, path, replace(saved, error=reason))

    def _save_place(self, write: Write) -> None:
        file, place = write.progress.file, write.place
        self.store.places.save(
            self.owner,
            printable(write.progress.source.path),
            SavedPlace(
                size=file.size if write.is_end else place.offset,
                mtime_ns=file.mtime_ns,
                byte_offset=place.offset,
                line=place.line,
                fingerprint=write.fingerprint,
                state=json.dumps(_redacted(place.state)),
                agent=write.progress.source.adapter,
                told=_told(write.progress),
                malformed=write.malformed,
                drift=write.drift,
            ),
        )

    def _store(self, progress: Progress, pending: PendingSession) -> None:
        session = pending.session
        if self._is_forgotten(session):
            progress.forgotten += len(pending.messages)
            return
        known = self.store.sessions.find(self.owner, session.id)
        fresh = self._without_known(progress, pending, known)
        if not known and not fresh:
            return  # nothing but metadata is no conversation
        no = self.store.sessions.ensure(self.owner, session._replace(title=None, title_source=None))
        if session.title and session.title_source:
            old = known[1] if known else None
            if self.store.sessions.retitle(no, old, session.title, session.title_source):
                self.store.messages.index_title(no, old.title if old else None, session.title)
        ids = self.store.messages.add(self.owner, no, fresh)
        if ids and session.id in progress.made:
            progress.made[session.id] = ids[-1]
        progress.stored += len(fresh)
        self.report.messages += len(fresh)
        self.report.hidden += sum(message.hidden is not None for message in fresh)
        self.report.sessions += known is None
        if fresh:  # an agent of which nothing came in is not named
            self.report.by_agent[progress.source.adapter] += len(fresh)
        if pending.rewound:
            stored = self.store.messages.known(pending.rewound)
            own = [key for found in stored.values() for key in found if keys.session_of(key) == no]
            self.report.rewound += self.store.messages.hide(self.owner, no, own, Hidden.REWOUND)

    def _is_forgotten(self, session: Session) -> bool:
        """Whether the session, its project or the session it is a sub-agent of was forgotten."""
        is_part = session.relation is Relation.SUBAGENT and session.parent in self.graveyard.sessions
        return is_part or session.id in self.graveyard.sessions or session.project in self.graveyard.projects

    def _without_known(
        self, progress: Progress, pending: PendingSession, known: tuple[int, Session] | None
    ) -> list[Message]:
        """The messages that are not stored yet: neither here, nor in the session that this one begins with."""
        session_id = pending.session.id
        if not self.graveyard.entries and self._is_all_new(progress, pending, known):
            return pending.messages
        holders = self._holders(pending.messages)
        if not holders and not self.graveyard.entries:
            progress.still_repeating[session_id] = False
            return pending.messages
        no, parent = known[0] if known else None, pending.session.parent or (known[1].parent if known else None)
        ancestors = self._ancestors(session_id, parent)
        # Not every agent names its entries one and only: then only those of a declared ancestor are the same.
        forebears = None if progress.uids_are_global else set(ancestors.values())
        forgotten_in = None if progress.uids_are_global else (session_id, *ancestors)
        repeating = progress.still_repeating.get(session_id, progress.from_start)
        fresh: list[Message] = []
        for message in pending.messages:
            held_by = holders.get(message.uid or "", set())
            if self.graveyard.holds_entry(message.uid, forgotten_in):
                progress.forgotten += 1
                continue
            is_own = no in held_by
            repeating = repeating and not is_own and bool(held_by if forebears is None else held_by & forebears)
            if repeating:
                progress.repeated += 1
            elif not is_own:
                fresh.append(message)
        progress.still_repeating[session_id] = repeating
        return fresh

    def _is_all_new(self, progress: Progress, pending: PendingSession, known: tuple[int, Session] | None) -> bool:
        """Whether one look settles it: a session that nobody wrote to but this reading, and that begins as no other."""
        session_id = pending.session.id
        if known is None and not self._holders(pending.messages[:1]):
            progress.still_repeating[session_id] = False
            progress.made[session_id] = 0
            return True
        if known is None or session_id not in progress.made:
            return False
        # Another process may import the same transcript: then what it stored must be told from what is new.
        return self.store.sessions.with_last_id([known[0]])[known[0]][1] == progress.made[session_id]

    def _holders(self, messages: list[Message]) -> dict[str, set[int]]:
        """By uid, the numbers of this owner's sessions that hold the entry."""
        stored = self.store.messages.known(m.uid for m in messages if m.uid)
        numbers = {keys.session_of(key) for found in stored.values() for key in found}
        if not numbers:
            return {}
        mine = {no for no, session in self.store.sessions.by_number(numbers).items() if session.owner == self.owner}
        held = {uid: {keys.session_of(key) for key in found} & mine for uid, found in stored.items()}
        return {uid: found for uid, found in held.items() if found}

    def _ancestors(self, session_id: str, parent: str | None) -> dict[str, int | None]:
        """What the session was forked or resumed from, the nearest first, by id; None is not stored."""
        found: dict[str, int | None] = {}
        while parent and parent != session_id and parent not in found and len(found) < MOST_ANCESTORS:
            known = self.store.sessions.find(self.owner, parent)
            found[parent], parent = (known[0], known[1].parent) if known else (None, None)
        return found


def _told(progress: Progress) -> int:
    """How many messages a transcript told; what is no log tells again what its reader does not remember."""
    before = progress.before.told if progress.before else 0
    if not before or (progress.source.is_log and progress.from_start):
        return progress.said
    return before + (progress.said if progress.source.is_log else progress.stored)


def _redacted(state: Any) -> Any:
    """What an adapter must remember, without secrets: it may hold a title that was not told yet."""
    if isinstance(state, str):
        return redact.redact(state)
    if isinstance(state, list):
        return [_redacted(part) for part in state]
    if isinstance(state, dict):
        return {key: _redacted(part) for key, part in state.items()}
    return state
