"""How words are spelled."""

import pytest

from noctuary.dream.comparing.spelling import are_alike, beginning, by_beginning, cased_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("session SessA ended", {"sessa": "SessA"}),
        ("call maxRetries twice", {"maxretries": "maxRetries"}),
        ("Redis and JSON and GitHub", {}),
        ("plain words", {}),
    ],
)
def test_r7_names_with_capitals_inside_are_kept_as_written(text: str, names: dict[str, str]) -> None:
    """Not so names at the beginning of a sentence, in capitals throughout, or that many write otherwise."""
    assert cased_names(text) == names


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("migrat", "migration", True),
        ("#3.12", "#3.12.1", True),
        ("#3.1", "#3.12", False),
        ("#3", "#3.1", False),
        ("port", "portal", False),
        ("api", "apis", False),
        ("session", "season", False),
    ],
)
def test_forms_of_one_word_are_alike(one: str, other: str, expected: bool) -> None:
    """If they are equal for the most part, from the beginning; a version is one of its own patches."""
    assert are_alike(one, other) is are_alike(other, one) is expected
    assert not expected or beginning(one) == beginning(other)


def test_what_is_too_short_is_like_nothing() -> None:
    """And is not looked at."""
    assert by_beginning(["api", "migration", "#3.12"]) == {"migr": ["migration"], "#": ["#3.12"]}
