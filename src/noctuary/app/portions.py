"""Parts of conversations that can be handed out at once, however long their messages are.

One message may have a million characters.  What is asked for by number could so be more than a server has memory for,
and several who ask at the same time would end it.
"""

from __future__ import annotations  # a memory is named before it is loaded

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from noctuary.records import Hit, Message, Window
from noctuary.store.keys import MOST_MESSAGES

if TYPE_CHECKING:
    from noctuary.app.memory import Memory

MOST_CHARACTERS = 4_000_000  # unless one message alone has more
_AT_ONCE = 25  # messages that are read together
_NEAR = 12  # messages on each side that are read first


class Portion(NamedTuple):
    """Some messages, up to which id that is, and whether the session goes on."""

    messages: Sequence[Message]
    last: int
    goes_on: bool


def read_on(memory: Memory, session: str, first: int, limit: int) -> Portion:
    """The messages from an id on, at most so many ids; fewer if they are long, but one at least."""
    messages: list[Message] = []
    left, end = MOST_CHARACTERS, min(first + limit, MOST_MESSAGES + 1)
    while True:
        window = memory.show(session, first=first, limit=max(1, min(_AT_ONCE, end - first)))
        for message in window.messages:
            left -= _length(message)
            if left < 0 and messages:
                return Portion(messages, message.id - 1, goes_on=True)
            messages.append(message)
        first = min(first + _AT_ONCE, end)
        if first >= end or not window.after:
            return Portion(messages, first - 1, goes_on=bool(window.after))


def around(memory: Memory, session: str, message: int, window: int) -> Window:
    """A message and those on each side of it, at most so many; fewer if they are long, those next to it first."""
    near = min(window, _NEAR)
    while True:
        part = memory.show(session, around=message, window=near)
        if near == window or sum(map(_length, part.messages)) > MOST_CHARACTERS:
            return _nearest(part, message)
        near = min(window, 2 * near)


def of_hits(hits: Iterable[Hit]) -> list[Hit]:
    """What was found; once it is long, what stands around the messages that matched is left out."""
    shown, left = [], MOST_CHARACTERS
    for hit in hits:
        left -= sum(map(_length, (*hit.bookend_start, *hit.window, *hit.bookend_end)))
        shown.append(hit if left >= 0 else _alone(hit))
    return shown


def _nearest(part: Window, message: int) -> Window:
    kept: list[Message] = []
    left = MOST_CHARACTERS
    for one in sorted(part.messages, key=lambda each: abs(each.id - message)):
        left -= _length(one)
        if left < 0 and kept:
            break
        kept.append(one)
    kept.sort(key=lambda each: each.id)
    before, after = _beyond(part.messages, kept)
    return part._replace(messages=kept, before=part.before + before, after=part.after + after)


def _alone(hit: Hit) -> Hit:
    before, after = _beyond(hit.window, (hit.anchor,))
    only = hit._replace(bookend_start=(), window=(hit.anchor,), bookend_end=())
    return only._replace(before=hit.before + before, after=hit.after + after)


def _beyond(there: Sequence[Message], kept: Sequence[Message]) -> tuple[int, int]:
    """How many of the messages come before and after those that are kept."""
    return sum(one.id < kept[0].id for one in there), sum(one.id > kept[-1].id for one in there)


def _length(message: Message) -> int:
    return len(message.content) + len(message.tool_calls or "")
