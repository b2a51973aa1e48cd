"""Which names the server answers to, and which pages may speak to it.

A page in a browser on this machine can send requests to loopback, under a name of its own if it rebinds that name.  So
every request must name a host that is ours, and what changes something must come from a page of ours, or from none.
"""

import ipaddress
import re
from collections.abc import Mapping

from noctuary.errors import BadSettings

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::([0-9]{1,5}))?", re.ASCII)
_OURS = frozenset({"same-origin", "none"})  # the second is an address that a person typed or opened


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it; a name that may mean anything is not."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def need_safe(host: str, *, has_tls: bool, is_insecure: bool) -> None:
    """BadSettings if keys would travel in the clear to whoever listens in."""
    if not is_loopback(host) and not has_tls and not is_insecure:
        raise BadSettings(
            f"Beyond this machine keys would travel in the clear, so {host} needs --tls-cert and --tls-key, or "
            "--insecure if something in front of it does TLS."
        )


def host_named(header: str) -> str | None:
    """The name in a Host header, without its port and in small letters; None if it is none."""
    found = _HOST.fullmatch(header)
    return found[1].strip("[]").lower() if found else None


def is_own_host(header: str, *, hosts: frozenset[str], bound: str) -> bool:
    """Whether the header names this server: by loopback, a name that was configured, or the address it came in by."""
    name = host_named(header)
    if name is None:
        return False
    return is_loopback(name) or name in hosts or (name == bound.lower() and _is_address(bound))


def is_own_origin(origin: str, host: str) -> bool:
    """Whether the origin is the server itself, by the name in the request's Host header.

    The scheme is left open: a proxy may have ended TLS.
    """
    return bool(host) and origin.lower() in (f"http://{host}".lower(), f"https://{host}".lower())


def may_change(headers: Mapping[str, str], *, origins: frozenset[str], is_by_cookie: bool) -> bool:
    """Whether a request that changes something may: no page sent it, or one that is allowed to.

    A browser adds a cookie by itself, so with one a page must say that it is ours.
    """
    origin, fetched = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None:
        is_own = is_own_origin(origin, headers.get("host", ""))
        return is_own or (origin in origins and not is_by_cookie)
    return fetched in _OURS if fetched is not None else not is_by_cookie


def may_look(headers: Mapping[str, str]) -> bool:
    """Whether a request with a cookie that changes nothing may: not for another page, but a link may lead here."""
    origin, fetched = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and not is_own_origin(origin, headers.get("host", "")):
        return False
    if fetched is None or fetched in _OURS:
        return True
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"


def is_opened_by_hand(headers: Mapping[str, str]) -> bool:
    """Whether no other page led here, as far as the browser says."""
    return headers.get("sec-fetch-site", "none") in _OURS


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
