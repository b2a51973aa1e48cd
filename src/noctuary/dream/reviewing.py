"""What dreams and agents proposed, looked at by a person: accepted, perhaps in other words, or rejected for good."""

from collections.abc import Sequence
from typing import NamedTuple

from noctuary.authored import Author, Entry, EventSource, EventStatus, EventType, Trust
from noctuary.dream.merging.touched import disputed_by
from noctuary.dream.night import Night
from noctuary.dream.publishing import rewrite_if_possible
from noctuary.errors import NotFound
from noctuary.ledger.ledger import entry_from
from noctuary.store.memories import Remembered
from noctuary.work import event_meta
from noctuary.work.corrections import confirm, retract
from noctuary.work.desk import Desk, Writer

REVIEWER = Writer(author=Author.USER, source=EventSource.CLI, trust=Trust.USER)


class Suggestion(NamedTuple):
    """Something that was proposed, and the memory it would be or is already; its event says by whom."""

    entry: Entry
    memory: Remembered | None = None


def queue(
    night: Night, project: str | None, *, most: int = 1_000_000, run: str | None = None, after: str = ""
) -> list[Suggestion]:
    """What waits to be looked at, the oldest first; of all projects if it is None, of one run if it is named.

    After an event if one is named, so that a long queue can be looked through in parts.
    """
    rows = night.store.events.suggested(night.owner, project, most, after=after)
    once = _tasks_once(night, [entry_from(row) for row in rows])
    wanted = [entry for entry in once if run is None or entry.event.meta.get("dream", {}).get("run") == run]
    return [Suggestion(entry, _memory_said_by(night, entry)) for entry in wanted]


def _tasks_once(night: Night, entries: Sequence[Entry]) -> list[Entry]:
    """The entries; of those that would open the same task the first, and none if it is there.

    Two machines that dreamt of a session propose the same task for it.
    """
    seen: set[str] = set()
    once: list[Entry] = []
    for entry in entries:
        task = _task_of(entry)
        if task is None or (task not in seen and night.store.nodes.find(night.owner, task) is None):
            once.append(entry)
        seen |= {task} if task else set()
    return once


def _task_of(entry: Entry) -> str | None:
    planned = event_meta.opens(entry.event.meta)
    return planned.id if planned else None


def accept(night: Night, event: str, text: str = "") -> Entry:
    """Say that a proposal is right, perhaps in other words; what it says may be a rule from now on."""
    desk = _desk_of(night, event)
    _mark_due(night, [desk.project])
    accepted = confirm(desk, event, text)
    _rewrite(night, [desk.project])
    return accepted


def reject(night: Night, event: str, reason: str = "") -> Entry:
    """Say that a proposal is wrong; no dream will propose it again."""
    desk = _desk_of(night, event)
    _mark_due(night, [desk.project])
    task = _task_of(desk.entry(event))
    rejected = retract(desk, event, reason or "Rejected in review.")
    rows = night.store.events.suggested(night.owner, desk.project) if task else []
    for twin in (entry for row in rows if _task_of(entry := entry_from(row)) == task):
        retract(desk, twin.event.id, reason or "Rejected in review.")
    _rewrite(night, [desk.project])
    return rejected


def verdict(night: Night, event: str) -> Entry | None:
    """What was decided of a proposal: itself if it was accepted, else what replaced it or took it back; None so far."""
    entry = _desk_of(night, event).entry(event)
    if entry.hidden_by:
        return night.desk("", night.reviewer).entry(entry.hidden_by)
    return None if entry.is_suggested else entry


def accept_all(night: Night, project: str | None, *, run: str | None = None) -> list[Entry]:
    """Accept everything that waits, all of a project or nothing; what is disputed must be decided one by one."""
    waiting = [one for one in queue(night, project, run=run) if not (one.memory and disputed_by(one.memory))]
    projects = sorted({one.entry.event.project for one in waiting})
    accepted: list[Entry] = []
    _mark_due(night, projects)
    for name in projects:
        desk = night.desk(name, night.reviewer)
        with night.ledger.writing(name):
            accepted += [confirm(desk, one.entry.event.id) for one in waiting if one.entry.event.project == name]
    _rewrite(night, projects)
    return accepted


def _desk_of(night: Night, event: str) -> Desk:
    entry = night.desk("", night.reviewer).entry(event)
    was_proposed = entry.event.status is EventStatus.SUGGESTED or entry.event.author is Author.DREAM
    if not was_proposed or entry.acts_as is EventType.STATUS:
        raise NotFound(f"{event} is no proposal; `noctuary dream review --list` shows what waits to be looked at.")
    return night.desk(entry.event.project, night.reviewer)


def _memory_said_by(night: Night, entry: Entry) -> Remembered | None:
    memories = night.store.memories.of_event(night.owner, entry.event.id)
    return next((memory for memory in memories if memory.event == entry.event.id), None)


def _mark_due(night: Night, projects: Sequence[str]) -> None:
    """Whoever is killed from now on leaves pages that the next run writes."""
    for project in projects:
        night.store.pages.mark_due(night.owner, project)


def _rewrite(night: Night, projects: Sequence[str]) -> None:
    for project in projects:
        rewrite_if_possible(night, project)
