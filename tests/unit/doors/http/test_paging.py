"""Cursors: any one that is let in names a place, and parts join without gap and without double."""

import re

from hypothesis import given
from hypothesis import strategies as st

from noctuary.doors.http.paging import Cursor, Place, cut, decode, encode

PATTERN = next(each.pattern for each in Cursor.__metadata__[0].metadata if hasattr(each, "pattern"))  # type: ignore[attr-defined]
names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=50)
places = st.builds(Place, st.integers(0, 10**18 - 1), names)


@given(places)
def test_a_cursor_names_the_place_it_was_made_of(place: Place) -> None:
    """Whatever the id is; and it looks as the document says."""
    assert decode(encode(place)) == place
    assert re.fullmatch(PATTERN, encode(place))


@given(st.from_regex(PATTERN, fullmatch=True))
def test_every_cursor_that_is_let_in_is_a_place(cursor: str) -> None:
    """Nobody can send one that makes the server fail, and none asks a database about what it cannot hold."""
    found = decode(cursor)

    assert found is not None
    assert "\0" not in found.name
    found.name.encode()


@given(st.lists(places, unique=True), st.integers(1, 5), st.booleans(), st.lists(places, max_size=3))
def test_parts_join_whatever_comes_meanwhile(rows: list[Place], limit: int, falls: bool, later: list[Place]) -> None:
    """All that was there at the beginning is seen once, in order; what comes meanwhile at most once."""
    seen: list[Place] = []
    known = list(rows)
    cursor = None
    while True:
        part = cut(known, cursor, limit, lambda row: row, is_falling=falls)
        seen += part.rows
        if part.next is None:
            break
        cursor = part.next
        known += [each for each in later[:1] if each not in known]
        later = later[1:]

    assert [row for row in seen if row in rows] == sorted(rows, reverse=falls)
    assert len(seen) == len(set(seen))
