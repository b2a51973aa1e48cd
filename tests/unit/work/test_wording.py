"""Titles, headlines and texts, and names in sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.errors import BadInput, NodeNotFound
from noctuary.work.wording import LONGEST_HEADLINE, first_of, headline_of, only_one, title_of, with_article, words_of


@given(st.text())
def test_titles_are_lines(text: str) -> None:
    """Whatever is typed, a title is one line without controls, and a title of a title is itself."""
    try:
        title = title_of(text)
    except BadInput:
        return
    assert title == title_of(title) == " ".join(title.split())
    assert not any(letter in title for letter in "\n\r\t\x00\x1b\u202e\u200b")


@given(st.text())
def test_headlines_are_short_titles(text: str) -> None:
    """A headline is a title and short, whatever the text."""
    try:
        headline = headline_of(text)
    except BadInput:
        return
    assert headline == title_of(headline)
    assert len(headline) <= LONGEST_HEADLINE


def test_a_headline_ends_at_a_word() -> None:
    """A long first line is cut between words, and says that it was cut."""
    assert headline_of("\n\nShort.\nMore") == "Short."
    assert headline_of("word " * 60).endswith("word…")


def test_words_have_an_end() -> None:
    """Texts are kept as they are but for the space around them; those that are too long are refused."""
    assert words_of(" a\n\nb ", "goal") == "a\n\nb"
    with pytest.raises(BadInput, match="The goal has 100,001 characters"):
        words_of("x" * 100_001, "goal")


def test_names_are_listed_up_to_a_few() -> None:
    """The first few are named, the others counted."""
    assert first_of(["a", "b"]) == "a, b"
    assert first_of(["a", "b", "c"], 2, "; ") == "a; b and 1 more"
    assert first_of([]) == ""


def test_a_beginning_names_one_thing_or_none() -> None:
    """What begins more than one id says which."""
    assert only_one(["t-1"], "t", "id", NodeNotFound) == "t-1"
    assert only_one([], "t", "id", NodeNotFound) is None
    with pytest.raises(NodeNotFound, match="More than one id begins with 't': t-1, t-2 …"):
        only_one(["t-1", "t-2"], "t", "id", NodeNotFound)


def test_nouns_have_their_article() -> None:
    """An option, a task."""
    assert [with_article("option"), with_article("task")] == ["an option", "a task"]
