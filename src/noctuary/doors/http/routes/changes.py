"""What changes, told as it does: server-sent events, from any place on that somebody was told before."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Header
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from noctuary.app import requests
from noctuary.app.requests import Change, Mark
from noctuary.doors.http.asked import Asked, Asking
from noctuary.doors.http.document import told
from noctuary.doors.http.problems import Problem
from noctuary.errors import StoreError

router = APIRouter(tags=["changes"])
MEDIA_TYPE = "text/event-stream"
MOST_STREAMS = 64  # of this server
MOST_OF_ONE = 32  # of one owner, so that others can listen as well
AT_ONCE = 100  # changes that are read together: who reads slowly is not run ahead of
LOOK_SECONDS = 0.5
KEEP_ALIVE_LOOKS = 30  # looks without a change, after which a comment says that somebody is still there
_BEGINNING = "retry: 2000\n"
_KEEP_ALIVE = ": still here\n\n"
_MARK = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")

LastEventId = Annotated[
    str | None, Header(max_length=40, pattern=r"^[0-9]{1,18}-[0-9]{1,18}$", description="`id` of what was told last.")
]


@router.get(
    "/changes",
    response_class=StreamingResponse,
    responses={**told(503), 200: {"content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}},
)
def changes(asked: Asking, last_event_id: LastEventId = None) -> Response:
    """Events that are written, sessions that begin, end or pause, and dreams, as they come.

    With `Last-Event-ID` all since then comes first; if part of it is not known any more, `missed` says so.
    Nothing is told by a key that was revoked or is over, and the stream ends then.
    """
    begin = _begin(asked, last_event_id)
    open_now = asked.door.meter.stream(asked.caller.owner, +1)
    if open_now.own > MOST_OF_ONE or open_now.total > MOST_STREAMS:
        asked.door.meter.stream(asked.caller.owner, -1)
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "Too many listen already.", headers={"Retry-After": "30"})
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_stream(asked, *begin), headers=headers, media_type=MEDIA_TYPE)


def _begin(asked: Asked, last_event_id: str | None) -> tuple[Mark, bool]:
    """Where to begin, and whether all since then is known."""
    with asked.memory() as within:
        found = _MARK.fullmatch(last_event_id) if last_event_id else None
        if found is None:
            return requests.last_mark(within.memory), True
        mark = Mark(int(found[1]), int(found[2]))
        if requests.go_on_from(within.memory, mark):
            return mark, True
        # It may be of before a snapshot was put back, or of another server: behind it nothing would ever come.
        return min(mark, requests.last_mark(within.memory)), False


async def _stream(asked: Asked, mark: Mark, is_whole: bool) -> AsyncIterator[str]:
    door = asked.door
    try:
        # Without a place of its own, whoever is cut off before anything was told would come back without one.
        yield f"{_BEGINNING}{_place(mark)}\n" + ("" if is_whole else _told("missed", {}, None))
        quiet = 0
        while not door.closing.is_set():
            found = await run_in_threadpool(_look, asked, mark)
            is_said = bool(found) or (quiet + 1) % KEEP_ALIVE_LOOKS == 0
            if is_said and not await run_in_threadpool(door.guard.still_admits, asked.request, asked.caller):
                return  # whoever asks again is told why
            for change in found:
                yield _told(change.kind, _shown(change), change.mark)
            if found:
                mark, quiet = found[-1].mark, 0
                continue
            quiet += 1
            if is_said:
                yield _KEEP_ALIVE
            await asyncio.sleep(LOOK_SECONDS)
    except StoreError:
        return  # the database is away: who asks again is told so, and later all that they missed
    finally:
        door.meter.stream(asked.caller.owner, -1)


def _look(asked: Asked, mark: Mark) -> Sequence[Change]:
    with asked.memory() as within:
        return requests.changes(within.memory, mark, AT_ONCE, within.project)


def _shown(change: Change) -> dict[str, str | None]:
    return {"kind": change.kind, "id": change.name, "project": change.project, "detail": change.detail}


def _told(name: str, data: dict[str, str | None], mark: Mark | None) -> str:
    """One event of the stream; JSON has no line ends in it."""
    return f"{_place(mark) if mark else ''}event: {name}\ndata: {json.dumps(data)}\n\n"


def _place(mark: Mark) -> str:
    """The line by which whoever listens knows where to go on."""
    return f"id: {mark.tx}-{mark.no}\n"
