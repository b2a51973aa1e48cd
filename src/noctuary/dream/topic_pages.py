"""Files of topics: all that a project knows of one thing, for what has no room on the page.

Only the topics that something happened to since the page was written are looked at.
"""

from collections.abc import Sequence

from noctuary.dream.night import Night
from noctuary.dream.page_layout import MOST_BYTES, MOST_LINES
from noctuary.dream.page_lines import line_of, shown_text
from noctuary.dream.page_places import topic_path
from noctuary.memory_file import Page, read_page, remove_page, write_page
from noctuary.store.memories import Remembered

_MOST_EVENTS = 2_000  # with more, all topics are looked at
_HEADING_LINES = 4
_AROUND = 400  # bytes of marks and heading


def touched_topics(night: Night, project: str) -> list[str]:
    """The topics of the memories that changed since the page was written; all of them if that was never."""
    store, owner = night.store, night.owner
    seen = store.pages.seen(owner, project)
    names = store.memories.touched_after(owner, project, seen, _MOST_EVENTS) if seen else None
    if names is None:
        return list(store.memories.topics(owner, project))
    memories = [memory for name in names if (memory := store.memories.find(owner, name))]
    return sorted({str(memory.facts.get("topic") or "") for memory in memories})


def topic_page(night: Night, project: str, topic: str) -> Page:
    """The file of a topic as it is."""
    return read_page(topic_path(night.home, night.owner, project, topic))


def write_topic(night: Night, project: str, topic: str, page: Page) -> bool:
    """Write the file of a topic, or take it away if nothing holds any more; whether there was something to do.

    The folder has to be synced by whoever writes all of them.
    """
    path, keep = topic_path(night.home, night.owner, project, topic), night.settings.keep_backups
    most_lines = max(1, MOST_LINES - _HEADING_LINES - page.outside.count(b"\n"))
    memories = night.store.memories.of_topic(night.owner, project, topic, most_lines)
    if not memories and (page.block is None or remove_page(path, page, keep_backups=keep)):
        return page.block is not None
    body = _body(topic, memories, MOST_BYTES - _AROUND - len(page.outside)) if memories else ""
    return write_page(path, body, page, keep_backups=keep, is_synced=False)


def _body(topic: str, memories: Sequence[Remembered], room: int) -> str:
    lines: list[str] = []
    for memory in memories:
        line = line_of(memory)
        room -= len(line.encode()) + 1
        if room >= 0:
            lines.append(line)
    return "\n".join([f"# {shown_text(topic) if topic else 'Without a topic'}", "", *lines])
