"""Other words for the same: which a word has, and which never."""

import pytest

from noctuary.relatives import relatives, signed


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("repo", "repository"),
        ("Settings", "config"),
        ("databases", "db"),
        ("chosen", "pick"),
        ("picked", "reject"),
        ("failures", "pass"),
        ("vermeiden", "avoid"),
    ],
)
def test_what_means_the_same_or_the_opposite(word: str, other: str) -> None:
    """A word in any form and case has the others of its line, and its opposites: who asks for one means the matter."""
    assert other in relatives(word)


@pytest.mark.parametrize("word", ["quicksilver", "the", "", "§", "数据库"])
def test_words_without_relatives(word: str) -> None:
    """What is in no table, or says nothing, has none."""
    assert list(relatives(word)) == []


@pytest.mark.parametrize("word", ["repository", "repo", "DB", "use"])
def test_no_word_is_its_own_relative(word: str) -> None:
    """The word itself is looked for anyway."""
    assert word.lower() not in relatives(word)


def test_tables_tell_a_concept_from_its_opposite() -> None:
    """Those behind the bar have the other sign; a word with = is taken as it is, without its stem."""
    table = signed("""
start: starting | halted
raw: =cooking
""")

    assert table["start"] == table["starting"] == ("start", 1)
    assert table["halt"] == ("start", -1)
    assert "cooking" in table
    assert "cook" not in table
