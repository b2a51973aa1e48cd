"""Texts within a number of characters: where they are cut, and how room is shared."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.work.cutting import border, cut, fitted, length, shares

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
FLAGS = "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7"
CLUSTERS = st.lists(
    st.sampled_from(
        ["a", " ", ". ", "é", "e\u0301\u0323", "日", "。", FAMILY, "\U0001f44d\U0001f3fd", FLAGS[:2], "क्षि", "각"]
    )
).map("".join)


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("Short.", 6, "Short."),
        ("One sentence. Another one follows here.", 20, "One sentence. …"),
        ("words without any end of a sentence", 20, "words without any…"),
        ("日本語の文章です。続きの文章もあります。", 14, "日本語の文章です。 …"),
        ("日本語の文章が続いています", 6, "日本語の文…"),
        ("abcdefghij", 1, "…"),
        ("abcdefghij", 0, ""),
        ("abcdefghij", -5, ""),
        ("v1.2.3 stays together as one word here", 22, "v1.2.3 stays together…"),
    ],
)
def test_a_text_ends_with_a_sentence_or_a_word(text: str, most: int, shown: str) -> None:
    """A sentence if one ends in the second half of the room, else a word, else a character."""
    assert cut(text, most) == shown


@pytest.mark.parametrize(
    "cluster", ["e\u0301\u0323", FAMILY, "\U0001f44d\U0001f3fd", "❤\ufe0f", "क्षि", "\ud83d\ude00", "각"]
)
def test_a_character_stays_whole(cluster: str) -> None:
    """What people see as one character is never cut: accents, families, tones of skin, both halves of a pair."""
    text = f"ab{cluster}cd"

    assert {border(text, at) for at in range(2, 2 + len(cluster))} == {2}


def test_a_flag_stays_whole() -> None:
    """Two letters make a flag; the third begins the next one."""
    assert [border(FLAGS, at) for at in range(5)] == [0, 0, 2, 2, 4]


@given(CLUSTERS | st.text(), st.integers(-2, 80))
def test_what_is_cut_is_a_beginning_and_short_enough(text: str, most: int) -> None:
    """Never longer than asked for, never other words, and no accent is left behind."""
    shown = cut(text, most)

    assert len(shown) <= max(0, most)
    if shown != text and shown:
        kept = shown.removesuffix("…").rstrip()
        assert shown.endswith("…")
        assert text.startswith(kept)
        rest = text[len(kept) :]
        assert not kept or not rest or not unicodedata.combining(rest[0])


@given(st.lists(st.tuples(st.integers(0, 1_000), st.integers(1, 30)), max_size=12), st.integers(-5, 3_000))
def test_room_is_shared(given_sizes: list[tuple[int, int]], budget: int) -> None:
    """Nobody gets more than it needs, nobody less than its share if it needs it, and all of it together fits."""
    needs, weights = [need for need, _ in given_sizes], [weight for _, weight in given_sizes]
    got = shares(needs, weights, budget)
    total = sum(weights) or 1

    assert sum(got) <= max(0, budget)
    assert all(mine <= need for mine, need in zip(got, needs, strict=True))
    assert all(
        mine >= min(need, max(0, budget) * weight // total)
        for mine, need, weight in zip(got, needs, weights, strict=True)
    )
    if sum(needs) <= budget:
        assert got == needs


LINES = st.text(alphabet="ab .", min_size=1, max_size=300).map(lambda text: f"- {text}")


@given(st.lists(st.lists(LINES, min_size=1, max_size=4), max_size=8), st.integers(0, 1_500))
def test_blocks_fit(blocks: list[list[str]], budget: int) -> None:
    """Whatever the blocks are, their lines fit; if there is room for all, all are there as they are."""
    lines = fitted(blocks, budget)

    assert length(lines) <= budget or (length(lines) == 1 and not budget)
    if sum(map(length, blocks)) <= budget:
        assert lines == [line for block in blocks for line in block]


def test_a_long_block_leaves_room_for_the_others() -> None:
    """One entry of ten thousand characters is cut; those behind it are whole."""
    lines = fitted([[f"- {'long ' * 2_000}"], ["- second"], ["- third"]], 400)

    assert lines[0].endswith("…")
    assert len(lines[0]) > 300
    assert lines[1:] == ["- second", "- third"]


def test_what_has_no_room_is_counted() -> None:
    """The last ones are left out first, and it is said how many."""
    lines = fitted([[f"- {number} {'x' * 200}"] for number in range(10)], 520)

    assert lines[-1] == "- … and 5 more"
    assert [line[2] for line in lines[:-1]] == ["0", "1", "2", "3", "4"]
