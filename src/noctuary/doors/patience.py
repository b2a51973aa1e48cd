"""Connections that keep the server waiting: whoever begins to ask goes on asking, and whoever asked takes the answer.

There is room for so many connections.  Somebody without a key could take all of it, by opening them and saying nothing,
by sending a request letter by letter, or by leaving an answer unread; and then nobody else is let in.
"""

import asyncio
import json
import socket
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Literal

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 30.0  # in which the head of a request has to be there
LEAST_BYTES = 20_000  # of a body that has to come in as many seconds
SECONDS_UNREAD = 60.0  # in which some of an answer has to be taken
SECONDS_AWAY = 30  # after which to come again, where there is no room
_UNREADABLE = "This is no request that HTTP/1.1 knows, or its head is too long."
_FULL = "Too many are connected already; come again in a while."
_ARRIVING = (h11.IDLE, h11.SEND_BODY)  # a request of which there is nothing, or not all


class Patience(H11Protocol):
    """A connection that is ended when nothing comes of it; what the server itself takes is not counted."""

    seconds, least_bytes, seconds_unread = SECONDS, LEAST_BYTES, SECONDS_UNREAD
    _coming: asyncio.TimerHandle | None = None
    _going: asyncio.TimerHandle | None = None
    _came = 0  # bytes, since the while began
    _awaited: Any = None  # of _ARRIVING

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._within, self.app = self.app, self._let_in
        self._room, self.limit_concurrency = self.limit_concurrency, None  # else it would be refused in plain text

    def connection_made(self, transport: Any) -> None:
        """Somebody is there, and is given a while to say what they want."""
        super().connection_made(transport)
        _send_at_once(transport)
        self._wait_if_more_comes()

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        super().connection_lost(exc)
        self._end("_coming")
        self._end("_going")

    def data_received(self, data: bytes) -> None:
        """A piece of a request; the while begins with its first, and ends with its last."""
        self._came += len(data)
        super().data_received(data)
        self._wait_if_more_comes()

    def pause_writing(self) -> None:
        """They take less of the answer than there is."""
        super().pause_writing()
        self._end("_going")
        self._going = self.loop.call_later(self.seconds_unread, self.transport.abort)

    def resume_writing(self) -> None:
        """They took most of it."""
        super().resume_writing()
        self._end("_going")

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 (it may say what came)
        """What cannot be read is a problem like all else that goes wrong; nothing behind it is read."""
        headers, body = _problem(HTTPStatus.BAD_REQUEST, _UNREADABLE)
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):  # else an answer has begun, and is cut
            head = h11.Response(status_code=400, headers=headers, reason="Bad Request")
            for event in (head, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    async def _let_in(self, scope: Any, receive: Any, send: Any) -> None:
        """Let the application answer, if there is room for so many."""
        if self._room is None or len(self.connections) < self._room:
            await self._within(scope, receive, send)
            return
        self.logger.warning("There is no room for another connection.")
        headers, body = _problem(HTTPStatus.SERVICE_UNAVAILABLE, _FULL)
        headers = [*headers, (b"retry-after", str(SECONDS_AWAY).encode())]
        await send({"type": "http.response.start", "status": 503, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _wait_if_more_comes(self) -> None:
        awaited = self.conn.their_state
        if self.transport.is_closing() or awaited not in _ARRIVING:
            self._end("_coming")
        elif self._coming is None or awaited is not self._awaited:
            self._wait()

    def _wait(self) -> None:
        self._end("_coming")
        self._came, self._awaited = 0, self.conn.their_state
        self._coming = self.loop.call_later(self.seconds, self._look)

    def _look(self) -> None:
        """End it, unless enough of a body has come, which may be long, or it is us who read it no further."""
        is_coming = self._came >= self.least_bytes or self.flow.read_paused
        if self._awaited is h11.SEND_BODY and is_coming:
            self._wait()
        else:
            self._coming = None
            self.transport.close()

    def _end(self, which: Literal["_coming", "_going"]) -> None:
        timer: asyncio.TimerHandle | None = getattr(self, which)
        if timer is not None:
            timer.cancel()
            setattr(self, which, None)


def _problem(status: HTTPStatus, detail: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """The headers and the body of a problem as RFC 9457 has it; the connection ends with it."""
    told = {"type": "about:blank", "title": status.phrase, "status": int(status), "detail": detail}
    body = json.dumps(told).encode()
    headers = {"content-type": "application/problem+json", "content-length": str(len(body)), "connection": "close"}
    return [(name.encode(), value.encode()) for name, value in headers.items()], body


def _send_at_once(transport: Any) -> None:
    """Let the body of an answer not wait for its head to be acknowledged, which whoever asked puts off for 40 ms.

    asyncio sees to that only where a socket names its protocol, and `socket.create_server` makes such as do not.
    """
    connection = transport.get_extra_info("socket")
    if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
        with suppress(OSError):  # they may be gone already
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
