"""The words, numbers and names of a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.dream.comparing.sentence import concept_of, directed, pieces, values


def concepts(text: str) -> list[str]:
    """What a text speaks of, in order."""
    return [piece.concept for piece in pieces(text) if piece.concept]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("30s", "30 seconds"),
        ("30-second", "30 s"),
        ("2 minutes", "120s"),
        ("10 MB", "10MB"),
        ("five", "5"),
        ("1,000", "1000"),
        ("v19", "19"),
        ("useSwipeQueue", "use_swipe_queue"),
        ("the config", "the configuration"),
        ("chose", "picked"),
        ("Go 1.22", "golang 1.22"),
        ("isn't", "is not"),
        ("02:00", "2 am"),
        ("14:30", "2:30 pm"),
        ("one hour", "60 minutes"),
        ("12 am", "00:00"),
    ],
)
def test_what_means_the_same_is_one_concept(one: str, other: str) -> None:
    """Units, spelled numbers, versions, identifiers and synonyms."""
    assert concepts(one) == concepts(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("30s", "30m"),
        ("2 am", "2 pm"),
        ("02:00", "02:30"),
        ("orders", "sorted"),
        ("test", "spec"),
        ("3.11", "3.12"),
        ("10 MB", "10 GB"),
        ("Redis", "Kafka"),
    ],
)
def test_what_differs_stays_apart(one: str, other: str) -> None:
    """Another unit is another number."""
    assert concepts(one) != concepts(other)


def test_the_last_name_of_a_path_tells_the_most() -> None:
    """Folders say where it is, an ending hardly anything."""
    weights = {piece.concept: piece.weight for piece in pieces("src/parser/lines.py")}

    assert weights[concept_of("lines")] > weights["src"] > weights[concept_of("py")]


def test_tables_are_consistent() -> None:
    """No value or directed word is one that tells nothing."""
    assert "" not in values()
    assert "" not in directed()


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    """And no piece has a weight without a concept."""
    assert all(piece.weight == 0 for piece in pieces(text) if not piece.concept)
