"""That each of two sentences has a number of its own is seen without reading them, and never wrongly."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.dream.comparing.numbers import have_own_numbers
from noctuary.dream.comparing.sameness import Relation, compare

LOTS = tomllib.loads((Path(__file__).parent / "dedup_pairs.toml").read_text())
BOTH_WAYS = [each for lot in LOTS.values() for _, _, new, old in lot for each in ((new, old), (old, new))]
FULLER = (Relation.SAME, Relation.SAYS_MORE)
FORMS = (
    "We raised the limit from {} to {} rows.",
    "The pool holds {}, and a worker takes {} of them",
    "Port {} is for the shop; the tests use {}.",
    "Keep `{}` and ({}) as they are",
    "It was {}: now it is {}!",
)
# Numbers that stand alone and such as mean another number than they look like, or none.
NUMBERS = (
    *("2", "10", "30", "60", "100", "1000", "14", "037", "two", "ten", "thirty", "hundred", "1,000", "1_000", "1k"),
    *("30s", "30 seconds", "half a minute", "2 pm", "14:00", "02:00", "3.12", "3.12.1", "v2", "k8s", "30%", "10 k"),
    *("2026-03-01", "#30", "a30", "30-60", "30 -> 60", "shop_30", "src/30.py", "10 min", "an hour", "1 hour"),
)


def test_no_labelled_pair_that_says_as_much_has_own_numbers() -> None:
    """Whichever of both is the new one."""
    fuller = [pair for pair in BOTH_WAYS if compare(*pair) in FULLER]
    assert len(fuller) > 500
    assert [pair for pair in fuller if have_own_numbers(*pair)] == []


@given(st.sampled_from(FORMS), *[st.sampled_from(NUMBERS)] * 4)
def test_what_has_own_numbers_never_says_as_much(form: str, a: str, b: str, c: str, d: str) -> None:
    """In sentences that are the same but for their numbers, however these are written."""
    one, other = form.format(a, b), form.format(c, d)
    if have_own_numbers(one, other):
        assert compare(one, other) not in FULLER
        assert compare(other, one) not in FULLER


@pytest.mark.parametrize(
    ("one", "other", "have"),
    [
        ("Raise it from 30 to 60.", "Raise it from 5 to 90.", True),
        ("Raise it from 30 to 60.", "Raise it from 30 to 90.", True),
        ("Raise it from 30 to 60.", "Raise it to 60.", False),
        ("Raise it to 60.", "Raise it.", False),
        ("Two workers use 30.", "Four workers use 60.", True),
        ("Two workers use 4.", "Four workers use 2.", False),
        ("Raise it to 1,000 at 14:00.", "Raise it to 30.", False),
        ("Raise it to 60 seconds.", "Raise it to 30.", False),
        ("把超时改为 30 。", "Raise it to 60.", False),
        ("Raise it to 30." + " It was low." * 200, "Raise it to 60.", False),
    ],
)
def test_numbers_are_own_if_both_have_one_for_sure(one: str, other: str, have: bool) -> None:
    """What may mean another number than it looks like leaves it open; so does a text that is not read to its end."""
    assert have_own_numbers(one, other) is have
    assert have_own_numbers(other, one) is have
