"""A run is taken back: its entries are retracted, memories are what they were, its sessions wait again.

What a user confirmed or worded anew since is the user's, and stays.  The sessions are held: no run reads them again
by itself, or the next one would bring back what was just taken back.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from noctuary.authored import Author, Entry, Event, EventSource, EventStatus, EventType
from noctuary.dream.night import Night
from noctuary.dream.publishing import rewrite
from noctuary.dream.reports import from_json, to_json
from noctuary.dream.run_lock import run_lock
from noctuary.dreams import DreamRecord, DreamStatus, RunStatus
from noctuary.errors import BadChange, NotFound, NotFree
from noctuary.ledger.ledger import Write
from noctuary.store.dreams import StoredRun
from noctuary.store.memories import MemoryStatus, Remembered
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
    """The run with this id, or the only one whose id begins so; without a name the last that read anything."""
    dreams = night.store.dreams
    if name is None:
        ended = (one for one in dreams.runs(night.owner, most=1_000) if one.status in _ENDED)
        last = next((one for one in ended if dreams.where(night.owner, run=one.id, most=1)), None)
        if last is None:
            raise NotFound("There is no dream to take back that read anything; `noctuary dream log` lists them.")
        return last
    full = only_one(dreams.runs_beginning_with(night.owner, name.upper()) if name else [], name, "run", NotFound)
    found = dreams.run(night.owner, full) if full else None
    if found is None:
        raise NotFound(f"There is no run {name!r}; `noctuary dream log` lists them.")
    return found


def undo(night: Night, name: str | None = None) -> Undone:
    """Take back a run, by default the last one; one that somebody was killed while taking back is that.

    NotFree while a dream is running.
    """
    with run_lock(night.home) as is_mine:
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
    for project, of_project in _by_project(night, records).items():
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
    """Retract the entries of a run, and put the memories it changed back to what they were."""
    entries = [*_entries(night, (name for record in records for name in record.artifacts))]
    sessions = {record.session for record in records}
    gone: set[str] = set()
    for entry in entries:
        if entry.event.meta.get("bookkeeping"):
            continue
        if _is_users(entry):
            counts.kept.append(entry.event.id)
            continue
        memories = _made(night, entry, sessions)
        gone |= {memory.id for memory in memories}  # also if it was retracted, by somebody or by who was killed here
        if entry.hidden_by is None and entry.status is not EventStatus.RETRACTED:
            change = {"memories": [{"id": memory.id, "status": str(MemoryStatus.RETRACTED)} for memory in memories]}
            write(_event(EventType.RETRACT, project, run, corrects=entry.event.id, change=change if memories else {}))
            counts.events += 1
    restored = _restored(night, _befores(entries), gone)
    if restored:
        write(_event(EventType.STATUS, project, run, change={"memories": restored}))
    counts.memories |= gone | {memory["id"] for memory in restored}


def _entries(night: Night, names: Iterable[str]) -> Iterator[Entry]:
    found = (night.ledger.entry(name) for name in names)
    return (entry for entry in found if entry is not None)


def _is_users(entry: Entry) -> bool:
    """Whether somebody has said since that it is right."""
    return entry.status is EventStatus.CONFIRMED


def _made(night: Night, entry: Entry, sessions: set[str]) -> list[Remembered]:
    """The memories that an entry made, unless a user has worded them since or other sessions stand for them, too."""
    named = [memory["id"] for memory in entry.event.change.get("memories", ()) if "text" in memory]
    found = (night.store.memories.find(night.owner, name) for name in named)
    return [memory for memory in found if memory is not None and not _is_anothers(night, memory, sessions)]


def _is_anothers(night: Night, memory: Remembered, sessions: set[str]) -> bool:
    said = night.ledger.entry(memory.event)
    is_worded = said is not None and said.event.author is not Author.DREAM
    return is_worded or not sessions.issuperset(memory.facts.get("sessions", ()))


def _befores(entries: Iterable[Entry]) -> list[Mapping[str, Any]]:
    """How memories were before the run, the first word about each; from the run's own bookkeeping."""
    befores: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        for before in entry.event.meta.get("dream", {}).get("before", ()):
            befores.setdefault(before["id"], before)
    return [*befores.values()]


def _restored(night: Night, befores: Sequence[Mapping[str, Any]], gone: set[str]) -> list[dict[str, Any]]:
    restored: list[dict[str, Any]] = []
    for before in befores:
        memory = night.store.memories.find(night.owner, before["id"])
        if memory is None or memory.id in gone or _was_judged_since(memory, before):
            continue
        since = {key: None for key in memory.facts if key not in before}
        restored.append({**since, **before})
    return restored


def _was_judged_since(memory: Remembered, before: Mapping[str, Any]) -> bool:
    """Whether somebody has said that a memory is right as it is now, or that it should never have been."""
    is_gone = memory.status is MemoryStatus.RETRACTED and before.get("status") != MemoryStatus.RETRACTED
    return is_gone or (bool(memory.facts.get("approved")) and not before.get("approved"))


def _event(kind: EventType, project: str, run: str, **more: Any) -> Event:
    meta = {"bookkeeping": True, "dream": {"undo": run}}
    return Event(kind, project=project, author=Author.USER, source=EventSource.API, meta=meta, **more)


def _waiting_again(record: DreamRecord) -> DreamRecord:
    return record._replace(
        status=DreamStatus.PENDING, completed_ms=None, run=None, artifacts=(), attempts=0, is_held=True
    )


def _by_project(night: Night, records: Iterable[DreamRecord]) -> dict[str, list[DreamRecord]]:
    grouped: dict[str, list[DreamRecord]] = {}
    for record in records:
        found = night.store.sessions.find(night.owner, record.session)
        grouped.setdefault((found[1].project if found else None) or "", []).append(record)
    return grouped


def _mark(night: Night, run: StoredRun) -> None:
    """Note that the run was taken back, and that the last success is that of the run before."""
    report = to_json(from_json(run.report)._replace(status=RunStatus.UNDONE)) if run.report else None
    dreams = night.store.dreams
    with night.store.database.transaction():
        dreams.save_run(night.owner, run._replace(status=RunStatus.UNDONE, report=report))
        done = (one for one in dreams.runs(night.owner, most=1_000) if one.status == RunStatus.COMPLETED)
        last_ms = next((one.finished_ms or 0 for one in done), 0)
        dreams.save_state(night.owner, dreams.state(night.owner)._replace(last_success_ms=last_ms))
