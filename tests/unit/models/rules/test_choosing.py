"""Which candidates are kept."""

from hypothesis import given
from hypothesis import strategies as st

from noctuary.authored import EventType
from noctuary.models.rules.candidates import LEAST_SCORE, Candidate
from noctuary.models.rules.choosing import choose, content_words, most_for
from noctuary.records import Message
from tests.unit.models.rules.talking import agent

TEXTS = ["The cache holds everything in memory", "Prices are kept in cents", "Redis was turned down for its cost"]
LONG = [agent("x" * 5_000, id=n) for n in range(1, 5)]


def candidate(text: str, score: float = 5.0, message: Message | None = None) -> Candidate:
    return Candidate(EventType.FINDING, score, message or LONG[0], 0, 1, text, "answer")


def test_the_best_come_in_order() -> None:
    """Not by how much speaks for them, but as they were said."""
    found = [
        candidate(text, score, LONG[n]) for n, (text, score) in enumerate(zip(TEXTS, (4.0, 9.0, 5.0), strict=True))
    ]

    assert [each.text for each in choose(reversed(found), LONG)] == TEXTS


def test_too_little_is_not_enough() -> None:
    """A session may have nothing to keep."""
    assert choose([candidate(TEXTS[0], LEAST_SCORE - 0.5)], LONG) == []


def test_what_is_said_twice_is_kept_once() -> None:
    """What says it again supports it, and may lift it over the bar."""
    first, again = candidate(TEXTS[0], LEAST_SCORE - 0.5), candidate(f"{TEXTS[0]}!", LEAST_SCORE - 1.0, LONG[1])

    [kept] = choose([first, again], LONG)

    assert kept.text == TEXTS[0]
    assert [message.id for message in kept.support] == [2]


def test_an_echo_in_the_same_message_counts_nothing() -> None:
    """Nobody is his own witness."""
    assert choose([candidate(TEXTS[0], LEAST_SCORE - 0.5), candidate(TEXTS[0], LEAST_SCORE - 0.5)], LONG) == []


def test_a_session_bears_what_its_length_bears() -> None:
    """A few always, a dozen usually, and more only for much more talk."""
    bears = [most_for([agent("x" * 1_000)] * talk) for talk in (0, 3, 10, 30, 100)]

    assert bears[0] == 4
    assert bears == sorted(set(bears))
    assert bears[-1] == 24
    assert len(choose([candidate(letter * 5) for letter in "abcdefghi"], [])) == 4


def test_pasted_books_bear_nothing() -> None:
    """They are no talk."""
    assert most_for([agent("x" * 50_000)]) == most_for([])


@given(st.lists(st.sampled_from(TEXTS), max_size=8), st.lists(st.sampled_from([1.0, 2.5, 3.0, 7.0]), min_size=8))
def test_nothing_is_kept_twice(said: list[str], scores: list[float]) -> None:
    """Whatever is said how often, and with how much to speak for it."""
    found = [candidate(text, score, LONG[n % 4]) for n, (text, score) in enumerate(zip(said, scores, strict=False))]

    kept = choose(found, LONG)

    assert len({each.text for each in kept}) == len(kept)
    assert all(each.score >= LEAST_SCORE for each in kept)


def test_words_are_compared_without_their_endings() -> None:
    """And without the short ones."""
    assert content_words("The importer, of importing it") == content_words("Imports an IMPORT") == {"import"}
