"""Short answers to what the agent asked."""

import pytest

from noctuary.authored import EventType, Trust
from tests.unit.models.rules.talking import agent, found, user

ASKED = (user("Customers can be deleted?"), agent("Should it be a soft delete for customers, or are rows removed?"))
LISTED = (
    user("Isolate the tenants."),
    agent("Two ways:\n\n1. a rate limit for each tenant\n2. one queue for each tenant\n\nWhich one?"),
)


def test_an_answer_in_the_words_of_the_question_is_a_choice() -> None:
    """What the user said is kept as the user's, and nothing of the question."""
    (choice,) = [each for each in found(*ASKED, user("soft delete for customers")) if each.trust is Trust.USER]

    assert (choice.type, choice.text) == (EventType.DECISION, "soft delete for customers")


@pytest.mark.parametrize("words", ["2", "option 2 please", "the second one", "let's go with 2"])
def test_a_picked_option_is_the_agents_word(words: str) -> None:
    """It may be what the agent had read somewhere: the user agreed to it, and is cited for that."""
    (choice,) = [each for each in found(*LISTED, user(words)) if "queue" in each.text]

    assert (choice.type, choice.text, choice.trust) == (EventType.DECISION, "one queue for each tenant", Trust.AGENT)
    assert [ref.id for ref in choice.messages] == [2, 3]


@pytest.mark.parametrize("words", ["3", "the last commit", "why the second one?", "show me the second file"])
def test_what_picks_nothing_is_no_choice(words: str) -> None:
    """An option has to be there, and nothing may be asked."""
    assert not any("tenant" in each.text for each in found(*LISTED, user(words)))


def test_an_option_that_is_picked_with_words_is_the_users() -> None:
    """Whoever says of it what the agent had said, and why, decides in words of his own."""
    said = "option 2, the queue for each tenant, because one of them is noisy"
    (choice,) = [each for each in found(*LISTED, user(said)) if each.trust is Trust.USER]

    assert choice.text == "the queue for each tenant, because one of them is noisy"


@pytest.mark.parametrize("words", ["option 2, tomorrow please", "option 4, the lock for each row"])
def test_words_about_something_else_pick_nothing(words: str) -> None:
    """The option has to be there, and to be spoken of."""
    assert not any(each.type is EventType.DECISION for each in found(*LISTED, user(words)))
