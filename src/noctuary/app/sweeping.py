"""A sweep: what hooks left in the inbox is dealt with, and then a dream is had if one is due.

Notes are dealt with under a lock, and quickly: named transcripts are imported, briefs that a session waits for are
written, sessions that ended are completed.  All of this can be done again without harm, so a sweep that is killed
loses nothing.  What takes long comes when the lock is free again: the transcripts that no hook named, a dream (which
has a lock of its own), and the briefs that are no longer true.

A hook can be told whose memory it serves.  Its notes say so, and are dealt with for that owner.
"""

from __future__ import annotations  # or the annotations would load the parts below

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from noctuary import brief_file, inbox
from noctuary.app import brief_folders, sweep_state
from noctuary.app.brief_folders import BriefFolder, is_a_folder
from noctuary.errors import NoctuaryError
from noctuary.inbox import Note
from noctuary.lazily import lazy_module
from noctuary.records import Status
from noctuary.settings import Settings
from noctuary.store.sessions import Selection

if TYPE_CHECKING:
    from noctuary.app import briefing, compactions
    from noctuary.app.memory import Memory
    from noctuary.dreams import Report
    from noctuary.importing import named, run
    from noctuary.importing.named import Sources
    from noctuary.models.chat import program
else:
    briefing = lazy_module("noctuary.app.briefing")
    compactions = lazy_module("noctuary.app.compactions")
    named = lazy_module("noctuary.importing.named")  # a session that waits for its brief needs none of these
    run = lazy_module("noctuary.importing.run")
    program = lazy_module("noctuary.models.chat.program")

START, END, COMPACTED = "SessionStart", "SessionEnd", "PostCompact"
MOST_TRIES = 3  # sweeps that look for a session before its note is dropped, unless
LAGGING_MS = 3_600_000  # it is younger: of many sessions at once the hooks start many sweeps within a minute
MOST_LOOKS = 5  # at an inbox that is filled again meanwhile
MOST_REFRESHED = 50  # briefs that are kept true; those of other folders are made when somebody asks
QUICK_BYTES = 2_000_000  # of transcripts that a session may wait for before it is told its brief
EVERYTHING_MS = 6 * 3_600_000  # how often transcripts are looked for that no hook named
_SAY_NO_END = {"codex"}  # agents that have no event for the end of a session
_QUIET_MS = 120_000  # so long silent, and a session of theirs is over when another begins in its folder
_TOLD_DAYS = 30
_DAY_SECONDS = 86_400


class Swept(NamedTuple):
    """What a sweep did."""

    notes: int = 0
    messages: int = 0  # imported
    sessions: int = 0  # of them new
    ended: Sequence[str] = ()  # ids of sessions
    summaries: int = 0  # of compactions, that no transcript has
    briefs: int = 0  # written
    kept: int = 0  # notes that wait for the next sweep, as their session is not there yet
    dropped: Sequence[str] = ()  # what became of notes that nothing could be done with
    problems: Sequence[str] = ()  # what went wrong without stopping it
    dream: Report | None = None
    lock: str = "acquired"  # busy: another sweep is at it; nested: this runs inside a dream


def sweep(memory: Memory, *, when_dealt: Callable[[], None] | None = None, changed: Sources | None = None) -> Swept:
    """Deal with what hooks left, and dream if it is due; `when_dealt` is called before what may take long.

    `changed` are transcripts that somebody who follows them has seen change; they are brought in, too.
    """
    if program.is_dreaming(memory.settings.environ):
        return Swept(lock="nested")
    sweeper = _Sweeper(memory)
    if not sweeper.deal_with_all():
        return Swept(lock="busy")
    if when_dealt:
        when_dealt()
    sweeper.import_unnamed(changed)
    sweeper.dream()
    sweeper.refresh()
    sweeper.leave_word()
    return sweeper.done.swept()


@dataclass(slots=True)
class _Done:
    """What was done so far."""

    notes: int = 0
    messages: int = 0
    sessions: int = 0
    ended: list[str] = field(default_factory=list)
    summaries: int = 0
    briefs: int = 0
    kept: int = 0
    dropped: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    dream: Report | None = None

    def swept(self) -> Swept:
        """The same as a record."""
        return Swept(
            notes=self.notes,
            messages=self.messages,
            sessions=self.sessions,
            ended=tuple(dict.fromkeys(self.ended)),
            summaries=self.summaries,
            briefs=self.briefs,
            kept=self.kept,
            dropped=tuple(self.dropped),
            problems=tuple(dict.fromkeys(self.problems)),
            dream=self.dream,
        )


