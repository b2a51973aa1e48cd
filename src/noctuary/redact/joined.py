"""A text as it reads: without codes of colour, and with the strings joined that code or the end of a line cuts in two.

A token with a code within, or half of one behind `" +`, is known by no rule, but it is by whoever reads the text.
Each sort of cut is found by one character, so that to look for them costs next to nothing.
"""

import re
from bisect import bisect_right

from noctuary.redact.tokens import Span

_CODE = re.compile(r"\x1b\[[0-9;?]{0,24}[A-Za-z]")
_CODE_WITHIN = re.compile(  # a word, or between a name and its value; most stand beside words
    r"""\x1b(?<=[\w=:"'+/-]\x1b)\[[0-9;?]{0,24}[A-Za-z](?:\x1b\[[0-9;?]{0,24}[A-Za-z]){0,3}+(?=[\w=:"'+/-])"""
)
# A string that another follows on the next line, with a sign between them or none; a line that ends in a backslash.
_END = re.compile(r"""\n(?<=["'+\\]\n)""")  # as few lines do
_BEFORE = re.compile(r"""(?:(?<=[\w+/=-])(["'])[ ]?[+\\]?|(?<=\w)\\)\Z""")
_BEHIND = re.compile(
    r"""\n(?:[ \t]{0,8}\d{1,6}[\t→])?(?:(?=\w)|[ \t]{0,80}+(?:[+.][ ]?)?[rbfu]?(["'])(?=[\w+/=-]{4}))"""
)
may_be_cut_at_an_end = _END.search
_ADDED = re.compile(r"""\+(?=[ ]["'])(?:(?<=[\w+/=-]'[ ]\+)[ ]'|(?<=[\w+/=-]"[ ]\+)[ ]")(?=[\w+/=-]{4})""")


class Joined:
    """What is read of a text that something cuts, and where each piece of it stands."""

    def __init__(self, text: str, cuts: list[tuple[int, int]]) -> None:
        """Leave out what cuts the text."""
        self._reads_at, self._stands_at = [0], [0]
        parts, done, length = [], 0, 0
        for start, end in cuts:
            if start < done:
                continue
            parts.append(text[done:start])
            length += start - done
            done = end
            self._reads_at.append(length)
            self._stands_at.append(done)
        self.text = "".join([*parts, text[done:]])

    def where(self, found: list[Span]) -> list[Span]:
        """The places in the text itself of what was found in what is read."""
        return [(self._place(start), self._place(end - 1) + 1, kind) for start, end, kind in found]

    def _place(self, read: int) -> int:
        piece = bisect_right(self._reads_at, read) - 1
        return self._stands_at[piece] + read - self._reads_at[piece]


def joined(text: str) -> Joined | None:
    """What is read of a text, if anything cuts it."""
    cuts: list[tuple[int, int]] = []
    if "\x1b" in text and _CODE_WITHIN.search(text):
        cuts += (code.span() for code in _CODE.finditer(text))
    cuts += (span for end in _END.finditer(text) if (span := _around(text, end.start())))
    if "+" in text:
        cuts += ((plus.start() - 2, plus.end()) for plus in _ADDED.finditer(text))
    return Joined(text, sorted(cuts)) if cuts else None


def _around(text: str, end: int) -> tuple[int, int] | None:
    """All that stands between two halves at the end of a line, which the same quotes close and open."""
    before, behind = _BEFORE.search(text, max(0, end - 3), end), _BEHIND.match(text, end)
    if before is None or behind is None or before[1] != behind[1]:
        return None
    return before.start(), behind.end()
