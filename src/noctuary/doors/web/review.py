"""The review queue: what dreams proposed, each with the words it rests on, to be accepted, worded anew or rejected."""

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from noctuary.access import Caller
from noctuary.app import Memory
from noctuary.app.browsing import Browsing
from noctuary.authored import Entry, EventType
from noctuary.doors.web.choosing import EVERYWHERE, may_see, project_of, word
from noctuary.doors.web.filters import address
from noctuary.doors.web.frame import Form, Frame
from noctuary.doors.web.outcome import done, page
from noctuary.doors.web.wording import short
from noctuary.errors import EventNotFound

_A_PAGE = 20


def add(app: FastAPI, frame: Frame) -> None:
    """Let the server show the queue, and write down what becomes of it."""

    @app.get("/review", include_in_schema=False)
    def review(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
        given = request.query_params
        project, after = project_of(caller, given), word(given, "after")
        with frame.memory(caller) as memory:
            browsing = Browsing(memory)
            waiting = browsing.suggestions(project, after, _A_PAGE + 1)
            shown = waiting[:_A_PAGE]
            asked = {"project": word(given, "project")}
            cited = (message.session for one in shown for message in one.entry.event.refs.messages)
            sources = browsing.found_in(shown)
            last = shown[-1].entry.event.id if len(waiting) > _A_PAGE else ""
            return page(
                frame,
                request,
                caller,
                "review.html",
                suggestions=shown,
                titles=browsing.titles([*cited, *sources.values()], caller.project),
                sources=sources,
                total=browsing.suggested(project),
                project=project,
                projects=browsing.projects() if caller.project is None else [],
                everywhere=EVERYWHERE,
                here_again=address("/review", asked, after=after),
                further=address("/review", asked, after=last) if last else "",
                beginning=address("/review", asked) if after else "",
            )

    @app.post("/review/{event}/accept", include_in_schema=False)
    def accept(event: str, caller: Caller = frame.dreamer, form: Form = frame.form) -> RedirectResponse:
        with frame.memory(caller) as memory:
            told = _find(memory, caller, event)
            if not told:
                told = _accepted(memory.dreams.accept(event, form.get("text", "").strip()))
        return done(frame, form.get("back", "/review"), told)

    @app.post("/review/{event}/reject", include_in_schema=False)
    def reject(event: str, caller: Caller = frame.dreamer, form: Form = frame.form) -> RedirectResponse:
        with frame.memory(caller) as memory:
            told = _find(memory, caller, event)
            if not told:
                told = _rejected(memory.dreams.reject(event, form.get("reason", "").strip()))
        return done(frame, form.get("back", "/review"), told)


def _find(memory: Memory, caller: Caller, event: str) -> str:
    """In words what was decided of it before, if it was; EventNotFound if there is none that the key is for.

    A form may be sent twice, or from a page that is older than the last decision, which stays what it was.
    """
    entry = memory.work("").entry(event)
    if not may_see(caller, entry.event.project):
        raise EventNotFound(f"There is no event {event!r}.")
    verdict = Browsing(memory).verdict(event)
    if verdict is None:
        return ""
    return _rejected(entry) if verdict.acts_as is EventType.RETRACT else _accepted(verdict)


def _accepted(entry: Entry) -> str:
    return f"Accepted: {short(entry.event.text)}"


def _rejected(entry: Entry) -> str:
    return f"Rejected, and no dream will propose it again: {short(entry.event.text)}"
