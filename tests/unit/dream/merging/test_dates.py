"""Relative dates made absolute."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.dream.merging.dates import absolute

THURSDAY = int(datetime(2026, 2, 26, 14, 30, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("We met today.", "We met on 2026-02-26."),
        ("It broke yesterday", "It broke on 2026-02-25"),
        ("We ship tomorrow morning", "We ship on 2026-02-27"),
        ("two days ago it broke", "on 2026-02-24 it broke"),
        ("CI failed this morning", "CI failed on 2026-02-26"),
        ("It ran last night", "It ran on 2026-02-25"),
        ("the day before yesterday it ran", "on 2026-02-24 it ran"),
        ("fixed last week", "fixed in the week of 2026-02-16"),
        ("We moved last month", "We moved in 2026-01"),
        ("due next month", "due in 2026-03"),
        ("It was moved a year ago", "It was moved in 2025"),
        ("due next Monday", "due on 2026-03-02"),
        ("since last Thursday", "since 2026-02-19"),
        ("closed this Friday", "closed on 2026-02-27"),
        ("done by tomorrow", "done by 2026-02-27"),
        ("Fixed five minutes ago", "Fixed on 2026-02-26"),
        ("yesterday's deploy broke", "2026-02-25's deploy broke"),
        ("broke yesterday (2026-02-25)", "broke on 2026-02-25"),
        ("昨天部署了", "2026-02-25部署了"),
    ],
)
def test_d45_relative_dates_are_made_absolute(said: str, meant: str) -> None:
    """Each becomes the date it meant when it was said, and is counted."""
    assert absolute(said, THURSDAY) == (meant, 1)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Today we shipped", "On 2026-02-26 we shipped"),
        ("YESTERDAY, all was well", "On 2026-02-25, all was well"),
        ("Done. Last week it was not", "Done. In the week of 2026-02-16 it was not"),
    ],
)
def test_c9_a_sentence_may_begin_with_it(said: str, meant: str) -> None:
    """In any case, and with nothing before it."""
    assert absolute(said, THURSDAY) == (meant, 1)


@pytest.mark.parametrize(
    "said",
    [
        "todays build",
        "as of today's Node versions",
        "todayish",
        "the today_view component",
        "`today` is a function",
        'the label says "yesterday"',
        "edit src/today/tomorrow.py",
        "see today.ts",
        "the today-only offer",
        "```\nyesterday\n```",
        "Tokens expire in 3 days",
        "The job takes two days",
        "the last time it ran",
        "Refunds are paid in 3 days",
        "We release in 3 weeks",
        "Invoices are due in 30 days",
        "The cleanup removes files from 30 days ago",
        "Files older than two weeks ago were kept",
        "The report shows this month by default",
        "It covers this week and this month",
        "The dashboard shows last month",
        'Add a "Today" tab',
        "Add a Yesterday tab next to Today",
        "Orders of yesterday are in the feed",
        "The filter must include last week",
        "Never deploy what was merged yesterday",
        "3 days ago",
        "The feed shows what happened 2 days ago",
    ],
)
def test_c9_what_is_no_date_stays(said: str) -> None:
    """Parts of words, code, quotes, paths, and spans that hold whenever they are read."""
    assert absolute(said, THURSDAY) == (said, 0)


def test_c9_the_date_is_that_of_the_message() -> None:
    """Read again a month later, the same message gives the same fact."""
    text, _ = absolute("Met the user today", THURSDAY)

    assert text == "Met the user on 2026-02-26"
    assert absolute(text, THURSDAY + 30 * 86_400_000) == (text, 0)


def test_d45_every_date_is_counted() -> None:
    """A sentence may have several."""
    assert absolute("yesterday it broke, today it works", THURSDAY) == (
        "on 2026-02-25 it broke, on 2026-02-26 it works",
        2,
    )


@pytest.mark.parametrize("said_ms", [0, -5, 10**18])
def test_without_a_time_nothing_is_guessed(said_ms: int) -> None:
    """Who does not know when it was said leaves it as it is."""
    assert absolute("It broke yesterday", said_ms) == ("It broke yesterday", 0)


PIECES = """today yesterday tomorrow last next this week month Monday in two 3 days weeks ago since on the `code`
"quoted" 's ' a/b (2026-02-25) , . 昨天 morning night year's"""
WORDS = st.sampled_from(PIECES.split())


@given(st.lists(WORDS, max_size=14), st.sampled_from([" ", "", "\n"]), st.integers(1, 4_102_444_800_000))
def test_once_is_enough(words: list[str], between: str, said_ms: int) -> None:
    """What was made absolute has no relative date left, whenever it is read."""
    text, _ = absolute(between.join(words), said_ms)

    assert absolute(text, said_ms + 86_400_000) == (text, 0)
