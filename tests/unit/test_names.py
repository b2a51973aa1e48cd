"""Names of files: one to one, and none escapes its folder."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noctuary.names import file_name, original_name

ANY_NAME = st.text(st.characters(exclude_categories=()), max_size=200) | st.text("aAbB.%-_/ ~", max_size=140)


@given(one=ANY_NAME, other=ANY_NAME)
@example(one="a.b", other="a_b")
@example(one="A", other="a")
@example(one="a%2eb", other="a.b")
@example(one="con", other="%63on")
@example(one="", other="%")
@example(one="n" * 300, other="n" * 301)
@example(one="é", other="e\u0301")
def test_different_names_have_different_files(one: str, other: str) -> None:
    """No two names share a file, even where case is not told apart."""
    assert (file_name(one).lower() == file_name(other).lower()) == (one == other)


@given(name=ANY_NAME)
@example(name="..")
@example(name="../x")
@example(name="/etc/passwd")
@example(name="C:\\x")
@example(name="支" * 100)
@example(name="\ud800")
@example(name="%" * 300)
def test_every_name_is_an_ordinary_file_name(name: str) -> None:
    """Short, of plain characters, and neither hidden nor a way up."""
    assert re.fullmatch(r"[a-z0-9%-][a-z0-9%.-]{0,119}", file_name(name))
    assert not file_name(name).endswith(".")


@pytest.mark.parametrize("name", ["shop", "a-b.c", "2026-03-01"])
def test_plain_names_stay_readable(name: str) -> None:
    """Where nothing is in the way, the file is called what it is for."""
    assert file_name(name) == name


@pytest.mark.parametrize("name", ["con", "nul", "com1", "lpt9", "con.txt", "aux.jsonl"])
def test_names_that_windows_reserves_are_encoded(name: str) -> None:
    """No owner is lost for being called con."""
    assert file_name(name).startswith("%")


def test_a_long_name_keeps_its_beginning() -> None:
    """Even a cut name says what it is."""
    assert file_name("project-" + "x" * 500).startswith("project-xxx")


@given(name=ANY_NAME)
@example(name="")
@example(name="..")
@example(name="con")
def test_names_can_be_read_back(name: str) -> None:
    """A file name is read back as the name it stands for, unless that was too long to be held in it."""
    original = original_name(file_name(name))

    assert original == name or (original is None and "%%" in file_name(name))


@pytest.mark.parametrize("foreign", ["A", "a%2", "a%zz", "%ff", "%%", "ä", "con", "%2E", "%61"])
def test_foreign_file_names_stand_for_nothing(foreign: str) -> None:
    """A file that we would have named otherwise is none of ours."""
    assert original_name(foreign) is None
