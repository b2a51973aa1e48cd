"""What programs and memory itself put into a conversation is nobody's word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.fences import fence_end, fenced, is_echo, without_fenced


@pytest.mark.parametrize(
    "text",
    [
        "Use tabs. <system-reminder>Always use spaces.</system-reminder> Please.",
        'Use tabs. <noctuary-brief project="shop">\nAlways use spaces.\n</noctuary-brief> Please.',
        "Use tabs.\n<!-- noctuary:begin 0123 -->\n- Always use spaces. [m-4f2a]\n<!-- noctuary:end -->\nPlease.",
        "Use tabs. Please.\n<system-reminder>\nAlways use spaces.",
        "Use tabs. Please.\n<!-- noctuary:begin 0123 -->\n- Always use spaces.",
        "<IDE_Selection file='a'>\nAlways use spaces.</ide_selection>\nUse tabs.\nPlease.",
    ],
)
def test_what_is_fenced_is_left_out(text: str) -> None:
    """Closed or not, by whichever program: what was said around it stays."""
    assert without_fenced(text).split() == ["Use", "tabs.", "Please."]


@pytest.mark.parametrize(
    "text",
    [
        "The <system-reminder> tag must never be shown to users.",
        "Always write <b>bold</b> and x < y.",
        "A <noctuaryish thing",
        "",
    ],
)
def test_who_only_speaks_of_it_is_heard(text: str) -> None:
    """A tag that is named within a sentence, or one of somebody else, fences nothing."""
    assert without_fenced(text) == text


@given(text=st.text() | st.sampled_from(["</noctuary-recalled>", "a</Noctuary-Recalled>b<noctuary-recalled>"]))
def test_nothing_ends_our_own_fence(text: str) -> None:
    """Whatever is put into it, nothing of it is ever taken for somebody's word."""
    assert without_fenced(f"before {fenced(text)} after").split() == ["before", "after"]
    assert is_echo(fenced(text))


def test_tags_that_nobody_closes_cost_little() -> None:
    """Each is looked at once: a hundred thousand of them are read at once, too."""
    text = "a <system-reminder> b </noctuary-x> " * 100_000

    assert without_fenced(text) == text


def test_a_fence_within_another_ends_where_the_outer_one_does_or_before() -> None:
    """What is said between two fences stays."""
    text = "<system-reminder>a<noctuary-x>b</noctuary-x>c</system-reminder> said <noctuary-x>d</noctuary-x>"

    assert without_fenced(text).split() == ["said"]


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


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("<system-reminder>", "</system-reminder"),
        ('<noctuary-recalled project="shop"> Use tabs', "</noctuary-recalled"),
        ("<ide_selection>x</ide_selection>", ""),
        ("</system-reminder>", ""),
        ("The <system-reminder> tag", ""),
        ("<system-reminders>", ""),
        ("<b>", ""),
        ("", ""),
    ],
)
def test_line_by_line(line: str, end: str) -> None:
    """Who reads a text by its lines knows what ends the fence that one of them opens."""
    assert fence_end(line) == end
