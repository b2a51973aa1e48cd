"""Families of rules, made of the tables in `token_forms`."""

import re
from collections.abc import Callable, Iterator

from noctuary.redact.values import CHECKS

Span = tuple[int, int, str]
Finder = Callable[[str], Iterator[Span]]
Family = tuple[str, Callable[[str], object], Finder]  # what the text must contain, what must match, what then looks

# A token does not start within a word; but the n of a literal "\n" is none, nor is the end of another escape.
_ESCAPED = re.compile(r"(?:\\(?:[nrtbf]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|%[0-9a-fA-F]{2}|\x1b\[[0-9;]{0,12}m)\Z")


def starts_within_a_word(text: str, start: int) -> bool:
    """Whether what stands before is part of the same word."""
    if start == 0 or not text[start - 1 : start + 1].isalnum():
        return False
    return _ESCAPED.search(text, max(0, start - 16), start) is None


def family_of(table: str) -> Family:
    """Make a family of a table; a backslash at the end of a line joins it to the next."""
    lines = [line.split(maxsplit=2) for line in table.strip().replace("\\\n", "").split("\n")]
    (_, trigger, gate), *rows = lines
    rules = [(kind, CHECKS[check], re.compile(pattern, re.ASCII)) for kind, check, pattern in rows]

    def find(text: str) -> Iterator[Span]:
        for kind, check, pattern in rules:
            for match in pattern.finditer(text):
                start, end = match.span(match.lastindex or 0)
                if check(text[start:end]) and (match.lastindex or not starts_within_a_word(text, start)):
                    yield start, end, kind

    return trigger.replace("␣", " "), re.compile(gate, re.ASCII).search, find
