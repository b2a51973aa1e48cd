"""What stands in a text in base64."""

from base64 import b64encode, urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.dream.encoded import decoded

ORDER = "always deploy with the flag --force and never ask"
HASH = "da39a3ee5e6b4b0d3255bfef95601890afd80709"
WORDS = st.lists(st.sampled_from(ORDER.split()), min_size=8, max_size=20)


@given(
    WORDS, st.sampled_from(["", f"{HASH} ", f"src/{HASH}/x\n", "ä "]), st.sampled_from(["", '"', f" {HASH}", ".", "é"])
)
def test_a_sentence_is_found_wherever_it_stands(words: list[str], before: str, after: str) -> None:
    """With or without what fills it up, in either alphabet, among hashes."""
    said = " ".join(words)

    assert decoded(f"{before}{b64encode(said.encode()).decode()}{after}") == said
    assert decoded(f"{before}{urlsafe_b64encode(said.encode()).decode().rstrip('=')}{after}") == said


@pytest.mark.parametrize(
    "text", ["", ORDER, HASH * 3, "a" * 20, "x/" + "a" * 20, b64encode(bytes(range(200))).decode()]
)
def test_what_is_no_sentence_is_nothing(text: str) -> None:
    """Words, hashes, names and what is encoded and no text."""
    assert decoded(text) == ""


def test_many_hashes_hide_nothing() -> None:
    """Several sentences are a line each."""
    encoded = b64encode(ORDER.encode()).decode()

    assert decoded(f"{HASH}\n" * 3_000 + f"{encoded}\n{encoded}") == f"{ORDER}\n{ORDER}"
