"""The lines that may stand on a page: each memory in its section, the most important first.

A line that was made once is kept in the database, which forgets it as soon as anything of its memory changes, whoever
changes it: another run, somebody by hand, a late line of another machine's journal.  So most memories of a page are
not even read.  Those that are disputed stand next to each other, so their lines are made every time.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from noctuary.authored import EventType
from noctuary.dream.night import Night
from noctuary.dream.pages.layout import DECISIONS, EVERYWHERE, FACTS, OPEN, RULES, Line
from noctuary.dream.pages.lines import FORM, LONGEST_LINE, line_of
from noctuary.store.memories import EVERY_PROJECT, MemoryKind, Remembered, holds_everywhere, is_of_user

MOST_READ = 220  # memories for a page: more than it has lines, so that short ones can stand for long ones
_READ_EVERYWHERE = 20
_EVERYWHERE_BYTES = 2_560
_RULING = (MemoryKind.CONSTRAINT, MemoryKind.PREFERENCE, MemoryKind.PROCEDURE)
_ORDERS = re.compile(r"\b(?:must|never|always)\b", re.IGNORECASE)


def is_rule(memory: Remembered) -> bool:
    """Whether a memory may be shown as a rule: a user said or approved it."""
    return memory.kind in _RULING and is_of_user(memory)


class PageLines:
    """The lines of all that may stand on the page of a project."""

    def __init__(self, night: Night, project: str) -> None:
        self._night, self._project = night, project
        self._leading: list[str] = []  # ids of memories
        self._made: dict[str, tuple[Remembered, Line]] = {}  # that may be kept

    def within(self, longest: int) -> list[Line]:
        """The lines, none longer than this: first those that hold everywhere, then those of the project."""
        return [*self._everywhere(longest), *(self._own() if longest == LONGEST_LINE else self._own_anew(longest))]

    def keep(self) -> None:
        """Keep the lines that were made, for the next page; within a transaction, so that nothing changes meanwhile."""
        if not self._made:
            return
        night = self._night
        now = night.store.memories.named(night.owner, self._made)
        unchanged = [line for name, (memory, line) in self._made.items() if now.get(name) == memory]
        night.store.pages.save_lines(night.owner, self._project, FORM, unchanged, self._leading)

    def _own(self) -> list[Line]:
        """Those of the project: the ones that are known as they are, and the others made."""
        night = self._night
        rows = night.store.pages.leading_lines(night.owner, self._project, FORM, MOST_READ)
        self._leading = [row[0] for row in rows]
        known = {row[0]: Line._make(row) for row in rows if row[1] is not None}
        if len(known) == len(rows):
            return [*known.values()]
        unknown = night.store.memories.named(night.owner, [name for name in self._leading if name not in known])
        against = [name for memory in unknown.values() for name in _disputed(memory) if name in known]
        read = {**unknown, **night.store.memories.named(night.owner, against)} if against else unknown
        said_by = night.store.memories.said_by(night.owner, read.values())
        rejections = {name for name, (_, kind) in said_by.items() if kind == EventType.REJECTION}
        lines = known | {name: made_line(each, LONGEST_LINE, name in rejections) for name, each in unknown.items()}
        self._made = {
            name: (memory, lines[name])
            for name, memory in unknown.items()
            # An event of the same journal stays as long as the memory does.
            if "disputed" not in memory.facts and name in said_by and said_by[name][0] == self._project
        }
        names = [name for name in self._leading if name in lines]
        if not any("disputed" in memory.facts for memory in unknown.values()):  # as most often
            return [lines[name] for name in names]
        return _in_order(names, lines, read, rejections, LONGEST_LINE)

    def _own_anew(self, longest: int) -> list[Line]:
        night = self._night
        memories = night.store.memories.leading(night.owner, self._project, MOST_READ)
        rejections = self._rejections(memories)
        lines = {each.id: made_line(each, longest, each.id in rejections) for each in memories}
        return _in_order([*lines], lines, {each.id: each for each in memories}, rejections, longest)

    def _everywhere(self, longest: int) -> list[Line]:
        """What holds in all projects, as far as its few lines go; it is never left out for what is of one project."""
        if self._project == EVERY_PROJECT:
            return []
        leading = self._night.store.memories.leading(self._night.owner, EVERY_PROJECT, _READ_EVERYWHERE)
        memories = [memory for memory in leading if holds_everywhere(memory)]
        rejections = self._rejections(memories) if memories else ()
        lines: list[Line] = []
        used = 0
        for memory in memories:
            line = made_line(memory, longest, memory.id in rejections)
            used += line.size
            if used > _EVERYWHERE_BYTES:
                break
            if memory.kind not in _RULING or is_rule(memory):
                lines.append(line._replace(section=EVERYWHERE, is_must=True))
        return lines

    def _rejections(self, memories: Iterable[Remembered]) -> set[str]:
        """Those that say what not to do."""
        return self._night.store.memories.said_as(self._night.owner, memories, EventType.REJECTION)


def _in_order(
    names: Sequence[str],
    lines: Mapping[str, Line],
    read: Mapping[str, Remembered],
    rejections: set[str],
    longest: int,
) -> list[Line]:
    """The lines of these memories; disputed ones next to each other."""
    ordered: list[Line] = []
    seen = set[str]()
    for name in names:
        if name in seen:
            continue
        seen.add(name)
        memory = read.get(name)
        others = [other for other in _disputed(memory) if other in read and other not in seen] if memory else []
        ordered.append(lines[name]._replace(section=OPEN) if others else lines[name])
        for other in others:
            seen.add(other)
            line = made_line(read[other], longest, other in rejections, against=name)
            ordered.append(line._replace(section=OPEN))
    return ordered


@lru_cache(maxsize=1_024)  # most lines of a page are those of the last run
def made_line(memory: Remembered, longest: int, is_rejection: bool, against: str = "") -> Line:
    """The line of a memory; `against` is the memory that says otherwise.  One made otherwise is of another FORM."""
    is_plain = not is_rejection and not against and longest == LONGEST_LINE  # as in its topic, so that it is made once
    asked = {} if is_plain else {"is_rejection": is_rejection, "against": against, "longest": longest}
    text = line_of(memory, **asked)
    is_pinned, topic = memory.facts.get("pinned") is True, str(memory.facts.get("topic") or "")
    return Line(memory.id, _section(memory), text, is_pinned, topic, len(text.encode()) + 1)


def _section(memory: Remembered) -> str:
    if memory.kind in _RULING:
        is_open = memory.kind is not MemoryKind.PROCEDURE or _ORDERS.search(memory.text)
        return RULES if is_rule(memory) else OPEN if is_open else FACTS
    return DECISIONS if memory.kind is MemoryKind.DECISION else FACTS


def _disputed(memory: Remembered) -> list[str]:
    given = memory.facts.get("disputed")
    return [name for name in given if isinstance(name, str)] if isinstance(given, (list, tuple)) else []
