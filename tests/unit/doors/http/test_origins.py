"""Names that are ours, and pages that are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.doors.http.origins import host_named, is_loopback, is_own_host, is_own_origin, may_change, may_look

HOSTS = frozenset({"memory.example", "10.1.2.3"})


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "localhost", "::1", "[::1]"])
def test_loopback_is_this_machine(host: str) -> None:
    """By any of its names."""
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["", "0.0.0.0", "::", "192.168.0.1", "localhost.evil.example", "example", "127.1"])
def test_anything_else_may_be_reached_by_others(host: str) -> None:
    """A name that may mean anything too."""
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("localhost", "localhost"),
        ("LocalHost:7400", "localhost"),
        ("127.0.0.1:1", "127.0.0.1"),
        ("[::1]", "::1"),
        ("[::1]:7400", "::1"),
        ("memory.example:443", "memory.example"),
    ],
)
def test_a_host_is_named_with_or_without_a_port(header: str, name: str) -> None:
    """In any case of letters."""
    assert host_named(header) == name
    assert is_own_host(header, hosts=HOSTS, bound="127.0.0.1")


@pytest.mark.parametrize(
    "header",
    [
        "",
        " ",
        ":7400",
        "evil.example",
        "evil.example:7400",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "localhost:7400.evil.example",
        "localhost:7400@evil.example",
        "evil.example#localhost",
        "localhost, evil.example",
        "localhost evil.example",
        "localhost\r\nX: y",
        "localhost\n",
        "localhost\0",
        "localhost:",
        "localhost:port",
        "localhost:123456",
        "[::1",
        "::1",
        "localhost.",
        "lоcalhost",  # with a letter of another script
        "0.0.0.0",
        "10.1.2.4",
        "sub.memory.example",
    ],
)
def test_other_hosts_are_not_ours(header: str) -> None:
    """A name that somebody points at this machine, and what only looks like one of ours."""
    assert not is_own_host(header, hosts=HOSTS, bound="127.0.0.1")


def test_the_address_that_a_request_came_in_by_is_ours() -> None:
    """An address cannot be pointed elsewhere; a name can."""
    assert is_own_host("192.168.0.7:7400", hosts=frozenset(), bound="192.168.0.7")
    assert not is_own_host("192.168.0.8:7400", hosts=frozenset(), bound="192.168.0.7")
    assert not is_own_host("testserver", hosts=frozenset(), bound="testserver")
    assert not is_own_host("", hosts=frozenset({""}), bound="")


@given(st.text(), st.text())
def test_no_header_is_an_error(host: str, origin: str) -> None:
    """Whatever is in them, the answer is yes or no."""
    headers = {"host": host, "origin": origin}

    assert is_own_host(host, hosts=HOSTS, bound="127.0.0.1") in (True, False)
    assert may_change(headers, origins=frozenset(), is_by_cookie=True) in (True, False)
    assert may_look(headers) in (True, False)


@pytest.mark.parametrize("origin", ["http://localhost:7400", "https://localhost:7400", "HTTP://LOCALHOST:7400"])
def test_an_origin_is_ours_by_the_name_that_was_asked_for(origin: str) -> None:
    """A proxy may have ended TLS."""
    assert is_own_origin(origin, "localhost:7400")


@pytest.mark.parametrize(
    "origin",
    ["", "null", "localhost:7400", "ftp://localhost:7400", "http://localhost", "http://localhost:7401", "http://"],
)
def test_an_origin_is_not_ours_if_anything_differs(origin: str) -> None:
    """Another port is another page."""
    assert not is_own_origin(origin, "localhost:7400")
    assert not is_own_origin(origin, "")


def test_no_page_sent_it() -> None:
    """Programs have no origin; with a key they may change things, with a cookie nobody without one may."""
    assert may_change({"host": "localhost"}, origins=frozenset(), is_by_cookie=False)
    assert not may_change({"host": "localhost"}, origins=frozenset(), is_by_cookie=True)


def test_an_origin_that_is_configured_is_compared_exactly() -> None:
    """No part of a name, no other scheme, no other port."""
    allowed = frozenset({"https://tool.example"})

    assert may_change({"origin": "https://tool.example"}, origins=allowed, is_by_cookie=False)
    for other in (
        "http://tool.example",
        "https://tool.example:444",
        "https://sub.tool.example",
        "https://tool.example.",
    ):
        assert not may_change({"origin": other}, origins=allowed, is_by_cookie=False)
