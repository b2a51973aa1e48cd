"""How the memory is: an overview at a glance, and a thorough check that says what to do."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from noctuary.errors import StoreDamaged, StoreError
from noctuary.importing.files import look, printable
from noctuary.importing.run import ShowProgress, discover
from noctuary.records import Relation
from noctuary.settings import Settings
from noctuary.store import Store
from noctuary.transcripts.items import Source
from noctuary.version import VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCount:
    """What is kept of one agent."""

    agent: str
    sessions: int
    messages: int
    last_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """How much is kept, from where, and whether anything needs attention."""

    version: str
    owner: str
    database: Path
    bytes: int  # 0 if there is no database yet
    sessions: int
    messages: int  # of the conversations, as people see them
    hidden: int  # kept beside them: context that no human typed, what was taken back, our own answers
    first_ms: int | None
    last_ms: int | None
    agents: Sequence[AgentCount]
    interrupted: Sequence[tuple[str, str]]  # transcripts that could not be read to their end, and why
    transcripts: int  # found on this machine now
    unread: int  # of those, never imported
    grown: int  # of those, not as they were when they were imported


class Finding(StrEnum):
    """How one check went."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One thing that was looked at, and what to do about it."""

    name: str
    finding: Finding
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """All that was looked at."""

    checks: Sequence[Checked]

    @property
    def is_healthy(self) -> bool:
        """Whether nothing is wrong; warnings are not wrong."""
        return all(check.finding is not Finding.PROBLEM for check in self.checks)


def overview(store: Store, settings: Settings) -> Overview:
    """Count what is kept."""
    fetch, owner = store.database.fetch, settings.owner
    sessions, messages, first_ms, last_ms = fetch("session_counts", owner=owner)[0]
    sources = list(discover(settings))
    unread, grown = _news(store, settings, sources)
    return Overview(
        version=VERSION,
        owner=owner,
        database=settings.database,
        bytes=fetch("size_of_database")[0][0] if settings.database.exists() else 0,
        sessions=sessions,
        messages=messages,
        hidden=fetch("hidden_messages", owner=owner)[0][0],
        first_ms=first_ms,
        last_ms=last_ms,
        agents=[
            AgentCount(agent=agent, sessions=count, messages=total, last_ms=last)
            for agent, count, total, last in fetch("sessions_by_agent", owner=owner)
        ],
        interrupted=store.places.interrupted(owner),
        transcripts=len(sources),
        unread=unread,
        grown=grown,
    )


def check(store: Store, settings: Settings, progress: ShowProgress | None = None) -> Checkup:
    """Look at everything that can go wrong; nothing is changed."""
    looks: list[Callable[[], Checked]] = [
        lambda: _check_file(store),
        lambda: _check_index(store),
        lambda: _check_counts(store),
        lambda: _check_permissions(settings),
        lambda: _check_backups(settings),
        lambda: _check_transcripts(store, settings),
    ]
    checks = []
    for done, look_at in enumerate(looks):
        if progress:
            progress(done, len(looks))
        checks.append(look_at())
    return Checkup(checks=checks)


def _news(store: Store, settings: Settings, sources: Iterable[Source]) -> tuple[int, int]:
    """How many transcripts an import would read for the first time, and how many changed since it read them.

    Those that are empty, cannot be looked at or were forgotten are neither.
    """
    seen, forgotten = store.places.seen(settings.owner), store.tombstones.all(settings.owner).sessions
    unread = grown = 0
    for source in sources:
        parent = source.parent if source.relation is Relation.SUBAGENT else None
        try:
            now = look(source.path)
        except OSError:
            continue
        if now.size == 0 or forgotten & {source.session, parent}:
            continue
        before = seen.get(printable(source.path))
        unread += before is None
        grown += before is not None and before != (now.size, now.mtime_ns)
    return unread, grown


def _check_file(store: Store) -> Checked:
    try:
        wrong = [row[0] for row in store.database.fetch("check_file") if row[0] != "ok"]
    except StoreDamaged as error:
        wrong = [str(error)]
    detail = "; ".join(wrong[:3]) + ". Copy the file away; restore a backup, or import again." if wrong else "sound"
    return Checked(name="database file", finding=Finding.PROBLEM if wrong else Finding.OK, detail=detail)


def _check_index(store: Store) -> Checked:
    try:
        store.database.fetch("check_index")
        indexed, expected, waiting = store.lexicon.balance()
    except StoreDamaged:
        return Checked(
            name="full-text index",
            finding=Finding.PROBLEM,
            detail="damaged. `noctuary rebuild` makes it again from the messages.",
        )
    except StoreError as error:  # the check needs the right to write, though it writes nothing
        return Checked(name="full-text index", finding=Finding.WARNING, detail=f"could not be checked: {error}")
    if indexed != expected:
        return Checked(
            name="full-text index",
            finding=Finding.PROBLEM,
            detail=f"holds {indexed:,} entries instead of {expected:,}. `noctuary rebuild` makes it again.",
        )
    if waiting:
        return Checked(
            name="full-text index",
            finding=Finding.WARNING,
            detail=f"{waiting:,} entries wait to be indexed and cannot be found yet. `noctuary import` completes it.",
        )
    return Checked(name="full-text index", finding=Finding.OK, detail=f"{indexed:,} entries, all in place")


def _check_counts(store: Store) -> Checked:
    try:
        orphans = store.database.fetch("orphan_messages")[0][0]
        miscounted = store.database.fetch("miscounted_sessions")[0][0]
    except StoreDamaged as error:
        return Checked(name="counts", finding=Finding.PROBLEM, detail=str(error))
    if orphans or miscounted:
        return Checked(
            name="counts",
            finding=Finding.PROBLEM,
            detail=f"{orphans} messages without a session, {miscounted} sessions miscounted. Run `noctuary rebuild`.",
        )
    return Checked(name="counts", finding=Finding.OK, detail="every session has the messages it says")


def _check_permissions(settings: Settings) -> Checked:
    mode = settings.database.stat().st_mode & 0o777
    if mode & 0o077:
        return Checked(
            name="permissions",
            finding=Finding.WARNING,
            detail=f"others can read the database (mode {mode:o}). Run: chmod 600 {settings.database}",
        )
    return Checked(name="permissions", finding=Finding.OK, detail="only you can read the database")


def _check_backups(settings: Settings) -> Checked:
    backups = sorted(settings.home.glob("*.backup"), key=lambda path: path.stat().st_mtime)
    detail = f"newest: {backups[-1]}" if backups else "none yet; one is made before every change of the schema"
    return Checked(name="backups", finding=Finding.OK, detail=detail)


def _check_transcripts(store: Store, settings: Settings) -> Checked:
    interrupted = store.places.interrupted(settings.owner)
    if interrupted:
        path, reason = interrupted[0]
        return Checked(
            name="transcripts",
            finding=Finding.WARNING,
            detail=f"{len(interrupted)} not read to the end, e.g. {path}: {reason}. `noctuary import` goes on.",
        )
    found = list(discover(settings))
    unread, grown = _news(store, settings, found)
    if unread or grown:
        detail = f"{unread} not imported yet, {grown} changed since they were. Run `noctuary import`."
        return Checked(name="transcripts", finding=Finding.WARNING, detail=detail)
    return Checked(name="transcripts", finding=Finding.OK, detail=f"{len(found)} found, none left out")
