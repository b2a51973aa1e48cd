"""What stands in a brief: which lines have room, in which section, in which order.

What changes least comes first, so that what an agent's model has read before stays the beginning of what it reads:
rules, what is known, the work, what is open, and at the end the last sessions, the newest last.  The same material
makes the same page, to the byte.  Room is shared between sections; what one does not need goes to those that need more.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from noctuary.authored import EventType
from noctuary.brief.importance import is_said, ranked, words_of
from noctuary.brief.lines import goal_lines, memory_line, node_line, session_line, told_line
from noctuary.brief.material import Material, Told
from noctuary.brief.page import Line, Section
from noctuary.dream.pages.layout import is_rule
from noctuary.records import Session
from noctuary.store.memories import MemoryKind, Remembered
from noctuary.work.cutting import shares

RULES, DECISIONS, FACTS = "Rules that the user stated or approved", "Decisions", "Facts and gotchas"
WORK, OPEN, LAST = "Work", "Open questions", "From the last sessions, not reviewed"
_WEIGHTS = {RULES: 4, DECISIONS: 3, FACTS: 3, WORK: 4, OPEN: 1, LAST: 6}
_LONGEST = (220, 160)  # if not everything has room, lines are short, so that more of them have
_LEAST_ROOM = 40  # characters, below which no line is worth looking for
_MOST_HYPOTHESES = 6


class _Plan(NamedTuple):
    """Everything a section could say, the most important first."""

    title: str
    lines: Sequence[Line]

    @property
    def need(self) -> int:
        """How many characters that takes."""
        return _size([self.title, "##  ", *(line.text for line in self.lines)]) if self.lines else 0


def laid_out(material: Material, most: int) -> list[Section]:
    """The sections, of at most so many characters together when they are written one under the other."""
    for longest in _LONGEST:
        plans = [*_standing(material, longest), _Plan(OPEN, _questions(material, longest))]
        told = [one for one in material.told if one.type is not EventType.HYPOTHESIS]
        last = _LastSessions(material, told, longest)
        needs = [*(plan.need for plan in plans), last.need]
        if sum(needs) <= most:
            break
    given = shares(needs, [_WEIGHTS[title] for title in (*(plan.title for plan in plans), LAST)], most)
    sections = [_filled(plan, room) for plan, room in zip(plans, given, strict=False)]
    shown = [section for section in sections if section.lines]
    left = most - _size(written(shown).split("\n")) - 1 if shown else most
    said = [words_of(line.text) for section in shown[:3] for line in section.lines]
    return [*shown, *last.filled(left, said)]


def written(sections: Iterable[Section]) -> str:
    """The sections, one under the other."""
    return "\n\n".join("\n".join([f"## {one.title}", *(line.text for line in one.lines)]) for one in sections)


def _size(texts: Iterable[str]) -> int:
    return sum(len(text) + 1 for text in texts)


def _standing(material: Material, longest: int) -> list[_Plan]:
    """What is known and holds, and where the work stands."""
    inside: dict[str, list[Line]] = {RULES: [], DECISIONS: [], FACTS: []}
    for memory in material.memories:
        if not _disputed(memory):
            line = memory_line(memory, longest, is_rejection=memory.id in material.rejections)
            inside[_section(memory)].append(line)
    return [*(_Plan(title, lines) for title, lines in inside.items()), _Plan(WORK, _work(material, longest))]


def _section(memory: Remembered) -> str:
    if is_rule(memory):
        return RULES
    return DECISIONS if memory.kind is MemoryKind.DECISION else FACTS


def _work(material: Material, longest: int) -> list[Line]:
    work = material.work
    lines = [line for goal in work.goals for line in goal_lines(goal, longest)]
    held = [(node, f"held by {node.assigned_to}" if node.assigned_to else "") for node in work.begun]
    lines += [node_line("In progress", node, longest, more) for node, more in held]
    lines += [node_line("Blocked", node, longest, node.blocked_reason or "") for node in work.blocked]
    return lines + [node_line("Ready", node, longest) for node in work.ready]


def _questions(material: Material, longest: int) -> list[Line]:
    """What nobody knows yet: choices to be made, memories that contradict each other, guesses."""
    lines = [node_line("To be decided", node, longest) for node in material.work.undecided]
    for memory in material.memories:
        if others := _disputed(memory):
            is_rejection = memory.id in material.rejections
            lines.append(memory_line(memory, longest, is_rejection=is_rejection, against=others[0]))
    guesses = ranked(one for one in material.told if one.type is EventType.HYPOTHESIS)[:_MOST_HYPOTHESES]
    return lines + [told_line(one, longest, with_day=True) for one in guesses]


def _disputed(memory: Remembered) -> list[str]:
    given = memory.facts.get("disputed")
    return [name for name in given if isinstance(name, str)] if isinstance(given, (list, tuple)) else []


def _filled(plan: _Plan, room: int) -> Section:
    """As many lines as have room; one that has none does not stop those behind it."""
    left = room - len(plan.title) - 5
    shown: list[Line] = []
    for line in plan.lines:
        if len(line.text) < left:
            shown.append(line)
            left -= len(line.text) + 1
    return Section(plan.title, shown)


class _LastSessions:
    """The last sessions, each under its title: what was said in them, as far as there is room."""

    def __init__(self, material: Material, told: Sequence[Told], longest: int) -> None:
        self.sessions: Mapping[str, Session] = material.sessions
        self.last = material.last
        self.line: Callable[[Told], Line] = lambda one: told_line(one, longest, with_day=not self._under(one))
        self.told = ranked(told)

    @property
    def need(self) -> int:
        """How many characters all of it takes."""
        texts = [self.line(one).text for one in self.told]
        names = {self._under(one) for one in self.told} | set(self.last)
        titles = [session_line(self.sessions[name]).text for name in names if name]
        return _size([LAST, "##  ", *texts, *titles]) if texts or titles else 0

    def filled(self, room: int, said: Sequence[frozenset[str]]) -> list[Section]:
        """The section within its room, the newest session last; what was said elsewhere is not said again."""
        left = room - len(LAST) - 5
        before, chosen = list(said), dict[str, list[tuple[int, Line]]]()
        if self.last:  # the title of the last session is worth more than any line
            left -= self._open(self.last[0], chosen, left)
        for one in self.told:
            if left < _LEAST_ROOM:
                break
            line, under, words = self.line(one), self._under(one), words_of(one.text)
            size = len(line.text) + 1 + (0 if under in chosen else self._title_size(under))
            if size <= left and not is_said(words, before):
                chosen.setdefault(under, []).append((one.ts_ms, line))
                before.append(words)
                left -= size
        for name in self.last:
            left -= self._open(name, chosen, left)
        lines = [line for name in sorted(chosen, key=self._order) for line in self._lines(name, chosen[name])]
        return [Section(LAST, lines)] if lines else []

    def _open(self, name: str, chosen: dict[str, list[tuple[int, Line]]], left: int) -> int:
        """Show the title of a session if there is room; how much it takes."""
        size = 0 if name in chosen else self._title_size(name)
        if not size or size > left:
            return 0
        chosen[name] = []
        return size

    def _title_size(self, name: str) -> int:
        return len(session_line(self.sessions[name]).text) + 1 if name else 0

    def _under(self, one: Told) -> str:
        """The session whose title it stands under; empty if none is known."""
        session = self.sessions.get(one.session)
        name = session.id if session else ""
        return name if name in self.sessions else ""

    def _order(self, name: str) -> tuple[int, str]:
        session = self.sessions.get(name)
        return ((session.last_ms or 0) if session else -1, name)

    def _lines(self, name: str, lines: Sequence[tuple[int, Line]]) -> list[Line]:
        title = [session_line(self.sessions[name])] if name else []
        return title + [line for _, line in sorted(lines, key=lambda each: (each[0], each[1].id))]
