"""Lists in parts: an opaque cursor names the last thing that was seen, so that new ones change no part that comes."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

from fastapi import Query

MOST = 200
DEFAULT = 50
_LONGEST = 20 + 8 * 1_000  # a number, and the longest id of a session in hex, if each of its letters has four bytes

Limit = Annotated[int, Query(ge=1, le=MOST, description="How many at most.")]
Cursor = Annotated[
    str | None,
    Query(
        max_length=_LONGEST,
        pattern=r"^[0-9]{1,18}\.([0-9a-f]{2})*$",
        description="`next` of the part before; without it, the first part.",
    ),
]
Row = TypeVar("Row")


class Place(NamedTuple):
    """Where a row stands in a list: a number, then an id."""

    number: int
    name: str = ""


class Part(NamedTuple):
    """Some rows, and the cursor for those after them."""

    rows: Sequence[Any]
    next: str | None


def encode(place: Place) -> str:
    """The cursor that names a place."""
    return f"{place.number}.{place.name.encode().hex()}"


def decode(cursor: str | None) -> Place | None:
    """The place that a cursor names; every cursor that `Cursor` lets in names one."""
    if cursor is None:
        return None
    number, _, name = cursor.partition(".")
    return Place(int(number), bytes.fromhex(name).decode("utf-8", "replace").replace("\0", ""))


def part_of(rows: Sequence[Row], limit: int, place: Callable[[Row], Place]) -> Part:
    """The part of the rows, of which one more than the limit was read if there are more."""
    shown = rows[:limit]
    return Part(shown, encode(place(shown[-1])) if len(rows) > limit else None)


def cut(
    rows: Sequence[Row], cursor: str | None, limit: int, place: Callable[[Row], Place], *, is_falling: bool = False
) -> Part:
    """A part of rows that are all at hand, in the order of their places."""
    behind = decode(cursor)
    ordered = sorted(rows, key=place, reverse=is_falling)
    if behind is not None:
        ordered = [row for row in ordered if (place(row) < behind if is_falling else place(row) > behind)]
    return part_of(ordered[: limit + 1], limit, place)
