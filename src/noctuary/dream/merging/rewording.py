"""Memories that a run made or changed are worded more clearly by a model, if one is asked to; checked, and all or none.

What a user worded, confirmed or pinned is left as it is.  What a model gives is taken only if it adds no fact, drops no
citation and loses hardly anything: `models/asking/wording_checks.py`.
"""

from collections.abc import Iterable, Mapping

from noctuary.authored import Author, Event, EventSource, EventType
from noctuary.dream.merging.touched import as_record
from noctuary.dream.night import Night
from noctuary.dream.tally import Tally
from noctuary.dreams import ChangeKind, DreamStatus
from noctuary.errors import ModelError
from noctuary.models.writer import Refused, Worded, Writer
from noctuary.store.memories import MemoryStatus, Remembered

_WORDED = (ChangeKind.ADDED, ChangeKind.MERGED)
_HELD = (MemoryStatus.ACTIVE, MemoryStatus.PROPOSED)


def reword(night: Night, tally: Tally, projects: Iterable[str]) -> None:
    """Let the writer of the night, if there is one, word anew what this run made or changed."""
    if night.writer is None:
        return
    writer = night.writer()
    for project in projects:
        if memories := _chosen(night, tally, project):
            _reword_project(night, tally, writer, project, memories)


def _chosen(night: Night, tally: Tally, project: str) -> list[Remembered]:
    names = dict.fromkeys(one.memory for one in tally.changes if one.kind in _WORDED and one.project == project)
    found = (night.store.memories.find(night.owner, name) for name in names)
    return [
        memory for memory in found if memory is not None and memory.status in _HELD and not _is_users(night, memory)
    ]


def _is_users(night: Night, memory: Remembered) -> bool:
    """Whether a user worded, confirmed or pinned it."""
    said = night.ledger.entry(memory.event)
    is_worded = said is not None and said.event.author is not Author.DREAM
    return is_worded or bool(memory.facts.get("approved") or memory.facts.get("pinned"))


def _reword_project(night: Night, tally: Tally, writer: Writer, project: str, memories: list[Remembered]) -> None:
    entries = [Worded(memory.id, memory.text, _quotes(night, memory)) for memory in memories]
    try:
        given = writer.reword(entries)
    except ModelError as error:
        tally.warnings.append(f"Memories keep their wording: {error}")
        return
    tally.spent += given.spent
    if isinstance(given, Refused):
        tally.warnings.append(f"Memories keep their wording, for the model's was refused: {given.why}")
        return
    changed = [memory for memory in memories if given.texts.get(memory.id, memory.text) != memory.text]
    if changed:
        _write(night, tally, project, changed, given.texts)


def _quotes(night: Night, memory: Remembered) -> list[str]:
    entry = night.ledger.entry(memory.event)
    return [cited.quote for cited in entry.event.refs.messages if cited.quote] if entry else []


def _write(night: Night, tally: Tally, project: str, asked: list[Remembered], texts: Mapping[str, str]) -> None:
    """One event for all of them, which undoing the run takes back: it is noted with the last session of the project.

    What somebody changed while the model was thinking stays as it is now.
    """
    with night.ledger.writing(project) as write:
        now = {one.id: night.store.memories.find(night.owner, one.id) for one in asked}
        memories = [one for one in asked if now[one.id] == one]
        if not memories:
            return
        change = {"memories": [{"id": one.id, "text": texts[one.id], "event": one.event} for one in memories]}
        meta = {"bookkeeping": True, "dream": {"run": tally.run, "before": [*map(as_record, memories)]}}
        name = write(
            Event(EventType.STATUS, author=Author.DREAM, source=EventSource.DREAM, meta=meta, change=change)
        ).id
        read = [one for one in tally.sessions if one.project == project and one.status is DreamStatus.COMPLETED][-1]
        records = night.store.dreams.of_session(night.owner, read.session)
        noted = [one for one in records if one.epoch == read.epoch]
        night.store.dreams.save(night.owner, [one._replace(artifacts=(*one.artifacts, name)) for one in noted])
    tally.phase("wording", f"{len(memories)} memories were worded anew.", [one.id for one in memories])
