"""HTTP connections that are over by a deadline, whatever the other side does.

The timeout of a socket is for one step, so whoever sends a byte a second is never late.  Here each step gets what is
left of the whole time: each address that is tried, the handshake, the tunnel through a proxy, each piece that is sent
and each that is read.  Only looking up a host's name is left to the system, which has limits of its own.
"""

import io
import socket
import time
from collections.abc import Sequence
from functools import partial
from http import client
from typing import Any
from urllib import request

_PIECE = 1 << 14  # what TLS sends in one step


class DeadlineHandler(request.AbstractHTTPHandler):
    """Opens http and https addresses for urllib; the timeout of a request is for all of it, to the answer's end."""

    http_request = https_request = request.AbstractHTTPHandler.do_request_

    def http_open(self, asked: request.Request) -> client.HTTPResponse:
        """The answer, as far as its headers; raises TimeoutError as reading on does."""
        return self.do_open(_Connection, asked)

    def https_open(self, asked: request.Request) -> client.HTTPResponse:
        """The same, encrypted."""
        return self.do_open(_TlsConnection, asked)


class Deadline:
    """A moment that everything must be over by."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """How many seconds; TimeoutError if there are none."""
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError("the time is over")
        return seconds


class _Connection(client.HTTPConnection):
    """A connection whose timeout is for all that happens on it."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._deadline = Deadline(self.timeout or 0.0)
        self._create_connection = partial(_reached, deadline=self._deadline)
        answered: Any = partial(_response, deadline=self._deadline)
        self.response_class = answered  # it is declared to be a class, and only ever called

    def connect(self) -> None:
        """Connect; the handshake, which comes next and takes over the socket's timeout, gets the time that is left."""
        super().connect()
        self.sock.settimeout(self._deadline.left())

    def send(self, data: Any) -> None:
        """Send the bytes, in many steps if the other side reads slowly."""
        if self.sock is None:
            self.connect()
        for start in range(0, len(data), _PIECE):
            self.sock.settimeout(self._deadline.left())
            super().send(data[start : start + _PIECE])


class _TlsConnection(client.HTTPSConnection, _Connection):
    """The same, encrypted: what connects it calls `connect` above first."""


class _Reader(io.RawIOBase):
    """What comes from a socket, in time."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        super().__init__()
        self._socket = sock
        self._raw = sock.makefile("rb", buffering=0)
        self._deadline = deadline

    def makefile(self, *_: object) -> io.BufferedReader:
        """A response asks its socket for this; here it gets one that is read in time."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._socket.settimeout(self._deadline.left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _response(sock: socket.socket, *given: Any, deadline: Deadline, **options: Any) -> client.HTTPResponse:
    reader: Any = _Reader(sock, deadline)
    return client.HTTPResponse(reader, *given, **options)


def _reached(place: tuple[str, int], *_: object, deadline: Deadline) -> socket.socket:
    return connected(socket.getaddrinfo(*place, type=socket.SOCK_STREAM), deadline)


def connected(found: Sequence[Any], deadline: Deadline) -> socket.socket:
    """A connection to any of the addresses that `getaddrinfo` found, in their order.

    Each gets its share of the time, so that a dead one leaves some.
    """
    failure = OSError("its name has no address")
    for number, (family, kind, protocol, _, address) in enumerate(found):
        tried = socket.socket(family, kind, protocol)
        try:
            tried.settimeout(deadline.left() / (len(found) - number))
            tried.connect(address)
        except OSError as error:
            tried.close()
            failure = error
        else:
            return tried
    raise failure
