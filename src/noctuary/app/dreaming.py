"""The verbs of dreams: run, rehearse, review, undo, explain; and what becomes of single memories."""

from __future__ import annotations  # or the annotations would load the parts below

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from noctuary.app.briefing import drop_brief_files, drop_recall_files
from noctuary.dream_settings import dream_settings
from noctuary.dreams import DreamRecord, DreamStatus, Report, RunStatus, Trigger
from noctuary.errors import NotFound
from noctuary.lazily import Once, lazy_module

if TYPE_CHECKING:
    from noctuary.app import dream_models
    from noctuary.app.dream_models import Reader
    from noctuary.app.memory import Memory
    from noctuary.authored import Entry
    from noctuary.dream import explaining, keeping, night, rehearsing, reports, reviewing, run, undoing
    from noctuary.dream.comparing import likeness
    from noctuary.dream.comparing.likeness import Likeness
    from noctuary.dream.explaining import Why
    from noctuary.dream.keeping import Check
    from noctuary.dream.life import completing, eligibility, healing, hygiene, schedule
    from noctuary.dream.life.healing import Healed
    from noctuary.dream.life.hygiene import Tidied
    from noctuary.dream.night import Night
    from noctuary.dream.pages import places
    from noctuary.dream.reviewing import Suggestion
    from noctuary.dream.run import Wanted
    from noctuary.dream.undoing import Undone
    from noctuary.dream.verifying.verifying import Verdict
    from noctuary.dreams import Eligibility
    from noctuary.models.chat import program
    from noctuary.proposals import Spent
    from noctuary.store.dreams import DreamState
    from noctuary.store.memories import Remembered
else:
    completing = lazy_module("noctuary.dream.life.completing")
    dream_models = lazy_module("noctuary.app.dream_models")
    eligibility = lazy_module("noctuary.dream.life.eligibility")
    explaining = lazy_module("noctuary.dream.explaining")
    healing = lazy_module("noctuary.dream.life.healing")
    hygiene = lazy_module("noctuary.dream.life.hygiene")
    keeping = lazy_module("noctuary.dream.keeping")
    likeness = lazy_module("noctuary.dream.comparing.likeness")
    night = lazy_module("noctuary.dream.night")
    places = lazy_module("noctuary.dream.pages.places")
    program = lazy_module("noctuary.models.chat.program")
    rehearsing = lazy_module("noctuary.dream.rehearsing")
    reports = lazy_module("noctuary.dream.reports")
    reviewing = lazy_module("noctuary.dream.reviewing")
    run = lazy_module("noctuary.dream.run")
    schedule = lazy_module("noctuary.dream.life.schedule")
    undoing = lazy_module("noctuary.dream.undoing")

_HOUR_MS = 3_600_000
_Told = TypeVar("_Told")


class Outlook(NamedTuple):
    """What a dream that somebody asks for now would read, and what it would not."""

    waiting: int  # sessions that have ended, or in which nothing has happened for long
    held: int  # sessions that wait until somebody asks: their dream was taken back, or failed too often
    open: int  # sessions that go on
    open_until_ms: int | None  # when the first of these will have been quiet for long enough
    is_empty: bool  # there is no session at all


class Standing(NamedTuple):
    """Where dreams stand, at a glance."""

    last_ms: int | None  # when the last dream ended well
    outlook: Outlook


class Overview(NamedTuple):
    """Where dreams stand."""

    is_enabled: bool
    backend: str
    state: DreamState
    waiting: int
    outlook: Outlook
    counts: Mapping[tuple[DreamStatus, bool], int]
    completed: int
    due: Trigger | None
    last: Report | None
    spent_today: Spent
    suggestions: int
    problems: Sequence[str]


class Dreamt(NamedTuple):
    """A dream that was had: what it did, and how to take it back."""

    report: Report
    dreams: Dreams

    @property
    def diff(self) -> str:
        """What changed in MEMORY.md, as a unified diff."""
        return self.report.diff

    def undo(self) -> Undone:
        """Take it back completely."""
        return self.dreams.undo(self.report.run)


