"""A small application behind a guard: what the tests of hosts, origins, keys, limits and the log share."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi import Depends, FastAPI, Request
from starlette.testclient import TestClient

from noctuary.access import Caller, Scope
from noctuary.app.access_keys import make_key, revoke_key, rotate_key
from noctuary.app.house import House
from noctuary.doors.http.guarding import Guard
from noctuary.doors.http.problems import add_problems
from noctuary.doors.logging_lines import LogLines
from noctuary.server_settings import ServerSettings
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests.databases import url_of

TOKEN = "a-token-that-is-long-enough"
HERE = "http://127.0.0.1:7400"
ME = "/api/v1/me"


class KeptLog:
    """A log that keeps its lines for the test."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def write(self, line: bytes) -> None:
        """Keep the line."""
        self.lines.append(line)

    @property
    def text(self) -> str:
        """All of them."""
        return b"".join(self.lines).decode()


class Guarded:
    """The application, its guard, and a client that is somebody else for each call."""

    def __init__(self, folder: Path, server: ServerSettings, token: str | None) -> None:
        self.clock = FakeClock()
        self.kept = KeptLog()
        settings = Settings(home=folder, owner="ana", user_home=folder, environ={}, database_url=url_of(folder))
        self.house = House(settings, self.clock)
        self.guard = Guard(self.house, server, token, log=LogLines(self.kept, self.clock))
        self.app = application(self.guard)
        self.guard.protect(self.app)

    @staticmethod
    def caller() -> Caller:
        """Ana, by the token."""
        return Caller("ana", frozenset(Scope))

    def client(self, **headers: str) -> TestClient:
        """A client without cookies, that follows no redirect."""
        return TestClient(self.app, base_url=HERE, headers=headers, follow_redirects=False)

    def ask(self, path: str = ME, method: str = "GET", **headers: str) -> Any:
        """The answer to one request; `_` in the name of a header is a dash."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client().request(method, path, headers=named)

    def with_key(self, key: str, path: str = ME, method: str = "GET", **headers: str) -> Any:
        """The answer to one request with a key."""
        return self.ask(path, method, authorization=f"Bearer {key}", **headers)

    def by_cookie(self, path: str = "/", method: str = "GET", key: str = TOKEN, **headers: str) -> Any:
        """The answer to one request with the cookie of the page."""
        return self.ask(path, method, cookie=f"noctuary-7400={key}", **headers)

    def key(self, *scopes: Scope, owner: str = "ana", **more: Any) -> str:
        """A new key."""
        with self.house.memory(owner) as memory:
            return make_key(memory, "a key", scopes or (Scope.READ,), **more).text

    def revoke(self, key: str, owner: str = "ana") -> None:
        """End a key."""
        with self.house.memory(owner) as memory:
            revoke_key(memory, key)

    def rotate(self, key: str, grace_ms: int = 0) -> str:
        """Let a key follow another."""
        with self.house.memory("ana") as memory:
            return rotate_key(memory, key, grace_ms=grace_ms).text


@contextmanager
def guarded(folder: Path, server: ServerSettings | None = None, token: str | None = TOKEN) -> Iterator[Guarded]:
    """An application behind a guard in this folder."""
    made = Guarded(folder, server or ServerSettings(), token)
    try:
        yield made
    finally:
        made.guard.trail.close()
        made.house.close()


def application(guard: Guard) -> FastAPI:
    """Routes that say who asked; the API within, as that of the server is."""
    api = FastAPI()
    reader, writer, dreamer, admin = (Depends(guard.caller(scope)) for scope in Scope)

    @api.get("/me")
    def me(caller: Caller = reader) -> dict[str, Any]:
        return {"owner": caller.owner, "project": caller.project, "key": caller.key_id, "scopes": sorted(caller.scopes)}

    @api.get("/things/{name}")
    def thing(name: str, first: Caller = reader, again: Caller = Depends(guard.caller(Scope.READ))) -> str:  # noqa: B008
        return name

    @api.post("/things")
    async def add(request: Request, caller: Caller = writer) -> int:
        return len(await request.body())

    @api.post("/dream")
    def dream(caller: Caller = dreamer) -> str:
        return caller.owner

    @api.delete("/all")
    def everything(caller: Caller = admin) -> str:
        return caller.owner

    @api.get("/open")
    def for_everybody() -> str:
        return "open"

    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)

    @app.get("/")
    def page(caller: Caller = reader) -> str:
        return f"the page of {caller.owner}"

    @app.post("/change")
    def change(caller: Caller = writer) -> str:
        return f"changed by {caller.owner}"

    for each in (app, api):
        add_problems(each)
    app.mount("/api/v1", api)
    return app
