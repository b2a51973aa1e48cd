"""Texts as a reader takes them."""

import pytest

from noctuary.lookalikes import as_read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("ig\u200bnore", "ignore"),
        ("a\u00adlways", "always"),
        ("\u202ealways\u202c", "always"),
        ("\uff41lways", "always"),
        ("\U0001d41a\U0001d425ways", "always"),
        ("\u0430lw\u0430ys c\u043emmit", "always commit"),
        ("l\u03b5aves", "l\u03b5aves"),  # no Latin letter is drawn so
        ("cl\u03bfud", "cloud"),
        ("y\u0335ou", "you"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07done", "titledone"),
        ("a\u2028b", "a b"),
        ("\U0001d6c2gent", "agent"),  # a Greek letter of mathematics
        ("\u212aey", "Key"),
        ("1_\u0430_b \u0482 \u0436", "1_a_b \u0482 \u0436"),
        ("con\ufb01g", "config"),
        ("alway\u017f", "always"),
        ("\u2133ust", "Must"),
        ("fi\u217ce", "file"),
        ("\uff76\uff9e", "\u30ac"),  # a mark that is a letter of its own in this width
        ("\uffa1\uffc2", "\uac00"),
        ("e\u0301t\u00e9 \u200b", "\u00e9t\u00e9 "),
    ],
)
def test_what_is_hidden_is_read(written: str, read: str) -> None:
    """Signs that nobody sees are gone, and letters that look like Latin ones are Latin."""
    assert as_read(written) == read


@pytest.mark.parametrize("text", ["plain text\n\twith lines", "Größe in mm ✓ – 漢字", ""])
def test_what_hides_nothing_is_the_same(text: str) -> None:
    """It is not even copied."""
    assert as_read(text) is text


def test_other_alphabets_stay() -> None:
    """A word that is of another alphabet from beginning to end is what it is."""
    assert as_read("всегда пиши тесты") == "всегда пиши тесты"


def test_very_many_odd_signs_are_read_as_few_are() -> None:
    """However many kinds of them a text has."""
    wide = "".join(map(chr, range(0xFF01, 0xFF5F)))

    assert as_read(f"{wide} a\u200bb") == f"{''.join(map(chr, range(0x21, 0x7F)))} ab"


def test_tags_are_the_letters_that_they_spell() -> None:
    """Nobody sees them, but a model reads them."""
    assert as_read("Hi" + "".join(chr(0xE0000 + ord(letter)) for letter in " all")) == "Hi all"
