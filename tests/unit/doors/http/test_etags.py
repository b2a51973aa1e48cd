"""Tags of answers, as headers name them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.doors.http.etags import etag_of, is_match

TAG = '"abc"'


@pytest.mark.parametrize(
    ("header", "is_weak", "is_matched"),
    [
        (None, True, False),
        ("*", False, True),
        ('"abc"', False, True),
        ('"x", "abc"', False, True),
        ('W/"abc"', True, True),
        ('W/"abc"', False, False),
        ('"abcd"', True, False),
        ("abc", True, False),
        ("", True, False),
    ],
)
def test_a_header_matches_if_the_tag_is_in_it(header: str | None, is_weak: bool, is_matched: bool) -> None:
    """Weak tags count for reading, not for changing."""
    assert is_match(header, TAG, is_weak=is_weak) is is_matched


@given(st.text(), st.text())
def test_the_same_answer_has_the_same_tag_and_another_has_another(one: str, other: str) -> None:
    """By its letters alone."""
    assert (etag_of(one) == etag_of(other)) is (one == other)
