"""The chart of messages a day, as numbers that a template draws."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from noctuary.app.activity import DAY_MS
from noctuary.moments import show_day

DAYS = 120
WIDTH, HEIGHT = 960, 120
_GAP = 0.25  # of a bar
_LEAST = 2.0  # of a day on which anything was said, so that it is seen


class Bar(NamedTuple):
    """One day."""

    day: str
    messages: int
    x: float
    y: float
    width: float
    height: float


class Month(NamedTuple):
    """Where a month begins."""

    name: str
    x: float


class Chart(NamedTuple):
    """All of them, the first first."""

    bars: Sequence[Bar]  # of days on which something was said
    months: Sequence[Month]
    first: str
    last: str
    most: Bar | None
    total: int
    width: int = WIDTH
    height: int = HEIGHT


_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November")
_NAMES = {f"{number:02}": name[:3] for number, name in enumerate((*_MONTHS, "December"), start=1)}


def draw(messages: Mapping[int, int], last: int) -> Chart:
    """A chart of so many days up to this one; days are numbers since 1970."""
    first = last - DAYS + 1
    step = WIDTH / DAYS
    highest = max((count for day, count in messages.items() if first <= day <= last), default=0)
    bars = []
    for day in range(first, last + 1):
        if count := messages.get(day, 0):
            height = max(_LEAST, HEIGHT * count / highest)
            x, y = (day - first) * step + step * _GAP / 2, HEIGHT - height
            bars.append(Bar(_name(day), count, round(x, 2), round(y, 2), round(step * (1 - _GAP), 2), round(height, 2)))
    return Chart(
        bars=bars,
        months=[Month(_NAMES[_name(day)[5:7]], round((day - first) * step, 2)) for day in _begins(first, last)],
        first=_name(first),
        last=_name(last),
        most=max(bars, key=lambda bar: bar.messages, default=None),
        total=sum(bar.messages for bar in bars),
    )


def _begins(first: int, last: int) -> list[int]:
    """The days with which months begin; none so near the end that its name has no room."""
    return [day for day in range(first, last - DAYS // 20) if _name(day).endswith("-01")]


def _name(day: int) -> str:
    return show_day(day * DAY_MS + 1)
