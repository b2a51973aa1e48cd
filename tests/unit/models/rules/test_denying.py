"""Whether one text denies or changes what another says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.models.rules.denying import content_words, has_other_numbers, is_denied


def test_words_are_compared_without_their_endings() -> None:
    """And without the short ones."""
    assert content_words("The importer, of importing it") == content_words("Imports an IMPORT") == {"import"}


def denies(one: str, other: str) -> bool:
    return is_denied(one, other, content_words(one) & content_words(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Always use Redis for sessions", "never use Redis for sessions"),
        ("The cause is the missing lock", "the cause is not the missing lock"),
        ("Use Redis, not Postgres", "Use Postgres, not Redis"),
        ("Immer Redis für Sitzungen verwenden", "Redis nicht für Sitzungen verwenden"),
    ],
)
def test_a_denial_denies_what_follows_in_its_clause(one: str, other: str) -> None:
    """Whichever of the two has it."""
    assert denies(one, other)
    assert denies(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never use Redis for sessions", "don't use Redis for the sessions"),
        ("Use Redis for sessions, never files", "Use Redis for sessions"),
        ("Prices are kept in cents", "The prices are kept in cents"),
    ],
)
def test_what_both_deny_or_neither_does_is_no_contradiction(one: str, other: str) -> None:
    """Nor what is denied only by the way."""
    assert not denies(one, other)


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("at most 10 MB", "at most 25 MB", True),
        ("at most 10 MB in 3 parts", "at most 10 MB", False),
        ("at most 10 MB", "at most a few", False),
        ("see a1.py and v1.2.3-x", "see a2.py and v1.2.4-x", False),
    ],
)
def test_numbers_differ_if_none_is_in_both(one: str, other: str, differ: bool) -> None:
    """Digits within names are no numbers."""
    assert has_other_numbers(one, other) is differ


@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    """In either order with the same answer, and none denies itself."""
    assert denies(one, other) == denies(other, one)
    assert has_other_numbers(one, other) == has_other_numbers(other, one)
    assert not content_words(one) or not denies(one, one)
