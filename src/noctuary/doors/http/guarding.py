"""Who a request is from: the token of a server on this machine, or a key; in a header, or in the cookie of the page.

guard = Guard(house, server, token)
app = build(house, guard, server)      # routes depend on `guard.caller(Scope.READ)`
guard.protect(app)                     # hosts, origins, limits, headers, the cookie: last, around everything
"""

import hmac
import secrets
from collections.abc import Callable
from http import HTTPStatus
from threading import Lock

from fastapi import FastAPI, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.types import Scope as Asked

from noctuary.access import Caller, Scope
from noctuary.app.access_keys import Refused, caller_of, digest_of
from noctuary.app.house import House
from noctuary.doors.http import origins
from noctuary.doors.http.auditing import CALLER, UNSEEN, Auditing, AuditTrail
from noctuary.doors.http.credentials import given_key, is_by_cookie
from noctuary.doors.http.entering import Entering
from noctuary.doors.http.heads import Heads
from noctuary.doors.http.limits import BodyLimit, Buckets, network_of, too_many
from noctuary.doors.http.problems import Problem
from noctuary.doors.http.protecting import Protection
from noctuary.doors.logging_lines import LogLines, NoLog
from noctuary.server_settings import ServerSettings

NEEDS_KEY = (
    "This needs a key. Programs send `Authorization: Bearer KEY`; people open the address that the server printed, or "
    "type their key in on its page."
)
FAILURES_PER_MINUTE = 20  # of one address, before they are told to wait
_TICKET_MS = 60_000
_WHY = {
    Refused.UNKNOWN: "This key is not known here; `noctuary key list` lists those that are.",
    Refused.REVOKED: "This key was revoked; make another with `noctuary key make`.",
    Refused.EXPIRED: "This key has expired; make another with `noctuary key make`.",
}


class Guard:
    """Knows whoever may come in; what they may do is for the key to say, never for the request."""

    def __init__(self, house: House, server: ServerSettings, token: str | None, *, log: LogLines | None = None) -> None:
        self.house = house
        self.server = server
        self.log = log or LogLines(NoLog(), house.clock)
        self.trail = AuditTrail(house, self.log)
        self._token = None if token is None else digest_of(token)
        self._cookie = token or ""
        self._requests = Buckets(server.requests_per_minute, house.clock)
        self._failures = Buckets(FAILURES_PER_MINUTE, house.clock)
        self._tickets: dict[bytes, int] = {}
        self._lock = Lock()

    def caller(self, scope: Scope) -> Callable[[Request], Caller]:
        """A dependency of FastAPI: the caller, or a Problem (401, 403, 429) if nobody may come in for this."""

        def find(request: Request) -> Caller:
            caller = request.scope.get(CALLER) or self._admitted(request)
            if not caller.may(scope):
                raise Problem(HTTPStatus.FORBIDDEN, f"This key is not for that; it needs the scope `{scope}`.")
            return caller

        return find

    def still_admits(self, request: Request, caller: Caller) -> bool:
        """Whether the key by which somebody came in is still good, and for the same."""
        return self.known(given_key(request)) == caller

    def protect(self, app: FastAPI) -> None:
        """Put checks of hosts and origins, limits, headers and the cookie of the page around the application.

        To be called when all else was added to it: what is added last is outermost.
        """
        app.user_middleware.append(Middleware(Entering, guard=self))  # innermost, so that pages can dress its answers
        app.add_middleware(BodyLimit, most_bytes=self.server.most_body_bytes)
        app.add_middleware(Protection, server=self.server)
        app.add_middleware(Auditing, trail=self.trail)
        app.add_middleware(Heads)

    def ticket(self) -> str:
        """What opens the page once within a minute, for an address that others may see: as an argument of a browser."""
        ticket = secrets.token_urlsafe(24)
        with self._lock:
            self._tickets[digest_of(ticket)] = self.house.clock.now_ms() + _TICKET_MS
        return ticket

    async def enter(self, asked: Asked, key: str) -> str:
        """What the cookie of the page is to hold for somebody who shows this key; a Problem if it is not good."""
        if self._cookie and self._is_good_ticket(key):
            return self._cookie
        caller = await run_in_threadpool(self.known, key)
        if isinstance(caller, Refused):
            raise self._refused(asked, caller)
        asked[CALLER] = caller
        return key

    def known(self, key: str) -> Caller | Refused:
        """Whoever has this key, or why it is not good."""
        if self._token is not None and hmac.compare_digest(digest_of(key), self._token):
            return Caller(self.house.settings.owner, frozenset(Scope))
        with self.house.memory("") as memory:
            return caller_of(memory, key)

    def _admitted(self, request: Request) -> Caller:
        key = given_key(request)
        caller = self.known(key) if key else None
        if not isinstance(caller, Caller):
            raise self._refused(request.scope, caller)
        if is_by_cookie(request):
            _refuse_other_pages(request)
        if seconds := self._requests.take(caller.key_id):
            raise too_many(seconds, "This key asks too often; wait, or raise `requests_per_minute` in [server].")
        request.scope[CALLER] = caller
        return caller

    def _refused(self, asked: Asked, why: Refused | None) -> Problem:
        """The problem of somebody who is not let in; whoever has a good key is let in however often others fail."""
        if why is None:
            return _needs_key(NEEDS_KEY)
        address = (asked.get("client") or ("",))[0]
        if seconds := self._failures.take(network_of(address)):
            asked[UNSEEN] = True
            return too_many(seconds, "Too many keys that are not good; wait.")
        return _needs_key(_WHY[why])

    def _is_good_ticket(self, ticket: str) -> bool:
        with self._lock:
            until = self._tickets.pop(digest_of(ticket), 0)
        return self.house.clock.now_ms() < until


def _needs_key(detail: str) -> Problem:
    return Problem(HTTPStatus.UNAUTHORIZED, detail, headers={"WWW-Authenticate": "Bearer"})


def _refuse_other_pages(request: Request) -> None:
    """A browser adds the cookie whoever's page asks; so only ours may."""
    headers: Headers = request.headers
    if request.method in origins.SAFE:
        is_ours = origins.may_look(headers)
    else:
        is_ours = origins.may_change(headers, origins=frozenset(), is_by_cookie=True)
    if not is_ours:
        raise Problem(HTTPStatus.FORBIDDEN, "Another page asked for this; open the page of Noctuary itself.")
