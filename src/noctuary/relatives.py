"""Words that mean the same as another, or its opposite: what somebody may have said who did not say the word itself."""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from noctuary import concepts
from noctuary.stemming import stem
from noctuary.text import fold

_AS_IT_IS = "="  # before a word that is not taken for its stem
_ALIKE = 2  # letters that a word shares with its stem


def signed(table: str) -> dict[str, tuple[str, int]]:
    """The stems of a table of concepts, each with its concept and whether it is that or its opposite: 1 or -1."""
    found: dict[str, tuple[str, int]] = {}
    for line in _lines(table):
        name, _, words = line.partition(":")
        for sign, side in zip((1, -1), words.split("|"), strict=False):
            for word in side.split():
                found.setdefault(word.lstrip(_AS_IT_IS), (name, sign))
                if not word.startswith(_AS_IT_IS):
                    found.setdefault(stem(fold(word)), (name, sign))
    return found


def relatives(word: str) -> Sequence[str]:
    """Other words for what a word says; none if it is in no table.  "chosen" gives use, pick, reject and others."""
    small = fold(word)
    alike = () if small in concepts.STOP_WORDS else _listed().get(small[:_ALIKE], ())
    stemmed = stem(small) if alike else ""
    for is_same in (small.__eq__, lambda listed: stem(fold(listed)) == stemmed):
        for listed, family in alike:
            if is_same(listed):
                return [other for other in family if other != small]
    return []


@cache
def _listed() -> Mapping[str, Sequence[tuple[str, Sequence[str]]]]:
    """The words of all tables by how they begin, each with all of its line: a stem begins as its words do.

    So of some thousand words those few are stemmed that may be the one, and a search waits for no more.
    """
    found: dict[str, list[tuple[str, Sequence[str]]]] = {}
    for table in (concepts.TURNING, concepts.OPPOSITES, concepts.SAME):
        for line in _lines(table):
            family = [word.lstrip(_AS_IT_IS) for word in line.partition(":")[2].replace("|", " ").split()]
            for word in family:
                found.setdefault((word if word.isascii() else fold(word))[:_ALIKE], []).append((word, family))
    return found


def _lines(table: str) -> list[str]:
    return re.split(r"\n(?=\S)", table.strip())
