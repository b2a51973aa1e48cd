"""How the memory is: an overview at a glance, and a thorough check that says what to do."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from noctuary.errors import ModelError, StoreDamaged, StoreError
from noctuary.graph import ENDED, NodeType
from noctuary.importing.files import look, printable
from noctuary.importing.run import ShowProgress, discover, left_out
from noctuary.ledger.advice import advice_on, is_sound, worst_of
from noctuary.ledger.verifying import Finding as JournalFinding
from noctuary.records import Relation
from noctuary.settings import Settings
from noctuary.store import Store
from noctuary.store.vectors import Damage, KnownEmbedder, State
from noctuary.transcripts.items import Source
from noctuary.version import VERSION

if TYPE_CHECKING:
    from noctuary.models.embedder import Embedder

OpenEmbedder = Callable[[str], "Embedder"]
Look = Callable[[], "Checked"]
VerifyJournals = Callable[[], Sequence[JournalFinding]]
_PROBE = "Does this model answer?"
_AGAIN = "`noctuary model off`, `noctuary model use` and `noctuary embed` make them again."
_SHOWN = 3  # damages of one kind: a person wants to know what is wrong, not every place


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCount:
    """What is kept of one agent."""

    agent: str
    sessions: int
    messages: int
    last_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCount:
    """How much of the memory a model has read."""

    name: str
    dimension: int
    state: State
    messages_read: int
    messages: int  # of all owners, hidden ones too: what there is to read


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """How much is kept, from where, and whether anything needs attention."""

    version: str
    owner: str
    database: str  # the file, or the address of the server
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
    models: Sequence[ModelCount]  # in use, the serving one first; none if searches find words only
    goals: int
    tasks: int
    open_tasks: int  # of those, not ended
    decisions: int
    events: int  # in the journals


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
    nodes: dict[str, dict[str, int]] = defaultdict(dict)
    for kind, status, count in fetch("node_counts", owner=owner):
        nodes[kind][status] = count
    return Overview(
        version=VERSION,
        owner=owner,
        database=settings.database_shown,
        bytes=fetch("size_of_database")[0][0] if settings.is_made else 0,
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
        models=[_model_count(store, known) for known in store.vectors.embedders()],
        goals=sum(nodes[NodeType.GOAL].values()),
        tasks=sum(nodes[NodeType.TASK].values()),
        open_tasks=sum(count for status, count in nodes[NodeType.TASK].items() if status not in ENDED),
        decisions=sum(nodes[NodeType.DECISION].values()),
        events=store.events.count(owner),
    )


def check(
    store: Store,
    settings: Settings,
    open_embedder: OpenEmbedder,
    verify_journals: VerifyJournals,
    progress: ShowProgress | None = None,
    more: Sequence[Look] = (),
) -> Checkup:
    """Look at everything that can go wrong; nothing is changed."""
    looks: list[Look] = [
        lambda: _check_file(store),
        lambda: _check_index(store),
        lambda: _check_counts(store),
        lambda: _check_journals(store, settings, verify_journals),
        lambda: _check_vectors(store),
        lambda: _check_model(store, open_embedder),
        lambda: _check_permissions(store, settings),
        lambda: _check_backups(settings),
        lambda: _check_transcripts(store, settings),
        *more,
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
            now = look(source)
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


def _check_journals(store: Store, settings: Settings, verify_journals: VerifyJournals) -> Checked:
    try:
        findings = verify_journals()
        events = store.events.count(settings.owner)
    except StoreError as error:
        return Checked(name="journals", finding=Finding.PROBLEM, detail=f"cannot be checked: {error}")
    if not findings:
        counted = f"{events:,} event{'' if events == 1 else 's'}, all in place"
        detail = counted if events else "none yet; nothing was written down"
        return Checked(name="journals", finding=Finding.OK, detail=detail)
    worst = worst_of(findings)
    where = f"{worst.project}, line {worst.line}" if worst.line else worst.project
    more = f" (and {len(findings) - 1:,} more: `noctuary journal verify`)" if len(findings) > 1 else ""
    detail = " ".join([f"{where}: {worst.detail.rstrip('.')}{more}.", *advice_on([worst])])
    return Checked(name="journals", finding=Finding.WARNING if is_sound(findings) else Finding.PROBLEM, detail=detail)


def _model_count(store: Store, known: KnownEmbedder) -> ModelCount:
    done, total = store.vectors.coverage(known.no)
    return ModelCount(
        name=known.name,
        dimension=known.dimension,
        state=known.state,
        messages_read=done,
        messages=total,
    )


def _check_vectors(store: Store) -> Checked:
    try:
        known = store.vectors.embedders()
        wrong = _wrong_choices(known)
        damages = [] if wrong else [_damages(store, each) for each in known]
        counts = [_model_count(store, each) for each in known]
    except StoreDamaged as error:
        return Checked(name="vectors", finding=Finding.PROBLEM, detail=f"cannot be read: {error}. {_AGAIN}")
    if wrong:
        return Checked(name="vectors", finding=Finding.PROBLEM, detail=f"{'; '.join(wrong[:3])}. {_AGAIN}")
    if damaged := [what for each in damages for what in each.said]:
        advice = "`noctuary embed` makes them again." if all(each.is_mendable for each in damages) else _AGAIN
        return Checked(name="vectors", finding=Finding.PROBLEM, detail=f"{'; '.join(damaged)}. {advice}")
    if not known:
        return Checked(name="vectors", finding=Finding.OK, detail="none, since no model is in use")
    coverage = ", ".join(f"{each.name} {each.messages_read:,} of {each.messages:,} messages" for each in counts)
    if all(each.messages_read >= each.messages for each in counts):
        return Checked(name="vectors", finding=Finding.OK, detail=f"{coverage}, all in place")
    return Checked(name="vectors", finding=Finding.WARNING, detail=f"{coverage}. `noctuary embed` goes on.")


def _wrong_choices(known: Sequence[KnownEmbedder]) -> list[str]:
    states = [each.state for each in known]
    if any(states.count(state) > 1 for state in State) or (known and State.SERVING not in states):
        return [f"{len(known)} models in use, but one must serve and at most one be filled"]
    return [f"{each.name} has {each.dimension} dimensions" for each in known if each.dimension < 1]


class _Damages(NamedTuple):
    said: list[str]
    is_mendable: bool  # by embedding, which does not look for all of them


def _damages(store: Store, known: KnownEmbedder) -> _Damages:
    """What is wrong with the vectors of a model, and in which sessions."""
    sessions: dict[Damage, list[int]] = {}
    for session, damage in store.vectors.damages(known):
        sessions.setdefault(damage, []).append(session)
    said = [f"{known.name} {damage} ({_some_of(numbers)})" for damage, numbers in sessions.items()]
    every = len(store.database.fetch("sessions_with_vectors", embedder=known.no))
    is_another_model = 0 < every == len(sessions.get(Damage.LENGTHS, ()))  # or what is noted of it is wrong
    return _Damages(said, not is_another_model and Damage.ZEROS not in sessions)


def _some_of(sessions: Sequence[int]) -> str:
    more = len(sessions) - _SHOWN
    shown = f"{'session' if len(sessions) == 1 else 'sessions'} {', '.join(map(str, sessions[:_SHOWN]))}"
    return f"{shown} and {more:,} more" if more > 0 else shown


def _check_model(store: Store, open_embedder: OpenEmbedder) -> Checked:
    try:
        used = store.vectors.embedders()
    except StoreDamaged as error:
        return Checked(name="model", finding=Finding.PROBLEM, detail=f"cannot be told: {error}. {_AGAIN}")
    for known in used:
        try:
            wrong = _wrong_model(known, open_embedder(known.source))
        except ModelError as error:
            wrong = str(error)
        if wrong:
            detail = f"searches find by words alone: {wrong}" if known.state is State.SERVING else wrong
            return Checked(name="model", finding=Finding.WARNING, detail=detail)
    names = ", ".join(known.name for known in used)
    detail = f"{names} answers" if used else "none; searches find words. `noctuary model list` shows models"
    return Checked(name="model", finding=Finding.OK, detail=detail)


def _wrong_model(known: KnownEmbedder, embedder: "Embedder") -> str:
    """Ask it something; in words what is wrong, empty if nothing is."""
    dimension = embedder.question(_PROBE).shape[1]
    if (embedder.name, dimension) == (known.name, known.dimension):
        return ""
    return (
        f"where {known.name} of {known.dimension} dimensions was, there is {embedder.name} of {dimension} now. "
        f"`noctuary model use` and `noctuary embed` change to it."
    )


def _check_permissions(store: Store, settings: Settings) -> Checked:
    if settings.database_url is not None:
        return _check_guards(store)
    mode = settings.database.stat().st_mode & 0o777
    if mode & 0o077:
        return Checked(
            name="permissions",
            finding=Finding.WARNING,
            detail=f"others can read the database (mode {mode:o}). Run: chmod 600 {settings.database}",
        )
    return Checked(name="permissions", finding=Finding.OK, detail="only you can read the database")


def _check_guards(store: Store) -> Checked:
    """Whether a server keeps owners apart by itself, whatever is asked of it."""
    if open_to_all := [row[0] for row in store.database.fetch("unguarded_tables")]:
        detail = f"rows of others can be read in {', '.join(open_to_all)}: row-level security is off there."
        return Checked(name="permissions", finding=Finding.PROBLEM, detail=detail)
    return Checked(name="permissions", finding=Finding.OK, detail="the server shows each owner only their own rows")


def _check_backups(settings: Settings) -> Checked:
    if settings.database_url is not None:
        detail = "those of the server; `noctuary snapshot` copies your own memory, `noctuary move` takes it home"
        return Checked(name="backups", finding=Finding.OK, detail=detail)
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
    if problems := left_out(settings):
        return Checked(name="transcripts", finding=Finding.WARNING, detail=" ".join(problems[:_SHOWN]))
    found = list(discover(settings))
    unread, grown = _news(store, settings, found)
    if unread or grown:
        detail = f"{unread} not imported yet, {grown} changed since they were. Run `noctuary import`."
        return Checked(name="transcripts", finding=Finding.WARNING, detail=detail)
    return Checked(name="transcripts", finding=Finding.OK, detail=f"{len(found)} found, none left out")
