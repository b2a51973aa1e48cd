"""Whether the best of what was found is an answer at all."""

from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from noctuary.recall.candidates import Candidates, Word
from noctuary.recall.query import parse
from noctuary.recall.scan import Likeness
from noctuary.recall.scoring import Scored
from noctuary.recall.strength import ENOUGH_WORDS, MOSTLY_SEEN, Strength, strength
from noctuary.records import Term
from noctuary.store import keys
from noctuary.text import fold_text

NOW = 1_772_366_400_000
QUERY = parse("apricot orchard ladder", NOW)
PHRASE = parse('ladder "apricot orchard"', NOW)
TOTAL = 10.0
SEEN = 100_000  # messages

shares = st.floats(0, 1)
sizes = st.integers(1, 10**9)
models = st.none() | st.lists(st.floats(-1, 1), min_size=1, max_size=20)


def found() -> Candidates:
    """The words of a query that are worth ten."""
    return Candidates(words=[Word(term=Term(words=("apricot",)), worth=TOTAL)])


def best(covered: float, *reasons: str) -> list[Scored]:
    """A best message with so much of what was asked, and one behind it with less."""
    return [
        Scored(key=keys.pack(1, place), why=dict.fromkeys(reasons, 1.0), worth=TOTAL * covered / place)
        for place in (1, 2)
    ]


def model(values: list[float] | None) -> Likeness | None:
    """A model that finds messages so alike, or none."""
    return None if values is None else Likeness(np.arange(len(values), dtype=np.int64), np.array(values))


@cache
def standing_out(top: float) -> Likeness:
    """A model to which one of many messages is so alike, and the others are not at all."""
    return Likeness(np.arange(SEEN, dtype=np.int64), np.array([top] + [0.0] * (SEEN - 1)))


def value(covered: float, messages: int = 100, likeness: Likeness | None = None) -> float:
    """The strength of a best message with so much of what was asked."""
    return strength(best(covered), found(), QUERY, likeness, messages).value


@given(shares, sizes, models)
def test_strength_is_a_share(covered: float, messages: int, values: list[float] | None) -> None:
    """It is a number from 0 to 1, whatever the memory, the words and the model."""
    assert 0 <= value(covered, messages, model(values)) <= 1


@given(shares, shares, sizes, models)
def test_strength_grows_with_words(one: float, other: float, messages: int, values: list[float] | None) -> None:
    """Who has more of what was asked is never a weaker answer."""
    less, more = sorted((one, other))

    assert value(less, messages, model(values)) <= value(more, messages, model(values))


def test_strength_tells_words_apart() -> None:
    """It does grow: nearly nothing is no answer, a third is one in a small memory, most is certain."""
    assert value(0.01) < 0.5 < value(0.33) < value(ENOUGH_WORDS) == 1


@given(shares, sizes, sizes)
def test_a_large_memory_asks_for_more_words(covered: float, one: int, other: int) -> None:
    """Something always has some of the words where there is much."""
    small, large = sorted((one, other))

    assert value(covered, large) <= value(covered, small)


@given(shares, st.integers(1, 2 * SEEN), st.integers(1, 2 * SEEN), st.sampled_from([0.1, 0.3, 0.5, 0.7]))
def test_a_large_memory_asks_for_more_likeness(covered: float, one: int, other: int, top: float) -> None:
    """Something always looks alike where there is much."""
    small, large = sorted((one, other))

    assert value(covered, large, standing_out(top)) <= value(covered, small, standing_out(top))


@pytest.mark.parametrize("messages", [1_000, 2_000, 20_000])
def test_how_much_a_large_memory_asks_for(messages: int) -> None:
    """The same is a weaker answer in a memory ten times as large, by words and by meaning."""
    assert value(0.2, messages) > value(0.2, messages * 10)
    assert value(0.0, messages, standing_out(0.4)) > value(0.0, messages * 10, standing_out(0.4))


@given(st.floats(ENOUGH_WORDS, 1), sizes, models)
def test_most_of_the_words_are_an_answer(covered: float, messages: int, values: list[float] | None) -> None:
    """Whatever a model thinks of it and however large the memory is."""
    assert value(covered, messages, model(values)) == 1


@given(shares, sizes, models)
def test_what_was_demanded_is_an_answer(covered: float, messages: int, values: list[float] | None) -> None:
    """A name as it was typed, or a phrase that must occur, is what was asked for."""
    likeness = model(values)

    assert strength(best(covered, "as typed"), found(), QUERY, likeness, messages).value == 1
    assert strength(best(covered), found(), PHRASE, likeness, messages).value == 1


@given(shares, st.integers(0, 1_000), st.floats(-1, 1), st.integers(1, 10**6))
def test_a_model_that_has_seen_little_does_not_refuse(covered: float, seen: int, liked: float, messages: int) -> None:
    """Who has read less than half of the messages cannot tell that there is nothing: words alone decide."""
    assume(seen < MOSTLY_SEEN * messages)
    likeness = Likeness(np.arange(seen, dtype=np.int64), np.full(seen, liked))

    assert value(covered, messages, likeness) == value(covered, messages)


@pytest.mark.parametrize(("top", "is_enough"), [(0.9, True), (0.5, True), (0.2, False), (0.0, False)])
def test_meaning_can_answer_alone(top: float, is_enough: bool) -> None:
    """Without one word of the question, what stands out in meaning is an answer, and what does not is none."""
    likeness = Likeness(np.arange(200, dtype=np.int64), np.array([top] + [0.0] * 199))

    assert strength(best(0.0), found(), QUERY, likeness, 200).is_enough == is_enough


@given(shares, st.floats(0.0, 0.9))
def test_what_is_usual_is_nothing_special(covered: float, usual: float) -> None:
    """A model to which everything is alike says nothing, however alike that is."""
    flat = [Likeness(np.arange(50, dtype=np.int64), np.full(50, each)) for each in (usual, 0.0)]

    assert value(covered, 50, flat[0]) == value(covered, 50, flat[1])


@given(shares)
def test_about_somebody_else_is_no_answer(share: float) -> None:
    """However strong it is otherwise."""
    assert not Strength(share, is_about_others=True).is_enough
    assert Strength(share).is_enough == (share >= 0.5)


@pytest.mark.parametrize(("speaker", "is_enough"), [("Caroline", True), ("Melanie", False)])
def test_who_is_asked_for_must_be_meant(speaker: str, is_enough: bool) -> None:
    """All words but the name say nothing if they are about somebody else."""
    assert about(speaker, "did Caroline win the charity race?").is_enough == is_enough


@pytest.mark.parametrize("question", ['Caroline "charity race"', "Caroline race E-4711"])
def test_what_was_demanded_is_an_answer_about_anybody(question: str) -> None:
    """Who types a phrase or a name exactly is shown where it stands, whomever that is about."""
    assert about("Melanie", question).is_enough


def about(speaker: str, question: str) -> Strength:
    """The strength of a sentence of this speaker, in a conversation of two."""
    texts = [f"{speaker}: I won the charity race E-4711.", *["Caroline: Hello.", "Melanie: Nice."] * 3]
    query = parse(question, NOW)
    candidates = Candidates(words=[Word(term=term, worth=1.0) for term in (*query.terms, *query.required)])
    scored = [
        Scored(key=keys.pack(1, place), why={}, worth=1.0, text=text, lowered=fold_text(text))
        for place, text in enumerate(texts, start=1)
    ]
    scored[0].why = {"as typed": 1.0} if query.literals else {}
    return strength(scored, candidates, query, None, 100)
