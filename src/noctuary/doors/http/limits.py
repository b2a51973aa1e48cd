"""How much a caller may ask, and how long a request may be."""

import ipaddress
import math
from collections import OrderedDict
from http import HTTPStatus
from threading import Lock
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noctuary.clock import Clock
from noctuary.doors.http.problems import Problem, answer
from noctuary.doors.leftovers import announced, throw_away

MOST_KNOWN = 10_000  # of those who asked last
_MINUTE_MS = 60_000
_TIMES_THROWN_AWAY = 4  # as much as a request may have is read of one that is too long


class _Bucket(NamedTuple):
    left: float
    at_ms: int


class Buckets:
    """A bucket for each caller: it holds a minute's worth of requests, and fills again all the time."""

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._lock = Lock()

    def take(self, who: str) -> int:
        """Take one; 0, or the seconds to wait if there is none."""
        with self._lock:
            now = self._clock.now_ms()
            left = self._filled(who, now)
            self._buckets[who] = _Bucket(left - 1 if left >= 1 else left, now)
            self._buckets.move_to_end(who)
            if len(self._buckets) > MOST_KNOWN:
                self._buckets.popitem(last=False)
        return 0 if left >= 1 else self._seconds_until_one(left)

    def _filled(self, who: str, now_ms: int) -> float:
        bucket = self._buckets.get(who)
        if bucket is None:
            return float(self._per_minute)
        waited = max(0, now_ms - bucket.at_ms)  # a clock may be set back
        return min(float(self._per_minute), bucket.left + waited * self._per_minute / _MINUTE_MS)

    def _seconds_until_one(self, left: float) -> int:
        return max(1, math.ceil((1 - left) * 60 / self._per_minute))


def network_of(address: str) -> str:
    """What is counted as one: an address, and of the new ones the network, which belongs to one customer."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv4Address):
        return str(known)
    return str(known.ipv4_mapped or ipaddress.IPv6Network((int(known), 64), strict=False))


def too_many(seconds: int, detail: str) -> Problem:
    """The problem of somebody who asks too often."""
    return Problem(HTTPStatus.TOO_MANY_REQUESTS, detail, headers={"Retry-After": str(seconds)})


class BodyLimit:
    """Refuses requests that are too long, whether they say so before or never end."""

    def __init__(self, app: ASGIApp, most_bytes: int) -> None:
        self.app = app
        self.most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if announced(scope) > self.most_bytes:
            await throw_away(scope, receive, _TIMES_THROWN_AWAY * self.most_bytes)
            await self._refuse(scope, receive, send)
            return
        counting = _Counting(receive, send, self.most_bytes)
        try:
            await self.app(scope, counting.receive, counting.send)
        except _TooLong:
            if counting.has_begun:
                raise
        if counting.is_too_long and not counting.has_begun:
            if not counting.is_at_end:
                await throw_away(scope, receive, _TIMES_THROWN_AWAY * self.most_bytes)
            await self._refuse(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        problem = Problem(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"A request may have {self.most_bytes:,} bytes; send less at a time.",
            headers={"Connection": "close"},  # the rest of it is still on its way
        )
        await answer(problem)(scope, receive, send)


class _TooLong(HTTPException):
    """The body has more bytes than it may; of a kind that every handler lets through without a word in the log."""


class _Counting:
    """One request whose bytes are counted; once there are too many, what the application answers is not sent."""

    def __init__(self, receive: Receive, send: Send, most_bytes: int) -> None:
        self._receive, self._send, self._left = receive, send, most_bytes
        self.is_too_long = self.is_at_end = False
        self.has_begun = False

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            self.is_at_end = not message.get("more_body")
            if self._left < 0:
                self.is_too_long = True
                raise _TooLong(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return message

    async def send(self, message: Message) -> None:
        if self.is_too_long and not self.has_begun:
            return  # whoever reads the body may have made something else of our error
        self.has_begun = True
        await self._send(message)
