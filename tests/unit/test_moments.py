"""Points in time as people write them."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.errors import BadTime
from noctuary.moments import parse_moment, show_day, show_time
from noctuary.testing import FakeClock

NOW = FakeClock().now_ms()
HOUR = 3_600_000


def ms(*parts: int) -> int:
    """Milliseconds of a moment in UTC."""
    return round(datetime(*parts, tzinfo=UTC).timestamp() * 1000)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-02-03", ms(2026, 2, 3)),
        ("2026-02", ms(2026, 2, 1)),
        ("2026-02-03T14:05", ms(2026, 2, 3, 14, 5)),
        ("2026-02-03t14:05z", ms(2026, 2, 3, 14, 5)),
        ("2026-02-03T14:05+02:00", ms(2026, 2, 3, 12, 5)),
        (" 2026-02-03 ", ms(2026, 2, 3)),
        ("today", ms(2026, 3, 1)),
        ("Yesterday", ms(2026, 2, 28)),
        ("12h", NOW - 12 * HOUR),
        ("7d", NOW - 7 * 24 * HOUR),
        ("3 w", NOW - 3 * 7 * 24 * HOUR),
        ("2m", NOW - 60 * 24 * HOUR),
        ("1y", NOW - 365 * 24 * HOUR),
        ("1970-01-01", 0),
        ("2100-01-01", ms(2100, 1, 1)),
    ],
)
def test_moments_are_read(text: str, moment: int) -> None:
    """Days, months, minutes, zones, spans and two names are understood; without a zone it is UTC."""
    assert parse_moment(text, NOW) == moment


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "2026-02-30", "7", "d", "-7d", "7 days", "1234567d"])
def test_what_is_no_time_is_refused(text: str) -> None:
    """The error names what was typed and what would be understood."""
    with pytest.raises(BadTime, match="write 2026-05-01"):
        parse_moment(text, NOW)


@given(text=st.text(max_size=30), now=st.integers(0, ms(2100, 1, 1)))
def test_any_text_is_a_time_or_is_refused(text: str, now: int) -> None:
    """No other error escapes."""
    with suppress(BadTime):
        assert isinstance(parse_moment(text, now), int)


def test_times_are_shown_in_utc() -> None:
    """Day and minute, whatever the zone of the machine."""
    assert show_time(ms(2026, 2, 3, 4, 5)) == "2026-02-03 04:05"
    assert show_day(ms(2026, 2, 3, 4, 5)) == "2026-02-03"


@pytest.mark.parametrize("unknown", [None, 0, -1, 10**18])
def test_unknown_times_are_shown_as_nothing(unknown: int | None) -> None:
    """No time is better than a wrong one."""
    assert show_time(unknown) == show_day(unknown) == ""
