"""The whole application over a real memory, without a network: who calls, and what they are answered."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi import Request
from starlette.testclient import TestClient

from noctuary.access import Caller, Scope
from noctuary.app import Memory
from noctuary.app.house import House
from noctuary.doors.http.application import API, build
from noctuary.doors.http.door import Door
from noctuary.doors.http.problems import Problem
from noctuary.server_settings import ServerSettings
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests.databases import url_of

SHOP, BLOG = "/home/ana/code/shop", "/home/ana/code/blog"
EVERYTHING = frozenset(Scope)
ANA, BOB = Caller("ana", EVERYTHING, key_id="a"), Caller("bob", EVERYTHING, key_id="b")
OF_SHOP = Caller("ana", EVERYTHING, SHOP, key_id="s")


class KnownCallers:
    """A guard that knows everybody by the name of their key."""

    def __init__(self, callers: tuple[Caller, ...]) -> None:
        self._callers = {caller.key_id: caller for caller in callers}

    def caller(self, scope: Scope) -> Callable[[Request], Caller]:
        """What finds the caller, or raises a problem."""

        def find(request: Request) -> Caller:
            found = self._callers.get(request.headers.get("authorization", "").removeprefix("Bearer "))
            if found is None:
                raise Problem(401, "This needs a key.")
            if not found.may(scope):
                raise Problem(403, "This key is not for that.")
            return found

        return find

    def still_admits(self, request: Request, caller: Caller) -> bool:  # noqa: ARG002 (others ask it for the key)
        """Whether the key has not been forgotten."""
        return self._callers.get(caller.key_id) == caller

    def forget(self, caller: Caller) -> None:
        """Know a caller no longer, as if the key had been revoked."""
        del self._callers[caller.key_id]


class Served:
    """The application, and whoever calls it."""

    def __init__(self, home: Path, *more: Caller) -> None:
        self.clock = FakeClock()
        settings = Settings(home=home, owner="ana", user_home=home, environ={}, database_url=url_of(home))
        self.house = House(settings, self.clock)
        self.guard = KnownCallers((ANA, BOB, OF_SHOP, *more))
        self.app = build(self.house, self.guard, ServerSettings())
        self._client = TestClient(self.app, base_url="http://127.0.0.1:7400", raise_server_exceptions=False)

    @property
    def door(self) -> Door:
        """What routes share."""
        door: Door = self.app.state.door
        return door

    def ask(self, method: str, path: str, body: Any = None, *, as_: Caller = ANA, **more: Any) -> Any:
        """The answer to a request to the API."""
        headers = {"Authorization": f"Bearer {as_.key_id}", **more.pop("headers", {})}
        return self._client.request(method, f"{API}{path}", json=body, headers=headers, **more)

    def get(self, path: str, *, as_: Caller = ANA, **more: Any) -> Any:
        """What is answered to a question that has an answer."""
        answer = self.ask("GET", path, as_=as_, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any = None, *, as_: Caller = ANA, key: str | None = None) -> Any:
        """What is answered to something that can be done."""
        answer = self.ask("POST", path, body, as_=as_, headers={"Idempotency-Key": key} if key else {})
        assert answer.status_code in (200, 201, 202), answer.text
        return answer.json()

    def session(self, name: str, *said: str, project: str = SHOP, as_: Caller = ANA) -> None:
        """A session in which a user said this."""
        made = self.ask("PUT", f"/sessions/{name}", {"project": project}, as_=as_)
        assert made.status_code == 201, made.text
        if said:
            self.post(
                f"/sessions/{name}/messages",
                {"messages": [{"role": "user", "content": each} for each in said]},
                as_=as_,
            )

    def task(self, title: str, *, project: str = SHOP, as_: Caller = ANA, **more: Any) -> str:
        """The id of a new task."""
        return str(self.post("/tasks", {"title": title, "project": project, **more}, as_=as_)["id"])

    def dream(self, *, as_: Caller = ANA, **more: Any) -> Any:
        """A dream that was asked for, as it ended."""
        asked = self.ask("POST", "/dream/runs", {"backend": "rules", **more}, as_=as_)
        assert asked.status_code == 202, asked.text
        assert self.door.nights.wait_until_idle(60)
        return self._client.get(asked.headers["location"], headers={"Authorization": f"Bearer {as_.key_id}"}).json()

    @contextmanager
    def memory(self, owner: str = "ana") -> Iterator[Memory]:
        """The memory behind it."""
        with self.house.memory(owner) as memory:
            yield memory

    def close(self) -> None:
        """End it."""
        self.door.nights.close(60)
        self._client.close()
        self.house.close()
