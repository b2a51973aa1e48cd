"""What is looked for only where one of its marks is, is found as if it were looked for everywhere."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.dream.merging import lasting
from noctuary.dream.merging.marked import Marked, in_small

MARKED = {name: each for name, each in vars(lasting).items() if isinstance(each, Marked)}


@pytest.mark.parametrize("name", MARKED)
@given(data=st.data())
def test_whatever_a_pattern_finds_has_one_of_its_marks(name: str, data: st.DataObject) -> None:
    """Marks save time and nothing else: no text is passed over in which the pattern is."""
    marked = MARKED[name]
    text = data.draw(st.from_regex(marked.pattern))  # around what is found there may stand anything

    assert marked.is_in(text)


def test_a_text_without_a_mark_is_not_searched() -> None:
    """That is what they save."""
    anything = Marked(re.compile(""), ["always"])

    assert anything.is_in("it is always so.")
    assert not anything.is_in("it is so.")


@pytest.mark.parametrize(
    ("text", "small"), [("Alwayſ lint.", "always lint."), ("WHENEVER İt", "whenever it"), ("ıf you", "if you")]
)
def test_letters_that_are_another_in_a_search_of_any_case_are_seen(text: str, small: str) -> None:
    """A pattern that ignores case takes an old s for an s, and either other i for an i."""
    assert in_small(text) == small
    assert re.fullmatch(small, text, re.IGNORECASE)
