"""The pack: all one needs to resume a task, as a page of Markdown within a budget of characters.

Each section has a share of the budget, and what one does not need goes to the others; within a section, so has each
entry.  So a long entry is cut before it takes the room of another, and the newest decisions are always there.  If the
budget is too small for all sections, whole ones are left out, the least needed first.
"""

from itertools import chain

from noctuary.errors import BadInput
from noctuary.work.cutting import Block, cut, fitted, length, shares
from noctuary.work.desk import Desk
from noctuary.work.pack_lines import line
from noctuary.work.pack_sections import Material, Part

BUDGET = 8_000
# The sections by how much one needs them, and the share of each.
WEIGHTS = {
    Part.GOAL: 10,
    Part.DECISIONS: 24,
    Part.STATE: 8,
    Part.NEXT: 8,
    Part.CONSTRAINTS: 10,
    Part.REJECTED: 10,
    Part.QUESTIONS: 7,
    Part.EVIDENCE: 7,
    Part.FINDINGS: 6,
    Part.RECENT: 4,
    Part.SUBTASKS: 4,
    Part.ARTIFACTS: 4,
    Part.COMPLETENESS: 4,
}
_ALWAYS = (Part.GOAL, Part.DECISIONS)
_LEAST_SECTION = 60  # characters, below which a section says nothing
_WITH_NOTE = 1_000  # the budget from which on there is room to say that something was cut


def pack(desk: Desk, name: str, budget: int = BUDGET) -> str:
    """The pack of a task or goal, never longer than `budget`.  The same record gives the same pack."""
    if budget < 1:
        raise BadInput(f"A pack needs a budget of characters, of at least 1, not {budget}.")
    material = Material(desk, desk.node(name))
    node, sections = material.node, material.sections()
    title, status = line(node.title), f" [{node.status}]"
    needed = len(f"# {title}{status}\n") + sum(_need(part, blocks) for part, blocks in sections.items())
    if needed <= budget:
        return _page(f"# {title}{status}", {part: [*chain(*blocks)] for part, blocks in sections.items()})
    head = f"# {cut(title, max(budget // 4, 8) - len(status))}{status}"
    note = f"\n_Cut to {budget:,} characters; a larger budget tells more._\n" if budget >= _WITH_NOTE else ""
    told = _fitted(sections, budget - len(head) - 1 - len(note))
    return cut(_page(head, told) + note, budget)


def _need(part: Part, blocks: list[Block]) -> int:
    return len(_heading(part)) + sum(map(length, blocks))


def _heading(part: Part) -> str:
    return f"\n## {part}\n"


def _fitted(sections: dict[Part, list[Block]], budget: int) -> dict[Part, list[str]]:
    """The lines of the sections that have room, in their order."""
    kept: list[Part] = []
    left = budget
    for part in (part for part in WEIGHTS if part in sections):
        heading = len(_heading(part))
        least = heading + min(_LEAST_SECTION, _need(part, sections[part]) - heading)
        if least <= left or part in _ALWAYS:
            kept.append(part)
            left -= least
    room = budget - sum(len(_heading(part)) for part in kept)
    needs = [sum(map(length, sections[part])) for part in kept]
    given = dict(zip(kept, shares(needs, [WEIGHTS[part] for part in kept], room), strict=True))
    return {part: fitted(sections[part], given[part]) for part in sections if part in given}


def _page(head: str, sections: dict[Part, list[str]]) -> str:
    pages = [_heading(part) + "".join(f"{text}\n" for text in lines) for part, lines in sections.items() if lines]
    return "".join([f"{head}\n", *pages])
