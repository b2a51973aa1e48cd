"""The chart of messages a day, as numbers that a template draws."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from noctuary.app.activity import DAY_MS
from noctuary.moments import show_day

DAYS = 120
_GAP = 0.25  # of a bar
_LEAST = 2.0  # percent, of a day on which anything was said, so that it is seen
_USUAL = 0.9  # so many of the days have no more than what is usual
_CUT_ABOVE = 3  # times what is usual: one day must not make all the others invisible
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Bar(NamedTuple):
    """One day; places and sizes are percents of the chart."""

    day: str
    messages: int
    x: float
    y: float
    width: float
    height: float
    is_cut: bool  # there were more than the chart is high


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

    @property
    def is_cut(self) -> bool:
        """Whether any bar should be higher."""
        return any(bar.is_cut for bar in self.bars)


def draw(messages: Mapping[int, int], last: int) -> Chart:
    """A chart of so many days up to this one; days are numbers since 1970."""
    first = last - DAYS + 1
    shown = {day: messages[day] for day in range(first, last + 1) if messages.get(day)}
    top = _top(sorted(shown.values()))
    bars = [_bar(day, day - first, count, top) for day, count in shown.items()]
    return Chart(
        bars=bars,
        months=[Month(_MONTHS[int(_name(day)[5:7]) - 1], _percent(day - first)) for day in _begins(first, last)],
        first=_name(first),
        last=_name(last),
        most=max(bars, key=lambda bar: bar.messages, default=None),
        total=sum(shown.values()),
    )


def _top(counts: Sequence[int]) -> int:
    """How many messages the whole height stands for."""
    if not counts:
        return 1
    usual = counts[min(len(counts) - 1, int(len(counts) * _USUAL))]
    return usual * _CUT_ABOVE // 2 if counts[-1] > usual * _CUT_ABOVE else counts[-1]


def _bar(day: int, place: int, count: int, top: int) -> Bar:
    height = round(min(100.0, max(_LEAST, 100 * count / top)), 2)
    width = round(100 / DAYS * (1 - _GAP), 3)
    x = round(_percent(place) + 100 / DAYS * _GAP / 2, 3)
    return Bar(_name(day), count, x, round(100 - height, 2), width, height, count > top)


def _percent(place: int) -> float:
    return round(100 * place / DAYS, 3)


def _begins(first: int, last: int) -> list[int]:
    """The days with which months begin; none so near the end that its name has no room."""
    return [day for day in range(first, last - DAYS // 12) if _name(day).endswith("-01")]


def _name(day: int) -> str:
    return show_day(day * DAY_MS + 1)
