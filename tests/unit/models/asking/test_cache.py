"""Answers that are kept."""

from hypothesis import given
from hypothesis import strategies as st

from noctuary.models.asking.cache import InMemoryCache, key_of

parts = st.lists(st.text(st.characters(exclude_categories=())), max_size=4)


def test_an_answer_is_kept_by_its_key() -> None:
    """The last one counts; what was never kept is not there."""
    cache = InMemoryCache()
    cache.put("a", "one")
    cache.put("a", "two")

    assert cache.get("a") == "two"
    assert cache.get("b") is None


@given(parts, parts)
def test_other_questions_have_other_keys(first: list[str], second: list[str]) -> None:
    """The same words in the same places, and nothing else, have the same key."""
    assert (key_of(*first) == key_of(*second)) is (first == second)


def test_a_key_is_the_same_tomorrow() -> None:
    """It is kept in a database."""
    assert key_of("model", "system", "prompt") == "5ce3485690511ea2b3c56b91612e40ee"
