"""How long a connection may keep the server waiting; on real sockets, with a patience of moments."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from noctuary.doors.patience import Patience

pytestmark = pytest.mark.slow
SECONDS = 60  # after which a test fails that waits for the server
HEAD = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"
LONG = 20_000_000  # bytes that no buffer holds


class Hasty(Patience):
    """Who hardly waits; but so long that whoever is about to say something is heard, however busy the machine is."""

    seconds, seconds_unread = 1.0, 0.1
    at_once: ClassVar[list[int]] = []  # whether what is sent on the last connection goes out at once

    def connection_made(self, transport: Any) -> None:
        """Note how the connection sends."""
        super().connection_made(transport)
        option = transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        self.at_once[:] = [option]


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads a body, and answers with it; or with more than anybody reads at once."""
    if scope["type"] != "http":
        return
    if scope["path"] == "/early":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
    body, message = b"", await receive()
    while message["type"] == "http.request":
        body += message["body"]
        if not message["more_body"]:
            break
        message = await receive()
    if scope["path"] == "/slow":
        await asyncio.sleep(2 * Hasty.seconds)
    if scope["path"] != "/early":
        await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body or b"x" * LONG})


@pytest.fixture(scope="module")
def server() -> Iterator[uvicorn.Server]:
    """A hasty server."""
    with running(Hasty) as server:
        yield server


@contextmanager
def running(protocol: type[Patience], most_connections: int | None = None) -> Iterator[uvicorn.Server]:
    """A server that deals so with those who come."""
    config = uvicorn.Config(
        application,
        http=protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        limit_concurrency=most_connections,
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as bound:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        server.config.port = bound.getsockname()[1]
        yield server
        server.should_exit = True
        thread.join(SECONDS)


def connected(server: uvicorn.Server) -> socket.socket:
    """A connection to it; nobody here ends it."""
    return socket.create_connection(("127.0.0.1", server.config.port), timeout=SECONDS)


def wait_for(server: uvicorn.Server, connections: int) -> None:
    """Until the server has seen so many come or go; whoever waits in vain finds that in what they look at next."""
    until = time.monotonic() + SECONDS
    while len(server.server_state.connections) != connections and time.monotonic() < until:
        time.sleep(0.01)


def heard(connection: socket.socket) -> int:
    """How many bytes come until the server ends the connection, in whatever way."""
    total = 0
    with suppress(ConnectionError):
        while piece := connection.recv(65_536):
            total += len(piece)
    return total


def test_what_is_answered_goes_out_at_once(server: uvicorn.Server) -> None:
    """A body does not wait until its head was acknowledged: that would be 40 ms for each request but the first."""
    with connected(server) as connection:
        connection.sendall(HEAD + b"abcd")
        connection.recv(1)

        assert all(Hasty.at_once)


@pytest.mark.parametrize("said", [b"GARBAGE\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"])
def test_what_is_no_request_is_a_problem_like_all_else(server: uvicorn.Server, said: bytes) -> None:
    """As RFC 9457 has it, without a word of what came."""
    with connected(server) as connection:
        connection.sendall(said)
        answer = b""
        while piece := connection.recv(65_536):
            answer += piece

    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b"application/problem+json" in head.lower()
    assert json.loads(body)["status"] == 400
    assert b"GARBAGE" not in answer


def test_who_comes_where_there_is_no_room_is_told_when_to_come_again() -> None:
    """As a problem; and is let in when others have gone."""
    with running(Patience, most_connections=2) as server, connected(server) as last:
        with connected(server):
            wait_for(server, 2)
            last.sendall(HEAD + b"abcd")
            refused = b""
            while piece := last.recv(65_536):
                refused += piece

        wait_for(server, 0)
        with connected(server) as another:
            another.sendall(HEAD + b"abcd")
            assert another.recv(65_536).startswith(b"HTTP/1.1 200")

    head, _, body = refused.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503")
    assert b"retry-after: 30" in head.lower()
    assert json.loads(body)["status"] == 503


def test_an_answer_that_has_begun_is_cut_where_the_request_cannot_be_read_on(server: uvicorn.Server) -> None:
    """A second answer would be taken for a part of the first."""
    with connected(server) as connection:
        connection.sendall(b"POST /early HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
        assert connection.recv(1) == b"H"
        connection.sendall(b"no length\r\n")
        rest = b""
        while piece := connection.recv(65_536):
            rest += piece

    assert rest.startswith(b"TTP/1.1 200")
    assert b"400" not in rest


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHo", HEAD, HEAD + b"abc"])
def test_who_does_not_go_on_asking_is_let_go(server: uvicorn.Server, said: bytes) -> None:
    """Whether they say nothing, stop in the middle of the head, or in the middle of the body."""
    with connected(server) as connection:
        with suppress(ConnectionError):  # it may be let go before it has said that
            connection.sendall(said)

        assert heard(connection) == 0


def test_the_next_request_of_a_connection_is_waited_for_no_longer(server: uvicorn.Server) -> None:
    """The first is answered; what is begun after it is not waited for without end."""
    with connected(server) as connection:
        connection.sendall(HEAD + b"abcd")
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
        with suppress(ConnectionError):
            connection.sendall(b"GET / HTT")

        heard(connection)


def test_an_answer_that_nobody_takes_is_not_kept(server: uvicorn.Server) -> None:
    """Who asks for much and reads none of it is cut off, so what they find when they read is not all of it."""
    known = server.server_state.total_requests
    with connected(server) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        until = time.monotonic() + SECONDS
        while server.server_state.total_requests == known and time.monotonic() < until:
            time.sleep(0.01)
        wait_for(server, 0)

        assert not server.server_state.connections
        assert heard(connection) < LONG


def test_the_time_that_the_server_takes_is_not_counted(server: uvicorn.Server) -> None:
    """Whoever has asked for something waits for the answer as long as it takes."""
    with connected(server) as connection:
        connection.sendall(HEAD.replace(b"/", b"/slow", 1) + b"abcd")

        assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
