"""What a request shows to come in: a key in a header, or the cookie of the page."""

from fastapi import Request
from starlette.types import Scope as Asked

LONGEST = 200  # characters of a key; a longer one is none
_SCHEME = "bearer "


def cookie_name(asked: Asked) -> str:
    """The name of the cookie: with the port, for cookies know no ports, and two servers may run on one machine."""
    return f"noctuary-{(asked.get('server') or ('', 0))[1]}"


def is_by_cookie(request: Request) -> bool:
    """Whether the request comes in by the cookie: only if it has no header that says who it is."""
    return "authorization" not in request.headers


def given_key(request: Request) -> str:
    """The key that was shown; "" if there is none, or more than one."""
    headers = request.headers.getlist("authorization")
    given = [_bearer(header) for header in headers] if headers else _cookies(request)
    return given[0] if len(given) == 1 and is_plausible(given[0]) else ""


def is_plausible(key: str) -> bool:
    """Whether this could be a key at all: what is no plain word is not looked at further."""
    return 0 < len(key) <= LONGEST and key.isascii() and key.isprintable() and " " not in key


def _bearer(header: str) -> str:
    return header[len(_SCHEME) :].strip(" ") if header[: len(_SCHEME)].lower() == _SCHEME else ""


def _cookies(request: Request) -> list[str]:
    """All values of the cookie: another server on this machine may have set one of the same name."""
    name = cookie_name(request.scope)
    pairs = (part.strip().partition("=") for header in request.headers.getlist("cookie") for part in header.split(";"))
    return [value.strip().strip('"') for found, _, value in pairs if found.strip() == name]
