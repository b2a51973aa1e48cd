"""Texts that memory itself put into a conversation."""

import pytest

from noctuary.dream.echoes import is_echo


@pytest.mark.parametrize(
    "text",
    [
        "- Use tabs. (2026-02-26) [m-4f2a]",
        '<noctuary-recalled project="shop">\nUse tabs\n</noctuary-recalled>',
        "<!-- noctuary:begin -->",
        "Notes\nKept by noctuary. Lines that you change here count as your word.",
        "[recalled 2026-02-26] Use tabs",
    ],
)
def test_our_own_marks_are_known(text: str) -> None:
    """Ids of memories, fences, and how our own pages begin."""
    assert is_echo(text)


@pytest.mark.parametrize(
    "text", ["We use m-4f2a as an example", "noctuary keeps it", "I recalled that the port is 80", "`[m]` is a key", ""]
)
def test_what_people_say_about_it_is_theirs(text: str) -> None:
    """To speak of memory is not to repeat it."""
    assert not is_echo(text)
