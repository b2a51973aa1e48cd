"""A memory: what is kept, found, forgotten and looked after, as methods of one class."""

from __future__ import annotations  # or the annotations would load the parts below

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from noctuary.app.briefing import Briefing
from noctuary.app.cleaning import Cleaning
from noctuary.app.snapshots import Snapshots, finish_restoring
from noctuary.app.understanding import Understanding
from noctuary.clock import Clock, SystemClock
from noctuary.errors import (
    BadInput,
    JournalDamaged,
    JournalTooNew,
    MessageNotFound,
    SessionNotFound,
    StoreError,
)
from noctuary.lazily import Once, lazy_module
from noctuary.recall.contract import DEFAULT_LIMIT, DEFAULT_WINDOW
from noctuary.recall.database import DatabaseRecall
from noctuary.recall.meaning import KeptVectors, Meanings
from noctuary.recall.query import Query, parse
from noctuary.records import Found, Hidden, Kind, Message, Session, Window
from noctuary.settings import Settings
from noctuary.store import Store, open_server_store, open_store
from noctuary.store.keys import MOST_MESSAGES
from noctuary.store.sessions import Selection

if TYPE_CHECKING:
    import tempfile

    from noctuary import fences, health
    from noctuary.app import dream_checkup, dreaming, format_checkup, hook_checkup, server_checkup, sweeping, team, work
    from noctuary.app.dreaming import Dreams
    from noctuary.app.team import TeamMemory
    from noctuary.app.work import Work
    from noctuary.authored import Entry
    from noctuary.graph import Node
    from noctuary.health import Checkup, Overview
    from noctuary.importing import projects, run, sources
    from noctuary.importing.report import ImportReport
    from noctuary.importing.run import ShowProgress
    from noctuary.importing.sources import Sources
    from noctuary.ledger import ledger, restoring, verifying
    from noctuary.ledger.ledger import Ledger
    from noctuary.ledger.restoring import Restored
    from noctuary.ledger.verifying import Finding as JournalFinding
    from noctuary.models.shelf import Shelf
    from noctuary.recall import reranking
    from noctuary.switching import bringing
    from noctuary.switching.brought import Switched
    from noctuary.switching.tools import Tool
    from noctuary.work import desk
    from noctuary.work.desk import Writer
else:
    bringing = lazy_module("noctuary.switching.bringing")
    dream_checkup = lazy_module("noctuary.app.dream_checkup")
    dreaming = lazy_module("noctuary.app.dreaming")
    fences = lazy_module("noctuary.fences")
    format_checkup = lazy_module("noctuary.app.format_checkup")
    hook_checkup = lazy_module("noctuary.app.hook_checkup")
    health = lazy_module("noctuary.health")
    ledger = lazy_module("noctuary.ledger.ledger")
    projects = lazy_module("noctuary.importing.projects")
    reranking = lazy_module("noctuary.recall.reranking")
    server_checkup = lazy_module("noctuary.app.server_checkup")
    restoring = lazy_module("noctuary.ledger.restoring")
    sweeping = lazy_module("noctuary.app.sweeping")
    team = lazy_module("noctuary.app.team")
    run = lazy_module("noctuary.importing.run")
    sources = lazy_module("noctuary.importing.sources")
    tempfile = lazy_module("tempfile")
    verifying = lazy_module("noctuary.ledger.verifying")
    work = lazy_module("noctuary.app.work")
    desk = lazy_module("noctuary.work.desk")

_OURS = "noctuary"  # stands in the name of every tool of ours, whatever an agent puts before it


class Rebuilt(NamedTuple):
    """How much was made again."""

    messages: int
    events: int


