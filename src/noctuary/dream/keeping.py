"""What a person does to memories directly: pin, unpin, say in other words, forget, look at again."""

from collections.abc import Callable
from pathlib import Path

from noctuary.authored import EventStatus, EventType
from noctuary.dream.night import Night
from noctuary.dream.pages.edits import say_anew
from noctuary.dream.pages.pinning import TOO_MUCH, may_pin, set_pin
from noctuary.dream.publishing import folder_of, rewrite_if_possible
from noctuary.dream.verifying.verifying import Verdict, record_verdicts, verify
from noctuary.errors import BadChange, NotFound
from noctuary.store.memories import MemoryStatus, Remembered
from noctuary.work.corrections import retract
from noctuary.work.notes import needed_words
from noctuary.work.remembering import find_memory

Check = Callable[[], None]  # raises if what is asked should not be done after all; nobody writes while it looks
_HELD = (MemoryStatus.ACTIVE, MemoryStatus.PROPOSED)


def _no_check() -> None:
    """Everything may be done."""


def pin(night: Night, project: str, name: str, *, is_pinned: bool = True, check: Check = _no_check) -> Remembered:
    """Show a memory always, or no longer; BadChange if it does not hold, or if too much is pinned already."""
    desk = night.desk(project, night.reviewer)
    with night.ledger.at_once():
        check()
        memory = _held(night, project, name)
        if bool(memory.facts.get("pinned")) is is_pinned:
            return memory
        if is_pinned and not may_pin(night, memory.project, memory):
            raise BadChange(f"{TOO_MUCH} Unpin something first.")
        set_pin(desk, memory, is_pinned=is_pinned)
    rewrite_if_possible(night, memory.project)
    return find_memory(desk, memory.id)


def reword(night: Night, project: str, name: str, text: str) -> Remembered:
    """Let other words take the place of a memory, as if a person had edited its line; the memory that says them.

    BadInput without words, BadChange if it does not hold.  The same words change nothing.
    """
    memory, words = _held(night, project, name), needed_words(text)
    if words == memory.text:
        return memory
    desk = night.desk(memory.project, night.reviewer)
    new = say_anew(desk, memory, words)
    rewrite_if_possible(night, memory.project)
    return find_memory(desk, new)


def forget(night: Night, project: str, name: str, reason: str = "", *, check: Check = _no_check) -> Remembered:
    """Say that a memory should never have been: it leaves every page, and no dream brings it back."""
    desk = night.desk(project, night.reviewer)
    with night.ledger.at_once():
        check()
        memory = _held(night, project, name)
        said = night.ledger.entry(memory.event)
        if said is not None and said.hidden_by is None and said.status is not EventStatus.RETRACTED:
            retract(night.desk(memory.project, night.reviewer), memory.event, reason or "Forgotten.")
        if find_memory(desk, memory.id).status in _HELD:  # other words than its entry's own say it
            change = {"memories": [{"id": memory.id, "status": str(MemoryStatus.RETRACTED)}]}
            with desk.writing(memory.project) as write:
                write(EventType.RETIRE, reason, change=change)
    rewrite_if_possible(night, memory.project)
    return find_memory(desk, memory.id)


def verify_memories(night: Night, project: str, folder: Path | None, names: list[str]) -> list[Verdict]:
    """Check memories against the repository, all that a page would show if none is named, and note the result.

    The repository is where sessions of the memory's own project ran, unless a folder is named.
    """
    chosen = [_held(night, project, name) for name in names]
    memories = chosen or night.store.memories.where(night.owner, project=project)
    verdicts: list[Verdict] = []
    for name in sorted({memory.project for memory in chosen} or {project}):
        where = folder or folder_of(night, name)
        found = verify(night, name, where, [memory for memory in memories if memory.project == name])
        record_verdicts(night, name, found)
        rewrite_if_possible(night, name)
        verdicts += found
    return verdicts


def find(night: Night, project: str, name: str) -> Remembered:
    """The memory with this id, or the only one whose id begins so: here, else in any project."""
    try:
        return find_memory(night.desk(project, night.reviewer), name)
    except NotFound:
        known = night.store.memories.where(night.owner, statuses=None, most=1_000_000)
        beginning = [memory for memory in known if name and memory.id.startswith(name)]
        if len(beginning) != 1:
            raise
        return beginning[0]


def _held(night: Night, project: str, name: str) -> Remembered:
    memory = find(night, project, name)
    if memory.status not in _HELD:
        raise BadChange(f"{memory.id} is {memory.status} already.")
    return memory
