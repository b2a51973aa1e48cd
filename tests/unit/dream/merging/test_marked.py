"""What is looked for only where one of its marks is, is found as if it were looked for everywhere."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.dream.merging import lasting
from noctuary.dream.merging.marked import Marked

MARKED = {name: each for name, each in vars(lasting).items() if isinstance(each, Marked)}


@pytest.mark.parametrize("name", MARKED)
@given(data=st.data())
def test_whatever_a_pattern_finds_has_one_of_its_marks(name: str, data: st.DataObject) -> None:
    """Marks save time and nothing else: no text is passed over in which the pattern is."""
    marked = MARKED[name]
    text = data.draw(st.from_regex(marked.pattern))

    assert marked.is_in(text, text.lower())


def test_a_text_without_a_mark_is_not_searched() -> None:
    """That is what they save."""
    anything = Marked(re.compile(""), ["always"])

    assert anything.is_in("It is always so.", "it is always so.")
    assert not anything.is_in("It is so.", "it is so.")


@pytest.mark.parametrize("text", ["Alwayſ lint.", "WHENEVER İt rains", "ıf you want"])
def test_letters_that_are_another_in_a_search_of_any_case_are_seen(text: str) -> None:
    """A pattern that ignores case takes an old s for an s, and either other i for an i."""
    anything = Marked(re.compile(""), [])

    assert anything.is_in(text, text.lower())
