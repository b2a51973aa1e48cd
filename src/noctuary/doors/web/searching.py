"""The page that searches: as one types, or as a plain form; the same address answers both."""

from typing import NamedTuple

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from noctuary.access import Caller
from noctuary.app import Memory
from noctuary.app.activity import Activity
from noctuary.doors.web.filters import Filters, address, may_see, session_for
from noctuary.doors.web.frame import Frame
from noctuary.errors import BadTime, SessionNotFound
from noctuary.recall.contract import MOST_HITS
from noctuary.recall.query import Query
from noctuary.records import Found, Hit, Role, Session

_HITS = 20
_LONGEST_QUERY = 4_000
_CERTAIN = 0.5


class Asked(NamedTuple):
    """What is looked for, as it was typed."""

    q: str
    filters: Filters
    role: str
    session: str  # the only one to look at; its messages are hits of their own then
    most: int

    @classmethod
    def of(cls, request: Request) -> "Asked":
        """What the address of a request asks."""
        given = request.query_params
        role, most = given.get("role", ""), given.get("most", "")
        return cls(
            q=given.get("q", "").strip()[:_LONGEST_QUERY],
            filters=Filters.of(given),
            role=role if role in list(Role) else "",
            session=given.get("session", "").strip(),
            most=min(MOST_HITS, int(most)) if most.isdecimal() and len(most) < 5 and int(most) else _HITS,
        )

    @property
    def values(self) -> dict[str, str]:
        """All of it as an address has it, but for how many are shown."""
        return {"q": self.q, **self.filters._asdict(), "role": self.role, "session": self.session}


class Answer(NamedTuple):
    """What was found, and what to say about it."""

    told: str
    hits: tuple[Hit, ...] = ()
    note: str = ""
    more: str = ""  # the address of more hits
    within: Session | None = None


def add(app: FastAPI, frame: Frame) -> None:
    """Let the server answer searches."""

    @app.get("/search", include_in_schema=False)
    def search(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
        asked = Asked.of(request)
        with frame.memory(caller) as memory:
            answer = _answer(memory, caller, asked)
            if request.query_params.get("part"):
                return frame.page(request, caller, "results.html", asked=asked, answer=answer)
            activity = Activity(memory, caller.project)
            return frame.page(
                request,
                caller,
                "search.html",
                asked=asked,
                answer=answer,
                agents=activity.agents(),
                projects=activity.projects(),
                roles=list(Role),
            )


def _answer(memory: Memory, caller: Caller, asked: Asked) -> Answer:
    """What the memory says; what cannot be looked for is said in words, never by an error."""
    within = None
    try:
        within = session_for(memory, caller, asked.session) if asked.session else None
        query = _query(memory, caller, asked, within)
    except (BadTime, SessionNotFound) as error:
        return Answer(told="The search was not run.", note=str(error), within=within)
    if query.is_blank:
        return Answer(told="", within=within)
    found = (memory.search_messages if within else memory.search)(query, limit=asked.most)
    hits = tuple(hit for hit in found.hits if may_see(caller, hit.session))
    if not hits:
        advice = "Try other words for it, a name, an error or a file." if query.is_unfiltered else ""
        if not Activity(memory, caller.project).amount().sessions:
            advice = "No conversation is stored yet; `noctuary import` brings them in."
        return Answer(told=found.note or "Nothing found.", note=advice, within=within)
    more = min(MOST_HITS, asked.most + _HITS) if len(found.hits) >= asked.most < MOST_HITS else 0
    return Answer(
        told=_told(hits, found, "message" if within else "session"),
        hits=hits,
        note=found.note,
        more=address("/search", asked.values, most=str(more)) if more else "",
        within=within,
    )


def _query(memory: Memory, caller: Caller, asked: Asked, within: Session | None) -> Query:
    """The query with the filters of the form, which win over those that were typed among the words."""
    query = memory.query(asked.q)
    chosen = asked.filters.selection(caller, memory.clock.now_ms())
    return query._replace(
        roles=(Role(asked.role),) if asked.role else query.roles,
        agent=chosen.agent or query.agent,
        project=chosen.project if chosen.project is not None else query.project,
        session=within.id if within else query.session,
        after_ms=query.after_ms if chosen.after_ms is None else chosen.after_ms,
        before_ms=query.before_ms if chosen.before_ms is None else chosen.before_ms,
    )


def _told(hits: tuple[Hit, ...], found: Found, what: str) -> str:
    amount = f"{len(hits)} {what}{'s' if len(hits) > 1 else ''}, best first."
    return amount if found.strength >= _CERTAIN else f"{amount} None is a sure answer."
