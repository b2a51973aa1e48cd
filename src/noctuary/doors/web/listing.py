"""The list of sessions, the last active first, a page at a time."""

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from noctuary.access import Caller
from noctuary.app import Memory
from noctuary.app.activity import Activity
from noctuary.doors.web.filters import Filters, address, may_see
from noctuary.doors.web.frame import Frame
from noctuary.errors import BadTime
from noctuary.records import Session

_A_PAGE = 50
_MOST_PAGES = 200  # who looks for older ones says when they were


def add(app: FastAPI, frame: Frame) -> None:
    """Let the server list sessions."""

    @app.get("/sessions", include_in_schema=False)
    def sessions(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
        filters, page = Filters.of(request.query_params), _page(request.query_params.get("page", ""))
        with frame.memory(caller) as memory:
            listed, wrong = _listed(memory, caller, filters, page)
            activity = Activity(memory, caller.project)
            return frame.page(
                request,
                caller,
                "sessions.html",
                sessions=listed[:_A_PAGE],
                wrong=wrong,
                filters=filters,
                first=(page - 1) * _A_PAGE + 1,
                amount=activity.amount(),
                newer=_at(filters, page - 1) if page > 1 else "",
                older=_at(filters, page + 1) if len(listed) > _A_PAGE and page < _MOST_PAGES else "",
                agents=activity.agents(),
                projects=activity.projects(),
            )


def _page(given: str) -> int:
    number = int(given) if given.isdecimal() and len(given) < 5 else 1
    return max(1, min(_MOST_PAGES, number))


def _listed(memory: Memory, caller: Caller, filters: Filters, page: int) -> tuple[list[Session], str]:
    """The sessions of a page and one more if there are more; and in words what is wrong with the filters."""
    try:
        selection = filters.selection(caller, memory.clock.now_ms())
    except BadTime as error:
        return [], str(error)
    found = memory.sessions(limit=page * _A_PAGE + 1, selection=selection)
    return [session for session in found if may_see(caller, session)][(page - 1) * _A_PAGE :], ""


def _at(filters: Filters, page: int) -> str:
    return address("/sessions", filters._asdict(), page=str(page) if page > 1 else "")
