"""Memories: listed, kept, pinned, retired, forgotten, explained; and the brief that tells them."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from noctuary.access import Scope
from noctuary.app.within import Within
from noctuary.brief.page import BUDGET, Brief, Section
from noctuary.doors.http.asked import Adding, Asked, Reading, Reviewing
from noctuary.doors.http.document import told
from noctuary.doors.http.paging import DEFAULT, Cursor, Limit, Place, cut
from noctuary.doors.http.problems import Problem
from noctuary.doors.http.routes.names import ProjectQuery, ThingName
from noctuary.doors.http.shapes.kept import BriefShape, MemoryShape, NewMemory, Retiring, WhyShape
from noctuary.doors.http.shapes.shape import Page
from noctuary.doors.http.shapes.work import EntryShape
from noctuary.errors import NotFound
from noctuary.fences import fenced
from noctuary.store.memories import MemoryStatus, Remembered

router = APIRouter(tags=["memories"])
RULES = ("constraint", "preference", "procedure")  # which an agent can only propose


@router.get("/memories", response_model=Page[MemoryShape])
def list_memories(
    asked: Reading,
    project: ProjectQuery = None,
    kind: Annotated[
        Literal["decision", "constraint", "preference", "fact", "procedure", "gotcha"] | None, Query()
    ] = None,
    held: Annotated[bool, Query(description="Only those that hold, or wait for somebody's yes.")] = True,
    limit: Limit = DEFAULT,
    cursor: Cursor = None,
) -> Response:
    """Memories, the newest first; of a project also those that hold in all, unless the key is for it alone."""
    own = asked.project(project)
    with asked.memory() as within:
        found = within.work(own).memories(held_only=held, everywhere=own is None)
        seen = [memory for memory in found if within.sees(memory.project) and kind in (None, memory.kind)]
        part = cut(seen, cursor, limit, lambda memory: Place(memory.recorded_ms, memory.id), is_falling=True)
        return asked.tell(Page[MemoryShape].of(part, [MemoryShape.of(memory) for memory in part.rows]))


@router.post("/memories", status_code=201, response_model=MemoryShape, responses=told(409))
def remember(asked: Adding, body: NewMemory) -> Response:
    """Keep a sentence; one that is kept already is given back as it is."""
    writer, project = asked.writer(body.by), asked.project(body.project)
    if body.everywhere:
        asked.whole()
    if body.pinned and not asked.caller.may(Scope.DREAM):
        raise Problem(HTTPStatus.FORBIDDEN, "Only a key with the scope `dream` pins, for that is the user's word.")

    def write(within: Within) -> tuple[int, MemoryShape]:
        memory = within.work(project, writer).remember(
            body.text,
            kind=body.kind,
            topic=body.topic,
            everywhere=body.everywhere,
            pinned=body.pinned,
            confidence=body.confidence,
            suggested=body.by == "agent" and body.kind in RULES,
        )
        return HTTPStatus.CREATED, MemoryShape.of(memory)

    return asked.once(body, write)


@router.get("/memories/{memory}", response_model=MemoryShape, responses=told(404))
def read_memory(asked: Reading, memory: ThingName) -> Response:
    """One memory."""
    with asked.memory() as within:
        return asked.tell(MemoryShape.of(_kept(within, memory)))


def _kept(within: Within, name: str) -> Remembered:
    """The memory with this id; one that was forgotten is not there any more."""
    memory = within.remembered(name)
    if memory.status is MemoryStatus.RETRACTED:
        raise NotFound("There is no memory with this id.")
    return memory


@router.get("/memories/{memory}/why", response_model=WhyShape, responses=told(404))
def why(asked: Reading, memory: ThingName) -> Response:
    """What a memory rests on, and which dreams wrote about it."""
    with asked.memory() as within:
        known = _kept(within, memory)
        found = within.dreams.explain(known.id, known.project)
        grounds = [ground.entry for ground in found.grounds if within.sees(ground.entry.event.project)]
        shape = WhyShape(
            memory=MemoryShape.of(found.memory),
            grounds=[EntryShape.of(within.shown(entry)) for entry in grounds],
            runs=list(found.runs),
        )
        return asked.tell(shape)


@router.put("/memories/{memory}/pin", response_model=MemoryShape, responses=told(404, 409))
def pin(asked: Reviewing, memory: ThingName) -> Response:
    """Show a memory always; a proposal holds then.  This is the user's word."""
    return _pinned(asked, memory, is_pinned=True)


@router.delete("/memories/{memory}/pin", response_model=MemoryShape, responses=told(404, 409))
def unpin(asked: Reviewing, memory: ThingName) -> Response:
    """Show a memory only as long as it matters."""
    return _pinned(asked, memory, is_pinned=False)


def _pinned(asked: Asked, memory: str, *, is_pinned: bool) -> Response:
    with asked.memory() as within:
        known, check = _kept(within, memory), _check(asked, within, memory)
        return asked.tell(MemoryShape.of(within.dreams.pin(known.id, known.project, is_pinned=is_pinned, check=check)))


def _check(asked: Asked, within: Within, memory: str) -> Callable[[], None]:
    """What refuses a change, while nobody else writes, if the memory is not as it was when the caller read it."""
    return lambda: asked.require_match(lambda: MemoryShape.of(_kept(within, memory)))


@router.delete("/memories/{memory}", response_model=MemoryShape, responses=told(404, 409))
def forget(asked: Reviewing, memory: ThingName, reason: Annotated[str, Query(max_length=1_000)] = "") -> Response:
    """Say that a memory should never have been: no dream brings it back.  This is the user's word."""
    with asked.memory() as within:
        known, check = _kept(within, memory), _check(asked, within, memory)
        forgotten = within.dreams.forget(known.id, known.project, reason=reason, check=check)
        return asked.tell(MemoryShape.of(forgotten))


@router.post("/memories/{memory}/retire", response_model=MemoryShape, responses=told(404, 409))
def retire(asked: Adding, memory: ThingName, body: Retiring) -> Response:
    """Say that a memory was right and holds no longer; of what the user has said or approved, only `by` the user."""
    writer = asked.writer(body.by)

    def write(within: Within) -> tuple[int, MemoryShape]:
        known = _kept(within, memory)
        work = within.work(known.project, writer)
        return HTTPStatus.OK, MemoryShape.of(work.retire(known.id, body.reason))

    return asked.once(body, write)


@router.get("/brief", response_model=BriefShape, tags=["briefs"])
def brief(
    asked: Reading,
    project: ProjectQuery = None,
    budget: Annotated[int, Query(ge=100, le=20_000, description="Tokens.")] = BUDGET,
) -> Response:
    """What a session in a project is told at its start; a key for one project is told only what is of that."""
    with asked.memory() as within:
        made = within.memory.briefing(asked.project(project) or "", budget=budget)
        return asked.tell(BriefShape.of(made if within.project is None else _narrowed(within, made)))


def _narrowed(within: Within, made: Brief) -> Brief:
    """The brief without what its owner keeps for all projects."""
    sections = [
        Section(section.title, lines)
        for section in made.sections
        if (lines := [line for line in section.lines if _is_seen(within, line.id)])
    ]
    told = "\n\n".join("\n".join([f"## {each.title}", *(line.text for line in each.lines)]) for each in sections)
    return made._replace(sections=sections, text=fenced(told) if sections else "")


def _is_seen(within: Within, name: str) -> bool:
    """Whether a line about this may be told: what is no memory is of the project already."""
    memory = within.memory.store.memories.find(within.memory.owner, name)
    return memory is None or within.sees(memory.project)
