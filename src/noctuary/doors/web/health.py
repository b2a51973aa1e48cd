"""The page of health: how much is kept, what is due, what the doctor finds, and what models cost day by day."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from noctuary.access import Caller
from noctuary.app.browsing import Browsing
from noctuary.doors.web.choosing import need_whole_memory
from noctuary.doors.web.frame import Frame
from noctuary.doors.web.outcome import page
from noctuary.proposals import Spent

DAYS = 30
WIDTH, HEIGHT = 720, 140
_GAP = 0.3  # of a bar
_LEAST = 2.0  # of a day on which anything was spent, so that it is seen


class Bar(NamedTuple):
    """What models cost on a day."""

    day: str
    spent: Spent
    x: float
    y: float
    width: float
    height: float


class Chart(NamedTuple):
    """What models cost day by day, in dollars if any is known, else in tokens."""

    bars: Sequence[Bar]  # of days on which anything was asked
    first: str
    last: str
    is_money: bool
    highest: float
    total: Spent
    width: int = WIDTH
    height: int = HEIGHT


def add(app: FastAPI, frame: Frame) -> None:
    """Let the server tell how the memory is."""

    @app.get("/health", include_in_schema=False)
    def health(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
        need_whole_memory(caller, "health")
        with frame.memory(caller) as memory:
            browsing = Browsing(memory)
            return page(
                frame,
                request,
                caller,
                "health.html",
                overview=memory.status(),
                checks=browsing.quick_checks(),
                standing=memory.dreams.standing(),
                due=browsing.due(),
                suggested=browsing.suggested(None),
                last_read_ms=browsing.last_read_ms(),
                chart=chart(browsing.spending(DAYS), memory.clock.now_ms()),
                days=DAYS,
            )

    @app.get("/health/checks", include_in_schema=False)
    def checks(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
        need_whole_memory(caller, "health")
        with frame.memory(caller) as memory:
            return page(frame, request, caller, "checks.html", checkup=memory.doctor())


def chart(spending: Mapping[str, Spent], now_ms: int) -> Chart:
    """The chart of the last days up to now."""
    today = datetime.fromtimestamp(now_ms / 1000, UTC).date()
    days = [f"{today - timedelta(days=ago):%Y-%m-%d}" for ago in range(DAYS - 1, -1, -1)]
    is_money = any(spent.dollars for spent in spending.values())
    amounts = {day: _amount(spending[day], is_money=is_money) for day in days if day in spending}
    highest, step = max(amounts.values(), default=0.0), WIDTH / DAYS
    bars = []
    for place, day in enumerate(days):
        if day in amounts:
            height = max(_LEAST, HEIGHT * amounts[day] / highest) if highest else _LEAST
            x, y = place * step + step * _GAP / 2, HEIGHT - height
            sizes = (round(size, 2) for size in (x, y, step * (1 - _GAP), height))
            bars.append(Bar(day, spending[day], *sizes))
    return Chart(bars, days[0], days[-1], is_money, highest, sum((bar.spent for bar in bars), Spent()))


def _amount(spent: Spent, *, is_money: bool) -> float:
    return spent.dollars if is_money else float(spent.tokens_in + spent.tokens_out)
