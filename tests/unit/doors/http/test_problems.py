"""Errors as problem JSON: each kind has its status, and nothing leaves the server that nobody meant to say."""

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from noctuary import errors
from noctuary.access import Caller, Scope
from noctuary.doors.http.problems import MEDIA_TYPE, Problem, add_problems, problem_of
from tests.unit.doors.http.serving import Served

SECRET = "what somebody said in confidence"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.BadInput("x"), 422),
        (errors.BadTime(), 422),
        (errors.BadChange("x"), 409),
        (errors.SessionNotFound(), 404),
        (errors.NotFree(), 409),
        (errors.StoreBusy(), 503),
        (errors.StoreUnreachable(), 503),
        (errors.StoreFull(), 507),
        (errors.StoreReadOnly(), 507),
        (errors.StoreDamaged(), 500),
        (errors.ModelUnreachable(), 503),
    ],
)
def test_the_class_of_an_error_decides_the_status(error: errors.NoctuaryError, status: int) -> None:
    """And its text is the detail."""
    problem = problem_of(error)

    assert problem.status == status
    assert problem.body["detail"] == str(error)
    assert ("Retry-After" in problem.headers) == (status == 503)


@pytest.mark.parametrize(
    "kind", [errors.StoreUnreachable, errors.StoreReadOnly, errors.StoreDamaged, errors.StoreError]
)
def test_where_the_database_is_nobody_is_told(kind: type[errors.StoreError]) -> None:
    """Who asks while no key can be looked up is a stranger; the kind says what to do."""
    told = problem_of(kind("postgresql://db.internal/x: no entry in pg_hba.conf for user ana"))

    assert told.body["detail"] == kind.__doc__


def failing() -> TestClient:
    """An application that fails in every way."""
    app = FastAPI()
    add_problems(app)

    @app.get("/bug")
    def bug() -> None:
        raise RuntimeError(SECRET)

    @app.get("/problem")
    def problem() -> None:
        raise Problem(418, "I am one.", title="A teapot", headers={"X-Tea": "green"}, leaves=3)

    @app.get("/number/{number}")
    def number(number: int) -> int:
        return number

    return TestClient(app, raise_server_exceptions=False)


def test_what_nobody_expected_tells_nothing_of_itself() -> None:
    """Neither its text, nor its kind, nor where it happened."""
    answer = failing().get("/bug")

    assert answer.status_code == 500
    assert answer.headers["content-type"] == MEDIA_TYPE
    assert SECRET not in answer.text
    assert "RuntimeError" not in answer.text
    assert "problems.py" not in answer.text


def test_a_problem_has_the_members_of_the_standard_and_its_own() -> None:
    """Type, title, status and detail; and headers come with it."""
    answer = failing().get("/problem")

    assert answer.json() == {
        "type": "about:blank", "title": "A teapot", "status": 418, "detail": "I am one.", "leaves": 3,
    }  # fmt: skip
    assert answer.headers["x-tea"] == "green"


def test_a_request_that_is_wrong_is_told_where_but_not_what_it_said() -> None:
    """What was sent may be long, or private."""
    answer = failing().get("/number/secret")

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["in"] == "path.number"
    assert "secret" not in answer.text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nothing", 404), ("DELETE", "/tasks", 405), ("GET", "/sessions?limit=0", 422)],
)
def test_every_answer_that_is_none_is_a_problem(served: Served, method: str, path: str, status: int) -> None:
    """Also those that no route of ours gives."""
    answer = served.ask(method, path)

    assert answer.status_code == status == answer.json()["status"]
    assert answer.headers["content-type"] == MEDIA_TYPE
    assert answer.json()["detail"]


def test_who_does_what_cannot_be_done_is_told_all_that_can(served: Served) -> None:
    """`Allow` names the methods of every route at the address."""
    assert served.ask("DELETE", "/sessions/s1").headers["allow"] == "GET, PUT"


def test_a_body_that_is_no_json_is_refused(served: Served) -> None:
    """It is not guessed at, whatever it looks like."""
    answer = served.ask("POST", "/tasks", content=b'{"title": "x"}', headers={"Content-Type": "text/plain"})

    assert answer.status_code == 415


def test_json_that_is_none_is_wrong_where_it_stands(served: Served) -> None:
    """As any other request that cannot be read."""
    answer = served.ask("POST", "/tasks", content=b"{", headers={"Content-Type": "application/json"})

    assert answer.status_code == 422
    assert answer.headers["content-type"] == MEDIA_TYPE


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000])
def test_a_stranger_is_not_told_what_is_wrong_with_their_json(served: Served, body: bytes) -> None:
    """But that they need a key, whatever they sent."""
    stranger = Caller("eve", frozenset(Scope), key_id="nobody knows")

    answer = served.ask("POST", "/tasks", content=body, headers={"Content-Type": "application/json"}, as_=stranger)

    assert answer.status_code == 401
