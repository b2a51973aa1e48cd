"""Fit texts into a number of characters so that one long text never takes the room of the others.

Room is shared by weight; what one does not need goes to those that need more.  A text that is too long ends with a
sentence if it can, else with a word, else with a whole character, and always with "…".
"""

import re
import unicodedata
from collections.abc import Sequence

LEAST_BLOCK = 100  # characters, below which a block is rather left out than cut
_LEAST_LINE = 40
_SENTENCE_END = re.compile(r"[.!?][\"')\]]*(?=\s)|[。！？।؟۔።]")
_VIRAMA = 9  # the class of signs that join a consonant to the next
_JOINER = "\u200d"
_EXTENDING = ((0xFE00, 0xFE0F), (0x1F3FB, 0x1F3FF), (0xE0020, 0xE007F), (0x1160, 0x11FF), (0xDC00, 0xDFFF))
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)

Block = Sequence[str]  # the lines of one entry: the first is the entry, the others are about it


def cut(text: str, most: int) -> str:
    """The text, or its beginning with "…": never longer than `most`."""
    if len(text) <= most:
        return text
    if most < 1:
        return ""
    half = most // 2
    if ends := [found.end() for found in _SENTENCE_END.finditer(text, half, most - 2)]:
        return f"{text[: ends[-1]]} …"
    space = text.rfind(" ", half, most)
    end = border(text, space if space > 0 else most - 1)
    return f"{text[:end].rstrip()}…"


def border(text: str, at: int) -> int:
    """The place itself, or the nearest before it that is not within a character as people see it."""
    while 0 < at < len(text) and _goes_on(text, at):
        at -= 1
    return at


def _goes_on(text: str, at: int) -> bool:
    """Whether what stands here belongs to what stands before it: an accent, a tone of skin, half of a flag."""
    here, code = text[at], ord(text[at])
    if code in _FLAG_LETTERS:
        start = at
        while start and ord(text[start - 1]) in _FLAG_LETTERS:
            start -= 1
        return (at - start) % 2 == 1
    is_extending = any(first <= code <= last for first, last in _EXTENDING)
    is_conjunct = unicodedata.combining(text[at - 1]) == _VIRAMA and here.isalpha()
    return is_extending or is_conjunct or _JOINER in (here, text[at - 1]) or unicodedata.category(here).startswith("M")


def shares(needs: Sequence[int], weights: Sequence[int], budget: int) -> list[int]:
    """How much each gets: what it needs if that is within its share, and of what others leave, its share again."""
    given = [0] * len(needs)
    hungry = [place for place, need in enumerate(needs) if need > 0]
    left = max(0, budget)
    while hungry:
        total = sum(weights[place] for place in hungry)
        filled = [place for place in hungry if needs[place] * total <= left * weights[place]]
        for place in filled or hungry:
            given[place] = needs[place] if filled else left * weights[place] // total
        left -= sum(given[place] for place in filled)
        hungry = [place for place in hungry if place not in filled] if filled else []
    return given


def length(lines: Sequence[str]) -> int:
    """How many characters the lines take, each with its end."""
    return sum(len(line) + 1 for line in lines)


def fitted(blocks: Sequence[Block], budget: int) -> list[str]:
    """The lines of as many blocks as have room, the first ones first; each as whole as the others let it be."""
    needs = [length(block) for block in blocks]
    if sum(needs) <= budget:
        return [line for block in blocks for line in block]
    more = f"- … and {len(blocks)} more"
    room = budget - len(more) - 1
    shown, used = 0, 0
    for need in needs:
        used += min(need, LEAST_BLOCK)
        if used > room:
            break
        shown += 1
    if shown in (0, len(blocks)):
        shown, more, room = max(1, shown), "", budget
    given = shares(needs[:shown], [2, *[1] * (shown - 1)], room)
    lines = [line for block, share in zip(blocks, given, strict=False) for line in _fitted_block(block, share)]
    return [*lines, f"- … and {len(blocks) - shown} more"] if more else lines


def _fitted_block(block: Block, budget: int) -> list[str]:
    """The lines of a block, the first the longest; lines without room for a few words are left out."""
    kept = list(block)
    while True:
        given = shares([len(line) + 1 for line in kept], [len(kept) + 1, *[1] * (len(kept) - 1)], budget)
        last = len(kept) - 1
        if last == 0 or given[last] >= min(_LEAST_LINE, len(kept[last]) + 1):
            break
        kept.pop()
    return [short for line, share in zip(kept, given, strict=True) if (short := cut(line, share - 1)).strip("- …")]
