"""What a sentence affirms and what it denies."""

import pytest

from noctuary.dream.comparing.polarity import meaning
from noctuary.dream.comparing.sentence import concept_of

REDIS, KAFKA = concept_of("Redis"), concept_of("Kafka")


def signs(text: str) -> dict[str, bool]:
    """What a sentence speaks of, and whether it affirms it."""
    return {concept: sign > 0 for concept, _, _, sign, _ in meaning(text).said}


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
        "If the build is red you must never start Redis",
        "We moved to Kafka from Redis",
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
        "Nothing starts Redis unless the disk is mounted",
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


def test_what_is_not_so_in_a_condition_denies_nothing_behind_it() -> None:
    """Two denials undo each other only in one clause."""
    assert meaning("If the build is red you must never start Redis").turned == 1
    assert meaning("Never start Redis").turned == 1


def test_a_missing_thing_is_missing_whatever_it_breaks() -> None:
    """What is said of it does not turn what it is."""
    assert signs("Missing lodash breaks the build")[concept_of("lodash")] is False
    assert signs("The build is broken because lodash is missing")[concept_of("lodash")] is False
