"""A real server on this machine, that answers as a test says."""

import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, Self

from noctuary.models.hashing import HashingEmbedder

HANG_UP = 0  # a status: close the connection without a word
_DRIPS = 400
_SIPS = 100
_SIP = 1 << 16  # bytes
_MORE_THAN_MAY_WAIT = 4
_BETWEEN_DRIPS = 0.02  # seconds


Address = tuple[str, int]


class Asked(NamedTuple):
    """What somebody asked the server for."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.body)


class Reply(NamedTuple):
    """What the server answers."""

    body: bytes = b""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    promised: int | None = None  # the length it says the body has, if another
    pause: float = 0.0  # seconds between the two halves of the body


class Server:
    """Answers every request by the function; remembers what it was asked."""

    def __init__(self, answer: Callable[[Asked], Reply]) -> None:
        self.asked: list[Asked] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self._answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

            def do_GET(self) -> None:
                self._answer(b"")

            def _answer(self, body: bytes) -> None:
                asked.append(Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                reply = answer(asked[-1])
                if reply.status == HANG_UP:
                    self.close_connection = True
                    return
                try:
                    self._send(reply)
                except ConnectionError:  # whoever asked has heard enough
                    self.close_connection = True

            def _send(self, reply: Reply) -> None:
                self.send_response(reply.status)
                for name, value in reply.headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(reply.promised or len(reply.body)))
                self.end_headers()
                half = len(reply.body) // 2
                self.wfile.write(reply.body[:half])
                self.wfile.flush()
                time.sleep(reply.pause)
                self.wfile.write(reply.body[half:])

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as the library has it
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "Server":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Bare:
    """Listens to one connection and does with it as it likes, HTTP or not."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._answer)

    @property
    def place(self) -> str:
        """Its host and port."""
        return f"127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listening.close()

    def _answer(self) -> None:
        with suppress(OSError):  # whoever asked has heard enough, or nobody ever asked
            connection, _ = self._listening.accept()
            with connection:
                self._talk(connection)

    def _talk(self, connection: socket.socket) -> None:
        raise NotImplementedError


class Dripping(_Bare):
    """Begins to answer at once and goes on a byte at a time; hangs up when hardly anybody would still be waiting."""

    def __init__(self, beginning: bytes) -> None:
        super().__init__()
        self._beginning = beginning

    def _talk(self, connection: socket.socket) -> None:
        connection.sendall(self._beginning)
        for _ in range(_DRIPS):
            time.sleep(_BETWEEN_DRIPS)
            connection.sendall(b" ")


class Sipping(_Bare):
    """Takes a little of what it is sent, again and again; hangs up when hardly anybody would still be waiting."""

    def _talk(self, connection: socket.socket) -> None:
        for _ in range(_SIPS):
            time.sleep(_BETWEEN_DRIPS)
            connection.recv(_SIP)


class Echoing(_Bare):
    """Sends back what it was sent, as if that were an answer."""

    def _talk(self, connection: socket.socket) -> None:
        connection.sendall(connection.recv(_SIP))


class Tunnelling(_Bare):
    """A proxy that takes its time to agree, and then leads nowhere."""

    pause = 0.2  # seconds

    def _talk(self, connection: socket.socket) -> None:
        connection.recv(_SIP)
        time.sleep(self.pause)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        connection.recv(_SIP)


class Full:
    """Listens and never accepts, with as many waiting as it lets wait: whoever connects hears nothing."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=0)
        self._waiting = [socket.socket() for _ in range(_MORE_THAN_MAY_WAIT)]

    def __enter__(self) -> Address:
        address: Address = self._listening.getsockname()
        for each in self._waiting:
            each.setblocking(False)
            each.connect_ex(address)
        return address

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in (*self._waiting, self._listening):
            each.close()


def embeddings(asked: Asked) -> Reply:
    """As a good endpoint answers: the vectors, in another order than they were asked for."""
    rows = HashingEmbedder().passages(asked.json["input"])
    rows[~rows.any(axis=1), 0] = 1.0  # a text without words has a vector, as behind endpoints it has
    items = [{"index": number, "embedding": row.tolist()} for number, row in enumerate(rows)]
    return Reply(json.dumps({"data": items[::-1]}).encode())
