"""One request: who asks, what of a memory they may see, and how it is answered once."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from typing import Annotated, NamedTuple

from fastapi import Depends, Header, Request
from pydantic import BaseModel
from starlette.responses import Response

from noctuary.access import Caller, Scope
from noctuary.app.requests import Answer, answer_once
from noctuary.app.within import Within
from noctuary.authored import Author, EventSource, Trust
from noctuary.digests import digest
from noctuary.doors.http.door import Door
from noctuary.doors.http.etags import etag_of, is_match
from noctuary.doors.http.problems import Problem
from noctuary.errors import NoctuaryError
from noctuary.work.desk import Writer

JSON = "application/json"
REPLAYED = {"Idempotent-Replayed": "true"}

Done = tuple[int, BaseModel] | tuple[int, BaseModel, dict[str, str]]  # status, shape, headers


class Asked(NamedTuple):
    """A request, and whoever it is from."""

    door: Door
    caller: Caller
    request: Request
    key: str | None = None  # under which the request may be repeated

    @contextmanager
    def memory(self) -> Iterator[Within]:
        """What the caller may see of their memory, for this thread alone.

        Who may see one project alone is told what kind of error it was, and no more: its text may name others.
        """
        with self.door.house.memory(self.caller.owner) as memory:
            try:
                yield Within(memory, self.caller.project)
            except NoctuaryError as error:
                if self.caller.project is None or _is_plain(error):
                    raise
                raise type(error) from error

    def project(self, given: str | None) -> str | None:
        """The project that is meant; a Problem if the key is for another one."""
        own = self.caller.project
        if own is None or given is None or given == own:
            return given if own is None else own
        raise Problem(HTTPStatus.FORBIDDEN, "This key is for another project.")

    def whole(self) -> None:
        """A Problem if the key is for one project alone, for what is asked concerns all of them."""
        if self.caller.project is not None:
            raise Problem(HTTPStatus.FORBIDDEN, "This concerns all projects, and this key is for one alone.")

    def writer(self, by: str, session: str | None = None) -> Writer:
        """Who writes: an agent, unless it is said to be the user, which takes a key that may do everything."""
        if by == Author.AGENT:
            return Writer(Author.AGENT, EventSource.API, session, Trust.AGENT)
        if not self.caller.may(Scope.ADMIN):
            detail = "Only a key with the scope `admin` speaks for the user; without `by` it is an agent's word."
            raise Problem(HTTPStatus.FORBIDDEN, detail)
        return Writer(Author.USER, EventSource.API, session, Trust.USER)

    def tell(self, shape: BaseModel, status: int = HTTPStatus.OK) -> Response:
        """The shape as an answer to a question; nothing but its tag, if whoever asks has it already."""
        body = shape.model_dump_json()
        tag = etag_of(body)
        headers = {"ETag": tag}
        if is_match(self.request.headers.get("if-none-match"), tag, is_weak=True):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(body, status, headers, JSON)

    def require_match(self, current: Callable[[], BaseModel]) -> None:
        """A Problem if the request is about another state of a thing than the one it has now."""
        given = self.request.headers.get("if-match")
        if given is not None and not is_match(given, etag_of(current().model_dump_json()), is_weak=False):
            raise Problem(HTTPStatus.PRECONDITION_FAILED, "It has changed since; read it again, then decide.")

    def once(self, body: BaseModel | None, do: Callable[[Within], Done], *, is_apart: bool = False) -> Response:
        """Do what is asked, and answer it; with an idempotency key at most once, and answered the same again.

        What also writes files that others hold is done `is_apart` from writing down that it was answered.
        """
        key = self.key
        if key is None:
            with self.memory() as within:
                return _response(_done(do, within))
        with self.door.flights.taking_off(self.caller.owner, key) as is_only:
            if not is_only:
                detail = "A request with this idempotency key is being answered; ask again in a moment."
                raise Problem(HTTPStatus.CONFLICT, detail, headers={"Retry-After": "1"})
            with self.memory() as within:
                done = answer_once(
                    within.memory, key, self._digest(body), partial(_done, do, within), is_apart=is_apart
                )
        if done is None:
            detail = "Something else was asked with this idempotency key; take another one for each request."
            raise Problem(HTTPStatus.CONFLICT, detail)
        return _response(done.answer, REPLAYED if done.is_of_before else {})

    def _digest(self, body: BaseModel | None) -> str:
        """What is asked, and for which project, in a few letters."""
        url, said = self.request.url, body.model_dump_json() if body else ""
        asked = json.dumps([self.request.method, url.path, url.query, self.caller.project, said])
        return digest(asked.encode(), size=16).hex()


def _is_plain(error: NoctuaryError) -> bool:
    """Whether the error is one of `Within`, which names nothing."""
    return str(error).startswith("There is no ") and str(error).endswith(" with this id.")


def _done(do: Callable[[Within], Done], within: Within) -> Answer:
    return _answer(*do(within))


def _answer(status: int, shape: BaseModel, headers: Mapping[str, str] | None = None) -> Answer:
    return Answer(int(status), {**(headers or {})}, shape.model_dump_json())


def _response(answer: Answer, more: Mapping[str, str] | None = None) -> Response:
    return Response(answer.body, answer.status, {**answer.headers, **(more or {})}, JSON)


IfNoneMatch = Annotated[
    str | None, Header(max_length=2_000, description="Tags of answers one has: 304, if this one is among them.")
]
IfMatch = Annotated[
    str | None, Header(max_length=2_000, description="The tag of what one has read: 412, if it has changed since.")
]
IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=200,
        pattern=r"^[!-~]+$",
        description="Any text; the same request with the same key is done once, and answered the same for a day.",
    ),
]


def _reads(scope: Scope) -> Callable[..., Asked]:
    def find(request: Request, if_none_match: IfNoneMatch = None) -> Asked:  # noqa: ARG001 (it is for the document)
        door: Door = request.app.state.door
        return Asked(door, door.guard.caller(scope)(request), request)

    return find


def _changes(scope: Scope) -> Callable[..., Asked]:
    def find(request: Request, if_match: IfMatch = None) -> Asked:  # noqa: ARG001 (it is for the document)
        door: Door = request.app.state.door
        return Asked(door, door.guard.caller(scope)(request), request)

    return find


def _adds(scope: Scope) -> Callable[..., Asked]:
    def find(request: Request, idempotency_key: IdempotencyKey = None) -> Asked:
        door: Door = request.app.state.door
        return Asked(door, door.guard.caller(scope)(request), request, idempotency_key)

    return find


def _judges(scope: Scope) -> Callable[..., Asked]:
    """Judged again it is the same, so a key is taken and no answer is kept: what is judged may be taken back."""

    def find(request: Request, idempotency_key: IdempotencyKey = None) -> Asked:  # noqa: ARG001 (for the document)
        door: Door = request.app.state.door
        return Asked(door, door.guard.caller(scope)(request), request)

    return find


def _asks(scope: Scope) -> Callable[..., Asked]:
    def find(request: Request) -> Asked:
        door: Door = request.app.state.door
        return Asked(door, door.guard.caller(scope)(request), request)

    return find


Reading = Annotated[Asked, Depends(_reads(Scope.READ))]  # may be answered with 304
Asking = Annotated[Asked, Depends(_asks(Scope.READ))]
Writing = Annotated[Asked, Depends(_asks(Scope.WRITE))]
Changing = Annotated[Asked, Depends(_changes(Scope.WRITE))]  # may be refused with 412
Reviewing = Annotated[Asked, Depends(_changes(Scope.DREAM))]  # the same
Adding = Annotated[Asked, Depends(_adds(Scope.WRITE))]  # may be repeated
Dreaming = Annotated[Asked, Depends(_adds(Scope.DREAM))]
Checking = Annotated[Asked, Depends(_reads(Scope.ADMIN))]
Judging = Annotated[Asked, Depends(_judges(Scope.ADMIN))]
Administering = Annotated[Asked, Depends(_adds(Scope.ADMIN))]
