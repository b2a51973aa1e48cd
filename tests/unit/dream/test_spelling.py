"""Names in which capitals matter."""

import pytest

from noctuary.dream.spelling import cased_names


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
