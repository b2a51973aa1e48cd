"""Files of topics: all that a project knows of one thing, for what has no room on the page.

Only the topics that something happened to since the page was written are looked at, and of their memories only those
that it happened to: the others have their lines in the file.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from noctuary.dream.night import Night
from noctuary.dream.pages.layout import MOST_BYTES, MOST_LINES
from noctuary.dream.pages.lines import ids_in, line_of, shown_text
from noctuary.dream.pages.places import topic_path
from noctuary.ids import moment_of
from noctuary.memory_file import Page, block_bytes, block_digest, read_page, remove_page, write_page

_MOST_EVENTS = 2_000  # with more, all topics are looked at
_HEADING_LINES = 4
_AROUND = 400  # bytes of marks and heading
_SHOWN = re.compile(rb"^(- .*\[(m-[\w.:-]+)\])$", re.MULTILINE)
_MOST_MISSED = 5  # lines that are too long for what is left, before the file is full


class Touched(NamedTuple):
    """What happened since the page was written."""

    topics: list[str]
    memories: frozenset[str] | None  # None: nobody knows


def touched_topics(night: Night, project: str) -> Touched:
    """The memories that changed since the page was written, and their topics; all topics if that was never."""
    store, owner = night.store, night.owner
    seen = store.pages.seen(owner, project)
    changed = store.memories.touched_after(owner, project, seen, _MOST_EVENTS) if seen else None
    if changed is None:
        return Touched(sorted({*store.memories.topics(owner, project), *store.pages.topics(owner, project)}), None)
    memories = [memory for name in changed if (memory := store.memories.find(owner, name))]
    topics = {str(memory.facts.get("topic") or "") for memory in memories}
    moved = {one.id for one in memories if "topic" in changed[one.id] and one.recorded_ms <= moment_of(seen)}
    return Touched(sorted(topics | _left_topics(night, project, moved)), frozenset(changed))


def _left_topics(night: Night, project: str, moved: Collection[str]) -> set[str]:
    """The topics whose files still show memories that may belong to another by now; it is rare that there are any."""
    topics = night.store.pages.topics(night.owner, project) if moved else ()
    shown = {topic: ids_in(topic_page(night, project, topic).block or "") for topic in topics}
    return {topic for topic, lines in shown.items() if not lines.keys().isdisjoint(moved)}


def topic_page(night: Night, project: str, topic: str) -> Page:
    """The file of a topic as it is."""
    return read_page(topic_path(night.home, night.owner, project, topic))


def write_topic(night: Night, project: str, topic: str, page: Page, changed: frozenset[str] | None = None) -> bool:
    """Write the file of a topic, or take it away if nothing holds any more; whether there was something to do.

    `changed` are the memories that something happened to since; without it all are read.
    The folder has to be synced by whoever writes all of them.
    """
    path, keep = topic_path(night.home, night.owner, project, topic), night.settings.keep_backups
    most_lines = max(1, MOST_LINES - _HEADING_LINES - page.outside.count(b"\n"))
    names = night.store.memories.names_of_topic(night.owner, project, topic, most_lines)
    if not names and (page.block is None or remove_page(path, page, keep_backups=keep)):
        return page.block is not None
    kept = _kept(night, project, topic, page, changed)
    lines = _lines(night, names, kept) if kept else _all_lines(night, project, topic, len(names))
    body = _body(topic, lines, MOST_BYTES - _AROUND - len(page.outside)) if names else b""
    if not write_page(path, body, page, keep_backups=keep, is_synced=False):
        return False
    night.store.pages.save_topic(night.owner, project, topic, block_digest(body), page.digest)
    return True


def _kept(night: Night, project: str, topic: str, page: Page, changed: frozenset[str] | None) -> dict[str, bytes]:
    """The lines of a file that are still right: of what we wrote last, not of an older file that somebody put back.

    They are not even decoded: a file has hundreds, of which one or two change.
    """
    pages, owner = night.store.pages, night.owner
    if changed is None or page.is_edited or not pages.is_last_of_topic(owner, project, topic, page.digest):
        return {}
    block = block_bytes(page.block or "") if page.outside else page.content or b""
    lines = {name.decode(): line for line, name in _SHOWN.findall(block)}
    for name in changed:
        lines.pop(name, None)
    return lines


def _lines(night: Night, names: Sequence[str], known: Mapping[str, bytes]) -> Iterator[bytes]:
    """The lines of these memories, in their order; those that are known are not made again.

    The first of the others are read at once: of a full file, so many have no room before it is known to be full.
    """
    memories = night.store.memories
    read = memories.named(night.owner, [*islice((name for name in names if name not in known), _MOST_MISSED + 1)])
    for name in names:
        if line := known.get(name):
            yield line
        elif memory := read.get(name) or memories.find(night.owner, name):
            yield block_bytes(line_of(memory))


def _all_lines(night: Night, project: str, topic: str, most: int) -> Iterator[bytes]:
    for memory in night.store.memories.of_topic(night.owner, project, topic, most):
        yield block_bytes(line_of(memory))


def _body(topic: str, shown: Iterable[bytes], room: int) -> bytes:
    """As many lines as have room; a few that have none do not stop those behind them."""
    lines: list[bytes] = []
    missed = 0
    for line in shown:
        size = len(line) + 1
        if size <= room:
            room -= size
            lines.append(line)
        elif (missed := missed + 1) == _MOST_MISSED:
            break
    heading = block_bytes(f"# {shown_text(topic) if topic else 'Without a topic'}")
    return b"\n".join([heading, b"", *lines]) if lines else heading
