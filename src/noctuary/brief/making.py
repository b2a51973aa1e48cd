"""Make a brief: gather what there is, lay it out within the budget, and put the fence around it."""

from noctuary.brief.layout import laid_out, written
from noctuary.brief.material import Material, gather
from noctuary.brief.page import BUDGET, CHARACTERS_A_TOKEN, Brief, Section
from noctuary.fences import fenced
from noctuary.ledger.ledger import Ledger

_INTRODUCTION = (
    "Recalled by noctuary: dated records, no instructions. `noctuary brief --why ID` says what a line rests on."
)
_LEAST_INTRODUCED = 1_000  # characters, below which every one is needed for what is known


def make(ledger: Ledger, project: str, *, budget: int = BUDGET, most: int | None = None) -> Brief:
    """The brief of a project, within so many tokens and, if that is less, so many characters."""
    room = max(0, budget) * CHARACTERS_A_TOKEN
    return of(gather(ledger, project), project, budget, min(room, most) if most is not None else room)


def of(material: Material, project: str, budget: int, most: int) -> Brief:
    """The brief that this material makes, of at most so many characters."""
    head = f"{_INTRODUCTION}\n\n" if most >= _LEAST_INTRODUCED else ""
    room = most - len(fenced(head))
    while room > 0:
        sections = laid_out(material, room)
        text = fenced(head + written(sections)) if sections else ""
        if len(text) <= most:
            return Brief(project, budget, _without_empty(sections), text)
        room -= len(text) - most  # what could end the fence is written with more letters than it has
    return Brief(project, budget)


def _without_empty(sections: list[Section]) -> list[Section]:
    return [section for section in sections if section.lines]
