"""A brief as records: lines, each with the name by which one can ask why it is there, in sections."""

from collections.abc import Sequence
from typing import NamedTuple

CHARACTERS_A_TOKEN = 4  # an estimate: English prose has a little more, code and other scripts have fewer
MOST_CHARACTERS = 9_500  # that a hook may put into a session; agents cut off or refuse what is longer
BUDGET = 2_000  # tokens, unless somebody says otherwise


class Line(NamedTuple):
    """One line of a brief."""

    text: str  # as it stands on the page
    id: str  # of the memory, entry, node or session that it speaks of
    is_heading: bool = False  # a session, whose lines follow


class Section(NamedTuple):
    """Lines that belong together, under their heading."""

    title: str
    lines: Sequence[Line]


class Brief(NamedTuple):
    """What a session in a project is told at its start."""

    project: str
    budget: int  # in tokens
    sections: Sequence[Section] = ()
    text: str = ""  # as it is put into a conversation, fenced; empty if there is nothing to say

    @property
    def tokens(self) -> int:
        """How many tokens the text takes, by estimate."""
        return -(-len(self.text) // CHARACTERS_A_TOKEN)

    @property
    def lines(self) -> list[Line]:
        """All lines, in their order."""
        return [line for section in self.sections for line in section.lines]
