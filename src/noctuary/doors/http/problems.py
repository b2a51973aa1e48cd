"""What went wrong, as the problem JSON of RFC 9457: one place where errors become answers.

The class of an error decides the status, never its text.  What nobody expected is answered without a word of what it
was about: neither an error's text nor where it happened leaves the server.
"""

import inspect
import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noctuary import errors

MEDIA_TYPE = "application/problem+json"
_log = logging.getLogger("noctuary.http")
_MOST_FAULTS = 20
_LONGEST_FAULT = 200

_STATUS: tuple[tuple[type[errors.NoctuaryError], HTTPStatus], ...] = (
    (errors.BadChange, HTTPStatus.CONFLICT),  # the call makes sense, but not with the work as it stands
    (errors.NotAllowed, HTTPStatus.FORBIDDEN),
    (errors.BadInput, HTTPStatus.UNPROCESSABLE_ENTITY),
    (errors.NotFound, HTTPStatus.NOT_FOUND),
    (errors.NotFree, HTTPStatus.CONFLICT),
    (errors.ModelError, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.StoreBusy, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.StoreUnreachable, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.StoreFull, HTTPStatus.INSUFFICIENT_STORAGE),
    (errors.StoreReadOnly, HTTPStatus.INSUFFICIENT_STORAGE),
    (errors.StoreError, HTTPStatus.INTERNAL_SERVER_ERROR),
)
DETAILS = {
    404: "There is nothing at this address; the document of the API, /api/v1/openapi.json, lists what there is.",
    405: "This cannot be done here; `Allow` says what can.",
}
_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")
_RETRY = {HTTPStatus.SERVICE_UNAVAILABLE: {"Retry-After": "5"}}


class Problem(Exception):
    """An answer that says what went wrong; raise it, and whoever asked gets it as problem JSON."""

    def __init__(
        self,
        status: int,
        detail: str = "",
        *,
        title: str = "",
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(detail)
        self.status = int(status)
        self.title = title or HTTPStatus(self.status).phrase
        self.detail = detail
        self.headers = dict(headers or {})
        self.more = more  # members of the problem beside those of the RFC

    @property
    def body(self) -> dict[str, Any]:
        """The problem as JSON has it."""
        told = {"type": "about:blank", "title": self.title, "status": self.status, "detail": self.detail}
        return {**told, **self.more}


class NotAdmitted(HTTPException):
    """Why somebody may not come in; of a kind that whoever reads a body lets through."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.status)
        self.problem = problem


def answer(problem: Problem) -> Response:
    """The problem as a response."""
    return JSONResponse(problem.body, problem.status, problem.headers, media_type=MEDIA_TYPE)


def problem_of(error: errors.NoctuaryError) -> Problem:
    """The problem that an error of ours is.

    What a database reports names files, addresses and users of the server's machine, and whoever asks before a key
    could be looked up is a stranger; so of that only the kind is told.
    """
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), HTTPStatus.INTERNAL_SERVER_ERROR)
    detail = str(error)
    if isinstance(error, errors.StoreError):
        _log.warning("store", extra={"kind": type(error).__name__})
        detail = inspect.getdoc(type(error)) or ""
    return Problem(status, detail, headers=_RETRY.get(status))


def unexpected(error: BaseException) -> Problem:
    """The problem for what nobody expected; what it was is only in the log, and there only its kind."""
    _log.error("unexpected", extra={"kind": type(error).__name__})
    return Problem(
        HTTPStatus.INTERNAL_SERVER_ERROR, "Something unexpected went wrong. Nothing that was acknowledged is lost."
    )


def add_problems(app: FastAPI) -> None:
    """Let every error of this application become problem JSON."""
    app.add_exception_handler(Problem, _on_problem)
    app.add_exception_handler(errors.NoctuaryError, _on_noctuary_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http_exception)
    app.add_middleware(LastResort)


class LastResort:
    """Answers what no handler knew with a problem that tells nothing of it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call what is within; a response that has begun cannot be replaced, and is cut."""
        has_begun = False

        async def sending(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except Exception as error:
            if scope["type"] != "http" or has_begun:
                raise
            await answer(unexpected(error))(scope, receive, send)


async def _on_problem(_: Request, error: Exception) -> Response:
    return answer(error) if isinstance(error, Problem) else answer(unexpected(error))


async def _on_noctuary_error(_: Request, error: Exception) -> Response:
    return answer(problem_of(error)) if isinstance(error, errors.NoctuaryError) else answer(unexpected(error))


async def _on_invalid(request: Request, error: Exception) -> Response:
    if refused := await stranger(request):
        return answer(refused)
    found = error.errors() if isinstance(error, RequestValidationError) else []
    detail = "The request is not what this address takes; `errors` says where."
    return answer(Problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail, errors=_faults(found)))


async def _on_http_exception(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return answer(unexpected(error))
    if isinstance(error, NotAdmitted):
        return answer(error.problem)
    status, headers = error.status_code, dict(error.headers or {})
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(_methods(request)) or headers.get("Allow", "")
    is_said = error.detail != HTTPStatus(status).phrase
    return answer(Problem(status, error.detail if is_said else DETAILS.get(status, ""), headers=headers))


async def stranger(request: Request) -> Problem | None:
    """Why whoever sent this may not come in at all.

    What is wrong with a request may be found out before anybody asks whose it is; so it is asked then, or strangers
    would be told what is wrong, as often as they like.
    """
    admit = getattr(request.app.state, "admit", None)
    try:
        if admit is not None:
            await run_in_threadpool(admit, request)
    except Problem as problem:
        return None if problem.status == HTTPStatus.FORBIDDEN else problem
    except errors.NoctuaryError as error:
        return problem_of(error)
    return None


def _methods(request: Request) -> list[str]:
    """What may be done at an address: each route that it fits knows a part of that."""
    asked = [{**request.scope, "method": method} for method in _METHODS]
    routes: list[BaseRoute] = request.app.routes
    return [each["method"] for each in asked if any(route.matches(each)[0] is Match.FULL for route in routes)]


def _faults(found: Sequence[Any]) -> list[dict[str, str]]:
    """Where a request is wrong and how, but not what it said: it may be long, or private."""
    return [
        {
            "in": ".".join(str(part) for part in fault["loc"])[:_LONGEST_FAULT],
            "fault": str(fault["msg"])[:_LONGEST_FAULT],
        }
        for fault in found[:_MOST_FAULTS]
    ]
