"""Whether two sentences say the same."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.dream.comparing.sameness import Relation, Signature, compare, relation, signature

LOTS: dict[str, list[list[str]]] = tomllib.loads(
    (Path(__file__).parent / "dedup_pairs.toml").read_text(encoding="utf-8")
)
PAIRS = [tuple(pair) for lot in LOTS.values() for pair in lot]
KINDS = sorted({pair[0] for pair in PAIRS})
SAME, SAYS_MORE, CONTRADICTS, RELATED, UNRELATED = Relation
LEAST_RIGHT = 0.97


@pytest.mark.parametrize("kind", KINDS)
def test_c12_pairs_are_judged_right(kind: str) -> None:
    """Of every kind of pair nearly all are judged right; exact lines, as in the reference, would find none of them."""
    pairs = [pair for pair in PAIRS if pair[0] == kind]
    wrong = [(new, old, compare(new, old)) for _, right, new, old in pairs if compare(new, old) not in right.split("|")]

    assert len(wrong) <= (1 - LEAST_RIGHT) * len(pairs) + 0.5, wrong


def test_there_are_enough_pairs_of_every_kind() -> None:
    """At least a hundred pairs, of sixteen kinds."""
    assert len(PAIRS) >= 100
    assert len({(new, old) for _, _, new, old in PAIRS}) == len(PAIRS)
    assert len(KINDS) >= 16


def test_journal_7_6_negated_and_swapped_facts_are_no_duplicates() -> None:
    """What has the same words but denies them, or swaps their numbers, is kept."""
    swapped = {
        "We do not use Redis": "We use Redis",
        "Raised the timeout from 30s to 60s": "Lowered the timeout from 60s to 30s",
        "timeout 30s → 60s": "timeout 60s → 30s",
        "The dev server listens on port 3000": "The dev server listens on port 3001",
    }

    assert {new: compare(new, old) for new, old in swapped.items()} == dict.fromkeys(swapped, CONTRADICTS)
    assert {compare(old, new) for new, old in swapped.items()} == {CONTRADICTS}


def test_journal_7_6_a_paraphrase_is_a_duplicate() -> None:
    """Other words for the same thing are no news."""
    said = "Chose SQLite over Postgres: simpler to "
    again = "Use SQLite instead of Postgres because embedding is simpler"
    assert compare(again, said + "embed") is SAME
    assert compare("Chose Postgres over SQLite: simpler to run", said + "run") is not SAME


def test_d49_case_and_white_space_make_no_difference() -> None:
    """Two lines that differ in nothing else are one."""
    assert compare("ALWAYS use  tabs.", "always use tabs") is SAME


def test_r7_names_that_differ_by_case_are_two() -> None:
    """Two ids that differ only by case are two ids; a brand, or a word at the beginning of a sentence, is one."""
    assert compare("Dream summary for completed session SessA", "Dream summary for completed session sessa") is not SAME
    assert compare("maxRetries is read from the environment", "maxretries is read from the environment") is not SAME
    assert compare("GitHub runs the tests", "Github runs the tests") is SAME
    assert compare("redis holds the sessions", "Redis holds the sessions") is SAME


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The timeout is 30s", "The timeout is 30 seconds"),
        ("The timeout is 1.5 minutes", "The timeout is 90 s"),
        ("Uploads are limited to 10 MB", "Uploads are limited to 10MB"),
        ("Use Node 20", "Use Node v20"),
        ("Keep 1,000 rows", "Keep 1000 rows"),
        ("Retry three times", "Retry 3 times"),
    ],
)
def test_numbers_are_compared_by_what_they_amount_to(new: str, old: str) -> None:
    """A unit or a separator that is written otherwise changes nothing."""
    assert compare(new, old) is SAME


@pytest.mark.parametrize(
    "said",
    [
        "Replaced moment with dayjs",
        "moment was replaced by dayjs",
        "Switched from moment to dayjs",
        "Use dayjs instead of moment",
        "Chose dayjs over moment",
        "moment -> dayjs",
    ],
)
def test_a_direction_is_the_same_in_any_construction(said: str) -> None:
    """Each says what is taken and what is left; with the two swapped each contradicts."""
    assert compare(said, "We use dayjs rather than moment") in (SAME, SAYS_MORE)
    assert compare(said, "We use moment rather than dayjs") is CONTRADICTS


def test_what_is_added_is_more_and_what_is_left_out_is_not() -> None:
    """A reason, a number or a name more says more; the same the other way round says nothing new."""
    short, long = "Avoid barrel files", "Avoid barrel files because they break tree shaking"

    assert compare(long, short) is SAYS_MORE
    assert compare(short, long) is SAME


def test_a_question_is_no_statement() -> None:
    """To ask whether is not to say so."""
    assert compare("Should we use Redis for sessions?", "We use Redis for sessions") is RELATED


def test_likeness_helps_but_never_overrules_a_guard() -> None:
    """A model may say that two sentences are alike; a negation or another number is still what it is."""
    new, old = "Crates leave the dock at dawn", "Crates depart from the dock early"

    assert compare(new, old, likeness=0.95) is SAME
    assert compare(new, old) is not SAME
    assert compare("We do not use Redis", "We use Redis", likeness=0.99) is CONTRADICTS
    assert compare("port 3000", "port 3001", likeness=0.99) is not SAME


def test_signatures_are_compared_as_their_texts_are() -> None:
    """What was read once need not be read again."""
    assert all(relation(signature(new), signature(old)) is compare(new, old) for _, _, new, old in PAIRS)
    assert isinstance(signature("Use tabs"), Signature)


TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from([word for pair in PAIRS for word in f"{pair[2]} {pair[3]}".split()]), max_size=20).map(
        " ".join
    ),
)


@given(TEXTS)
def test_every_text_is_the_same_as_itself(text: str) -> None:
    """Whatever a text is made of."""
    assert compare(text, text) is SAME


@given(TEXTS, TEXTS)
def test_any_two_texts_can_be_compared(new: str, old: str) -> None:
    """Nothing that can be written keeps two texts from being compared, and a contradiction is one from either side."""
    found = compare(new, old)

    assert found in Relation
    assert (found is UNRELATED) == (compare(old, new) is UNRELATED)


def test_empty_texts_are_related_to_nothing() -> None:
    """What says nothing says nothing of anything."""
    assert compare("", "We use Redis") is UNRELATED
    assert compare("the of and", "We use Redis") is UNRELATED
