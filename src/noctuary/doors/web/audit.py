"""The page of the audit: what deserves a look, and a picture of how it came to be."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from noctuary.access import Caller
from noctuary.app.auditing import audit
from noctuary.audit.report import ADVICE, MEANING, Concern, Item, Week, named
from noctuary.doors.web.choosing import need_whole_memory
from noctuary.doors.web.frame import Frame
from noctuary.doors.web.outcome import page

WIDTH, HEIGHT = 720, 140
_GAP = 0.3  # of a bar
_OTHER = re.compile(r"as (m-[0-9a-z]+)")
_MOST = 200  # items of a concern on the page; the command line lists them all


class Bar(NamedTuple):
    """A week: how high the memories that held stand, and those of them that are of concern today."""

    week: Week
    x: float
    width: float
    height: float
    concern_height: float


class Row(NamedTuple):
    """One thing that deserves a look, and the memories that it is about."""

    item: Item
    memory: str  # its id; empty if it is none
    other: str  # the one that it is compared with


def add(app: FastAPI, frame: Frame) -> None:
    """Let the server tell what deserves a look."""

    @app.get("/health/audit", include_in_schema=False)
    def audit_page(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
        need_whole_memory(caller, "health")
        with frame.memory(caller) as memory:
            found = audit(memory, is_quick=True)
        concerns = [(concern, found.of(concern)) for concern in Concern if found.of(concern)]
        return page(
            frame,
            request,
            caller,
            "audit.html",
            audit=found,
            concerns=[(concern, [*map(row, items[:_MOST])], len(items)) for concern, items in concerns],
            named=named,
            meaning=MEANING,
            advice=ADVICE,
            bars=bars(found.weeks),
            width=WIDTH,
            height=HEIGHT,
        )


def row(item: Item) -> Row:
    """An item with what leads further."""
    other = _OTHER.match(item.why)
    return Row(item, item.id if item.id.startswith("m-") else "", other[1] if other else "")


def bars(weeks: Sequence[Week]) -> list[Bar]:
    """The picture: a bar a week, as high as many memories held; none if there never was one."""
    most = max((week.held for week in weeks), default=0)
    if not most:
        return []
    step, scale = WIDTH / len(weeks), HEIGHT / most
    return [
        Bar(
            week,
            round(place * step + step * _GAP / 2, 2),
            round(step * (1 - _GAP), 2),
            round(week.held * scale, 2),
            round(week.of_concern * scale, 2),
        )
        for place, week in enumerate(weeks)
    ]
