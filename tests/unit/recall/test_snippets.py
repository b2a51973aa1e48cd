"""The place that matched, shown and marked."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.recall.query import parse
from noctuary.recall.snippets import LEAD_CHARACTERS, SNIPPET_CHARACTERS, escape, matches, snippet


def shown(text: str, query: str) -> str:
    """The snippet for a query."""
    return snippet(text, parse(query, 0))


def test_without_a_match_the_beginning_is_shown() -> None:
    """A neighbour of what matched is shown from its start."""
    assert shown("nothing of the kind", "apricot") == "nothing of the kind"


def test_all_matches_in_sight_are_marked() -> None:
    """Every word of the query, in any form, wherever it stands."""
    assert shown("apricots and an Apricot", "apricot") == ">>>apricots<<< and an >>>Apricot<<<"


def test_the_densest_part_is_shown() -> None:
    """Where most of the query is, there the snippet is."""
    text = "apricot " + "filler " * 200 + "apricot orchard ladder" + " filler" * 200

    assert ">>>apricot<<< >>>orchard<<< >>>ladder<<<" in shown(text, "apricot orchard ladder")


def test_words_stay_whole() -> None:
    """The snippet begins and ends at a space, if there is one near."""
    text = "filler " * 100 + "apricot" + " filler" * 100

    bare = shown(text, "apricot").strip("…").replace(">>>", "").replace("<<<", "")
    assert set(bare.split()) == {"filler", "apricot"}


def test_the_match_has_a_lead() -> None:
    """What stands before the match helps to understand it, but does not push it out."""
    place = shown("x" * 10_000 + "apricot" + "x" * 10_000, "apri*")

    assert len(place) <= SNIPPET_CHARACTERS + 20
    assert LEAD_CHARACTERS < SNIPPET_CHARACTERS


@pytest.mark.parametrize("text", [">>>", "<<<", "a >>> b", ">>>>", "<<<<<<<"])
def test_markers_of_the_text_are_escaped(text: str) -> None:
    """Taking the escapes away gives the text back."""
    assert escape(text).replace("\\", "") == text
    assert not escape(text).startswith(">>>")


@given(
    text=st.text("abc >é支付あİ<\n.", max_size=80),
    query=st.text("abc é支付あİ.*", min_size=1, max_size=12),
)
def test_a_snippet_is_the_text_with_marks(text: str, query: str) -> None:
    """Without marks and escapes a short text is what it was: nothing is lost, moved or changed."""
    parsed = parse(query, 0)
    spans = matches(text, parsed)

    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert sum(len(part) for part in _unmarked(text, spans)) == len(text)
    assert shown(text, query).count(">>>") >= len(spans)


def _unmarked(text: str, spans: list[tuple[int, int]]) -> list[str]:
    ends = [0, *(place for span in spans for place in span), len(text)]
    return [text[start:end] for start, end in pairwise(ends)]
