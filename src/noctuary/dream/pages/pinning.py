"""Memories that a page always shows: whether there is room for one more, and that a person wants it so."""

from noctuary.authored import EventType
from noctuary.dream.night import Night
from noctuary.dream.pages.layout import Room, pinned_room
from noctuary.dream.pages.lines import line_of
from noctuary.dream.pages.places import page_path
from noctuary.memory_file import read_page
from noctuary.store.memories import MemoryStatus, Remembered
from noctuary.work.desk import Desk

TOO_MUCH = "Too much is pinned already: a page must have room for what is new."


def may_pin(night: Night, project: str, memory: Remembered | None = None) -> bool:
    """Whether one more memory, or this one, can be pinned and leave room for what is new."""
    room = pinned_room(Room().without(read_page(page_path(night.home, night.owner, project)).outside))
    leading = night.store.memories.leading(night.owner, project, room.lines + 1)  # those that are pinned lead
    pinned = [one for one in leading if one.facts.get("pinned") is True and (memory is None or one.id != memory.id)]
    sizes = [len(line_of(one).encode()) + 1 for one in pinned]
    more = len(line_of(memory).encode()) + 10 if memory else max(sizes, default=100)
    return len(sizes) + 1 <= room.lines and sum(sizes) + more <= room.size


def set_pin(desk: Desk, memory: Remembered, *, is_pinned: bool) -> None:
    """Write down that a memory is to be shown always, or no longer; whoever says either approves it."""
    change = {"memories": [{"id": memory.id, "pinned": is_pinned, "status": str(MemoryStatus.ACTIVE)}]}
    with desk.writing(memory.project) as write:
        write(EventType.AMEND, change=change, meta={"bookkeeping": True})
