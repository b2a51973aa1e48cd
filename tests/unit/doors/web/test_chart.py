"""The chart of messages a day."""

from hypothesis import given
from hypothesis import strategies as st

from noctuary.doors.web.chart import DAYS, draw

LAST = 20_600  # 2026-05-27
COUNTS = st.dictionaries(st.integers(LAST - DAYS - 10, LAST + 10), st.integers(0, 10**6))


@given(COUNTS)
def test_every_day_with_messages_has_a_bar_within_the_chart(messages: dict[int, int]) -> None:
    """Bars are the days that have messages and are shown; all of them are seen, and none leaves the chart."""
    chart = draw(messages, LAST)
    shown = [count for day, count in sorted(messages.items()) if count and LAST - DAYS < day <= LAST]

    assert [bar.messages for bar in chart.bars] == shown
    assert chart.total == sum(shown)
    for bar in chart.bars:
        assert bar.height > 0
        assert bar.y >= 0
        assert bar.y + bar.height <= 100.01
        assert 0 <= bar.x <= 100 - bar.width


@given(COUNTS)
def test_more_messages_are_a_higher_bar(messages: dict[int, int]) -> None:
    """Heights are in the order of the counts; where they are not told apart, both are cut or both are small."""
    bars = sorted(draw(messages, LAST).bars, key=lambda bar: bar.messages)

    assert [bar.height for bar in bars] == sorted(bar.height for bar in bars)
    assert all(bar.height == 100 for bar in bars if bar.is_cut)


def test_one_day_does_not_hide_the_others() -> None:
    """A day with a hundred times as much as usual is cut, and says so."""
    chart = draw({**{LAST - place: 10 for place in range(1, 100)}, LAST: 1_000}, LAST)

    assert [bar.is_cut for bar in chart.bars] == [False] * 99 + [True]
    assert chart.bars[0].height > 50
    assert chart.is_cut
    assert chart.most is not None
    assert (chart.most.day, chart.most.messages) == ("2026-05-27", 1_000)


def test_usual_days_are_not_cut() -> None:
    """Where days are alike, the highest is the whole height."""
    chart = draw({LAST - place: place + 1 for place in range(30)}, LAST)

    assert not chart.is_cut
    assert chart.bars[0].height == 100


def test_months_stand_where_they_begin() -> None:
    """Each month that begins within the chart is named, but none at its very edge."""
    chart = draw({}, LAST)

    assert (chart.first, chart.last) == ("2026-01-28", "2026-05-27")
    assert [(month.name, round(month.x)) for month in chart.months] == [
        ("Feb", 3),
        ("Mar", 27),
        ("Apr", 52),
        ("May", 78),
    ]
    assert chart.bars == []
    assert chart.most is None
