"""Words in a text, without an index."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.recall.wording import beginning_of, has_word
from noctuary.records import Term
from noctuary.text import fold_text

letters = st.text("abcdeinsy", min_size=1, max_size=8)


def stands_in(word: str, text: str) -> bool:
    """Whether the word of a query stands in the text."""
    return has_word(fold_text(text), beginning_of(Term(words=(word,))))


@pytest.mark.parametrize(
    ("text", "beginning", "expected"),
    [
        ("the server", "serv", True),
        ("observer", "serv", False),
        ("observe the server", "serv", True),
        ("a-server", "serv", True),
        ("src/server.py", "serv", True),
        ("max_server", "serv", True),
        ("v2server", "serv", False),
        ("serv", "serv", True),
        ("ser", "serv", False),
        ("", "serv", False),
    ],
)
def test_a_word_counts_from_its_beginning(text: str, beginning: str, expected: bool) -> None:
    """A word counts from its beginning, not from its middle, also behind a sign."""
    assert has_word(text, beginning) is expected


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("server", "all Servers are up"),
        ("servers", "the server"),
        ("running", "it runs"),
        ("deployed", "we deploy"),
        ("Redis", "REDIS"),
        ("a", "a"),
        ("E-1234", "E-1234"),
    ],
)
def test_inflections_find_each_other(word: str, text: str) -> None:
    """Any form of a word finds the others, in any case."""
    assert stands_in(word, text)


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("café", "un café noir"),
        ("cafe", "un Cafe\u0301 noir"),
        ("Zoë", "ask Zoe"),
        ("支付", "我们的支付服务"),
        ("ponies", "one pony"),
    ],
)
def test_every_word_finds_itself_in_a_text(word: str, text: str) -> None:
    """Accents, unspaced scripts and a final y are no hindrance."""
    assert stands_in(word, text)


@given(letters, letters, letters)
def test_a_word_finds_itself(before: str, word: str, after: str) -> None:
    """Whatever stands around it, a word that is there is found."""
    assert stands_in(word, f"{before} {word} {after}")
    assert stands_in(word, word)


@given(letters, letters)
def test_inside_of_another_word_is_nowhere(before: str, word: str) -> None:
    """A beginning that stands only inside of words is not found."""
    beginning = beginning_of(Term(words=(word,)))

    assert has_word(before + beginning, beginning) == (before + beginning).startswith(beginning)


@given(letters, letters)
def test_of_words_in_a_row_the_last_is_inflected(first: str, last: str) -> None:
    """A phrase is looked for by its last word, which has at least one letter."""
    beginning = beginning_of(Term(words=(first, last)))

    assert beginning
    assert last.startswith(beginning)
