"""Passwords in a column of their own: the head of a table says so, and the lines below it hold them."""

import re
from collections.abc import Iterator

from noctuary.redact.tokens import Family, Span
from noctuary.redact.values import is_typed

_HEAD = re.compile(r"passw(?:or)?d(?=\\?[\"'`]?[ ]{0,40}(?:[,;|\t\n]|\\[nrt]))")
_BREAK = re.compile(r"\r?\n|\\n")
_SEPARATORS = ",;|\t"
_SHORTEST, _LONGEST = 6, 256
_LONGEST_LINE, _MOST_LINES = 1_000, 1_000
_AROUND = " \"'`\\"


def _columns(text: str) -> Iterator[Span]:
    done = 0
    for head in _HEAD.finditer(text):
        if head.start() < done:  # it is a line of the table above
            continue
        first = text[max(done, head.start() - _LONGEST_LINE) : head.start()]
        before = _BREAK.split(first)[-1]
        end = _BREAK.search(text, head.end(), head.end() + _LONGEST_LINE)
        if end is None:
            continue
        after = text[head.start() : end.start()]
        separator = max(_SEPARATORS, key=(before + after).count)
        name = before.rpartition(separator)[2].strip(_AROUND)
        if separator in before + after and " " not in name:  # else it is a sentence
            done = end.end()
            beside = before.count(separator), after.count(separator)
            for place, line in _lines(text, done):
                fields = line.split(separator)
                if not max(1, beside[1]) < len(fields) <= sum(beside) + 1:  # before the head there may be more
                    break
                done = place + len(line)
                yield from _field(fields, place, len(fields) - 1 - beside[1])


def _lines(text: str, at: int) -> Iterator[tuple[int, str]]:
    """Lines from a place on, and where each begins; none behind one that is too long for a table."""
    for _ in range(_MOST_LINES):
        end = _BREAK.search(text, at, at + _LONGEST_LINE)
        if end is None and len(text) - at > _LONGEST_LINE:
            return
        yield at, text[at : end.start() if end else len(text)]
        if end is None:
            return
        at = end.end()


def _field(fields: list[str], place: int, column: int) -> Iterator[Span]:
    """The password in the column, if there is one."""
    field = fields[column]
    value = field.strip(_AROUND)
    if _SHORTEST <= len(value) <= _LONGEST and " " not in value and is_typed(value):
        start = place + sum(len(each) + 1 for each in fields[:column]) + field.index(value)
        yield start, start + len(value), "password"


COLUMNS: Family = ("passw", _HEAD.search, _columns)
