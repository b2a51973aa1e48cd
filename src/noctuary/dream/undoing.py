"""A run is taken back: its entries are retracted, its sessions wait again, and memories are what the journal makes them
without it: whatever anybody did since, a user or another run, still counts.

What a user confirmed or worded anew is the user's, and stays; so does what other sessions state as well.  The sessions
are held: no run reads them again by itself, or the next one would bring back what was just taken back.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from noctuary.authored import Author, Entry, Event, EventSource, EventStatus, EventType
from noctuary.dream.life.dreamt import Runs, runs_in_journals
from noctuary.dream.life.run_lock import dream_lock
from noctuary.dream.life.schedule import last_success_ms
from noctuary.dream.merging.family import first_of_family
from noctuary.dream.merging.touched import HOLDING, as_record
from noctuary.dream.night import Night
from noctuary.dream.publishing import rewrite
from noctuary.dream.replaying import Fields, left_out, replayed, without_voices
from noctuary.dream.reports import from_json, to_json
from noctuary.dreams import DreamRecord, DreamStatus, RunStatus, Trigger
from noctuary.errors import BadChange, NotFound, NotFree
from noctuary.ids import is_ulid, moment_of
from noctuary.ledger.doubles import is_double
from noctuary.ledger.ledger import Write, entry_from
from noctuary.store.dreams import StoredRun
from noctuary.store.memories import MemoryStatus
from noctuary.work.wording import only_one

_ENDED = (RunStatus.COMPLETED, RunStatus.FAILED)


class Undone(NamedTuple):
    """What taking back a run came to."""

    run: str
    events: int  # that were retracted
    kept: Sequence[str]  # ids of those that a user had confirmed since
    memories: int  # that are gone, or what they were
    sessions: int  # that wait again
    pages: Sequence[str]


def find_run(night: Night, name: str | None) -> StoredRun:
    """The run with this id, or the only one whose id begins so; without a name the last that wrote anything.

    A run that the tables have lost is found in the journals.
    """
    dreams = night.store.dreams
    if name is None:
        return _last_that_wrote(night)
    full = only_one(dreams.runs_beginning_with(night.owner, name.upper()) if name else [], name, "run", NotFound)
    found = dreams.run(night.owner, full) if full else _lost_run(runs_in_journals(night), name)
    if found is None:
        raise NotFound(f"There is no run {name!r}; `noctuary dream log` lists them.")
    return found


def _last_that_wrote(night: Night) -> StoredRun:
    """Of the runs of this machine: those in the tables, and those that completions speak of."""
    dreams, written = night.store.dreams, runs_in_journals(night)
    known = {run.id: run for run in dreams.runs(night.owner, most=1_000)}
    named = {record.run for record in dreams.where(night.owner, status=DreamStatus.COMPLETED) if record.run}
    for run in sorted({*known, *named}, reverse=True):
        found = known.get(run) or _lost_run(written, run)
        if found and found.status in _ENDED and (run in named or run in written.projects):
            return found
    raise NotFound("There is no dream to take back that read anything; `noctuary dream log` lists them.")


def _lost_run(runs: Runs, name: str) -> StoredRun | None:
    """A run as far as the journals know it."""
    full = only_one([run for run in runs.projects if name and run.startswith(name.upper())], name, "run", NotFound)
    if full is None:
        return None
    started_ms = moment_of(full) if is_ulid(full) else 0
    status = RunStatus.UNDONE if full in runs.undone else RunStatus.COMPLETED
    return StoredRun(full, status, Trigger.MANUAL, started_ms, started_ms, None)


def undo(night: Night, name: str | None = None) -> Undone:
    """Take back a run, by default the last one; one that somebody was killed while taking back is that.

    NotFree while a dream is running.
    """
    with dream_lock(night) as is_mine:
        if not is_mine:
            raise NotFree("A dream is running, so none can be taken back now; try again when it has ended.")
        finished = finish_undoing(night)
        if finished and (name is None or name.upper() == finished[0].run):
            return finished[0]
        return _undo(night, find_run(night, name))


def finish_undoing(night: Night) -> list[Undone]:
    """Go on with what somebody was killed while taking back; only for the one who holds the run lock."""
    return [_undo(night, run) for run in night.store.dreams.runs_being_undone(night.owner)]


def _undo(night: Night, run: StoredRun) -> Undone:
    if run.status == RunStatus.UNDONE:
        raise BadChange(f"The run {run.id} was taken back already.")
    if run.status == RunStatus.RUNNING and night.store.dreams.where(
        night.owner, status=DreamStatus.RUNNING, run=run.id
    ):
        raise BadChange(f"The run {run.id} is still going on; wait until it ends.")
    night.store.dreams.save_run(night.owner, run._replace(status=RunStatus.UNDOING))
    records = [one for one in night.store.dreams.where(night.owner, run=run.id) if one.status is DreamStatus.COMPLETED]
    counts = _Counts()
    by_project = _by_project(night, records)
    for project in sorted({*by_project, *runs_in_journals(night).projects.get(run.id, ())}):
        of_project = by_project.get(project, [])
        with night.ledger.writing(project) as write:
            _take_back(night, write, project, run.id, of_project, counts)
            night.store.dreams.save(night.owner, map(_waiting_again, of_project))
            night.store.pages.mark_due(night.owner, project)
    _mark(night, run)
    pages = [file for project in night.store.pages.due(night.owner) for file in rewrite(night, project).files]
    return Undone(run.id, counts.events, tuple(counts.kept), len(counts.memories), len(records), tuple(pages))


class _Counts:
    def __init__(self) -> None:
        self.events = 0
        self.kept: list[str] = []
        self.memories: set[str] = set()


def _take_back(
    night: Night, write: Write, project: str, run: str, records: Sequence[DreamRecord], counts: _Counts
) -> None:
    """Retract the entries of a run, and make the memories it touched what the journal makes them without it."""
    written = {name for record in records for name in record.artifacts}
    entries = [entry_from(row) for row in night.store.events.all(night.owner, project)]
    ours = [entry for entry in entries if entry.event.id in written or _is_of_run(entry, run)]
    silenced = _silenced(night, run, records)
    gone: set[str] = set()
    for entry in ours:
        if entry.event.meta.get("bookkeeping"):
            gone.add(entry.event.id)
        elif _is_users(night, entry):
            counts.kept.append(entry.event.id)
        elif not _is_stated_by_others(night, entry, silenced):
            gone.add(entry.event.id)
            double = is_double(entry.event.id, entry.hidden_by)  # another run made it, too, and that one counts
            if entry.status is not EventStatus.RETRACTED and (double or entry.hidden_by is None):
                write(_event(EventType.RETRACT, project, run, corrects=entry.event.id))
                counts.events += not double
    undone = {run, *(str(entry.event.meta.get("dream", {}).get("undo", "")) for entry in entries)}
    touched = {memory["id"] for entry in ours for memory in entry.event.change.get("memories", ())}
    made = replayed(left_out(entries, undone, gone), touched)
    changed = _changed(night, touched, {name: without_voices(one, silenced, gone) for name, one in made.items()})
    if changed:
        write(_event(EventType.STATUS, project, run, change={"memories": changed}))
    counts.memories |= {memory["id"] for memory in changed}


def _is_of_run(entry: Entry, run: str) -> bool:
    """Whether the entry itself says that a run wrote it; what a user says in its place says so, too."""
    is_dreams = entry.event.author is Author.DREAM
    return is_dreams and bool(entry.event.meta.get("dream", {}).get("run") == run)


def _silenced(night: Night, run: str, records: Iterable[DreamRecord]) -> set[str]:
    """The voices that only this run heard; a session of which another run read another part still speaks."""
    voices: set[str] = set()
    for record in records:
        others = night.store.dreams.of_session(night.owner, record.session)
        if not any(one.status is DreamStatus.COMPLETED and one.run != run for one in others):
            voices.add(first_of_family(night, record.session))
    return voices


def _is_users(night: Night, entry: Entry) -> bool:
    """Whether somebody has said since that it is right, or in which other words it is."""
    later = night.ledger.entry(entry.hidden_by) if entry.hidden_by else None
    if later is not None and later.event.type is not EventType.RETRACT:
        return later.event.author is Author.USER
    return entry.status is EventStatus.CONFIRMED


def _is_stated_by_others(night: Night, entry: Entry, silenced: set[str]) -> bool:
    """Whether a memory that the entry says is stated by sessions that were read otherwise, and holds."""
    named = [memory["id"] for memory in entry.event.change.get("memories", ()) if "text" in memory]
    found = (night.store.memories.find(night.owner, name) for name in named)
    return any(
        memory is not None and memory.status in HOLDING and not silenced.issuperset(memory.facts.get("sessions") or ())
        for memory in found
    )


def _changed(night: Night, touched: Iterable[str], made: Mapping[str, Fields]) -> list[Fields]:
    """What has to change in the memories that a run touched; what was never made without it is retracted."""
    changed: list[Fields] = []
    for name in sorted(touched):
        memory = night.store.memories.find(night.owner, name)
        if memory is None:
            continue
        if name not in made:
            if memory.status is not MemoryStatus.RETRACTED:
                changed.append({"id": name, "status": str(MemoryStatus.RETRACTED)})
            continue
        disputed = [one for one in made[name].get("disputed") or () if one not in touched or one in made]
        target = {**made[name], **({"disputed": disputed} if "disputed" in made[name] else {})}
        now = as_record(memory)
        if any(now.get(key) != value for key, value in target.items()) or now.keys() - target.keys():
            changed.append({**dict.fromkeys(memory.facts.keys() - target.keys()), **target})
    return changed


def _event(kind: EventType, project: str, run: str, **more: Any) -> Event:
    meta = {"bookkeeping": True, "dream": {"undo": run}}
    return Event(kind, project=project, author=Author.USER, source=EventSource.API, meta=meta, **more)


def _waiting_again(record: DreamRecord) -> DreamRecord:
    return record._replace(
        status=DreamStatus.PENDING, completed_ms=None, run=None, artifacts=(), attempts=0, is_held=True
    )


def _by_project(night: Night, records: Iterable[DreamRecord]) -> dict[str, list[DreamRecord]]:
    """The records by the project that was written to, which may not be that of the session any more."""
    grouped: dict[str, list[DreamRecord]] = {}
    for record in records:
        written = night.ledger.entry(record.artifacts[-1]) if record.artifacts else None
        found = None if written else night.store.sessions.find(night.owner, record.session)
        project = written.event.project if written else (found[1].project if found else None) or ""
        grouped.setdefault(project, []).append(record)
    return grouped


def _mark(night: Night, run: StoredRun) -> None:
    """Note that the run was taken back, and that the last success is that of the run before."""
    report = to_json(from_json(run.report)._replace(status=RunStatus.UNDONE)) if run.report else None
    dreams = night.store.dreams
    with night.store.database.transaction():
        dreams.save_run(night.owner, run._replace(status=RunStatus.UNDONE, report=report))
        state = dreams.state(night.owner)
        dreams.save_state(night.owner, state._replace(last_success_ms=last_success_ms(night)))
