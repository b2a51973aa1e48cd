"""Many families behind few looks: what is opened is what each of them would open by itself."""

import random
import re

from noctuary.redact.columns import COLUMNS
from noctuary.redact.keys import PAIRS
from noctuary.redact.looks import looks_for, opened
from noctuary.redact.places import CALLS, PLACES
from noctuary.redact.secret_tongues import IN_FOREIGN_LETTERS
from noctuary.redact.token_forms import AFTER_A_COLON, ANYWHERE, LONG_WORDS, WITH_PAIRS
from noctuary.redact.tokens import Family, Finder, family_of

TABLES = (*ANYWHERE, *AFTER_A_COLON, *WITH_PAIRS, *LONG_WORDS, *IN_FOREIGN_LETTERS)
EVERY: tuple[Family, ...] = (COLUMNS, *PAIRS, *PLACES, *CALLS, *map(family_of, TABLES))
WORDS = [trigger for trigger, _, _ in EVERY]
PIECES = [*WORDS, *(word[:-1] for word in WORDS), *(word[1:] for word in WORDS), " ", "\n", "a1b2c3", "=", ": ", "é"]


def plainly(families: tuple[Family, ...], text: str) -> set[Finder]:
    """What is opened if each family is asked by itself."""
    return {find for trigger, gate, find in families if trigger in text and gate(text)}


def test_all_that_opens_by_itself_opens_together() -> None:
    """Words, parts of them and words that run into each other: nothing is opened more or less, and nothing twice."""
    chance = random.Random(5)
    looks = looks_for(EVERY)
    for _ in range(4_000):
        text = "".join(chance.choices(PIECES, k=chance.randrange(1, 7)))

        together = [*opened(looks, text)]

        assert set(together) == plainly(EVERY, text), text
        assert len(together) == len(set(together))


def test_every_word_is_seen_wherever_it_stands() -> None:
    """A family whose gate is its word opens for each word alone, at either end and within another word."""
    families = tuple((word, re.compile(re.escape(word)).search, find) for word, _, find in EVERY)
    looks = looks_for(families)
    for (word, _, find), text in ((family, each) for family in families for each in around(family[0])):
        assert find in [*opened(looks, text)], (word, text)


def around(word: str) -> tuple[str, ...]:
    """A text that is the word, and some in which it stands."""
    return (word, f"{word} and more", f"before {word}", f"{word[0]}{word}", f"{word}{word[-1]}", f"é{word}ñ")


def test_words_with_a_rare_character_in_common_share_a_look() -> None:
    """That is what it is for: there are far fewer looks than words."""
    words = [family for family in EVERY if len(family[0]) > 1 and family[0].isascii()]

    assert len(looks_for(words)) < len(words) / 2
