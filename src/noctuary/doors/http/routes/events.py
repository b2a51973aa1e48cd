"""Events: what was decided, found, rejected; and what was said about that later."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from noctuary.app import listing
from noctuary.app.listing import EventChoice
from noctuary.app.within import Within
from noctuary.authored import Entry, EventType, MessageRef, Refs
from noctuary.doors.http.asked import Adding, Dreaming, Reading
from noctuary.doors.http.document import told
from noctuary.doors.http.paging import DEFAULT, Cursor, Limit, Place, decode, part_of
from noctuary.doors.http.routes.names import ProjectQuery, ThingName, ThingQuery
from noctuary.doors.http.shapes.notes import GivenRefs, NewNote
from noctuary.doors.http.shapes.shape import Page
from noctuary.doors.http.shapes.work import EntryShape, OtherWords, PerhapsOtherWords, Reason
from noctuary.errors import NotFound

router = APIRouter(prefix="/events", tags=["events"])
RULES = ("constraint", "preference", "procedure")  # which an agent can only propose
Done = tuple[int, EntryShape]


@router.get("", response_model=Page[EntryShape], responses=told(404))
def list_events(
    asked: Reading,
    project: ProjectQuery = None,
    node: ThingQuery = None,
    kind: Annotated[EventType | None, Query(alias="type")] = None,
    suggested: Annotated[bool, Query(description="Only what nobody has confirmed.")] = False,
    hidden: Annotated[bool, Query(description="Also what was corrected or taken back.")] = False,
    limit: Limit = DEFAULT,
    cursor: Cursor = None,
) -> Response:
    """What was written down, the last first."""
    behind = decode(cursor)
    status = "suggested" if suggested else None
    with asked.memory() as within:
        about = within.node(node).id if node else None
        within.catch_up()
        wanted = EventChoice(asked.project(project), about, kind, status, hidden)
        rows = listing.events(within.memory, wanted, behind.name if behind else None, limit + 1)
        part = part_of(rows, limit, lambda row: Place(0, row.event.id))
        return asked.tell(Page[EntryShape].of(part, [EntryShape.of(within.shown(row)) for row in part.rows]))


@router.get("/{event}", response_model=EntryShape, responses=told(404))
def read_event(asked: Reading, event: ThingName) -> Response:
    """One event, as it stands now."""
    with asked.memory() as within:
        return asked.tell(EntryShape.of(within.shown(within.entry(event))))


@router.post("", status_code=201, response_model=EntryShape, responses=told(404, 409))
def note(asked: Adding, body: NewNote) -> Response:
    """Write something down.  Constraints and preferences of an agent are proposals until the user says yes."""
    writer, project = asked.writer(body.by, body.session), asked.project(body.project)

    def write(within: Within) -> Done:
        about = within.node(body.node) if body.node else None
        entry = within.work(about.project if about else project, writer).note(
            body.kind,
            body.text,
            node=about,
            alternatives=[each.model_dump() for each in body.alternatives],
            refs=_refs(within, body.refs),
            strength=body.strength,
            suggested=body.suggested or (body.by == "agent" and body.kind in RULES),
            confidence=body.confidence,
            ts_ms=body.ts_ms or 0,
            supersedes=_superseded(within, body.supersedes),
        )
        return HTTPStatus.CREATED, EntryShape.of(entry)

    return asked.once(body, write)


def _refs(within: Within, given: GivenRefs) -> Refs:
    messages = [MessageRef(within.session(each.session).id, each.id, each.quote) for each in given.messages]
    return Refs(messages=messages, commits=tuple(given.commits), files=tuple(given.files))


def _superseded(within: Within, name: str | None) -> str | None:
    """What is superseded, if it may be seen: an event, a node or a memory."""
    if name is None:
        return None
    for find in (within.node, within.remembered):
        try:
            return find(name).id
        except NotFound:
            continue
    return within.entry(name).event.id


@router.post("/{event}/correct", status_code=201, response_model=EntryShape, responses=told(404, 409))
def correct(asked: Adding, event: ThingName, body: OtherWords) -> Response:
    """Say an entry in other words, which stand in its place everywhere."""
    writer = asked.writer(body.by)

    def write(within: Within) -> Done:
        known = within.entry(event).event
        return HTTPStatus.CREATED, _said(within, within.work(known.project, writer).correct(known.id, body.text))

    return asked.once(body, write)


@router.post("/{event}/retract", status_code=201, response_model=EntryShape, responses=told(404, 409))
def retract(asked: Adding, event: ThingName, body: Reason) -> Response:
    """Retract an entry that should never have been."""
    writer = asked.writer(body.by)

    def write(within: Within) -> Done:
        known = within.entry(event).event
        return HTTPStatus.CREATED, _said(within, within.work(known.project, writer).retract(known.id, body.reason))

    return asked.once(body, write)


@router.post("/{event}/confirm", status_code=201, response_model=EntryShape, responses=told(404, 409))
def confirm(asked: Dreaming, event: ThingName, body: PerhapsOtherWords) -> Response:
    """Say that a suggestion is right, perhaps in other words; this is the user's word."""

    def write(within: Within) -> Done:
        known = within.entry(event).event
        return HTTPStatus.CREATED, _said(within, within.work(known.project).confirm(known.id, body.text))

    return asked.once(body, write)


def _said(within: Within, entry: Entry) -> EntryShape:
    return EntryShape.of(within.shown(entry))
