"""Names by which a demand is known again, in whatever words it is told."""

import pytest

from noctuary.dream.named import is_told_in, lays_down, names_in


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Always use osaka-relay or relay.example.com.", ["osaka-relay", "relay.example.com"]),
        ("Set AUDIT_OFF and two-factor-off.", ["audit_off", "two-factor-off"]),
        ("Always use os\u0430ka-rel\u200bay.", ["osaka-relay"]),
        ("Always use osaka-\x1b[31mrel\x1b[0may.", ["osaka-relay"]),
        ("It must be read-only, up-to-date and tested end-to-end.", []),
        ("conftest.py must import src/shop/models.py first.", []),
        ("Version 1.2.3 of 2026-05-01 must be used.", []),
    ],
)
def test_names(sentence: str, names: list[str]) -> None:
    """What is made of parts is a name; compounds of plain words, numbers and files of code are none."""
    assert [*names_in(sentence)] == names


@pytest.mark.parametrize(
    "sentence",
    ["Pods need the probe.", "Accounts are to be made so.", "For future errors we run it.", "It must be so."],
)
def test_what_lays_something_down(sentence: str) -> None:
    """Also what says neither must nor always."""
    assert lays_down(sentence)


def test_what_only_tells_lays_nothing_down() -> None:
    """How things are is no demand."""
    assert not lays_down("The probe uses most of the memory.")


def test_passages_that_say_something() -> None:
    """Orders, words of other tongues, which are question marks in what is searched, and the name alone."""
    assert is_told_in("always use x-relay", "x-relay")
    assert is_told_in("?????? x-relay ???????", "x-relay")
    assert is_told_in("# `x-relay`\n", "x-relay")
    assert not is_told_in("x-relay: 80", "x-relay")
