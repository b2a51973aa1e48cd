"""What no rule has to look at, and what all must."""

import random
import re

import pytest

from noctuary.redact import redact
from noctuary.redact.sieve import has_mixed_word, has_place_of_value


@pytest.mark.parametrize(
    "text",
    [
        "the password is hunter-42!",
        "it was 482915, I think",
        "try 12@hunter then",
        "see commit 3f2a9c1",
        "the key x9Kd82hQ",
    ],
)
def test_words_of_letters_and_digits(text: str) -> None:
    """A secret that is told in a sentence is such a word, or a number that is long."""
    assert has_mixed_word(text)


@pytest.mark.parametrize(
    "text",
    [
        "a 30-minute walk, 24-70mm, 1000mg of omega-3 at 350°F",
        "19th-century houses; a 2-bedroom flat for 1,200 a month",
        "B12 at 3pm on the 1st of May 2023",
        "no digits at all",
        "",
    ],
)
def test_words_that_count_something(text: str) -> None:
    """Most words with a digit that people write measure or number something, and are no reason to look further."""
    assert not has_mixed_word(text)


@pytest.mark.parametrize(
    "text",
    [
        "PASSWORD=correcthorse",
        'password: "correct horse"',
        "Authorization: Basic dXNlcjpwYXNz",
        "<password>correcthorse</password>",
        "login --password correcthorse",
        "mysql -pcorrecthorse",
        "glpat-aBcDeaBcDeaBcDeaBcDe",
        "npm_aBcDeaBcDeaBcDeaBcDe",
        "MNEMONIC: jade maple ember kelp pearl delta basil maple lunar north delta grove",
        "password: hunter\uff15\uff15",
    ],
)
def test_places_of_values(text: str) -> None:
    """Where values stand, a secret may be of letters alone."""
    assert has_place_of_value(text)


@pytest.mark.parametrize(
    "text",
    [
        "git push https://ana:correcthorse@git.example.com/a.git",
        "mongoose.connect('mongodb://app:correcthorse@db/x')",
        "create user ana identified by 'correcthorse'",
        "ALTER ROLE app PASSWORD 'correcthorse';",
        "echo ::add-mask::correcthorse",
        r"net use Z: \\nas\share correcthorse /user:ana",
    ],
)
def test_passwords_of_letters_go_where_they_stand(text: str) -> None:
    """A word as any other is a secret in an address, in SQL and behind some commands: the sieve lets it through."""
    assert "correcthorse" not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "I would - if you ask me - take the well-known one: it's cheap, and <b> is fine.",
        "**Redis**: rejected, as nobody can run it here; 30-minute outages - twice!",
    ],
)
def test_prose_has_no_place_of_values(text: str) -> None:
    """Colons, dashes and quotes of sentences are none."""
    assert not has_place_of_value(text)


# The same said plainly, without what makes the patterns quick.
PLAIN_MIXED = re.compile(
    r"\d(?:[^\sa-z\d]{0,2}[a-z]|(?<=[a-z]\d)|(?<=[a-z][^\sa-z\d]\d)|(?<=[a-z][^\sa-z\d]{2}\d)|\d{5})"
)
PLAIN_COUNTED = re.compile(
    r"(?:\d{1,4}[-.])*\d{1,4}(?:[-.][a-z]+(?:[-.][a-z]+)*|[a-z]{1,3}(?:[-.][a-z]+)?)|[a-z]+[-.]\d"
)
PLAIN_COLON = re.compile(
    r""":[ \t>=*]{0,9}(?:!\S{1,30}[ ]|[rbfu]?\\{0,7}["'`]|&quot;|&\#3"""
    r"|[bBtTdDaA](?i:earer|asic|oken|igest|pikey)[ ]|SSWS[ ]|OAuth[ ]|Bot[ ]|[a-z]{3,8}(?:[ ][a-z]{3,8}){11})"
)


def test_quick_looks_see_mixed_words_as_plain_ones_do() -> None:
    """Guards before a pattern save time and change nothing."""
    chance = random.Random(7)
    for _ in range(20_000):
        text = "".join(chance.choices("ab12-.$: ", (5, 3, 5, 3, 3, 2, 2, 1, 3), k=chance.randrange(1, 24)))
        words = (word.strip("-.$:") for word in text.split() if PLAIN_MIXED.search(word))

        plainly = any(len(word) > 5 and not PLAIN_COUNTED.fullmatch(word) for word in words)

        assert has_mixed_word(text) == plainly, text


def test_quick_looks_see_values_behind_a_colon_as_plain_ones_do() -> None:
    """No repeat in front of a value gives back what it took, and none would have to."""
    chance = random.Random(8)
    pieces = [":", " ", "\t", ">", "*", "\\", '"', "!tag ", "r'", "&quot;", "Basic ", "name ", "name longerthaneight "]
    for _ in range(20_000):
        text = "".join(chance.choices(pieces, k=chance.randrange(1, 20)))

        assert has_place_of_value(text) == (PLAIN_COLON.search(text) is not None), text
