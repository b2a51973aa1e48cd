"""Searches: in what was said, and in what was written down."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from noctuary.app import portions
from noctuary.app.within import Within
from noctuary.doors.http.asked import Asked, Reading
from noctuary.doors.http.routes.names import Moment, ProjectQuery
from noctuary.doors.http.shapes.shape import LONGEST_SESSION, Shape
from noctuary.doors.http.shapes.speech import FoundShape, HitShape
from noctuary.doors.http.shapes.work import EntryShape, NodeShape
from noctuary.recall.contract import DEFAULT_LIMIT
from noctuary.recall.query import Query as Search
from noctuary.records import Found, Role

router = APIRouter(prefix="/search", tags=["search"])
_MOST = 50
_MORE = 4  # times as many hits are looked at, where some may be of another project whose name ends the same

Text = Annotated[
    str,
    Query(
        alias="q",
        max_length=4_000,
        description="Any text; filters as `role:`, `agent:`, `project:`, `session:`, `after:`, `before:` may be in it.",
    ),
]
Limit = Annotated[int, Query(ge=1, le=_MOST)]
Agent = Annotated[str | None, Query(max_length=200)]
SessionQuery = Annotated[str | None, Query(max_length=LONGEST_SESSION, description="In this session alone.")]
Roles = Annotated[list[Role], Query(max_length=4)]
Excluded = Annotated[list[str], Query(max_length=50, description="Sessions to leave out.")]


class FoundEntries(Shape):
    """Entries that say something like it, the best first."""

    entries: list[EntryShape]


class FoundNodes(Shape):
    """Nodes that say something like it, the best first."""

    nodes: list[NodeShape]


@router.get("/sessions", response_model=FoundShape)
def search_sessions(
    asked: Reading,
    text: Text,
    agent: Agent = None,
    project: ProjectQuery = None,
    role: Roles = [],  # noqa: B006 (FastAPI copies it)
    after_ms: Moment = None,
    before_ms: Moment = None,
    exclude: Excluded = [],  # noqa: B006
    limit: Limit = DEFAULT_LIMIT,
) -> Response:
    """The sessions that answer best, each with the message that matched and what is around it."""
    with asked.memory() as within:
        query = _narrowed(within.memory.query(text), agent, None, role, after_ms, before_ms, exclude)
        query, most = _of_project(asked, query, project, limit)
        return asked.tell(_seen(within, within.memory.search(query, limit=most), limit))


@router.get("/messages", response_model=FoundShape)
def search_messages(
    asked: Reading,
    text: Text,
    agent: Agent = None,
    project: ProjectQuery = None,
    session: SessionQuery = None,
    role: Roles = [],  # noqa: B006
    after_ms: Moment = None,
    before_ms: Moment = None,
    exclude: Excluded = [],  # noqa: B006
    limit: Limit = DEFAULT_LIMIT,
) -> Response:
    """The messages that answer best; a session may appear more than once."""
    with asked.memory() as within:
        query = _narrowed(within.memory.query(text), agent, session, role, after_ms, before_ms, exclude)
        query, most = _of_project(asked, query, project, limit)
        return asked.tell(_seen(within, within.memory.search_messages(query, limit=most), limit))


def _narrowed(
    query: Search,
    agent: str | None,
    session: str | None,
    roles: list[Role],
    after_ms: int | None,
    before_ms: int | None,
    excluded: list[str],
) -> Search:
    """The query within the filters that were given beside it, which win over those in its text."""
    given: dict[str, Any] = {"agent": agent, "session": session, "after_ms": after_ms, "before_ms": before_ms}
    given |= {"roles": tuple(roles) or None, "exclude_sessions": tuple(excluded) or None}
    return query._replace(**{name: value for name, value in given.items() if value is not None})


def _of_project(asked: Asked, query: Search, project: str | None, limit: int) -> tuple[Search, int]:
    """The query within the project that may be seen, and how many hits to look at for that."""
    own = asked.project(project)
    narrowed = query._replace(project=own) if own is not None else query
    return narrowed, limit if asked.caller.project is None else limit * _MORE


def _seen(within: Within, found: Found, limit: int) -> FoundShape:
    """What was found, as far as it may be seen: searches take the end of a project's name for the whole."""
    seen = [hit for hit in found.hits if within.sees(hit.session.project)][:limit]
    hits = [HitShape.of(hit) for hit in portions.of_hits(seen)]
    return FoundShape(query=found.query, hits=hits, note=found.note, strength=found.strength)


@router.get("/events", response_model=FoundEntries)
def search_events(asked: Reading, text: Text, project: ProjectQuery = None, limit: Limit = 20) -> Response:
    """What was decided, found, rejected … about something."""
    own = asked.project(project)
    with asked.memory() as within:
        found = within.work(own).find_entries(text, everywhere=own is None, limit=limit)
        seen = [each.entry for each in found if within.sees(each.entry.event.project)]
        shown = [EntryShape.of(entry) for entry in seen if not within.names_others(entry)]
        return asked.tell(FoundEntries(entries=shown))


@router.get("/nodes", response_model=FoundNodes)
def search_nodes(asked: Reading, text: Text, project: ProjectQuery = None, limit: Limit = 20) -> Response:
    """Goals, tasks and decisions by what they say."""
    own = asked.project(project)
    with asked.memory() as within:
        found = within.work(own).find_nodes(text, everywhere=own is None, limit=limit)
        seen = [each.node for each in found if within.sees(each.node.project)]  # an id is found wherever it is
        return asked.tell(FoundNodes(nodes=[NodeShape.of(node) for node in seen]))
