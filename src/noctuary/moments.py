"""Points in time as people write them: 2026-05-01, 2026-05-01T14:00, 7d, yesterday."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from noctuary.errors import BadTime

_AGO = r"(\d{1,5})\s*(h|d|w|m|y)"
_HOURS = {"h": 1, "d": 24, "w": 24 * 7, "m": 24 * 30, "y": 24 * 365}
_NAMED = {"today": 0, "yesterday": 1}


def parse_moment(text: str, now_ms: int) -> int:
    """Milliseconds since 1970; a span such as 7d or 3w counts back from now.  BadTime if it cannot be read."""
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    lowered = text.strip().lower()
    if lowered in _NAMED:
        day = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=_NAMED[lowered])
        return int(day.timestamp() * 1000)
    if ago := re.fullmatch(_AGO, lowered):
        return now_ms - int(ago[1]) * _HOURS[ago[2]] * 3_600_000
    if re.fullmatch(r"\d{4}-\d{2}", lowered):
        lowered += "-01"
    try:
        moment = datetime.fromisoformat(lowered.upper())
    except ValueError:
        raise BadTime(f"{text!r} is not a time; write 2026-05-01, 2026-05-01T14:00, 7d or yesterday.") from None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def show_day(ts_ms: int | None) -> str:
    """The day, as 2026-05-01; empty if it is not known."""
    if not ts_ms or not 0 < ts_ms < 253_402_300_800_000:
        return ""
    return _day(ts_ms // 86_400_000)


@lru_cache(maxsize=1_024)
def _day(number: int) -> str:
    return f"{datetime.fromtimestamp(number * 86_400, UTC):%Y-%m-%d}"


def show_time(ts_ms: int | None) -> str:
    """Day and minute in UTC, as 2026-05-01 14:00; empty if it is not known."""
    if not ts_ms or not 0 < ts_ms < 253_402_300_800_000:
        return ""
    return f"{datetime.fromtimestamp(ts_ms / 1000, UTC):%Y-%m-%d %H:%M}"
