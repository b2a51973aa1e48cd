"""The same over HTTP, for agents that do not start their servers: streamable HTTP at /mcp, by default on loopback only.

A web page in a browser on this machine can send requests to loopback, under a name of its own if it rebinds that name
(CVE-2025-66416).  So the Host and Origin of every request are checked, and beyond loopback a token is needed.
"""

import hmac
import ipaddress
import os
import signal
import socket
import stat
import sys
from pathlib import Path
from typing import NamedTuple

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from noctuary.doors.leftovers import App, HeardOut, Receive, Scope, Send
from noctuary.doors.mcp.keeper import Keeper
from noctuary.doors.mcp.server import Door
from noctuary.doors.patience import Patience
from noctuary.errors import BadSettings

PATH = "/mcp"
MOST_BODY = 1_000_000  # bytes of a request; the longest text that can be kept is far shorter
MOST_THROWN_AWAY = 4 * MOST_BODY  # of a request that is refused
MOST_SESSIONS = 200
SECONDS_TO_STOP = 3
_LEAST_TOKEN = 16
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_REFUSED = b"This server needs its token: Authorization: Bearer TOKEN.\n"


class Listening(NamedTuple):
    """Where to listen, and what a request must prove to know."""

    host: str = "127.0.0.1"
    port: int = 8377
    token: str | None = None


def read_token(path: Path) -> str:
    """The token in a file that nobody else can read; BadSettings if it will not do."""
    try:
        mode = path.stat().st_mode
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings(f"The token in {path} cannot be read: {error}.") from error
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadSettings(f"Others can read the token in {path}; run: chmod 600 {path}")
    if len(token) < _LEAST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise BadSettings(f"The token in {path} must be one word of at least {_LEAST_TOKEN} letters and digits.")
    return token


def serve_http(keeper: Keeper, listening: Listening) -> None:
    """Serve until SIGINT or SIGTERM; BadSettings if it would not be safe, or the port is not free."""
    if not is_loopback(listening.host) and listening.token is None:
        raise BadSettings(
            f"Whoever can reach {listening.host} could read this memory: name a file with a token in --token-file, or "
            "leave out --host."
        )
    with _bound(listening) as bound:
        config = configured(guarded(_app(keeper, listening), listening.token))
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)  # uvicorn has its own, and sends the signal on when it has stopped
        print(f"noctuary: serving {_address(bound, listening.host)}", file=sys.stderr, flush=True)
        uvicorn.Server(config).run(sockets=[bound])
    keeper.close()


def configured(app: App) -> uvicorn.Config:
    """How the server deals with those who come."""
    return uvicorn.Config(
        HeardOut(app, MOST_THROWN_AWAY),
        http=Patience,
        log_level="warning",
        access_log=False,
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_STOP,
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it; a name that may mean anything is not."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def guarded(app: App, token: str | None) -> App:
    """The app, behind a token if there is one; what is said about a wrong one tells nothing about the right one."""
    if token is None:
        return app
    expected = b"bearer " + token.encode()

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _is_authorised(scope, expected):
            await app(scope, receive, send)
            return
        headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": _REFUSED})

    return guard


def _is_authorised(scope: Scope, expected: bytes) -> bool:
    given = [value for name, value in scope["headers"] if name == b"authorization"]
    if len(given) != 1:
        return False
    scheme, _, rest = given[0].partition(b" ")
    return hmac.compare_digest(scheme.lower() + b" " + rest.strip(), expected)


def _app(keeper: Keeper, listening: Listening) -> App:
    app: App = (
        Door(keeper)
        .server()
        .streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,  # every answer is one message: nothing needs a stream
            max_request_body_size=MOST_BODY,
            max_sessions=MOST_SESSIONS,
            transport_security=_security(listening.host),
            host=listening.host,
        )
    )
    return app


def _security(host: str) -> TransportSecuritySettings:
    """Which names the server may be called by, and which pages may call it."""
    names = _LOOPBACK if is_loopback(host) else (*_LOOPBACK, f"[{host}]" if ":" in host else host)
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=not _is_every_address(host),  # then its names are not known; the token is
        allowed_hosts=[*names, *(f"{name}:*" for name in names)],
        allowed_origins=[f"http://{name}{port}" for name in names for port in ("", ":*")],
    )


def _is_every_address(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_unspecified
    except ValueError:
        return False


def _bound(listening: Listening) -> socket.socket:
    host = listening.host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, listening.port), family=family, backlog=128)
    except OSError as error:
        raise BadSettings(
            f"Port {listening.port} of {listening.host} cannot be used: {error.strerror or error}. Choose another one "
            "with --port."
        ) from error


def _address(bound: socket.socket, host: str) -> str:
    name = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"http://{name}:{bound.getsockname()[1]}{PATH}"
