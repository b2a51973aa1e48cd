"""Dreams: where they stand, one now, what they did, what waits to be looked at, and taking one back."""

from http import HTTPStatus
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Query
from starlette.responses import Response

from noctuary.app import listing, requests
from noctuary.app.requests import AskedDream
from noctuary.app.within import Within
from noctuary.doors.http.asked import Dreaming, Reading
from noctuary.doors.http.document import told
from noctuary.doors.http.nights import Wish, give_up
from noctuary.doors.http.paging import DEFAULT, Cursor, Limit, Part, Place, cut, decode, encode
from noctuary.doors.http.problems import Problem
from noctuary.doors.http.routes.names import ProjectQuery, ThingName
from noctuary.doors.http.shapes.kept import MemoryShape
from noctuary.doors.http.shapes.nights import (
    AskedDreamShape,
    DreamOverview,
    NewDream,
    Rejecting,
    ReportShape,
    SuggestionShape,
    UndoneShape,
    projects_of,
)
from noctuary.doors.http.shapes.shape import Page
from noctuary.doors.http.shapes.work import EntryShape, PerhapsOtherWords
from noctuary.dream.reviewing import Suggestion
from noctuary.dreams import Report
from noctuary.errors import NotFound

router = APIRouter(prefix="/dream", tags=["dreams"])
_LOOKED_AT = 500  # dreams, for those that concern one project


@router.get("", response_model=DreamOverview)
def overview(asked: Reading) -> Response:
    """Where dreams stand."""
    at_work = asked.door.nights.is_at_work(asked.caller.owner)
    with asked.memory() as within:
        if within.project is None:
            return asked.tell(DreamOverview.of(within.dreams.overview(), at_work=at_work))
        return asked.tell(_narrow_overview(within, at_work=at_work))


def _narrow_overview(within: Within, *, at_work: bool) -> DreamOverview:
    """Where dreams stand in one project; nothing is counted that is of others."""
    dreams, project = within.dreams, within.project
    waiting = [record for record in dreams.waiting() if within.sees(within.memory.session(record.session).project)]
    runs = [each for each in listing.runs(within.memory, None, _LOOKED_AT) if ReportShape.concerns(each, project)]
    return DreamOverview(
        is_enabled=dreams.settings.enabled,
        backend=dreams.settings.backend,
        due=None,
        waiting=len({record.session for record in waiting}),
        open=None,
        failed=None,
        completed=None,
        suggestions=len(dreams.suggestions(project)),
        last_success_ms=next((run.finished_ms for run in runs if run.status == "completed"), None),
        last_run=runs[0].run if runs else None,
        spent_today=None,
        at_work=at_work,
    )


@router.post(
    "/runs",
    status_code=202,
    response_model=AskedDreamShape,
    responses={
        **told(404, 503),
        202: {"headers": {"Location": {"description": "Where it is told how it goes.", "schema": {"type": "string"}}}},
    },
)
def ask_for_dream(asked: Dreaming, body: NewDream) -> Response:
    """Have a dream now: it is had behind the answer, and `Location` tells how it goes."""
    project = asked.project(body.project)
    door, owner = asked.door, asked.caller.owner
    name = uuid4().hex

    def ask(within: Within) -> tuple[int, AskedDreamShape, dict[str, str]]:
        if not door.nights.has_room(owner):  # before an answer is kept that would be given again for nothing
            raise _too_many()
        for session in body.sessions:
            within.session(session)
        wanted = AskedDream(name, project, within.memory.clock.now_ms())
        requests.save_asked(within.memory, wanted)
        location = {"Location": f"{asked.request.scope.get('root_path', '')}/dream/requests/{name}"}
        return HTTPStatus.ACCEPTED, AskedDreamShape.model_validate(wanted), location

    answer = asked.once(body, ask)
    with asked.memory() as within:
        wanted = requests.asked_dream(within.memory, name)
    wish = wanted and Wish(owner, wanted, tuple(body.sessions), body.most, body.backend)
    if wanted and wish and not door.nights.wish(wish):  # there is no wish if the answer is one of before
        give_up(door.house, owner, wanted)  # somebody else took the last room in between
    return answer


def _too_many() -> Problem:
    return Problem(HTTPStatus.SERVICE_UNAVAILABLE, "Too many dreams wait already.", headers={"Retry-After": "60"})