class _Sweeper:
    """One sweep, of the notes of all owners."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.home = memory.settings.home
        self.done = _Done()
        self._usual = _usual_owner(memory)
        self._given = {"" if memory.owner == self._usual else memory.owner}  # owners, as hooks name them
        self._touched: set[str | None] = set()  # projects that something was brought in for after the notes

    def deal_with_all(self) -> bool:
        """Deal with all notes, also those that come meanwhile; False if another sweep is at it."""
        for look in range(MOST_LOOKS):
            with sweep_state.lock(self.home, "sweep") as is_mine:
                if not is_mine:
                    return look > 0
                self.done.notes += inbox.sweep(self.home, self._deal, is_again=look > 0)
                now = sweep_state.times(self.home)._replace(swept_ms=self.memory.clock.now_ms())
                sweep_state.save_times(self.home, now)
            # Looked at when the lock is free: whoever came before found it taken, and left this to us.
            if inbox.is_empty(self.home):
                break
        return True

    def import_unnamed(self, changed: Sources | None) -> None:
        """Bring in what no hook named, of agents that have none or had none: what changed, and all of it now and then.

        Never if any hook serves another owner: whose a transcript is, only its hook knows.
        """
        mine = "" if changed is None or self.memory.owner == self._usual else self.memory.owner
        if {each.owner for each in brief_folders.known_folders(self.home)} | self._given != {mine}:
            return
        with sweep_state.lock(self.home, "import") as is_mine:
            now_ms = self.memory.clock.now_ms()
            is_time = is_mine and not 0 <= now_ms - sweep_state.imported_ms(self.home) < EVERYTHING_MS
            if is_time:
                changed = run.discover(self.memory.settings)
            self._touched |= self._bring_in(self.memory, changed or ())
            if is_time:
                sweep_state.imported(self.home, now_ms)

    def dream(self) -> None:
        """Dream if it is due."""
        for given in sorted(self._given):
            with self._memory_of(given) as memory, self._noting_problems():
                report = memory.dreams.run_if_due()
                if memory is self.memory:
                    self.done.dream = report

    def refresh(self) -> None:
        """Write the briefs again that are no longer true."""
        for each in brief_folders.known_folders(self.home)[:MOST_REFRESHED]:
            written = brief_file.read(brief_file.path_of(str(self.home), each.owner, each.folder))
            is_told = written is not None and written.is_fresh
            if is_told and not (self._touched and self.memory.project_of(each.folder) in self._touched):
                continue
            with self._memory_of(each.owner) as memory:
                self._write_brief(memory, each.owner, each.folder)

    def leave_word(self) -> None:
        """Say for hooks and the doctor how it went, and remove what hooks noted of sessions long ago."""
        now_ms, problems = self.memory.clock.now_ms(), self.done.problems
        if problems:
            sweep_state.failed(self.home, now_ms, problems[0])
        else:
            sweep_state.went_well(self.home)
        _remove_old(self.home / "state" / "told", "*", _TOLD_DAYS * _DAY_SECONDS, now_ms // 1000)
        for folder in (brief_file.FOLDER, inbox.FOLDER, "state", "state/hook", "log"):  # of whoever was killed
            _remove_old(self.home / folder, ".*", _DAY_SECONDS, now_ms // 1000)

    def _deal(self, notes: Sequence[Note]) -> list[Note]:
        now_ms = self.memory.clock.now_ms()
        spoken_of = [note for note in notes if is_a_folder(note.cwd)]
        used = [BriefFolder(note.owner, note.cwd, min(note.at_ms, now_ms)) for note in spoken_of]
        asked = [each for note, each in zip(spoken_of, used, strict=True) if note.event == START]
        folders = brief_folders.remember(self.home, asked, used, now_ms)
        again: list[Note] = []
        for given in sorted({note.owner for note in notes}):
            self._given.add(given)
            wanted = list(dict.fromkeys(each.folder for each in asked if each.owner == given))
            others = [each.folder for each in folders[:MOST_REFRESHED] if each.owner == given]
            with self._memory_of(given) as memory:
                theirs = [note for note in notes if note.owner == given]
                again += self._deal_for(memory, given, theirs, wanted, others)
        newest = max(note.at_ms for note in notes)
        known = sweep_state.times(self.home)
        sweep_state.save_times(self.home, known._replace(note_ms=max(known.note_ms, newest)))
        self.done.kept += len(again)
        return again

    def _deal_for(
        self, memory: Memory, given: str, notes: Sequence[Note], wanted: Sequence[str], others: Sequence[str]
    ) -> list[Note]:
        """Deal with the notes of one owner, and write the briefs that are wanted, then those that are changed by it."""
        touched = self._import(memory, notes, lambda: self._write_briefs(memory, given, wanted))
        again = list(self._settle(memory, notes))
        changed = [each for each in others if each not in wanted and memory.project_of(each) in touched]
        self._write_briefs(memory, given, changed)
        return again

    def _import(self, memory: Memory, notes: Sequence[Note], tell: Callable[[], None]) -> set[str | None]:
        """Bring in what the notes name, and tell whoever waits; if it is much, also before.  The projects touched."""
        said = [note for note in notes if note.event != START]  # when nothing is yet
        readable = named.readable_agents(memory.settings) if said else frozenset()
        said = [note for note in said if note.agent in readable]
        if not said:
            tell()
            return set()
        unplaced = {note.session for note in said if note.session and not note.transcript}
        sources = named.find_named(memory.settings, {note.transcript for note in said}, unplaced)
        is_much = named.unread_bytes(memory.store, memory.owner, sources) > QUICK_BYTES
        if is_much:
            tell()
        touched = self._bring_in(memory, sources)
        tell()
        return touched

    def _bring_in(self, memory: Memory, sources: Sources) -> set[str | None]:
        """Import what is new in these; the projects of their sessions if anything was."""
        if not sources:
            return set()
        report = run.Importer(memory.store, memory.owner, memory.settings.formats).run(sources)
        self.done.messages += report.messages
        self.done.sessions += report.sessions
        found = (memory.store.sessions.find(memory.owner, source.session) for source in sources)
        return {each[1].project for each in found if each} if report.messages else set()

    def _settle(self, memory: Memory, notes: Sequence[Note]) -> Iterator[Note]:
        """Complete what ended and store summaries; the notes that have to wait for their session."""
        is_over = any(note.event in (END, COMPACTED) for note in notes)
        readable = named.readable_agents(memory.settings) if is_over else frozenset()
        for note in notes:
            if note.event == START and note.agent in _SAY_NO_END:
                self._end_silent(memory, note)
            elif note.event in (END, COMPACTED) and note.agent in readable:
                is_done = self._end(memory, note) if note.event == END else self._keep_summary(memory, note)
                is_young = 0 <= memory.clock.now_ms() - note.at_ms < LAGGING_MS
                if not is_done and (is_young or note.tries + 1 < MOST_TRIES):
                    yield note
                elif not is_done:
                    self.done.dropped.append(f"{note.event} of session {note.session}: it was never imported")

    def _end(self, memory: Memory, note: Note) -> bool:
        found = memory.store.sessions.find(memory.owner, note.session)
        if found is None:
            return False
        memory.dreams.end_session(found[1].id)
        self.done.ended.append(found[1].id)
        return True

    def _end_silent(self, memory: Memory, note: Note) -> None:
        """Where an agent does not say that a session is over, the next one in the same folder says so."""
        selection = Selection(agent=note.agent, project=memory.project_of(note.cwd) if is_a_folder(note.cwd) else None)
        for session in memory.sessions(limit=20, selection=selection):
            is_over = session.cwd == note.cwd and (session.last_ms or 0) < note.at_ms - _QUIET_MS
            if is_over and session.id != note.session and session.status is Status.ACTIVE:
                memory.dreams.end_session(session.id)
                self.done.ended.append(session.id)

    def _keep_summary(self, memory: Memory, note: Note) -> bool:
        is_stored = compactions.store_summary(memory, note)
        self.done.summaries += bool(is_stored)
        return is_stored is not None

    def _write_briefs(self, memory: Memory, given: str, folders: Sequence[str]) -> None:
        for folder in folders:
            self._write_brief(memory, given, folder)

    def _write_brief(self, memory: Memory, given: str, folder: str) -> None:
        with self._noting_problems():
            briefing.write_brief_file(memory, given, folder)
            self.done.briefs += 1

    @contextmanager
    def _noting_problems(self) -> Iterator[None]:
        """What goes wrong with one thing does not keep the others from being done."""
        try:
            yield
        except (NoctuaryError, OSError) as error:
            self.done.problems.append(str(error))

    @contextmanager
    def _memory_of(self, given: str) -> Iterator[Memory]:
        """The memory of the owner whom a hook named, or named not."""
        owner = given or self._usual
        if owner == self.memory.owner:
            yield self.memory
            return
        with type(self.memory).from_settings(self.memory.settings._replace(owner=owner), self.memory.clock) as other:
            yield other


def _usual_owner(memory: Memory) -> str:
    """Whose memory hooks serve that were told of nobody."""
    settings = memory.settings
    return Settings.load(settings.environ, home=settings.home, user_home=settings.user_home).owner


def _remove_old(folder: Path, names: str, seconds: int, now: int) -> None:
    """Remove files that nobody has written to for so long."""
    for path in folder.glob(names):
        with suppress(OSError):  # the next sweep does it
            if now - path.stat().st_mtime > seconds:
                path.unlink(missing_ok=True)
