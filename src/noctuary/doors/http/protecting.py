"""What holds for every request and every answer: hosts, origins, and headers that keep a browser from harm.

Other sites' pages are answered only if they are configured, by their exact names, and never with the cookie.
"""

from collections import Counter
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noctuary.doors.http import origins
from noctuary.doors.http.problems import Problem, answer
from noctuary.server_settings import ServerSettings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_OF_API = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
# `no-referrer` would also hide where a form comes from: browsers then say `Origin: null`.
_OF_PAGES = {"Referrer-Policy": "same-origin", "Cache-Control": "private, no-cache"}
_ONCE = (
    "host",
    "origin",
    "authorization",
    "content-length",
    "content-type",
    "transfer-encoding",
    "idempotency-key",
)
_VERSIONS = ("1.0", "1.1")
_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE"
_MAY_SEND = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
_MAY_READ = "ETag, Retry-After, Location, Idempotent-Replayed"
_A_YEAR = "max-age=31536000"


class Protection:
    """Refuses what cannot be meant for this server, and adds headers to what goes out."""

    def __init__(self, app: ASGIApp, server: ServerSettings) -> None:
        self.app = app
        self.hosts = frozenset(name.strip("[]").lower() for name in (*server.hosts, server.host))
        self.origins = frozenset(server.origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "websocket":  # there are none here
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        worn = _HEADERS | (_OF_API if scope["path"].startswith("/api/") else _OF_PAGES)
        if scope.get("scheme") == "https":
            worn = worn | {"Strict-Transport-Security": _A_YEAR}

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                outgoing = MutableHeaders(scope=message)
                for name, value in worn.items():
                    outgoing.setdefault(name, value)
                self._open_to(outgoing, headers.get("origin"))
                _stay_here(scope, outgoing, headers.get("host", ""))
            await send(message)

        await (self._refusal(scope, headers) or self.app)(scope, receive, sending)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to what does not come further."""
        if ambiguous := _ambiguity(scope, headers):
            return answer(ambiguous)
        bound = (scope.get("server") or ("", 0))[0] or ""
        if not origins.is_own_host(headers.get("host", ""), hosts=self.hosts, bound=bound):
            detail = "This server has another name; names that it may be called by are `hosts` in [server]."
            return answer(Problem(HTTPStatus.MISDIRECTED_REQUEST, detail))
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            return self._preflight(headers.get("origin", ""))
        is_by_cookie = "authorization" not in headers and "cookie" in headers
        if scope["method"] not in origins.SAFE and not origins.may_change(
            headers, origins=self.origins, is_by_cookie=is_by_cookie
        ):
            detail = "A page of another site asked for this; `origins` in [server] names those that may."
            return answer(Problem(HTTPStatus.FORBIDDEN, detail))
        return None

    def _preflight(self, origin: str) -> Response:
        if origin not in self.origins:
            return answer(Problem(HTTPStatus.FORBIDDEN, "Pages of this site may not call the API."))
        allowed = {"Access-Control-Allow-Methods": _METHODS, "Access-Control-Allow-Headers": _MAY_SEND}
        return Response(status_code=HTTPStatus.NO_CONTENT, headers={**allowed, "Access-Control-Max-Age": "600"})

    def _open_to(self, outgoing: MutableHeaders, origin: str | None) -> None:
        """Let a page of a configured site read the answer."""
        if not self.origins:
            return
        outgoing.add_vary_header("Origin")
        if origin is not None and origin in self.origins:
            outgoing["Access-Control-Allow-Origin"] = origin
            outgoing["Access-Control-Expose-Headers"] = _MAY_READ


def _stay_here(scope: Scope, outgoing: MutableHeaders, host: str) -> None:
    """Lead on without naming scheme and host: where a proxy has ended TLS, they would lead out of it."""
    own = f"{scope.get('scheme', 'http')}://{host}"
    if outgoing.get("location", "").startswith(f"{own}/"):
        outgoing["location"] = "/" + outgoing["location"].removeprefix(own).lstrip("/\\")


def _ambiguity(scope: Scope, headers: Headers) -> Problem | None:
    """The problem of a request that a proxy in front could read in another way; nothing behind it is read."""
    closing = {"Connection": "close"}
    if scope.get("http_version") not in _VERSIONS:
        return Problem(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, "Speak HTTP/1.1.", headers=closing)
    counts = Counter(headers.keys())
    if twice := [name for name in _ONCE if counts[name] > 1]:
        return Problem(HTTPStatus.BAD_REQUEST, f"The header `{twice[0]}` must not come twice.", headers=closing)
    if counts["content-length"] and counts["transfer-encoding"]:
        return Problem(HTTPStatus.BAD_REQUEST, "A body has a length, or comes in pieces, not both.", headers=closing)
    return None
