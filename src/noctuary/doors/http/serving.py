"""A server that runs until it is told to stop: where it listens, what it says of itself, and how it ends."""

import errno
import logging
import signal
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import uvicorn
from fastapi import FastAPI

from noctuary.app.access_keys import server_token
from noctuary.app.house import House
from noctuary.clock import SystemClock
from noctuary.doors.http.application import build, end_streams
from noctuary.doors.http.guarding import Guard
from noctuary.doors.http.origins import is_loopback, need_safe
from noctuary.doors.logging_lines import LogLines
from noctuary.doors.patience import Patience
from noctuary.errors import BadSettings
from noctuary.server_settings import ServerSettings
from noctuary.settings import Settings

SECONDS_TO_STOP = 30  # for requests that are under way
MOST_CONNECTIONS = 1_000
_KEEP_ALIVE_SECONDS = 15
_LOGGERS = ("uvicorn.error", "noctuary.http")


class Tls(NamedTuple):
    """A certificate and its key; without a key it is in the same file."""

    certificate: Path
    key: Path | None = None


class Ready(NamedTuple):
    """Where a server listens."""

    address: str  # of the page
    token: str | None  # that opens it; None if only keys do
    ticket: str | None  # the same, once

    @property
    def page(self) -> str:
        """What one opens to come in."""
        return f"{self.address}?token={self.token}" if self.token else self.address


def serve(
    settings: Settings,
    server: ServerSettings,
    log: LogLines,
    on_ready: Callable[[Ready], None],
    *,
    tls: Tls | None = None,
    is_insecure: bool = False,
) -> None:
    """Serve until SIGINT or SIGTERM, and return when all that was under way has ended.

    BadSettings if it would not be safe, or the port is not free.
    """
    need_safe(server.host, has_tls=tls is not None, is_insecure=is_insecure)
    _check_certificate(tls)
    token = _token(settings, server)
    with _bound(server) as bound:
        house = House(settings, SystemClock())
        guard = Guard(house, server, token, log=log)
        app = build(house, guard, server)
        guard.protect(app)
        address = _address(bound, server.host, is_tls=tls is not None)
        ready = Ready(address, token, guard.ticket() if token else None)
        try:
            guard.trail.start()
            _run(app, bound, tls, log, lambda: on_ready(ready))
        finally:
            guard.trail.close()
            house.close()
    log.say("stopped")


def _token(settings: Settings, server: ServerSettings) -> str | None:
    """The token of the owner; beyond this machine only if somebody chose one, for there people have keys."""
    is_chosen = bool(settings.environ.get("NOCTUARY_TOKEN"))
    return server_token(settings) if is_chosen or is_loopback(server.host) else None


def _run(app: FastAPI, bound: socket.socket, tls: Tls | None, log: LogLines, on_ready: Callable[[], None]) -> None:
    config = uvicorn.Config(
        app,
        http=Patience,  # on h11, the strictest about what a request is
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # else anybody on this machine could say that they are somebody else
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SECONDS_TO_STOP,
        ssl_certfile=tls and str(tls.certificate),
        ssl_keyfile=str(tls.key) if tls and tls.key else None,
    )
    server = _Server(config, app, on_ready)
    for number in (signal.SIGINT, signal.SIGTERM):  # also before uvicorn listens to them; it sends them on at its end
        signal.signal(number, lambda *_: server.stop())
    with _Telling(log):
        server.run(sockets=[bound])


class _Server(uvicorn.Server):
    """A server that says when it is ready, and lets those who listen to changes go before it waits for them."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._on_ready = on_ready

    def stop(self) -> None:
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        end_streams(self._app)
        await super().shutdown(sockets)


class _Telling(logging.Handler):
    """Makes lines of our log of what libraries say while it is entered: who, and the kind of error, never the text."""

    def __init__(self, log: LogLines) -> None:
        super().__init__(logging.WARNING)
        self._lines = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write the line."""
        kind, where = getattr(record, "kind", None), None
        if record.exc_info and record.exc_info[0]:
            kind, where = record.exc_info[0].__name__, _place(record.exc_info[2])
        self._lines.warn("server", logger=record.name, kind=kind, where=where)

    def __enter__(self) -> None:
        for name in _LOGGERS:
            logging.getLogger(name).addHandler(self)
            logging.getLogger(name).propagate = False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in _LOGGERS:
            logging.getLogger(name).removeHandler(self)
            logging.getLogger(name).propagate = True


def _place(trace: TracebackType | None) -> str | None:
    """Where an error happened, as file and line."""
    while trace and trace.tb_next:
        trace = trace.tb_next
    return f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else None


def _check_certificate(tls: Tls | None) -> None:
    if tls is None:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(tls.certificate, tls.key)
    except (OSError, ssl.SSLError) as error:
        raise BadSettings(f"The certificate in {tls.certificate} cannot be used with its key: {error}.") from error


def _bound(server: ServerSettings) -> socket.socket:
    host = server.host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, server.port), family=family, backlog=256)
    except (OSError, OverflowError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        is_port = getattr(error, "errno", None) in (errno.EADDRINUSE, errno.EACCES)
        raise BadSettings(
            f"Port {server.port} of {server.host} cannot be used: {reason}. "
            f"Choose another {'one with --port' if is_port else 'address of this machine with --host'}."
        ) from error


def _address(bound: socket.socket, host: str, *, is_tls: bool) -> str:
    name = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"{'https' if is_tls else 'http'}://{name}:{bound.getsockname()[1]}/"
