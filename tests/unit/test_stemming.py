"""The stemmer does what SQLite's does: a snippet must mark what the index matched."""

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.stemming import stem, without_front

ENDINGS = [
    "", "s", "es", "ies", "sses", "ed", "eed", "ing", "y", "ly", "al", "ance", "ence", "er", "ic", "able", "ible",
    "ant", "ement", "ment", "ent", "sion", "tion", "ou", "ism", "ate", "iti", "ous", "ive", "ize", "ational",
    "tional", "enci", "anci", "izer", "logi", "bli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator",
    "alism", "iveness", "fulness", "ousness", "aliti", "iviti", "biliti", "icate", "ative", "alize", "iciti",
    "ical", "ful", "ness", "e", "ll", "bb", "tt", "at", "bl", "iz",
]  # fmt: skip
BEGINNINGS = [
    "", "a", "b", "ab", "y", "ay", "by", "tr", "deploy", "run", "runn", "hop", "hopp", "rel", "relat", "condit",
    "gener", "commun", "fil", "fall", "fail", "siz", "tann", "agre", "plast", "controll", "roll", "sensit", "x",
]  # fmt: skip
WORDS = """
    caresses ponies ties caress cats feed agreed disabled matting mating meeting milling messing meetings plastered
    bled motoring sing conflated troubled sized hopping tanned falling hissing fizzed failing filing happy sky
    relational conditional rational valenci hesitanci digitizer conformabli radicalli differentli vileli analogousli
    vietnamization predication operator feudalism decisiveness hopefulness callousness formaliti sensitiviti
    sensibiliti triplicate formative formalize electriciti electrical hopeful goodness revival allowance inference
    airliner gyroscopic adjustable defensible irritant replacement adjustment dependent adoption homologou communism
    activate angulariti homologous effective bowdlerize probate rate cease controll roll deployments retries
    configuration migrations databases authentication authorized running stopped caches indices queries syzygy yyy
    is as was the eed ing ed s ss sses
""".split()  # noqa: SIM905 - a block of words reads better than a list of quoted ones


@pytest.fixture(scope="module")
def tokenizer() -> apsw.FTS5Tokenizer:
    """SQLite's own stemmer."""
    return apsw.Connection(":memory:").fts5_tokenizer("porter", ["ascii"])


def by_sqlite(tokenizer: apsw.FTS5Tokenizer, word: str) -> str:
    """The stem that SQLite finds."""
    (found,) = tokenizer(word.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None)
    return str(found[2:][0])


@pytest.mark.parametrize("word", WORDS)
def test_known_words(tokenizer: apsw.FTS5Tokenizer, word: str) -> None:
    """Words from Porter's paper and from our trade have the same stem in both."""
    assert stem(word) == by_sqlite(tokenizer, word)


@settings(max_examples=3000, deadline=None)
@given(
    word=st.builds(
        str.__add__, st.sampled_from(BEGINNINGS) | st.text("abelorstuyz", max_size=8), st.sampled_from(ENDINGS)
    )
    | st.text("abcdefghijklmnopqrstuvwxyz", max_size=70)
    | st.text("aeinsty0123ßøł", max_size=8)
)
def test_any_word(tokenizer: apsw.FTS5Tokenizer, word: str) -> None:
    """Any letters and digits in a row have the same stem in both."""
    assert not word or stem(word) == by_sqlite(tokenizer, word)


@pytest.mark.parametrize("word", ["", "a", "is", "v2", "größe", "支付", "s" * 65])
def test_other_words_stay_as_they_are(word: str) -> None:
    """What has no English ending is not cut, nor what is too short or too long for one."""
    assert stem(word) == word


@pytest.mark.parametrize(
    "family", ["deploy deploys deployed deploying", "connect connected connection connections connecting"]
)
def test_a_word_is_found_by_its_other_forms(family: str) -> None:
    """That is what stemming is for."""
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    ("word", "bare"),
    [
        ("השרת", "שרת"),
        ("שרת", "שרת"),
        ("ובשרתים", "רתים"),
        ("السائق", "سائق"),
        ("والسائق", "سائق"),
        ("للعملاء", "عملاء"),
        ("ألم", "ألم"),
        ("the", "the"),
        ("отчёт", "отчёт"),
    ],
)
def test_what_is_written_together_with_a_word_is_taken_off(word: str, bare: str) -> None:
    """Hebrew and Arabic put articles and prepositions in front; three letters stay, and other scripts are untouched."""
    assert without_front(word) == bare


@given(word=st.text("ושהכלבמאיתרالوفبكسء", max_size=10))
def test_what_is_left_has_nothing_more_in_front(word: str) -> None:
    """So a word with an article and one without meet at the same beginning."""
    bare = without_front(word)

    assert word.endswith(bare)
    assert without_front(bare) == bare
