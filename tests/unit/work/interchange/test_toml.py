"""TOML that is written is read back by Python's own reader as what it was."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.work.interchange.toml import dumps

TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40)
QUOTES = st.text(alphabet='"\\\n\r\t a\x00\x1f\x7f\u202e\ufeff', max_size=20)
VALUES = st.recursive(
    TEXTS | QUOTES | st.integers() | st.booleans(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS | QUOTES, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(TEXTS | QUOTES, VALUES, max_size=6))
def test_what_is_written_is_read_back(table: dict[str, object]) -> None:
    """Whatever texts, numbers, truths, lists and tables are given: `tomllib` reads the same."""
    assert tomllib.loads(dumps(table)) == table


@given(st.dictionaries(TEXTS, VALUES, max_size=6))
def test_the_order_of_what_is_given_does_not_matter(table: dict[str, object]) -> None:
    """The same table is the same text, in whatever order it was made."""
    assert dumps(dict(reversed(table.items()))) == dumps(table)


def test_lines_of_a_text_are_lines_of_the_file() -> None:
    """A text of several lines can be compared line by line; what ends it like TOML would is escaped."""
    text = 'one "two"\n"""three"""\n\\ four\r\n'

    written = dumps({"text": text})

    assert written == 'text = """\none "two"\n\\"\\""three\\"\\""\n\\\\ four\\r\n"""\n'
    assert tomllib.loads(written) == {"text": text}


def test_what_cannot_be_seen_is_written_as_its_number() -> None:
    """Nobody reads past a mark that turns the direction of text."""
    assert dumps({"title": "a\u202eb\u200bc\x1b"}) == 'title = "a\\u202Eb\\u200Bc\\u001B"\n'


def test_what_toml_does_not_have_is_refused() -> None:
    """Nothing is written that would be read as something else."""
    with pytest.raises(TypeError):
        dumps({"none": None})
