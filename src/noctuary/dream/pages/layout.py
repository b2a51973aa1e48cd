"""What stands on a page: which memories have room, in which section, in which order.

The same memories make the same page, to the byte: nothing of the clock, of runs or of sessions is in it.  What is
pinned is always there; the rest comes by weight until the page is full, and what is too long for what is left makes
room for what is not.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from noctuary.dream.pages.lines import LONGEST_LINE, SHORTEST_LINE
from noctuary.dream.pages.places import topic_name

MOST_LINES = 200
MOST_BYTES = 25_600
PINNED_SHARE = 0.75  # of both; the rest is for what is new

INTRODUCTION = "Kept by noctuary. Lines that you change, add or take out here count as your word."
RULES, DECISIONS, FACTS = "Rules", "Decisions", "Facts and gotchas"
OPEN, EVERYWHERE = "To be confirmed", "Everywhere"
SECTIONS = (RULES, DECISIONS, FACTS, OPEN, EVERYWHERE)
MORE = "More: "
_LONGEST_MORE = LONGEST_LINE
_MARKS = (2, 80)  # lines and bytes of what stands around a block


class Room(NamedTuple):
    """How many lines and bytes there are."""

    lines: int = MOST_LINES
    size: int = MOST_BYTES

    def without(self, outside: bytes) -> "Room":
        """What is left for a block in a file that holds this besides."""
        lines = outside.count(b"\n") + (0 if not outside or outside.endswith(b"\n") else 1)
        returns = self.lines if b"\r\n" in outside else 0  # then every line of ours has one, too
        return Room(self.lines - lines - _MARKS[0], self.size - len(outside) - _MARKS[1] - returns)


class Line(NamedTuple):
    """A memory as a page shows it."""

    memory: str  # its id
    section: str
    text: str
    is_must: bool  # it is there whatever else is
    topic: str
    size: int  # in bytes, with the end of the line


class Layout(NamedTuple):
    """A page, and what is wrong with it."""

    body: str
    warnings: Sequence[str] = ()


def laid_out(lines_within: Callable[[int], Sequence[Line]], topics: Mapping[str, int], room: Room) -> Layout:
    """The page within its room; what is pinned is there although it is too much for it, and a warning.

    `lines_within` gives the lines of all that may stand there, none longer than what it is given, the most important
    first; `topics` says how many active memories each has.
    """
    for longest in (LONGEST_LINE, 160, SHORTEST_LINE):
        lines = lines_within(longest)
        musts = [line for line in lines if line.is_must]
        if _fits(taken := _taken(musts, ""), room):
            return Layout(_filled(lines, musts, topics, room))
    text = f"What is pinned takes {taken.lines} lines and {taken.size:,} bytes, more than there is room for. Unpin"
    return Layout(_body(musts, ""), (f"{text} something, or shorten the text around the block.",))


def pinned_room(room: Room) -> Room:
    """How much of it pinned memories may take."""
    return Room(int(room.lines * PINNED_SHARE), int(room.size * PINNED_SHARE))


def _filled(lines: Sequence[Line], musts: Sequence[Line], topics: Mapping[str, int], room: Room) -> str:
    """As many lines as have room, the most important first; a line that has none does not stop those behind it."""
    spare = Room(room.lines - 2, room.size - _LONGEST_MORE - 2)  # for the line that leads to topics
    chosen = {line.memory for line in musts}
    taken = _taken(musts, "")
    left, left_size = spare.lines - (taken.lines if musts else 3), spare.size - taken.size
    sections = {line.section for line in musts}
    for name, section, _, _, _, own_size in lines:
        if name in chosen:
            continue
        heading = 0 if section in sections else 2
        size = own_size + (len(section) + 5 if heading else 0)
        if heading < left and size <= left_size:
            left, left_size = left - heading - 1, left_size - size
            chosen.add(name)
            sections.add(section)
    shown = [line for line in lines if line.memory in chosen]
    more = _more(shown, topics)
    return _body(shown, more if _fits(_taken(shown, more), room) else "")


def _taken(lines: Sequence[Line], more: str) -> Room:
    """The lines and bytes that `_body` takes."""
    if not lines and not more:
        return Room(1, 0)
    sections = {line.section for line in lines}
    headings = sum([len(section) + 5 for section in sections])  # with two ends of lines before each and a mark
    texts = sum([line.size for line in lines])  # each with the end of the line before it
    last = len(more.encode()) + 2 if more else 0
    return Room(1 + 2 * len(sections) + len(lines) + (2 if more else 0), len(INTRODUCTION) + headings + texts + last)


def _fits(taken: Room, room: Room) -> bool:
    return taken.lines <= room.lines and taken.size + 1 <= room.size


def _body(lines: Sequence[Line], more: str) -> str:
    if not lines and not more:
        return ""
    inside: dict[str, list[str]] = {section: [] for section in SECTIONS}
    for line in lines:
        inside[line.section].append(line.text)
    parts = ["\n".join([f"## {section}", *texts]) for section, texts in inside.items() if texts]
    return "\n\n".join([INTRODUCTION, *parts, *([more] if more else [])])


def _more(shown: Sequence[Line], topics: Mapping[str, int]) -> str:
    """The line that leads to the topics which have more than the page shows; those with the most first."""
    on_page: dict[str, int] = {}
    for line in shown:
        if line.section != EVERYWHERE:
            on_page[line.topic] = on_page.get(line.topic, 0) + 1
    more = [(topic, count) for topic, count in topics.items() if count > on_page.get(topic, 0)]
    names = [f"{topic_name(topic)} ({count})" for topic, count in sorted(more, key=lambda each: (-each[1], each[0]))]
    text, left = MORE, len(names)
    for name in names:
        if len(text) + len(name) > _LONGEST_MORE - 30 and left < len(names):
            break
        text += ("" if text == MORE else ", ") + name
        left -= 1
    return (text + (f" and {left} more in topics/" if left else "")) if names else ""
