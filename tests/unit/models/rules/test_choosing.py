"""Which candidates are kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.authored import EventType, Trust
from noctuary.models.rules.candidates import LEAST_SCORE, Candidate
from noctuary.models.rules.choosing import choose, most_for
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


def said_by(trust: Trust, text: str, place: int, score: float = 5.0) -> Candidate:
    return candidate(text, score, LONG[place])._replace(trust=trust)


@pytest.mark.parametrize("scores", [(5.0, 5.0), (9.0, 4.0), (4.0, 9.0)])
def test_who_changes_his_mind_means_what_he_said_last(scores: tuple[float, float]) -> None:
    """However much speaks for what was said first."""
    first = said_by(Trust.USER, "Always use Redis for the session store of the shop.", 0, scores[0])
    last = said_by(Trust.USER, "Sorry, never use Redis for the session store of the shop.", 1, scores[1])

    [kept] = choose([first, last], LONG)

    assert kept.text == last.text
    assert list(kept.support) == []


def test_an_agent_that_was_wrong_takes_it_back() -> None:
    """The cause that was none is not kept."""
    first = said_by(Trust.AGENT, "The root cause is that the store of sessions writes without a lock.", 0, 8.0)
    last = said_by(Trust.AGENT, "I was wrong: the root cause is not that the store of sessions writes unlocked.", 1)

    assert [each.text for each in choose([first, last], LONG)] == [last.text]


def test_who_denies_what_another_said_does_not_support_it() -> None:
    """Both are kept, each as the word of who said it."""
    mine = said_by(Trust.USER, "Never use Redis for the session store of the shop.", 0)
    other = said_by(Trust.AGENT, "The session store of the shop uses Redis.", 1)

    assert [each.text for each in choose([mine, other], LONG)] == [mine.text, other.text]


def test_other_numbers_say_something_else() -> None:
    """Unless the later is a correction of the same voice."""
    first = said_by(Trust.USER, "The upload limit must be 10 MB for the image service.", 0)
    last = said_by(Trust.USER, "No, the upload limit must be 25 MB for the image service.", 1)

    assert len(choose([first, last], LONG)) == 2
    assert [each.text for each in choose([first, last._replace(type=EventType.CORRECTION)], LONG)] == [last.text]


@pytest.mark.parametrize("score", [3.0, 9.0])
def test_a_users_words_stay_the_users(score: float) -> None:
    """An agent that says them again supports them, even if more speaks for what it says."""
    mine = said_by(Trust.USER, "prices are kept in cents everywhere", 0)
    again = said_by(Trust.AGENT, "Prices are kept in cents everywhere, as was asked for.", 1, score)

    [kept] = choose([mine, again], LONG)

    assert (kept.text, kept.trust) == (mine.text, Trust.USER)
    assert [message.id for message in kept.support] == [2]


def test_an_answer_is_no_echo_of_what_was_asked_about() -> None:
    """Who only tells how something is has not said what an agent finds out about it."""
    told = said_by(Trust.USER, "The export is red on the runner", 0, 3.2)
    answer = said_by(
        Trust.AGENT, "The export is red on the runner because its browser is old and lacks the popover attribute", 1
    )

    assert [each.trust for each in choose([told, answer], LONG)] == [Trust.USER, Trust.AGENT]
