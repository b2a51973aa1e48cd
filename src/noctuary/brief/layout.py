"""What stands in a brief: which lines have room, in which section, in which order.

What changes least comes first, so that what an agent's model has read before stays the beginning of what it reads:
rules, what is known, what others share, the work, what is open, and at the end the last sessions, the newest last.  The
same material makes the same page, to the byte.  Room is shared between sections; what one does not need goes to those
that need more.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from noctuary.authored import EventType
from noctuary.brief.importance import ranked, words_of
from noctuary.brief.last_sessions import LAST, LastSessions
from noctuary.brief.lines import goal_lines, memory_line, node_line, shared_line, told_line
from noctuary.brief.material import Material
from noctuary.brief.page import Line, Section
from noctuary.dream.pages.page_lines import is_rule
from noctuary.store.memories import MemoryKind, Remembered
from noctuary.work.cutting import shares

RULES, DECISIONS, FACTS = "Rules that the user stated or approved", "Decisions", "Facts and gotchas"
SHARED = "Shared by the team: statements of others, not the user's"
WORK, OPEN = "Work", "Open questions"
_WEIGHTS = {RULES: 4, DECISIONS: 3, FACTS: 3, SHARED: 2, WORK: 4, OPEN: 1, LAST: 6}
_LONGEST = (220, 160)  # if not everything has room, lines are short, so that more of them have
_AROUND = 64  # characters of a line beside its words, at most
_SHORTEST = 20  # characters, below which there is no line
_HEADING = 5  # characters around the title of a section
_MOST_HYPOTHESES = 6


class _Draft(NamedTuple):
    """A line that is worded when there is room for it, and how long it will be, about."""

    size: int
    line: Callable[[], Line]


class _Plan(NamedTuple):
    """Everything a section could say, the most important first."""

    title: str
    drafts: Sequence[_Draft]

    @property
    def need(self) -> int:
        """How many characters that takes, about."""
        return sum(draft.size + 1 for draft in self.drafts) + len(self.title) + _HEADING if self.drafts else 0

    def filled(self, room: int) -> Section:
        """As many lines as have room; one that has none does not stop those behind it."""
        left = room - len(self.title) - _HEADING
        shown: list[Line] = []
        for draft in self.drafts:
            if left < _SHORTEST:
                break
            line = draft.line()
            if len(line.text) < left:
                shown.append(line)
                left -= len(line.text) + 1
        return Section(self.title, shown)


def laid_out(material: Material, most: int) -> list[Section]:
    """The sections, of at most so many characters together when they are written one under the other."""
    last = LastSessions(material)
    for longest in _LONGEST:
        known = [*_known(material, longest), _shared(material, longest)]
        plans = [*known, _work(material, longest), _questions(material, longest)]
        needs = [*(plan.need for plan in plans), last.need(longest)]
        if sum(needs) <= most:
            break
    given = shares(needs, [*(_WEIGHTS[plan.title] for plan in plans), _WEIGHTS[LAST]], most)
    filled = [plan.filled(room) for plan, room in zip(plans, given, strict=False)]
    sections = [section for section in filled if section.lines]
    said = [
        words_of(line.text)
        for section in sections
        if section.title in (RULES, DECISIONS, FACTS)
        for line in section.lines
    ]
    left = most - (len(written(sections)) + 2 if sections else 0)
    newest = last.filled(left, longest, said)
    return [*sections, newest] if newest.lines else sections


def written(sections: Iterable[Section]) -> str:
    """The sections, one under the other."""
    return "\n\n".join("\n".join([f"## {one.title}", *(line.text for line in one.lines)]) for one in sections)


def _known(material: Material, longest: int) -> list[_Plan]:
    """What holds: rules, decisions, and all else."""
    inside: dict[str, list[_Draft]] = {RULES: [], DECISIONS: [], FACTS: []}
    for memory in material.memories:
        if not _disputed(memory):
            is_rejection = memory.id in material.rejections
            inside[_section(memory)].append(_draft(memory_line, memory, longest, is_rejection=is_rejection))
    return [_Plan(title, drafts) for title, drafts in inside.items()]


def _draft(word: Callable[..., Line], memory: Remembered, longest: int, **more: object) -> _Draft:
    return _Draft(min(longest, len(memory.text) + _AROUND), partial(word, memory, longest, **more))


def _section(memory: Remembered) -> str:
    if is_rule(memory):
        return RULES
    return DECISIONS if memory.kind is MemoryKind.DECISION else FACTS


def _shared(material: Material, longest: int) -> _Plan:
    """What others share, whatever kind it is of: nobody's word but the user's is a rule."""
    return _Plan(SHARED, [_drafted(shared_line(share, longest)) for share in material.shared])


def _work(material: Material, longest: int) -> _Plan:
    """Where the work stands: goals with what the last session on them left, what somebody is at, what is next."""
    work = material.work
    lines = [line for goal in work.goals for line in goal_lines(goal, longest)]
    held = [(node, f"held by {node.assigned_to}" if node.assigned_to else "") for node in work.begun]
    lines += [node_line("In progress", node, longest, more) for node, more in held]
    lines += [node_line("Blocked", node, longest, node.blocked_reason or "") for node in work.blocked]
    lines += [node_line("Ready", node, longest) for node in work.ready]
    return _Plan(WORK, [*map(_drafted, lines)])


def _questions(material: Material, longest: int) -> _Plan:
    """What nobody knows yet: choices to be made, memories that contradict each other, guesses."""
    drafts = [_drafted(node_line("To be decided", node, longest)) for node in material.work.undecided]
    for memory in material.memories:
        if others := _disputed(memory):
            is_rejection = memory.id in material.rejections
            drafts.append(_draft(memory_line, memory, longest, is_rejection=is_rejection, against=others[0]))
    guesses = ranked(one for one in material.told if one.type is EventType.HYPOTHESIS)[:_MOST_HYPOTHESES]
    return _Plan(OPEN, drafts + [_drafted(told_line(one, longest, with_day=True)) for one in guesses])


def _drafted(line: Line) -> _Draft:
    return _Draft(len(line.text), lambda: line)


def _disputed(memory: Remembered) -> list[str]:
    given = memory.facts.get("disputed")
    return [name for name in given if isinstance(name, str)] if isinstance(given, (list, tuple)) else []
