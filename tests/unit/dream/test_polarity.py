"""What a sentence affirms and what it denies."""

import pytest

from noctuary.dream.polarity import meaning
from noctuary.dream.sentence import concept_of

REDIS, KAFKA = concept_of("Redis"), concept_of("Kafka")


def signs(text: str) -> dict[str, bool]:
    """What a sentence speaks of, and whether it affirms it."""
    return {said.concept: said.sign > 0 for said in meaning(text).said}


@pytest.mark.parametrize(
    "text",
    [
        "We do not use Redis",
        "Redis is not used",
        "We never use Redis",
        "Rejected Redis",
        "Redis was dropped",
        "We work without Redis",
        "Use Kafka instead of Redis",
        "Chose Kafka over Redis",
        "Redis -> Kafka",
        "Moved from Redis to Kafka",
        "Replaced Redis with Kafka",
        "Kafka, not Redis",
    ],
)
def test_a_denial_is_one_in_any_construction(text: str) -> None:
    """What is left, rejected, replaced or done without is denied; what is taken instead is not."""
    assert signs(text)[REDIS] is False
    assert signs(text).get(KAFKA, True) is True


@pytest.mark.parametrize(
    "text",
    [
        "We use Redis",
        "Redis over Kafka",
        "Do not remove Redis",
        "Use Redis because Kafka is not needed",
        "A missing index slows Redis down",
        "Never deploy Redis without a password",
    ],
)
def test_an_affirmation_stays_one(text: str) -> None:
    """Two denials, a denial in another clause, or one of what only qualifies a noun."""
    assert signs(text)[REDIS] is True


def test_sides_of_a_passive_are_turned() -> None:
    """Who does it stands left."""
    [active], [passive] = (
        meaning("The parser calls the lexer").links,
        meaning("The lexer is called by the parser").links,
    )

    assert (active.left, active.right) == (passive.left, passive.right)


def test_questions_are_known() -> None:
    """By how they end."""
    assert meaning("Should we use Redis?").is_question
    assert not meaning("We use Redis.").is_question