class Memory(Understanding, Snapshots, Briefing, Cleaning):
    """One owner's memory.  Use it as a context manager, or call `close`."""

    takes_whole_names = False  # of projects: over a network nobody types the end of a path
    door = "cli"  # through which whoever uses it came, as events say it

    def __init__(self, store: Store, settings: Settings, clock: Clock) -> None:
        super().__init__(store, settings)
        self.clock = clock
        self.meanings = Meanings(store, self.open_embedder, clock)
        self.recall = DatabaseRecall(store, clock, self.meanings.understand)
        if folder := settings.reranker:
            self.recall.judge = reranking.RestingJudge(lambda: self.shelf.judge(folder), clock).judge

    @classmethod
    def open(
        cls,
        home: str | Path | None = None,
        *,
        owner: str | None = None,
        user_home: str | Path | None = None,
        database: str | None = None,
        clock: Clock | None = None,
    ) -> Memory:
        """Open the memory in this folder (by default the usual one), making it if need be.

        `postgresql://…`, as the home or as `database`, is a memory on that server; pages and settings stay in a folder.
        """
        if isinstance(home, str) and home.startswith(("postgresql://", "postgres://")):
            home, database = None, home
        settings = Settings.load(
            os.environ,
            home=Path(home) if home else None,
            owner=owner,
            database=database,
            user_home=Path(user_home) if user_home else None,
        )
        return cls.from_settings(settings, clock or SystemClock())

    @classmethod
    def from_settings(cls, settings: Settings, clock: Clock) -> Memory:
        """Open the memory that the settings name."""
        return cls(store_of(settings), settings, clock)

    @classmethod
    @contextmanager
    def to_read(cls, settings: Settings, clock: Clock) -> Iterator[Memory]:
        """The memory that the settings name; where there is none, an empty one that leaves nothing behind.

        A folder mistyped in a question must not become a memory.
        """
        if settings.is_made or (settings.home.exists() and not settings.home.is_dir()):
            with cls.from_settings(settings, clock) as memory:
                yield memory
            return
        with tempfile.TemporaryDirectory(prefix="noctuary-") as folder:
            store = open_store(Path(folder) / "empty.db", busy_seconds=settings.busy_seconds)
            with cls(store, settings, clock) as memory:
                yield memory

    def share_models(self, shelf: Shelf, kept: KeptVectors) -> None:
        """Use what other memories of this process have open as well: each by itself would take as much memory."""
        self._shelf, self.meanings.kept = shelf, kept

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self.store.close()

    def import_transcripts(self, *, at: str | Path | None = None, progress: ShowProgress | None = None) -> ImportReport:
        """Bring in what is new in every transcript of every agent on this machine.

        `at` names a file or a folder instead: what is in it is known by its content, wherever it lies.
        """
        found, problems = (run.discover(self.settings), []) if at is None else run.recognise(Path(at))
        report = run.Importer(self.store, self.owner, self.settings.formats).run(found, progress)
        report.problems += problems
        return report

    def switch_from(
        self, tool: Tool, path: str | Path | None = None, *, project: str | None = None, dry_run: bool = False
    ) -> Switched:
        """Bring in what another tool kept, from where it is or usually is; with `dry_run` only say what would come."""
        place = Path(path).expanduser().absolute() if path else bringing.usual_place(tool, self.settings.user_home)
        return bringing.Switch(self.work(project).desk, tool, place, project, dry_run).run()

    def sources(self) -> Sources:
        """Every agent that was ever seen on this machine, what came of its transcripts, and what was new in them."""
        return sources.list_sources(self.store, self.settings)

    def search(self, text: str | Query, *, limit: int = DEFAULT_LIMIT) -> Found:
        """The sessions that answer best, each with the message that matched."""
        return self.recall.search(self.owner, self.query(text), limit)

    def search_messages(self, text: str | Query, *, limit: int = DEFAULT_LIMIT) -> Found:
        """The messages that answer best; a session may appear more than once."""
        return self.recall.search_messages(self.owner, self.query(text), limit)

    def query(self, text: str | Query) -> Query:
        """The query that a text means."""
        return text if isinstance(text, Query) else parse(text, self.clock.now_ms())

    def sessions(self, *, limit: int = 20, selection: Selection | None = None) -> list[Session]:
        """Sessions by last activity, the newest first."""
        return self.recall.recent(self.owner, limit, selection)

    def session(self, name: str) -> Session:
        """The session with this id, or the only one whose id begins so; SessionNotFound if there is none."""
        found = self.store.sessions.find(self.owner, name)
        if found:
            return found[1]
        beginning = self.store.sessions.beginning_with(self.owner, name) if name else []
        if len(beginning) == 1:
            return self.session(beginning[0])
        if beginning:
            raise SessionNotFound(f"More than one session begins with {name!r}: {', '.join(beginning[:5])} …")
        raise SessionNotFound(f"There is no session {name!r}; `noctuary sessions` lists them.")

    def show(
        self,
        name: str,
        *,
        around: int | None = None,
        window: int = DEFAULT_WINDOW,
        first: int = 1,
        limit: int | None = None,
    ) -> Window:
        """A session from message `first` on, of at most `limit` ids; or the part around a message."""
        session = self.session(name)
        if around is not None:
            part = self.recall.scroll(self.owner, session.id, around, window)
            if part is None:
                raise MessageNotFound(f"Session {session.id} has no message {around}; it has ids from 1 on.")
            return part
        last = MOST_MESSAGES if limit is None else min(MOST_MESSAGES, first + limit - 1)
        part = self.recall.read(self.owner, session.id, first, last)
        if part is None:
            raise SessionNotFound
        return part

    def project_of(self, folder: str | Path) -> str | None:
        """The project that a folder belongs to."""
        return projects.project_of(str(Path(folder).resolve()), None)

    def project_called(self, name: str) -> str:
        """The only known project whose path ends so; the name itself if it is a path, or of a project that is new."""
        if not name or name.startswith("/") or self.takes_whole_names:
            return name
        written = (each for each in self.store.journals.projects(self.owner) if f"/{each}".endswith(f"/{name}"))
        known = {*self.store.sessions.project_names(self.owner, name), *written}
        if name in known or not known:
            return name
        if len(known) > 1:
            raise BadInput(
                f"More than one project ends in {name!r}: {', '.join(sorted(known)[:5])}. Say more of its path."
            )
        return known.pop()

    def append(self, session_id: str, message: Message) -> int:
        """Store one message at the end of a session; its id.  What it repeats of ours is never found."""
        parts = _heard(message)
        if len(parts) == 1:
            return self.recall.append(self.owner, session_id, parts[0])
        return self.add_session(Session(id=session_id, started_ms=message.ts_ms or None), [message])[0]

    def add_session(self, session: Session, messages: Iterable[Message]) -> Sequence[int]:
        """Store a whole conversation at once; the ids of its messages.  What they repeat of ours is never found."""
        parts = [_heard(message) for message in messages]
        ids = iter(self.recall.add_session(self.owner, session, [part for each in parts for part in each]))
        return [[next(ids) for _ in each][-1] for each in parts]

    def status(self) -> Overview:
        """How much is kept, from where, and whether anything needs attention."""
        with suppress(StoreError):  # a journal that cannot be read is the doctor's
            self.ledger.catch_up()
        return health.overview(self.store, self.settings)

    def doctor(self, *, progress: ShowProgress | None = None) -> Checkup:
        """Check the memory thoroughly; changes nothing."""
        more = [
            lambda: format_checkup.check_up(self.store, self.owner),
            lambda: dream_checkup.check_up(self),
            lambda: hook_checkup.check_up(self.settings, self.clock.now_ms()),
        ]
        if self.settings.database_url is not None:
            more.append(lambda: server_checkup.check_up(self.store))
        return health.check(self.store, self.settings, self.open_embedder, self.verify_journals, progress, more)

    @classmethod
    def examine(cls, settings: Settings, *, progress: ShowProgress | None = None) -> Checkup:
        """Check a memory that may be missing or may not open; makes and changes nothing."""
        if not settings.is_made:
            is_file = settings.home.exists() and not settings.home.is_dir()
            advice = (
                f"{settings.home} is not a folder: choose one with --home" if is_file else "`noctuary import` makes it"
            )
            wrong = f"there is none at {settings.database}. {advice}."
            return _unusable(wrong, settings)
        try:
            with cls.from_settings(settings, SystemClock()) as memory:
                return memory.doctor(progress=progress)
        except StoreError as error:
            return _unusable(str(error), settings)

    @Once
    def ledger(self) -> Ledger:
        """The journals, and the one way to write to them."""
        made = ledger.Ledger(self.store, self.settings.home, self.owner, self.clock)
        made.when_changed = self.team.follow
        return made

    def work(self, project: str | None = None, writer: Writer | None = None) -> Work:
        """The work of a project, by default that of this folder, caught up with its journal.

        If it cannot be caught up with because nothing can be written, it is what the tables know.  Journals of other
        projects that cannot be read are the doctor's.
        """
        failed = self.ledger.catch_up_all()
        name = (self.project_of(".") if project is None else self.project_called(project)) or ""
        if isinstance(error := failed.get(name), (JournalDamaged, JournalTooNew)):
            raise error
        return work.Work(desk.Desk(self.ledger, name, writer or desk.Writer()))

    def open_task(self, title: str, *, goal: str = "", project: str | None = None, **more: Any) -> Node:
        """A new task, and what it is for; `work` has the other verbs of tasks."""
        return self.work(project).open_task(title, goal=goal, **more)

    def note(self, task: str | Node, kind: str, text: str, **more: Any) -> Entry:
        """Write down a decision, a finding … about a task."""
        return self.work().note(kind, text, node=task, **more)

    def pack(self, task: str | Node, *, budget: int = 8_000) -> str:
        """All one needs to resume a task, within so many characters."""
        return self.work().pack(task, budget=budget)

    def handoff(self, goal: str | Node) -> str:
        """Where the work on a goal stands."""
        return self.work().handoff(goal)

    @Once
    def dreams(self) -> Dreams:
        """Dreams over finished sessions, and what became of them."""
        return dreaming.Dreams(self)

    def dream(self, **more: Any) -> dreaming.Dreamt:
        """Read what has ended since the last dream, and write MEMORY.md anew; `dreams` has the other verbs."""
        return dreaming.Dreamt(self.dreams.run(**more), self.dreams)

    @Once
    def team(self) -> TeamMemory:
        """What is shared with others, and by them."""
        return team.TeamMemory(self)

    def sweep(self, **more: Any) -> sweeping.Swept:
        """Deal with what hooks left: import, end sessions, write briefs; then dream if it is due."""
        return sweeping.sweep(self, **more)

    def restore_journals(self) -> list[Restored]:
        """Write journals that were lost or cut again, from what was read of them."""
        return restoring.restore(self.ledger)

    def verify_journals(self) -> list[JournalFinding]:
        """What is wrong with the journals, or with what is folded from them; nothing is changed."""
        return verifying.verify(self.ledger)

    def rebuild(self, *, progress: Callable[[int, int], None] | None = None) -> Rebuilt:
        """Make the full-text index again from the stored messages, and all other tables from the journals."""
        self.store.extend()
        return Rebuilt(messages=self.store.lexicon.rebuild(progress), events=self.ledger.rebuild())


def _heard(message: Message) -> list[Message]:
    """The message as it may be stored: an answer of ours, or what it repeats of one, is hidden."""
    is_answer = message.kind is Kind.TOOL_RESULT and _OURS in (message.tool_name or "").lower()
    if is_answer and message.hidden is None:
        return [message._replace(hidden=Hidden.RECALLED)]
    return fences.heard(message)


def store_of(settings: Settings) -> Store:
    """Open the database that the settings name."""
    if settings.database_url is not None:
        return open_server_store(settings.database_url, settings.owner, busy_seconds=settings.busy_seconds)
    finish_restoring(settings.home)
    return open_store(settings.database, busy_seconds=settings.busy_seconds)


def _unusable(why: str, settings: Settings) -> Checkup:
    """What the doctor can still say; hooks that cannot run may be why there is nothing."""
    problem = health.Checked(name="database file", finding=health.Finding.PROBLEM, detail=why)
    hooks = hook_checkup.check_up(settings, SystemClock().now_ms())
    return health.Checkup(checks=[problem, *([] if hooks.finding is health.Finding.OK else [hooks])])