class Dreams:
    """One owner's dreams."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.settings = dream_settings(memory.settings.dream_table)

    @property
    def is_within_dream(self) -> bool:
        """Whether a dream started this process, directly or not: then no other dream begins."""
        return program.is_dreaming(self.memory.settings.environ)

    @Once
    def night(self) -> Night:
        """What every part of a dream needs, caught up with the journals."""
        self.memory.ledger.catch_up_all()
        return night.Night(self.memory.ledger, self.settings, likeness=self._likeness(), door=self.memory.door)

    def _likeness(self) -> Likeness | None:
        """What tells how alike two sentences are, if a model serves searches already."""
        serving = self.memory.store.vectors.serving()
        return likeness.Likeness(partial(self.memory.open_embedder, serving.source)) if serving else None

    def run(
        self,
        *,
        sessions: Sequence[str] = (),
        project: str | None = None,
        most: int | None = None,
        backend: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Report:
        """Dream now, over all that waits or over what is named; sessions that are named are ended first."""
        if self.is_within_dream:
            return self._nested()
        wanted = self._wanted(sessions, project, most)
        for session in wanted.sessions:
            completing.end_session(self.night, session)
        reader = self._reader(backend)
        return run.dream(
            reader.night,
            reader.extractor,
            trigger=Trigger.MANUAL,
            wanted=wanted,
            user_home=self.memory.settings.user_home,
            progress=progress,
        )

    def run_if_due(self) -> Report:
        """Dream if enough waits or enough time has gone by, and dreams are not switched off."""
        if self.is_within_dream:
            return self._nested()
        if not self.settings.enabled:
            return run.not_run(self.night, self.settings.backend, RunStatus.NOT_DUE, None)
        reader = self._reader()
        return run.dream(reader.night, reader.extractor, user_home=self.memory.settings.user_home)

    def rehearse(
        self,
        *,
        sessions: Sequence[str] = (),
        project: str | None = None,
        most: int | None = None,
        backend: str | None = None,
    ) -> Report:
        """What a dream would do now; nothing is changed."""
        if self.is_within_dream:
            return self._nested()
        reader = self._reader(backend)
        return rehearsing.rehearse(reader.night, reader.extractor, wanted=self._wanted(sessions, project, most))

    def outlook(self) -> Outlook:
        """What a dream now would read; cheap, from what is stored alone."""
        store, owner, now_ms = self.memory.store, self.memory.owner, self.memory.clock.now_ms()
        idle_ms = round(self.settings.idle_hours * _HOUR_MS)
        over, going_on, first_ms = store.dreams.uncovered(owner, now_ms - idle_ms)
        held = sum(count for (_, is_held), count in store.dreams.counts(owner).items() if is_held)
        return Outlook(
            waiting=store.dreams.sessions_waiting(owner, now_ms).all + over,
            held=held,
            open=going_on,
            open_until_ms=None if first_ms is None else first_ms + idle_ms,
            is_empty=not self.memory.sessions(limit=1),
        )

    def standing(self) -> Standing:
        """When the last dream was, and what waits; cheap."""
        last_ms = self.memory.store.dreams.state(self.memory.owner).last_success_ms
        return Standing(last_ms or None, self.outlook())

    def checked(self) -> list[str]:
        """What is wrong with the state of dreams, each with what to do; nothing is changed."""
        return healing.check_state(night.Night(self.memory.ledger, self.settings))

    def unsettled(self) -> list[str]:
        """What the next dream has to make good, though nothing is lost: pages that are due, sessions that failed."""
        store, owner = self.memory.store, self.memory.owner
        due = [f"MEMORY.md of {name or 'all projects'} is not up to date" for name in store.pages.due(owner)]
        failed = store.dreams.where(owner, status=DreamStatus.FAILED)
        return due + [f"session {one.session} could not be read: {one.failure}" for one in failed]

    def overview(self, project: str | None = None) -> Overview:
        """Where dreams stand."""
        dreams, owner = self.memory.store.dreams, self.memory.owner
        runs = dreams.runs(owner, most=1)
        return Overview(
            is_enabled=self.settings.enabled,
            backend=self.settings.backend,
            state=dreams.state(owner),
            waiting=schedule.waiting_count(self.night),
            outlook=self.outlook(),
            counts=dreams.counts(owner),
            completed=dreams.completed_count(owner),
            due=schedule.due(self.night),
            last=reports.from_json(runs[0].report) if runs and runs[0].report else None,
            spent_today=dreams.spent_on(owner, dream_models.today(self.memory)),
            suggestions=len(reviewing.queue(self.night, project)),
            problems=healing.check_state(self.night),
        )

    def log(self, most: int = 20) -> list[Report]:
        """The last runs, the newest first."""
        runs = self.memory.store.dreams.runs(self.memory.owner, most)
        return [reports.from_json(one.report) for one in runs if one.report]

    def show(self, name: str | None = None) -> Report:
        """The report of a run, by default of the last."""
        if name is None:
            last = self.log(1)
            if not last:
                raise NotFound("There has been no dream yet; run `noctuary dream`.")
            return last[0]
        found = undoing.find_run(self.night, name)
        if not found.report:
            raise NotFound(f"The run {found.id} left no report.")
        return reports.from_json(found.report)

    def waiting(self) -> list[DreamRecord]:
        """The completed sessions that have not been read, the oldest first."""
        dreams = self.memory.store.dreams
        return dreams.waiting(self.memory.owner, self.memory.clock.now_ms(), is_asked=True)

    def page(self, project: str | None = None) -> str:
        """MEMORY.md of a project as it lies there, with what people changed in it; empty if there is none."""
        path = places.page_path(self.memory.settings.home, self.memory.owner, self._project(project))
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def why(self, line: str, project: str | None = None) -> Why:
        """What a line of MEMORY.md rests on."""
        return explaining.why(self.night, self._project(project), line)

    def suggestions(self, project: str | None = None, *, run: str | None = None) -> list[Suggestion]:
        """What dreams and agents proposed and nobody has looked at; of all projects if none is named."""
        return reviewing.queue(self.night, project, run=run)

    def accept(self, event: str, text: str = "") -> Entry:
        """Say that a proposal is right, perhaps in other words."""
        return self._untold(reviewing.accept(self.night, event, text))

    def reject(self, event: str, reason: str = "") -> Entry:
        """Say that a proposal is wrong; no dream proposes it again."""
        return self._untold(reviewing.reject(self.night, event, reason))

    def accept_all(self, project: str | None = None, *, run: str | None = None) -> list[Entry]:
        """Accept all that was proposed."""
        return reviewing.accept_all(self.night, project, run=run)

    def undo(self, name: str | None = None) -> Undone:
        """Take back a run completely, by default the last one."""
        return self._untold(undoing.undo(self.night, name))

    def heal(self) -> Healed:
        """Set aside what cannot be read of the state of dreams, and make it again from the journal."""
        return healing.heal(self.night)

    def tidy(self, *, is_forced: bool = False) -> Tidied:
        """Close sessions in which nothing has happened for long; at most every few hours unless it is forced."""
        return hygiene.tidy(self.night, is_forced=is_forced)

    def end_session(self, name: str) -> DreamRecord:
        """Mark a session as over, so that the next dream reads it."""
        return completing.end_session(self.night, self.memory.session(name).id)

    def suspend_session(self, name: str) -> None:
        """Mark a session as paused, so that it does not end by itself."""
        completing.suspend_session(self.night, self.memory.session(name).id)

    def resume_session(self, name: str) -> None:
        """Say that a session goes on."""
        completing.resume_session(self.night, self.memory.session(name).id)

    def eligibility(self, name: str) -> Eligibility:
        """Whether a dream would read a session now."""
        return eligibility.eligibility(self.night, self.memory.session(name).id)

    def pin(
        self, name: str, project: str | None = None, *, is_pinned: bool = True, check: Check = lambda: None
    ) -> Remembered:
        """Show a memory always, or no longer; `check` may refuse it while nobody else writes."""
        return keeping.pin(self.night, self._project(project), name, is_pinned=is_pinned, check=check)

    def reword(self, name: str, text: str, project: str | None = None) -> Remembered:
        """Let other words take the place of a memory; no session is told the old ones any more."""
        reworded = keeping.reword(self.night, self._project(project), name, text)
        drop_brief_files(self.memory)
        return reworded

    def forget(
        self, name: str, project: str | None = None, *, reason: str = "", check: Check = lambda: None
    ) -> Remembered:
        """Say that a memory should never have been; no dream brings it back, and no session is told it any more."""
        forgotten = keeping.forget(self.night, self._project(project), name, reason, check=check)
        drop_brief_files(self.memory)
        return forgotten

    def explain(self, name: str, project: str | None = None) -> Why:
        """What a memory rests on."""
        return explaining.explain(self.night, keeping.find(self.night, self._project(project), name))

    def verify(
        self, names: Sequence[str] = (), project: str | None = None, folder: Path | None = None
    ) -> list[Verdict]:
        """Check memories against the repository; all that a page would show if none is named."""
        return keeping.verify_memories(self.night, self._project(project), folder, list(names))

    def _untold(self, done: _Told) -> _Told:
        """What was done, when no prompt is told any more what held before."""
        drop_recall_files(self.memory.settings.home)
        return done

    def _reader(self, backend: str | None = None) -> Reader:
        """What reads sessions in one run; whoever names rules wants no model to word anything either."""
        settings = self.settings._replace(backend=backend or self.settings.backend)
        if backend == "rules":
            settings = settings._replace(wording=False)
        return dream_models.open_reader(self.memory, self.night, settings)

    def _nested(self) -> Report:
        return run.not_run(self.night, self.settings.backend, RunStatus.SKIPPED, None)._replace(lock="nested")

    def _wanted(self, sessions: Sequence[str], project: str | None, most: int | None) -> Wanted:
        named = tuple(self.memory.session(name).id for name in sessions)
        return run.Wanted(named, None if project is None else self._project(project), most)

    def _project(self, name: str | None) -> str:
        found = self.memory.project_of(".") if name is None else self.memory.project_called(name)
        return found or ""
