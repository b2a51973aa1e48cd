"""Sessions and their messages."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from noctuary.app import listing, portions
from noctuary.app.listing import SessionChoice
from noctuary.app.within import Within
from noctuary.doors.http.asked import Adding, Reading, Writing
from noctuary.doors.http.document import told
from noctuary.doors.http.nights import Wish
from noctuary.doors.http.paging import DEFAULT, Cursor, Limit, Part, Place, decode, encode, part_of
from noctuary.doors.http.problems import Problem
from noctuary.doors.http.routes.names import Moment, ProjectQuery, SessionName
from noctuary.doors.http.shapes.shape import Page
from noctuary.doors.http.shapes.speech import (
    Appended,
    Completed,
    Completion,
    MessageShape,
    NewMessage,
    NewMessages,
    NewSession,
    SessionId,
    SessionShape,
    WindowShape,
)
from noctuary.recall.contract import DEFAULT_WINDOW, MOST_WINDOW
from noctuary.records import Kind, Message, Relation, Role, Session, Status, TitleSource
from noctuary.store.keys import MOST_MESSAGES

router = APIRouter(tags=["sessions"])


@router.put(
    "/sessions/{session}",
    response_model=SessionShape,
    responses={**told(409), 201: {"model": SessionShape, "description": "It is new."}},
)
def ensure_session(asked: Writing, session: Annotated[SessionId, Path()], body: NewSession) -> Response:
    """Make a session known, or fill in what was missing."""
    project = asked.project(body.project)
    with asked.memory() as within:
        is_new = not within.is_taken(session)
        if not is_new and not within.sees(within.memory.session(session).project):
            raise Problem(HTTPStatus.CONFLICT, "This id is taken.")
        within.memory.add_session(_session(session, body, project, within.memory.clock.now_ms()), ())
        return asked.tell(SessionShape.of(within.session(session)), HTTPStatus.CREATED if is_new else HTTPStatus.OK)


def _session(name: str, body: NewSession, project: str | None, now_ms: int) -> Session:
    return Session(
        id=name,
        agent=body.agent,
        project=project or None,
        title=body.title,
        title_source=TitleSource.GIVEN if body.title else None,
        cwd=body.cwd,
        branch=body.branch,
        model=body.model,
        parent=body.parent,
        relation=Relation(body.relation) if body.relation else None,
        source="api",
        started_ms=now_ms if body.started_ms is None else body.started_ms,
    )


@router.get("/sessions", response_model=Page[SessionShape])
def list_sessions(
    asked: Reading,
    agent: Annotated[str | None, Query(max_length=200)] = None,
    project: ProjectQuery = None,
    status: Annotated[Status | None, Query()] = None,
    after_ms: Moment = None,
    before_ms: Moment = None,
    limit: Limit = DEFAULT,
    cursor: Cursor = None,
) -> Response:
    """Sessions by last activity, the newest first."""
    wanted = SessionChoice(agent, asked.project(project), status, after_ms, before_ms)
    behind = decode(cursor)
    with asked.memory() as within:
        rows = listing.sessions(within.memory, wanted, behind, limit + 1)
        part = part_of(rows, limit, lambda row: Place(row.last_ms or 0, row.id))
        return asked.tell(Page[SessionShape].of(part, [SessionShape.of(row) for row in part.rows]))


@router.get("/sessions/{session:session}", response_model=SessionShape, responses=told(404))
def read_session(asked: Reading, session: SessionName) -> Response:
    """One session."""
    with asked.memory() as within:
        return asked.tell(SessionShape.of(within.session(session)))


@router.get("/sessions/{session:session}/messages", response_model=Page[MessageShape], responses=told(404))
def list_messages(asked: Reading, session: SessionName, limit: Limit = DEFAULT, cursor: Cursor = None) -> Response:
    """The conversation from its beginning; a part has fewer messages than it may, if they are very long."""
    behind = decode(cursor)
    first = min(behind.number + 1, MOST_MESSAGES) if behind else 1
    with asked.memory() as within:
        found = portions.read_on(within.memory, within.session(session).id, first, limit)
        part = Part(found.messages, encode(Place(found.last)) if found.goes_on else None)
        return asked.tell(Page[MessageShape].of(part, [MessageShape.of(message) for message in found.messages]))


@router.get("/sessions/{session:session}/messages/{message}", response_model=WindowShape, responses=told(404))
def scroll(
    asked: Reading,
    session: SessionName,
    message: Annotated[int, Path(ge=1, le=MOST_MESSAGES)],
    window: Annotated[int, Query(ge=0, le=MOST_WINDOW, description="How many messages on each side.")] = DEFAULT_WINDOW,
) -> Response:
    """A message, and those around it: fewer than there may be, if they are very long."""
    with asked.memory() as within:
        found = portions.around(within.memory, within.session(session).id, message, window)
        return asked.tell(WindowShape.of(found))


@router.post("/sessions/{session:session}/messages", status_code=201, response_model=Appended, responses=told(404))
def append_messages(asked: Adding, session: SessionName, body: NewMessages) -> Response:
    """Store messages at the end of a session, all or none."""

    def append(within: Within) -> tuple[int, Appended]:
        known = within.session(session)
        now_ms = within.memory.clock.now_ms()
        ids = within.memory.add_session(Session(id=known.id), [_message(each, now_ms) for each in body.messages])
        return HTTPStatus.CREATED, Appended(session=known.id, ids=list(ids))

    return asked.once(body, append)


def _message(given: NewMessage, now_ms: int) -> Message:
    return Message(
        role=Role(given.role),
        content=given.content,
        kind=Kind(given.kind),
        ts_ms=now_ms if given.ts_ms is None else given.ts_ms,
        tool_name=given.tool_name,
        tool_calls=given.tool_calls,
        call_id=given.call_id,
    )


@router.post("/sessions/{session:session}/complete", response_model=Completed, responses=told(404))
def complete_session(asked: Adding, session: SessionName) -> Response:
    """Say that a session is over.  It is written down first; then it is looked at whether a dream is due."""

    def complete(within: Within) -> tuple[int, Completed]:
        record = within.dreams.end_session(within.session(session).id)
        ended = SessionShape.of(within.session(session))
        return HTTPStatus.OK, Completed(session=ended, completion=Completion.model_validate(record))

    answer = asked.once(None, complete)
    asked.door.nights.wish(Wish(asked.caller.owner))
    return answer


@router.post("/sessions/{session:session}/suspend", response_model=SessionShape, responses=told(404, 409))
def suspend_session(asked: Adding, session: SessionName) -> Response:
    """Mark a session as paused, so that it does not end by itself."""

    def suspend(within: Within) -> tuple[int, SessionShape]:
        within.dreams.suspend_session(within.session(session).id)
        return HTTPStatus.OK, SessionShape.of(within.session(session))

    return asked.once(None, suspend)


@router.post("/sessions/{session:session}/resume", response_model=SessionShape, responses=told(404, 409))
def resume_session(asked: Adding, session: SessionName) -> Response:
    """Mark a suspended session as going on."""

    def resume(within: Within) -> tuple[int, SessionShape]:
        within.dreams.resume_session(within.session(session).id)
        return HTTPStatus.OK, SessionShape.of(within.session(session))

    return asked.once(None, resume)
