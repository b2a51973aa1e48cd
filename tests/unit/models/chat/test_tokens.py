"""Guessing how many tokens a text has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.models.chat.tokens import tokens_of


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("four", 1), ("fives", 2), ("中文", 2), ("中文 and English", 2 + 3)]
)
def test_a_token_is_four_characters_or_one_of_another_script(text: str, tokens: int) -> None:
    """Nobody is surprised by how long a Chinese session is."""
    assert tokens_of(text) == tokens


@given(st.text(), st.text())
def test_more_text_has_more_tokens(first: str, second: str) -> None:
    """No text makes another one shorter."""
    assert max(tokens_of(first), tokens_of(second)) <= tokens_of(first + second) <= tokens_of(first) + tokens_of(second)
