"""How a person comes in by a browser: an address with a key or token in it, or a form; then a cookie, until they leave.

`GET /…?token=KEY` and `POST /enter` (a form with `token`) set the cookie and lead to a page whose address does not have
it, so that it stays in no history; `POST /enter?place=/…` leads back to where somebody was asked who they are.
`POST /leave` takes the cookie away.  No script can read the cookie, and no page of another
site sends it.
"""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Protocol
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from noctuary.doors.http import origins
from noctuary.doors.http.auditing import PATH
from noctuary.doors.http.credentials import cookie_name, is_plausible
from noctuary.doors.http.problems import Problem, answer

ENTER, LEAVE = "/enter", "/leave"
DAYS = 30
PLACE, LONGEST_PLACE = "place", 2_000
_FIELD = "token"
_LONGEST_FORM = 2_000


class Doorkeeper(Protocol):
    """Who knows keys: the guard."""

    async def enter(self, asked: Scope, key: str) -> str:
        """What the cookie is to hold for somebody who shows this key; a Problem if it is not good."""
        ...


class Entering:
    """Answers requests by which somebody comes in or leaves; all others go on."""

    def __init__(self, app: ASGIApp, guard: Doorkeeper) -> None:
        self.app = app
        self.guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["path"].startswith("/api/"):
            await self.app(scope, receive, send)
            return
        try:
            response = await self._answer(Request(scope, receive))
        except Problem as problem:
            response = answer(problem)
        await (response or self.app)(scope, receive, send)

    async def _answer(self, request: Request) -> Response | None:
        if request.method == "POST" and request.url.path == LEAVE:
            request.scope[PATH] = LEAVE
            gone = _redirect("/", ())
            gone.delete_cookie(cookie_name(request.scope), httponly=True, samesite="strict")
            return gone
        if request.method == "POST" and request.url.path == ENTER:
            return await self._let_in(request, _place(request), await _form(request))
        if request.method == "GET" and _FIELD in request.query_params:
            return await self._let_in(request, request.url.path, request.query_params.multi_items())
        return None

    async def _let_in(self, request: Request, place: str, fields: Sequence[tuple[str, str]]) -> Response:
        """Set the cookie; not for another page, which could let people into the memory of somebody else."""
        request.scope[PATH] = ENTER
        if not origins.is_opened_by_hand(request.headers):
            raise Problem(HTTPStatus.FORBIDDEN, "Another page led here; open this address by hand.")
        keys = [value for name, value in fields if name == _FIELD]
        key = keys[0] if len(keys) == 1 and is_plausible(keys[0]) else "-"
        response = _redirect(place, [pair for pair in fields if pair[0] != _FIELD])
        response.set_cookie(
            cookie_name(request.scope),
            await self.guard.enter(request.scope, key),
            max_age=DAYS * 86_400,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response


async def _form(request: Request) -> list[tuple[str, str]]:
    length = Headers(scope=request.scope).get("content-length", "")
    if not length.isdigit() or len(length) > 5 or int(length) > _LONGEST_FORM:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "The form has one field, `token`.")
    return parse_qsl((await request.body()).decode("utf-8", "replace"))


def _place(request: Request) -> str:
    """Where somebody wanted to go when they were asked for a key."""
    place = request.query_params.get(PLACE, "/")
    return place if place.startswith("/") and len(place) <= LONGEST_PLACE else "/"


def _redirect(place: str, fields: Sequence[tuple[str, str]]) -> RedirectResponse:
    """To a page of ours, whatever the place is: two slashes would be another host."""
    place = "/" + place.lstrip("/\\")
    return RedirectResponse(f"{place}?{urlencode(fields)}" if fields else place, HTTPStatus.SEE_OTHER)
