"""What went wrong, as a page: who asks for a page is not shown the JSON that programs get."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noctuary.doors.http.entering import ENTER, LONGEST_PLACE, PLACE
from noctuary.doors.http.guarding import NEEDS_KEY
from noctuary.doors.http.problems import DETAILS
from noctuary.doors.web.filters import address
from noctuary.doors.web.frame import Frame

_PROBLEM = "application/problem+json"
# What people read in place of the names that statuses have, and what is for programs alone.
_TITLES = {
    400: "This request could not be read",
    403: "You do not have access to this",
    404: "There is nothing here",
    405: "This cannot be done here",
    409: "This cannot be done now",
    413: "This is too much at once",
    421: "This server has another name",
    422: "This request was not understood",
    429: "Too many requests",
    500: "Something went wrong",
    503: "Not available right now",
    507: "There is no room left",
}
_FOR_PROGRAMS = frozenset({NEEDS_KEY, *DETAILS.values()})


class Trouble:
    """Turns the problem JSON of an answer into a page, for browsers; all else goes through as it is."""

    def __init__(self, app: ASGIApp, frame: Frame) -> None:
        self.app = app
        self.frame = frame

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        is_for_people = scope["type"] == "http" and not scope["path"].startswith("/api/")
        if is_for_people and "text/html" in Request(scope).headers.get("accept", ""):
            await self.app(scope, receive, _Answer(self.frame, Request(scope), send).send)
        else:
            await self.app(scope, receive, send)


class _Answer:
    """One answer on its way out."""

    def __init__(self, frame: Frame, request: Request, send: Send) -> None:
        self.frame = frame
        self.request = request
        self._send = send
        self._held: Message | None = None  # the beginning of what will be another answer
        self._body = b""

    async def send(self, message: Message) -> None:
        """Send a piece of the answer on, or keep it until all of the problem is there."""
        if message["type"] == "http.response.start" and _is_problem(message):
            self._held = message
        elif self._held is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_page(self._held)

    async def _send_page(self, start: Message) -> None:
        problem: dict[str, Any] = json.loads(self._body)
        page = self.frame.page(
            self.request,
            None,
            "trouble.html",
            title=_TITLES.get(start["status"]) or str(problem.get("title") or "This did not work"),
            detail=_for_people(str(problem.get("detail") or "")),
            code=start["status"],
            enter=_enter(self.request),
            back=_came_from(self.request),
        )
        headers = MutableHeaders(scope=start)
        headers["Content-Type"] = page.headers["content-type"]
        headers["Content-Length"] = str(len(page.body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": bytes(page.body)})


def _for_people(detail: str) -> str:
    """What is wrong; nothing, where the page says all that people can do about it."""
    return "" if detail in _FOR_PROGRAMS else detail


def _enter(request: Request) -> str:
    """Where the form goes that asks for a key: it leads back to the page that was asked for."""
    place = request.query_params.get(PLACE, "")
    if request.url.path != ENTER:
        query = [pair for pair in request.query_params.multi_items() if pair[0] != "token"]
        place = _address(request.scope["path"], query) if request.method == "GET" else ""
    return address(ENTER, {PLACE: place} if 1 < len(place) <= LONGEST_PLACE else {})


def _came_from(request: Request) -> str:
    """The page of ours with the form that could not be answered; empty if there is none."""
    host, _, rest = request.headers.get("referer", "").partition("://")[2].partition("/")
    if request.method == "GET" or not host or host != request.headers.get("host"):
        return ""
    path, _, query = rest.partition("?")
    return "/" + _address(unquote(path), parse_qsl(query)).lstrip("/\\")


def _address(path: str, query: Sequence[tuple[str, str]]) -> str:
    quoted = quote(path.encode("utf-8", "replace"))
    return f"{quoted}?{urlencode(query, errors='replace')}" if query else quoted


def _is_problem(start: Message) -> bool:
    return MutableHeaders(scope=start).get("content-type", "").startswith(_PROBLEM)
