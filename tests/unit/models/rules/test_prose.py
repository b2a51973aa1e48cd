"""Markdown as passages and units."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.models.rules.prose import passages, plain, sentences, single_units, units

MARKDOWN = st.lists(
    st.sampled_from(["# Title", "- a bullet", "* b", "1. one", "```", "~~~", "| a | b |", "|---|---|", "**Bold**",
                     "Lead:", "A sentence. Another one! A third?", "[name](path)", "", "  ", "<noctuary>",
                     "</noctuary>", "│"])
    | st.text(max_size=40),
    max_size=12,
).map("\n".join)  # fmt: skip


def said(content: str) -> list[str]:
    return [content[part.start : part.end] for part in passages(content)]


def test_paragraphs_bullets_and_rows_are_passages() -> None:
    """Each stands for itself; what names the columns of a table is no row."""
    content = "One\nparagraph.\n\n- first\n  goes on\n- second\n\n| Name | Size |\n|---|---|\n| a | 1 |"

    assert said(content) == ["One\nparagraph.", "first\n  goes on", "second", "| a | 1 |"]


def test_a_dash_may_touch_its_bullet() -> None:
    """Many people write lists so; an option of a command is no bullet."""
    content = "-Use the canvas\n-Save it as CSV\n-v shows more"
    found = [content[each.start : each.end] for each in passages(content)]

    assert found == ["Use the canvas", "Save it as CSV\n-v shows more"]
    assert (plain("-Use the canvas"), plain("-v shows more")) == ("Use the canvas", "-v shows more")


def test_code_and_drawings_are_left_out() -> None:
    """Nobody says what stands in a block of code."""
    assert said("Before.\n```py\nalways()\n```\n~~~\nnever\n~~~\n│ box │\nAfter.") == ["Before.", "After."]


def test_what_a_program_put_in_is_left_out() -> None:
    """Memory must not learn from its own words, nor from reminders."""
    content = (
        "Before.\n<noctuary:recalled>\nAlways use tabs.\n</noctuary:recalled>\n<system-reminder>x</system-reminder>"
    )

    assert said(content)[0] == "Before."
    assert not any("tabs" in text for text in said(content))


@pytest.mark.parametrize("tag", ["ide_selection", "new-diagnostics", "environment_context", 'noctuary-x a="b"'])
def test_programs_are_known_by_the_same_marks_everywhere(tag: str) -> None:
    """What is fenced for who reads a whole text is fenced for who reads lines; other tags are somebody's words."""
    ended = tag.split(maxsplit=1)[0]

    assert said(f"Before.\n<{tag}>\nAlways use tabs.\n</{ended}>\nAfter.") == ["Before.", "After."]
    assert said(f"<{tag}>x</{ended}>\nAfter.")[-1].endswith("After.")
    assert "Always use tabs." in said("Before.\n\n<memory>\n\nAlways use tabs.\n\n</memory>")


def test_a_passage_knows_its_heading() -> None:
    """Marks say what a heading is; a line with a colon introduces a list, and holds until the list ends."""
    content = "## Section\nText.\n\nWhat changed:\n- one\n- two\n\nMore text.\n**Bold one**\nThe end."

    assert [part.heading for part in passages(content)] == [
        "Section", "What changed:", "What changed:", "Section", "Bold one",
    ]  # fmt: skip


def test_short_neighbours_are_one_unit() -> None:
    """Bullets of one list are joined as far as they are short; other lists and long ones are not."""
    content = "A:\n- one\n- two\n- " + "x" * 30 + "\n\nB:\n- three"

    found = units(content, 20)

    assert [content[unit.start : unit.end] for unit in found] == ["one\n- two", "x" * 30, "three"]
    assert [len(unit.spans) for unit in found] == [2, 1, 1]
    assert [unit.place for unit in found] == [0, 1, 2]


def test_long_paragraphs_are_cut_at_sentences() -> None:
    """A dot within a name ends no sentence."""
    content = "The file next.config.ts is old. It was replaced by another; nobody uses it any more."

    assert [content[a:b].strip() for a, b in sentences(content, 0, len(content))] == [
        "The file next.config.ts is old.",
        "It was replaced by another;",
        "nobody uses it any more.",
    ]
    assert len(units(content, 40)) == 3


def test_where_a_link_leads_does_not_count() -> None:
    """A reader does not see it."""
    content = f"- [a](/{'x' * 90})\n- [b](/{'x' * 90})"

    assert len(units(content, 40)) == 1


def test_single_units_are_not_joined() -> None:
    """Where each bullet is an entry."""
    assert len(single_units("- one\n- two\n- three")) == 3


def test_plain_text_has_no_marks() -> None:
    """Names stay, what decorates them goes."""
    assert plain("  - **Fixed** `a.py` in [the shop](http://x/y) ✅\n  now ") == "Fixed `a.py` in the shop now"
    assert plain("| a | b |") == "a | b"
    assert plain("2024 was good") == "2024 was good"


@pytest.mark.parametrize(
    "text",
    [
        "run `pytest tests/**/test_*.py` and never `git add *`",
        "run tests/**/test_*.py, then tests/*/test_*.py",
        "never SELECT * from one, nor SELECT * from another",
        "2*n is wrong because a*b overflows",
        "it passes *args and **kwargs on",
        "all *.py and *.js files",
        "> 500 ms is too slow",
        "`call[0](x)` is code",
    ],
)
def test_what_is_no_mark_stays(text: str) -> None:
    """A pattern, a formula, a comparison and all code mean what they say."""
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("**Added `a*b` to it**, *now*", "Added `a*b` to it, now"),
        ("**`a.py`** is ***wrong***", "`a.py` is wrong"),
        ("**Note:** [the `shop`](http://x/y)", "Note: the `shop`"),
        ("> one\n> two", "one two"),
        ("* a bullet", "a bullet"),
    ],
)
def test_emphasis_is_a_pair_around_words(text: str, words: str) -> None:
    """And a quote begins its lines."""
    assert plain(text) == words


@given(MARKDOWN, st.integers(1, 80))
def test_units_are_where_they_say(content: str, most: int) -> None:
    """Whatever the text, units are in order, do not overlap and lie within it."""
    at = 0
    for unit in units(content, most):
        assert at <= unit.start <= unit.end <= len(content)
        assert unit.spans[0][0] == unit.start
        assert unit.spans[-1][1] == unit.end
        at = unit.end


@given(st.text())
def test_plain_is_one_line(text: str) -> None:
    """Without breaks and without space at its ends."""
    assert plain(text) == " ".join(plain(text).split())
