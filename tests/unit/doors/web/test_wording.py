"""Texts, times and addresses as pages show them; whatever is stored, it is text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.doors.web.wording import (
    day,
    in_address,
    inline,
    marked,
    minute,
    moment,
    session_address,
    short,
    speech,
)
from noctuary.unseen import CODES
from tests.unit.doors.web.visiting import Shown

ANY = st.text() | st.text(alphabet="<>&\"'`*#~|-\n\\ax \u202e\x1b[m", max_size=60)
UNSEEN = frozenset(map(chr, CODES))
OURS = {"p", "pre", "code", "strong", "mark", "time"}
OUR_ATTRIBUTES = {("class", "heading"), ("class", "item"), ("dir", "auto"), ("tabindex", "0")}


@given(ANY)
def test_speech_is_text_in_a_few_tags_of_ours(text: str) -> None:
    """Whatever somebody said, no tag or attribute of it is one of the page."""
    for shown in (speech(text), inline(text), marked(text)):
        page = Shown(str(shown))

        assert {one.tag for one in page.elements} <= OURS
        assert {pair for one in page.elements for pair in one.attributes.items()} <= OUR_ATTRIBUTES
        assert UNSEEN.isdisjoint(shown)


@given(st.lists(st.text(alphabet="abc <&", min_size=1).map(str.strip).filter(bool), min_size=1))
def test_speech_loses_no_word(paragraphs: list[str]) -> None:
    """Paragraphs of plain words are all there, in order."""
    shown = Shown(str(speech("\n\n".join(paragraphs))))

    assert [one.said for one in shown.all("p")] == [" ".join(each.split()) for each in paragraphs]


def test_speech_shows_code_and_stresses() -> None:
    """Blocks of code, names in code, stresses and headings look like what they are."""
    shown = str(speech("## Why\nBecause `x < y` is **never** true:\n\n```py\nif x < y:\n    pass\n```\nSo."))

    assert shown.split("\n", 2) == [
        '<p class="heading" dir="auto">Why</p>',
        '<p dir="auto">Because <code>x &lt; y</code> is <strong>never</strong> true:</p>',
        '<pre tabindex="0"><code>if x &lt; y:\n    pass</code></pre>\n<p dir="auto">So.</p>',
    ]


def test_the_first_line_of_a_list_is_indented_as_the_others_are() -> None:
    """What stands in front of a line is kept, wherever its paragraph begins; a heading may be indented a little."""
    shown = Shown(str(speech("Also:\n\n - a volume\n - SQLite\n \n  ## Then\n   deploy")))

    assert ["".join(one.text) for one in shown.all("p", class_="item")] == [" - a volume", " - SQLite"]
    assert shown.one("p", class_="heading").said == "Then"


def test_speech_shows_lists_and_tables() -> None:
    """Each line of a list is a paragraph with what belongs to it; a table is shown letter below letter."""
    shown = Shown(
        str(speech("Two ways:\n- a volume\n  for Redis\n- SQLite\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nDone - so."))
    )

    assert [(one.tag, one.get("class"), "".join(one.text)) for one in shown.elements if one.tag != "code"] == [
        ("p", "", "Two ways:"),
        ("p", "item", "- a volume\n  for Redis"),
        ("p", "item", "- SQLite"),
        ("pre", "", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("p", "", "Done - so."),
    ]


def test_a_fence_that_is_never_closed_goes_to_the_end() -> None:
    """A cut block of code is code."""
    assert str(speech("Look:\n```\na\n\nb")).endswith("<code>a\n\nb</code></pre>")


def test_addresses_stay_text() -> None:
    """Nothing that was said becomes a link."""
    assert "<a" not in speech("[click](javascript:alert(1)) https://example.org <https://example.org>")


def test_matches_are_marked_and_markers_in_the_text_are_not() -> None:
    """What search marked is marked; the same signs in a text are signs."""
    assert marked("We >>>drop<<< <b> it: a \\>>> b \\<<< c") == (
        "We <mark>drop</mark> &lt;b&gt; it: a &gt;&gt;&gt; b &lt;&lt;&lt; c"
    )


@given(st.text())
def test_any_name_is_one_piece_of_an_address(text: str) -> None:
    """An id with any character in it changes neither the path nor the query of an address."""
    assert re.fullmatch(r"[\w.~%-]*", in_address(text), re.ASCII)


def test_a_session_has_an_address_and_so_have_its_messages() -> None:
    """The address of a message leads to it within its session."""
    assert session_address("3b0f-6a52") == "/sessions/3b0f-6a52"
    assert session_address("a", 14) == "/sessions/a?at=14#m14"
    assert session_address("a", end=1) == "/sessions/a?end=1"
    assert session_address("../a&b", 14) == "/sessions/?id=..%2Fa%26b&at=14#m14"


@pytest.mark.parametrize("ts_ms", [None, 0, -5, 10**18])
def test_a_time_that_is_not_known_is_not_shown(ts_ms: int | None) -> None:
    """Nothing is shown instead of 1970."""
    assert moment(ts_ms) == minute(ts_ms) == day(ts_ms) == ""


def test_times_are_for_people_and_programs() -> None:
    """A time says in its attributes what it means exactly."""
    ts_ms = 1_780_000_000_000

    assert moment(ts_ms) == '<time datetime="2026-05-28T20:26Z">2026-05-28 20:26</time>'
    assert minute(ts_ms) == '<time datetime="2026-05-28T20:26Z" title="2026-05-28 20:26 UTC">20:26</time>'
    assert day(ts_ms) == '<time datetime="2026-05-28">2026-05-28</time>'


@given(st.text(), st.integers(2, 50))
def test_short_is_short(text: str, most: int) -> None:
    """A title has one line and an end."""
    shown = short(text, most)

    assert len(shown) <= most
    assert "\n" not in shown
