"""What models cost, as far as it is known.

A price that is wrong is worse than none, so a name counts only if nothing but a date follows the name in the table:
`gpt-5` is also `gpt-5-2025-08-07`, and not `gpt-5-pro`.
"""

import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import TYPE_CHECKING

from noctuary.lazily import lazy_module
from noctuary.models.chat.model import Price

if TYPE_CHECKING:
    from urllib import parse
else:
    parse = lazy_module("urllib.parse")

FREE = Price(0.0, 0.0)
PRICES: Mapping[str, Price] = {
    "claude-opus-4-6": Price(5.0, 25.0),
    "claude-opus-4-5": Price(5.0, 25.0),
    "claude-opus-4-1": Price(15.0, 75.0),
    "claude-opus-4": Price(15.0, 75.0),
    "claude-sonnet-4-6": Price(3.0, 15.0),
    "claude-sonnet-4-5": Price(3.0, 15.0),
    "claude-sonnet-4": Price(3.0, 15.0),
    "claude-haiku-4-5": Price(1.0, 5.0),
    "claude-3-7-sonnet": Price(3.0, 15.0),
    "claude-3-5-haiku": Price(0.8, 4.0),
    "gpt-5": Price(1.25, 10.0),
    "gpt-5-mini": Price(0.25, 2.0),
    "gpt-5-nano": Price(0.05, 0.4),
    "gpt-4.1": Price(2.0, 8.0),
    "gpt-4.1-mini": Price(0.4, 1.6),
    "gpt-4.1-nano": Price(0.1, 0.4),
    "gpt-4o": Price(2.5, 10.0),
    "gpt-4o-mini": Price(0.15, 0.6),
    "o4-mini": Price(1.1, 4.4),
}
_DATE = re.compile(r"(?:[-@](?:\d{8}|\d{4}-\d\d-\d\d|latest))?")
_HERE = ("localhost", "host.docker.internal")


def price_of(model: str, *, address: str = "", given: Mapping[str, Price] | None = None) -> Price | None:
    """What the model costs at this address: what was given for the longest beginning of its name, or what is known."""
    beginnings = [name for name in given or {} if model.startswith(name)]
    if given and beginnings:
        return given[max(beginnings, key=len)]
    if address and is_near(address):
        return FREE
    bare = model.rpartition("/")[2]  # OpenRouter puts the vendor before it
    known = [price for name, price in PRICES.items() if bare.startswith(name) and _DATE.fullmatch(bare, len(name))]
    return known[0] if known else None


def is_near(address: str) -> bool:
    """Whether the server is on this machine or in this house, where nobody sends a bill."""
    try:
        host = parse.urlsplit(address).hostname or ""
    except ValueError:
        return False
    if host in _HERE or host.endswith((".local", ".localhost", ".internal")):
        return True
    try:
        return ip_address(host).is_private
    except ValueError:  # a name
        return False
