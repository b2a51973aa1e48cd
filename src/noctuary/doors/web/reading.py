"""The reader: one session, a window of messages at a time, however long it is.

/sessions/ID                 its beginning
/sessions/ID?at=14#m14       around a message, which stands out
/sessions/ID?before=14       the window before a message; after=14 the one after it
/sessions/ID?end=1           its end
/sessions/ID?message=14      one message, all of it
"""

from typing import NamedTuple

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from noctuary.access import Caller
from noctuary.app import Memory
from noctuary.doors.web.filters import may_see, session_for
from noctuary.doors.web.frame import Frame
from noctuary.doors.web.telling import Told, told
from noctuary.errors import MessageNotFound, NotFound
from noctuary.records import Message, Session, Window
from noctuary.store.keys import MOST_MESSAGES

_A_WINDOW = 50  # messages
_MOST_DOUBLINGS = 24  # which is more than all ids there can be


class Place(NamedTuple):
    """Which part of a session is asked for; 0 is none of it."""

    at: int = 0
    before: int = 0
    after: int = 0
    whole: int = 0  # a message
    end: int = 0

    @classmethod
    def of(cls, request: Request) -> "Place":
        """What the address of a request asks for; what is no number is not asked for."""
        return cls(*(_number(request.query_params.get(name, "")) for name in cls._fields))


def add(app: FastAPI, frame: Frame) -> None:
    """Let the server answer with sessions."""

    @app.get("/sessions/{name:path}", include_in_schema=False)
    def session(request: Request, name: str, caller: Caller = frame.reader) -> HTMLResponse:
        place = Place.of(request)
        with frame.memory(caller) as memory:
            found = session_for(memory, caller, name or request.query_params.get("id", ""))
            parent = _parent(memory, caller, found)
            if place.whole:
                only = _only(memory, found, place.whole)
                return frame.page(request, caller, "message.html", session=found, parent=parent, message=only)
            part = _part(memory, found, place)
            shown = [told(message) for message in part.messages]
            return frame.page(
                request, caller, "session.html", session=found, parent=parent, part=part, shown=shown, place=place
            )


def _number(given: str) -> int:
    return int(given) if given.isdecimal() and len(given) < 9 and int(given) <= MOST_MESSAGES else 0


def _parent(memory: Memory, caller: Caller, session: Session) -> Session | None:
    """The session that this one came from, if it is known and may be seen."""
    try:
        found = memory.session(session.parent) if session.parent else None
    except NotFound:
        return None
    return found if found and may_see(caller, found) else None


def _only(memory: Memory, session: Session, number: int) -> Told:
    """One message, all of it."""
    part = memory.show(session.id, around=number, window=0)
    return told(next(one for one in part.messages if one.id == number), is_whole=True)


def _part(memory: Memory, session: Session, place: Place) -> Window:
    """The window that is asked for; the beginning, if there is no such message any more."""
    try:
        if place.at:
            return memory.show(session.id, around=place.at, window=_A_WINDOW // 2)
        if place.before:
            part = memory.show(session.id, around=place.before, window=_A_WINDOW)
            return _cut(part, [one for one in part.messages if one.id < place.before][-_A_WINDOW:])
        if place.after:
            part = memory.show(session.id, around=place.after, window=_A_WINDOW)
            return _cut(part, [one for one in part.messages if one.id > place.after][:_A_WINDOW])
    except MessageNotFound:
        return _first(memory, session)
    return _last(memory, session) if place.end else _first(memory, session)


def _cut(part: Window, kept: list[Message]) -> Window:
    """A part of the window, and how many messages there are before and after it now."""
    if not kept:
        return part
    before = sum(one.id < kept[0].id for one in part.messages)
    after = sum(one.id > kept[-1].id for one in part.messages)
    return part._replace(messages=kept, before=part.before + before, after=part.after + after)


def _first(memory: Memory, session: Session) -> Window:
    """How the session begins; it may begin with many messages that nobody is shown."""
    limit = _A_WINDOW
    for _ in range(_MOST_DOUBLINGS):
        part = memory.show(session.id, limit=limit)
        if part.messages or not part.after:
            break
        limit *= 2
    return _cut(part, list(part.messages[:_A_WINDOW]))


def _last(memory: Memory, session: Session) -> Window:
    """How the session ends.  Ids are at least as many as messages, so none of the last has a lower id than this."""
    part = memory.show(session.id, first=max(1, session.message_count - _A_WINDOW + 1))
    return _cut(part, list(part.messages[-_A_WINDOW:]))
