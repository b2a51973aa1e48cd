"""The first page: where to search, what happened lately, and what waits for somebody."""

from collections.abc import Iterator
from typing import NamedTuple

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from noctuary.access import Caller
from noctuary.app import Memory
from noctuary.app.activity import DAY_MS, Activity
from noctuary.app.browsing import Browsing
from noctuary.doors.cli.words import counted
from noctuary.doors.web.chart import DAYS, Chart, draw
from noctuary.doors.web.filters import may_see
from noctuary.doors.web.frame import Frame
from noctuary.errors import NoctuaryError
from noctuary.records import Session
from noctuary.store.sessions import Selection
from noctuary.work.ready import Ready

_LAST = 8


class Due(NamedTuple):
    """Something that waits, and where it is dealt with."""

    told: str
    place: str


def add(app: FastAPI, frame: Frame) -> None:
    """Let the server answer with the first page."""

    @app.get("/", include_in_schema=False)
    def home(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
        with frame.memory(caller) as memory:
            last = _last(memory, caller)
            return frame.page(
                request,
                caller,
                "home.html",
                amount=Activity(memory, caller.project).amount(),
                chart=_chart(memory, caller, last),
                sessions=last,
                due=list(_due(memory, caller)),
            )


def _last(memory: Memory, caller: Caller) -> list[Session]:
    found = memory.sessions(limit=_LAST, selection=Selection(project=caller.project))
    return [session for session in found if may_see(caller, session)]


def _chart(memory: Memory, caller: Caller, last: list[Session]) -> Chart:
    """The last days; of a memory in which nothing has happened for longer than that, those before it fell silent."""
    today = memory.clock.now_ms() // DAY_MS
    newest = (last[0].last_ms or 0) // DAY_MS if last else today
    end = today if newest > today - DAYS else newest
    return draw(Activity(memory, caller.project).days((end - DAYS + 1) * DAY_MS), end)


def _due(memory: Memory, caller: Caller) -> Iterator[Due]:
    """What waits for a dream or for a person."""
    try:
        if caller.project is None and (waiting := memory.dreams.standing().outlook.waiting):
            yield Due(f"{counted(waiting, 'session')} to dream about", "/dreams")
        if proposed := Browsing(memory).suggested(caller.project):
            yield Due(f"{counted(proposed, 'proposal')} to review", "/review")
        ready = _ready(memory, caller)
        if ready and ready.tasks:
            yield Due(f"{counted(len(ready.tasks), 'task')} ready to begin", "/work")
        if ready and ready.stuck:
            yield Due(f"{counted(len(ready.stuck), 'task')} stuck", "/work")
    except NoctuaryError:  # a page that cannot tell all of it tells the rest
        yield Due("Something is wrong with the memory", "/health")


def _ready(memory: Memory, caller: Caller) -> Ready | None:
    """Tasks that can be begun; none if the project of the key is not known, since another may be called alike."""
    if caller.project is None:
        return memory.work("").ready(everywhere=True)
    is_known = memory.project_called(caller.project) == caller.project
    return memory.work(caller.project).ready() if is_known else None
