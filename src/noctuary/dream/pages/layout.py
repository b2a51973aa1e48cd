"""What stands on a page: which memories have room, in which section, in which order.

The same memories make the same page, to the byte: nothing of the clock, of runs or of sessions is in it.  What is
pinned is always there; the rest comes by weight until the page is full, and what is too long for what is left makes
room for what is not.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from noctuary.authored import Trust
from noctuary.dream.pages.lines import LONGEST_LINE, SHORTEST_LINE, line_of
from noctuary.dream.pages.places import topic_name
from noctuary.store.memories import MemoryKind, Remembered

MOST_LINES = 200
MOST_BYTES = 25_600
PINNED_SHARE = 0.75  # of both; the rest is for what is new
EVERYWHERE_LINES = 20
EVERYWHERE_BYTES = 2_560

INTRODUCTION = "Kept by noctuary. Lines that you change, add or take out here count as your word."
RULES, DECISIONS, FACTS = "Rules", "Decisions", "Facts and gotchas"
OPEN, EVERYWHERE = "To be confirmed", "Everywhere"
SECTIONS = (RULES, DECISIONS, FACTS, OPEN, EVERYWHERE)
MORE = "More: "
_LONGEST_MORE = LONGEST_LINE
_MARKS = (2, 80)  # lines and bytes of what stands around a block
_RULING = (MemoryKind.CONSTRAINT, MemoryKind.PREFERENCE, MemoryKind.PROCEDURE)
_ORDERS = re.compile(r"\b(?:must|never|always)\b", re.IGNORECASE)


class Room(NamedTuple):
    """How many lines and bytes there are."""

    lines: int = MOST_LINES
    size: int = MOST_BYTES

    def without(self, outside: bytes) -> "Room":
        """What is left for a block in a file that holds this besides."""
        lines = outside.count(b"\n") + (0 if not outside or outside.endswith(b"\n") else 1)
        returns = self.lines if b"\r\n" in outside else 0  # then every line of ours has one, too
        return Room(self.lines - lines - _MARKS[0], self.size - len(outside) - _MARKS[1] - returns)


class Material(NamedTuple):
    """What a page is made of, the most important first."""

    memories: Sequence[Remembered]
    everywhere: Sequence[Remembered] = ()
    topics: Mapping[str, int] = {}  # how many active memories each has
    rejections: Collection[str] = frozenset()  # memories that say what not to do


class Layout(NamedTuple):
    """A page, and what is wrong with it."""

    body: str
    warnings: Sequence[str] = ()


class _Line(NamedTuple):
    section: str
    text: str
    memory: Remembered
    is_must: bool
    size: int  # in bytes, with the end of the line


def laid_out(material: Material, room: Room) -> Layout:
    """The page within its room; what is pinned is there although it is too much for it, and a warning."""
    for longest in (LONGEST_LINE, 160, SHORTEST_LINE):
        lines = _lines(material, longest)
        musts = [line for line in lines if line.is_must]
        if _fits(body := _body(musts, "").encode(), room):
            return Layout(_filled(material, lines, musts, room))
    used = body.count(b"\n") + 1
    text = f"What is pinned takes {used} lines and {len(body):,} bytes, more than there is room for. Unpin something"
    return Layout(body.decode(), (f"{text}, or shorten the text around the block.",))


def is_rule(memory: Remembered) -> bool:
    """Whether a memory may be shown as a rule: a user said or approved it."""
    return memory.kind in _RULING and is_of_user(memory)


def is_of_user(memory: Remembered) -> bool:
    """Whether a user said a memory, or has approved it."""
    return memory.facts.get("trust") == Trust.USER or memory.facts.get("approved") is True


def pinned_room(room: Room) -> Room:
    """How much of it pinned memories may take."""
    return Room(int(room.lines * PINNED_SHARE), int(room.size * PINNED_SHARE))


def _lines(material: Material, longest: int) -> list[_Line]:
    """The lines of all memories, by section, the most important first; disputed ones next to each other."""
    by_id = {memory.id: memory for memory in material.memories}
    lines: list[_Line] = []
    seen = set[str]()
    for memory in material.memories:
        if memory.id in seen:
            continue
        seen.add(memory.id)
        is_rejection = memory.id in material.rejections
        line = _line(memory, longest, is_rejection=True) if is_rejection else _line(memory, longest)
        if "disputed" not in memory.facts:  # as most are
            lines.append(line)
            continue
        others = [by_id[name] for name in _disputed(memory) if name in by_id and name not in seen]
        lines.append(line._replace(section=OPEN) if others else line)
        for each in others:
            seen.add(each.id)
            is_rejection = each.id in material.rejections
            lines.append(_line(each, longest, is_rejection=is_rejection, against=memory.id)._replace(section=OPEN))
    return [*_everywhere(material, longest), *lines]


@lru_cache(maxsize=1_024)  # most lines of a page are those of the last run
def _line(memory: Remembered, longest: int, *, is_rejection: bool = False, against: str = "") -> _Line:
    text = line_of(memory, is_rejection=is_rejection, against=against, longest=longest)
    return _Line(_section(memory), text, memory, memory.facts.get("pinned") is True, len(text.encode()) + 1)


def _everywhere(material: Material, longest: int) -> list[_Line]:
    """What holds in all projects, as far as its few lines go; it is never left out for what is of one project."""
    lines: list[_Line] = []
    used = 0
    for memory in material.everywhere[:EVERYWHERE_LINES]:
        is_open = memory.kind in _RULING and not is_rule(memory)
        line = _line(memory, longest, is_rejection=memory.id in material.rejections)
        used += line.size
        if used > EVERYWHERE_BYTES:
            break
        if not is_open:
            lines.append(line._replace(section=EVERYWHERE, is_must=True))
    return lines


def _section(memory: Remembered) -> str:
    if memory.kind in _RULING:
        is_open = memory.kind is not MemoryKind.PROCEDURE or _ORDERS.search(memory.text)
        return RULES if is_rule(memory) else OPEN if is_open else FACTS
    return DECISIONS if memory.kind is MemoryKind.DECISION else FACTS


def _disputed(memory: Remembered) -> list[str]:
    given = memory.facts.get("disputed")
    return [name for name in given if isinstance(name, str)] if isinstance(given, (list, tuple)) else []


def _filled(material: Material, lines: Sequence[_Line], musts: list[_Line], room: Room) -> str:
    """As many lines as have room, the most important first; a line that has none does not stop those behind it."""
    spare = Room(room.lines - 2, room.size - _LONGEST_MORE - 2)  # for the line that leads to topics
    chosen = {line.memory.id for line in musts}
    body = _body(musts, "").encode()
    left, left_size = spare.lines - (body.count(b"\n") + 1 if musts else 3), spare.size - len(body)
    sections = {line.section for line in musts}
    for line in lines:
        if line.memory.id in chosen:
            continue
        heading = 0 if line.section in sections else 2
        size = line.size + (len(line.section) + 5 if heading else 0)
        if heading < left and size <= left_size:
            left, left_size = left - heading - 1, left_size - size
            chosen.add(line.memory.id)
            sections.add(line.section)
    shown = [line for line in lines if line.memory.id in chosen]
    body_with_more = _body(shown, _more(material, chosen))
    return body_with_more if _fits(body_with_more.encode(), room) else _body(shown, "")


def _fits(body: bytes, room: Room) -> bool:
    return body.count(b"\n") + 1 <= room.lines and len(body) + 1 <= room.size


def _body(lines: Sequence[_Line], more: str) -> str:
    if not lines and not more:
        return ""
    inside: dict[str, list[str]] = {section: [] for section in SECTIONS}
    for line in lines:
        inside[line.section].append(line.text)
    parts = ["\n".join([f"## {section}", *texts]) for section, texts in inside.items() if texts]
    return "\n\n".join([INTRODUCTION, *parts, *([more] if more else [])])


def _more(material: Material, shown: Collection[str]) -> str:
    """The line that leads to the topics which have more than the page shows; those with the most first."""
    on_page: dict[str, int] = {}
    for memory in material.memories:
        if memory.id in shown:
            topic = str(memory.facts.get("topic") or "")
            on_page[topic] = on_page.get(topic, 0) + 1
    more = [(topic, count) for topic, count in material.topics.items() if count > on_page.get(topic, 0)]
    names = [f"{topic_name(topic)} ({count})" for topic, count in sorted(more, key=lambda each: (-each[1], each[0]))]
    text, left = MORE, len(names)
    for name in names:
        if len(text) + len(name) > _LONGEST_MORE - 30 and left < len(names):
            break
        text += ("" if text == MORE else ", ") + name
        left -= 1
    return (text + (f" and {left} more in topics/" if left else "")) if names else ""
