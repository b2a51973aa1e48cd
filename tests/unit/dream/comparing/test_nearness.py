"""Whether two sentences can have to do with one another is seen by their words, and never wrongly denied."""

import tomllib
from pathlib import Path

import pytest

from noctuary.dream.comparing.nearness import is_near_or_apart, may_be_near, near_places, telling_words
from noctuary.dream.comparing.sameness import Relation, compare
from noctuary.dream.merging.contradicting import is_contradiction, may_say_otherwise

LOTS = tomllib.loads((Path(__file__).parent / "dedup_pairs.toml").read_text())
PAIRS = [pair for lot in LOTS.values() for pair in lot]
NEAR = (Relation.SAME, Relation.SAYS_MORE, Relation.CONTRADICTS)


def test_whatever_says_the_same_more_or_the_opposite_is_near() -> None:
    """No labelled pair that is judged so is passed over, whichever of both is the new one."""
    both_ways = [each for _, _, new, old in PAIRS for each in ((new, old), (old, new))]
    missed = [pair for pair in both_ways if compare(*pair) in NEAR and not may_be_near(*pair)]
    assert len(both_ways) > 1_500
    assert missed == []


def test_whatever_contradicts_in_what_it_claims_may_say_otherwise() -> None:
    """No labelled pair that contradicts is passed over, whatever reasons are given."""
    reason = ", because the nightly import of invoices took longer than the maintenance window allows"
    longer = [(new.rstrip(".") + reason, old) for _, _, new, old in PAIRS if is_contradiction(new, old)]
    assert len(longer) > 100
    assert [pair for pair in longer if is_contradiction(*pair) and not may_say_otherwise(*pair)] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The cache holds 512 entries and is cleared at midnight", "Deploys go out on Tuesdays after the review"),
        ("Use Postgres for jobs", "The button is green"),
    ],
)
def test_sentences_without_a_word_in_common_are_not_near(one: str, other: str) -> None:
    """What shares no word is not read at all."""
    assert not may_be_near(one, other)
    assert not may_say_otherwise(one, other)


def test_scripts_without_spaces_are_always_near() -> None:
    """Where words are not apart, it cannot be seen by them."""
    assert may_be_near("缓存必须在部署前清空", "Deploys go out on Tuesdays")
    assert may_be_near("", "Deploys go out on Tuesdays")


def test_of_many_the_same_are_near_as_one_by_one() -> None:
    """To look at a list at once passes over none and adds none, whatever script it is in."""
    others = [text for _, _, new, old in PAIRS[::7] for text in (new, old)] + ["", "Über uns", "今日はデプロイしない"]
    for one in [*others[::20], "", "今日はデプロイしない"]:
        near = [place for place, other in enumerate(others) if may_be_near(one, other)]
        assert [*near_places(one, others)] == near
        assert [place for place, other in enumerate(others) if is_near_or_apart(one, other)] == near


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Cache of `img_v2.py` holds 512 rows", {"cache", "img", "v2", "py", "holds", "512", "rows"}),
        ("Don’t deploy — nightly…", {"deploy", "nightly"}),
        ("Der Schlüssel ist weg", None),
    ],
)
def test_words_that_tell_something_are_small_and_apart(text: str, words: set[str] | None) -> None:
    """Words are told apart by all that is no letter and no digit; of other letters than ASCII nothing is said."""
    found = telling_words(text)
    assert (found and found - {"don", "t"}) == words