@router.get("/requests/{name}", response_model=AskedDreamShape, responses=told(404))
def read_asked(asked: Reading, name: ThingName) -> Response:
    """How a dream goes that was asked for."""
    with asked.memory() as within:
        found = requests.asked_dream(within.memory, name)
        if found is None or not within.sees(found.project):
            raise NotFound("There is no such request with this id.")
        return asked.tell(AskedDreamShape.model_validate(found))


@router.get("/runs", response_model=Page[ReportShape])
def list_runs(asked: Reading, limit: Limit = 20, cursor: Cursor = None) -> Response:
    """What dreams did, the last first."""
    behind = decode(cursor)
    with asked.memory() as within:
        most = limit if within.project is None else _LOOKED_AT
        rows = listing.runs(within.memory, behind.name if behind else None, most + 1)
        seen = [row for row in rows[:most] if ReportShape.concerns(row, within.project)]
        shown = seen[:limit]
        is_cut = len(seen) > limit
        last = shown[-1] if is_cut else rows[most - 1] if len(rows) > most else None
        part = Part(shown, encode(Place(0, last.run)) if last else None)
        return asked.tell(Page[ReportShape].of(part, [ReportShape.of(row, within.project) for row in part.rows]))


@router.get("/runs/{run}", response_model=ReportShape, responses=told(404))
def read_run(asked: Reading, run: ThingName) -> Response:
    """What one dream did."""
    with asked.memory() as within:
        return asked.tell(ReportShape.of(_report(within, run), within.project))


def _report(within: Within, name: str) -> Report:
    """The report of a dream that may be seen; its id is whole."""
    unknown = NotFound("There is no dream with this id.")
    try:
        report = within.dreams.show(name)
    except NotFound:
        raise unknown from None
    if report.run != name or not ReportShape.concerns(report, within.project):
        raise unknown
    return report


@router.post("/runs/{run}/undo", response_model=UndoneShape, responses=told(404, 409))
def undo(asked: Dreaming, run: ThingName) -> Response:
    """Take a dream back completely."""

    def take_back(within: Within) -> tuple[int, UndoneShape]:
        report = _report(within, run)
        if not all(map(within.sees, projects_of(report))):
            raise Problem(
                HTTPStatus.FORBIDDEN, "This dream concerns other projects, too, and this key is for one alone."
            )
        undone = within.dreams.undo(report.run)
        return HTTPStatus.OK, UndoneShape(
            run=undone.run,
            events=undone.events,
            kept=list(undone.kept),
            memories=undone.memories,
            sessions=undone.sessions,
        )

    return asked.once(None, take_back, is_apart=True)


@router.get("/suggestions", response_model=Page[SuggestionShape], responses=told(404))
def list_suggestions(
    asked: Reading,
    project: ProjectQuery = None,
    run: Annotated[str | None, Query(max_length=200, description="Of this dream alone.")] = None,
    limit: Limit = DEFAULT,
    cursor: Cursor = None,
) -> Response:
    """What dreams proposed and nobody has looked at, the oldest first."""
    with asked.memory() as within:
        found = within.dreams.suggestions(asked.project(project), run=run)
        part = cut(found, cursor, limit, lambda each: Place(0, each.entry.event.id))
        return asked.tell(Page[SuggestionShape].of(part, [_suggestion(each) for each in part.rows]))


def _suggestion(each: Suggestion) -> SuggestionShape:
    memory = MemoryShape.of(each.memory) if each.memory else None
    return SuggestionShape(entry=EntryShape.of(each.entry), memory=memory)


@router.post("/suggestions/{event}/accept", response_model=EntryShape, responses=told(404, 409))
def accept(asked: Dreaming, event: ThingName, body: PerhapsOtherWords) -> Response:
    """Say that a proposal is right, perhaps in other words."""
    return asked.once(
        body,
        lambda within: (
            HTTPStatus.OK,
            EntryShape.of(within.dreams.accept(within.entry(event).event.id, body.text)),
        ),
        is_apart=True,
    )


@router.post("/suggestions/{event}/reject", response_model=EntryShape, responses=told(404, 409))
def reject(asked: Dreaming, event: ThingName, body: Rejecting) -> Response:
    """Say that a proposal is wrong; no dream proposes it again."""
    return asked.once(
        body,
        lambda within: (
            HTTPStatus.OK,
            EntryShape.of(within.dreams.reject(within.entry(event).event.id, body.reason)),
        ),
        is_apart=True,
    )
