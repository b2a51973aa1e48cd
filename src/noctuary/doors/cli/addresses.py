"""Addresses of databases as they may be printed: what is printed is read by agents, kept in logs, and remembered."""

import re

_IN_QUERY = re.compile(r"(?<=[?&])(?:ssl)?password=[^&]*&?", re.IGNORECASE)


def without_password(address: str) -> str:
    """The address without the password, before the host or among the options."""
    head, mark, rest = address.partition("://")
    user, at, place = rest.rpartition("@")
    bare = f"{head}{mark}{user.partition(':')[0]}{at}{place}" if at else address
    return _IN_QUERY.sub("", bare).rstrip("?&")
