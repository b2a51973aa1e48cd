"""Connections that are over by a deadline; what endpoints do with it is in test_endpoint.py."""

import socket

import pytest

from noctuary.models.deadline import Deadline, _Connection, connected
from tests.unit.models.serving import Address, Full, Tunnelling

LONG = 60.0  # seconds: more than any test takes


def found(*addresses: Address) -> list[tuple[object, ...]]:
    """Addresses as `getaddrinfo` finds them."""
    return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", address) for address in addresses]


def test_an_address_that_is_dead_leaves_time_for_the_next() -> None:
    """Each address of a host gets its share of the time, so that one where nobody answers is not all there is."""
    with Full() as dead, socket.create_server(("127.0.0.1", 0)) as alive:
        with connected(found(dead, alive.getsockname()), Deadline(2.0)) as reached:
            assert reached.getpeername() == alive.getsockname()
        with pytest.raises(TimeoutError):
            connected(found(dead), Deadline(0.2))


def test_an_address_of_the_sixth_version() -> None:
    """An address is connected to as it was found, with all that belongs to it."""
    try:
        server = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("this machine has no IPv6")
    with server:
        host, port, *_ = server.getsockname()
        with connected(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM), Deadline(LONG)) as reached:
            assert reached.getpeername() == server.getsockname()


def test_a_proxy_takes_from_the_time() -> None:
    """What a tunnel took is gone for the handshake that comes next."""
    with Tunnelling() as server:
        host, _, port = server.place.partition(":")
        connection = _Connection(host, int(port), timeout=LONG)
        connection.set_tunnel("elsewhere.example", 443)
        connection.connect()
        left = connection.sock.gettimeout()
        connection.close()

    assert left is not None
    assert left <= LONG - Tunnelling.pause
