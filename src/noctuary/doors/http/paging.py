"""Lists in parts: an opaque cursor names the last thing that was seen, so that new ones change no part that comes."""

import base64
import json
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Annotated, Any, NamedTuple, TypeVar

from fastapi import Query

from noctuary.doors.http.problems import Problem

MOST = 200
DEFAULT = 50
LONGEST_CURSOR = 600
_GREATEST = 2**63

Limit = Annotated[int, Query(ge=1, le=MOST, description="How many at most.")]
Cursor = Annotated[
    str | None,
    Query(
        max_length=LONGEST_CURSOR,
        pattern=r"^[A-Za-z0-9_-]+$",
        description="`next` of the part before; without it, the first part.",
    ),
]
Row = TypeVar("Row")


class Part(NamedTuple):
    """Some rows, and the cursor for those after them."""

    rows: Sequence[Any]
    next: str | None


def encode(*place: str | int) -> str:
    """A cursor that names a place in a list."""
    said = json.dumps(place, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(said).decode().rstrip("=")


def decode(cursor: str | None, *kinds: type) -> tuple[Any, ...] | None:
    """The place that a cursor names, of values of these types; a Problem if it is no cursor of this list."""
    if cursor is None:
        return None
    try:
        place = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError:
        place = None
    if not isinstance(place, list) or [type(value) for value in place] != list(kinds) or not all(map(_is_sane, place)):
        raise Problem(HTTPStatus.BAD_REQUEST, "This is no cursor of this list; begin again without one.")
    return tuple(place)


def part_of(rows: Sequence[Row], limit: int, place: Callable[[Row], tuple[str | int, ...]]) -> Part:
    """The part of the rows, of which one more than the limit was read if there are more."""
    shown = rows[:limit]
    return Part(shown, encode(*place(shown[-1])) if len(rows) > limit else None)


def cut(
    rows: Sequence[Row],
    cursor: str | None,
    limit: int,
    place: Callable[[Row], tuple[int, str]],
    *,
    is_falling: bool = False,
) -> Part:
    """A part of rows that are all at hand, in the order of their places: a number, and an id."""
    behind = decode(cursor, int, str)
    ordered = sorted(rows, key=place, reverse=is_falling)
    if behind is not None:
        ordered = [row for row in ordered if (place(row) < behind if is_falling else place(row) > behind)]
    return part_of(ordered[: limit + 1], limit, place)


def _is_sane(value: str | int) -> bool:
    """Whether a database can be asked about the value."""
    if isinstance(value, int):
        return abs(value) < _GREATEST
    return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
