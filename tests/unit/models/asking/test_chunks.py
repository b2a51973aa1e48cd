"""Cutting a conversation into parts."""

from hypothesis import given
from hypothesis import strategies as st

from noctuary.models.asking.chunks import Chunk, chunks_of
from noctuary.models.asking.rendering import Shown
from tests.unit.models.asking.conversing import said


def messages(*sizes: int) -> list[Shown]:
    return [Shown(said(number, "x"), "x", size) for number, size in enumerate(sizes, start=1)]


def ids(shown: object) -> list[int]:
    return [each.message.id for each in shown]  # type: ignore[attr-defined]


def test_parts_end_on_the_borders_of_messages() -> None:
    """As many messages at once as fit; one that does not fit anywhere is alone."""
    parts = list(chunks_of(messages(4, 4, 4, 50, 1), [], most=10))

    assert [ids(part.messages) for part in parts] == [[1, 2], [3], [4], [5]]


def test_a_part_has_the_end_of_the_one_before_to_understand_it_by() -> None:
    """As far as there is room; the first has what was read in another run."""
    parts = list(chunks_of(messages(1_000, 1_000, 1_000, 9_000), messages(2_000, 700, 700)[1:], most=3_000))

    assert [ids(part.before) for part in parts] == [[2, 3], [3]]


@given(st.lists(st.integers(1, 30)), st.integers(1, 50))
def test_every_message_is_read_once_and_in_order(sizes: list[int], most: int) -> None:
    """Nothing is lost on a border, and no part is longer than it may be unless it is one message."""
    parts = list(chunks_of(messages(*sizes), [], most=most))

    assert [number for part in parts for number in ids(part.messages)] == list(range(1, len(sizes) + 1))
    assert all(sum(each.tokens for each in part.messages) <= most or len(part.messages) == 1 for part in parts)


@given(st.lists(st.integers(1, 30), min_size=2))
def test_halves_are_the_whole(sizes: list[int]) -> None:
    """Both have something, together all, and the second knows the end of the first."""
    halves = Chunk(messages(*sizes), messages(5)).halves()

    assert halves is not None
    first, second = halves
    assert ids(first.messages) + ids(second.messages) == list(range(1, len(sizes) + 1))
    assert first.messages
    assert second.messages
    assert ids(first.before) == [1]
    assert ids(second.before)[-1] == ids(first.messages)[-1]


def test_one_message_has_no_halves() -> None:
    """It is the smallest part."""
    assert Chunk(messages(9)).halves() is None
