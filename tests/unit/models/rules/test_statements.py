"""A unit of text as a statement."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.models.rules.prose import LONGEST, units
from noctuary.models.rules.statements import LONGEST_QUOTE, is_intent, is_specific, shortened, statement, topic_of


def said(content: str) -> str | None:
    [unit] = units(content, 500)
    found = statement(content, unit)
    return found.text if found else None


def test_announcements_are_left_out() -> None:
    """What is done next says nothing once it is done."""
    assert said("The port is taken by another server. Let me look for a free one.") == (
        "The port is taken by another server."
    )
    assert said("Now I'll run the whole suite of tests again.") is None
    assert said("The port is taken by another server. Please confirm if you would like to go on.") == (
        "The port is taken by another server."
    )


@pytest.mark.parametrize(
    "content",
    [
        "To create the folder for the results, I will provide the blocks that follow.",
        "To get rid of the warnings in the log, I'll move both constants up.",
        "To find out why the labels are missing, we can check the following things.",
    ],
)
def test_an_aim_before_an_announcement_makes_no_statement_of_it(content: str) -> None:
    """What comes of it is told when it is done."""
    assert said(content) is None


def test_an_aim_before_a_choice_is_its_reason() -> None:
    """Nobody announces by it what is done next."""
    choice = "To keep the deployment simple, we use SQLite instead of a server."

    assert said(choice) == choice


def test_a_greeting_introduces_nothing() -> None:
    """Bullets are read without what was said to whoever asked."""
    content = "Okay, I understand. The switch needs two things:\n- a state for the theme\n- a button that sets it"

    assert said(content) == "The switch needs two things: a state for the theme; a button that sets it"


def test_names_alone_say_nothing() -> None:
    """A list of files is no statement."""
    assert said("- Index: README.md\n- Log: run.log\n- Data: data.json") is None


def test_bullets_are_read_with_what_introduces_them() -> None:
    """One text that can be read alone, without marks."""
    content = (
        "**Two things** changed in the store:\n- `save` writes to a new file first\n- then the *old one* is removed"
    )

    assert said(content) == (
        "Two things changed in the store: `save` writes to a new file first; then the old one is removed"
    )


def test_the_quote_is_what_was_written() -> None:
    """From the first sentence that is kept to the last."""
    content = "Great! The `cache` is slow because of the disk. It holds everything in one file."
    [unit] = units(content, 500)
    found = statement(content, unit)

    assert found is not None
    assert content[found.start : found.end] == content[len("Great! ") :]


@pytest.mark.parametrize(
    "beginning", ["I'll look", "I’ll look", "Let me look", "**Now** the test", "Next, I", "Ich werde"]
)
def test_announcements_are_known_by_how_they_begin(beginning: str) -> None:
    """In any spelling of the apostrophe, and behind marks."""
    assert is_intent(beginning)


@pytest.mark.parametrize("beginning", ["I left the file", "Nowhere else", "The next step", "", "Illness is rare"])
def test_statements_are_none(beginning: str) -> None:
    """Words that begin like an announcement are none."""
    assert not is_intent(beginning)


@pytest.mark.parametrize(
    ("heading", "topic"),
    [("Session storage:", "Session storage"), ("Verification", ""), ("What changed:", ""), ("", ""), ("x" * 50, "")],
)
def test_a_short_heading_is_a_topic(heading: str, topic: str) -> None:
    """Unless it only says of what kind its statements are."""
    assert topic_of(heading) == topic


def test_what_names_something_is_specific() -> None:
    """Or is long enough to say what it is about."""
    assert is_specific("The `cache` is slow")
    assert is_specific("It fails in Docker")
    assert not is_specific("All of the tests pass now.")
    assert is_specific("word " * 20)


def test_no_command_is_cut_in_half() -> None:
    """What is left of it would be another command."""
    text = "word " * 55 + "`rm -r the old folder of the shop and nothing else at all`"

    assert shortened(text) == "word " * 54 + "word…"


@given(st.text(max_size=2_000))
def test_what_is_shortened_is_short(text: str) -> None:
    """And what is short is left as it is."""
    assert len(shortened(text)) <= LONGEST
    assert shortened(text) == text or len(text) > LONGEST


@given(st.text(max_size=1_500))
def test_any_text_gives_quotes_that_occur(content: str) -> None:
    """Within the message, not empty and not too long."""
    for unit in units(content, 100):
        if found := statement(content, unit):
            assert 0 < found.end - found.start <= LONGEST_QUOTE
            assert content[found.start : found.end].strip()
