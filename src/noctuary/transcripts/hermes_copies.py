"""Messages of Hermes that are in two sessions: a branch begins with copies, and so does what follows a compression.

A copy has a number and a time of its own, and says the same.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import NamedTuple

_SPOKEN = ("user", "assistant", "tool")
FEWEST = 2  # messages in a row: one alone may well be said twice


class Row(NamedTuple):
    """A message as the database has it."""

    id: int
    role: object
    content: object
    tool_calls: object
    tool_call_id: object
    tool_name: object
    reasoning: object
    reasoning_content: object
    timestamp: object
    active: object
    compacted: object
    is_summary: object


def copies(rows: Sequence[Row], theirs: Sequence[Row]) -> dict[int, int]:
    """The first messages of a branch, by their numbers, with those that they are copies of.

    Some of the others were taken back or summed up, and not copied.
    """
    waiting = iter(theirs)
    pairs = ((row, next((each for each in waiting if _words(each) == _words(row)), None)) for row in rows)
    return {row.id: same.id for row, same in takewhile(lambda pair: pair[1] is not None, pairs) if same is not None}


def carried_over(rows: Sequence[Row], theirs: Sequence[Row], is_put_in: Callable[[Row], bool]) -> set[int]:
    """The numbers of messages that a compression took over: how the session before it begins, and how it ends."""
    own = [row for row in rows if row.role in _SPOKEN]
    others = [row for row in theirs if row.role in _SPOKEN and (row.active != 0 or row.compacted)]
    words, known = [_words(row) for row in own], [_words(row) for row in others]
    head = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(words, known, strict=False))))
    start = head + len(list(takewhile(is_put_in, own[head:])))
    ends = (len(known) - at for at, said in enumerate(known) if at >= head and words[start : start + 1] == [said])
    count = next((size for size in ends if size >= FEWEST and words[start : start + size] == known[-size:]), 0)
    return {row.id for row in (*own[:head], *own[start : start + count])}


def _words(row: Row) -> tuple[object, ...]:
    return row.role, row.content, row.tool_calls, row.tool_call_id
