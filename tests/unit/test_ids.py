"""Ids: ULIDs that only ever grow, and short ids that nobody else has."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noctuary.ids import derived_id, is_ulid, moment_of, short_id, ulid_after

LAST_MS = 253_402_300_799_999
MOMENTS = st.integers(0, LAST_MS)


@given(moment=MOMENTS)
@example(moment=0)
@example(moment=LAST_MS)
def test_ulid_says_when(moment: int) -> None:
    """A ULID is one, and says to the millisecond when it was made."""
    made = ulid_after("", moment)

    assert is_ulid(made)
    assert moment_of(made) == moment


@given(moments=st.lists(st.integers(-(1 << 70), 1 << 70), min_size=2, max_size=30))
def test_ulids_only_grow(moments: list[int]) -> None:
    """Each ULID is greater than the one before, even if the clock stands still or is set back."""
    made = [""]
    for moment in moments:
        made.append(ulid_after(made[-1], moment))

    assert made == sorted(set(made))
    assert all(map(is_ulid, made[1:]))


@given(moments=st.lists(MOMENTS, min_size=2, max_size=2, unique=True))
def test_ulids_sort_like_time(moments: list[int]) -> None:
    """Of two machines, the later id is the greater one."""
    earlier, later = (ulid_after("", moment) for moment in sorted(moments))

    assert earlier < later


@pytest.mark.parametrize(
    "text",
    ["", "01", "01J" + "0" * 22, "81J" + "0" * 23, "01j" + "0" * 23, "01I" + "0" * 23, "7" + "Z" * 25,
     "01J" + "0" * 23 + "\n"],
)  # fmt: skip
def test_what_is_no_ulid(text: str) -> None:
    """Too short, too long, in small letters, of letters that can be mistaken, or of a year that nobody will see."""
    assert not is_ulid(text)


def test_short_ids_differ() -> None:
    """Two machines that add to the same memory do not choose the same id."""
    made = {short_id("t") for _ in range(5_000)}

    assert len(made) == 5_000
    assert all(name.startswith("t-") and len(name) == 12 for name in made)


def test_derived_ids_are_the_same_everywhere() -> None:
    """An id that belongs to its parts is not chosen but computed, and parts do not run into each other."""
    assert derived_id("e", "contains", "a", "b") == derived_id("e", "contains", "a", "b") == "e-mdbnfngz37"
    assert derived_id("e", "contains", "ab", "") != derived_id("e", "contains", "a", "b")
