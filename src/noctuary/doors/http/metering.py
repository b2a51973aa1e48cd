"""What goes on in the server as numbers, in the text that Prometheus reads; no contents, and nobody's name."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from threading import Lock
from typing import NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS = (0.005, 0.025, 0.1, 0.5, 2.5, 10.0)  # seconds


class Answered(NamedTuple):
    """Which requests are counted together."""

    method: str
    route: str
    status: int


class Gauge(NamedTuple):
    """A number as it is now."""

    name: str
    told: str
    value: float


class Streams(NamedTuple):
    """How many streams of changes are open."""

    own: int  # of one owner
    total: int


class Meter:
    """Counts requests and what they took."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._answered: Counter[Answered] = Counter()
        self._within: Counter[float] = Counter()
        self._seconds = 0.0
        self._streams: Counter[str] = Counter()

    def count(self, answered: Answered, seconds: float) -> None:
        """One more request."""
        with self._lock:
            self._answered[answered] += 1
            self._seconds += seconds
            self._within[next((bound for bound in BOUNDS if seconds <= bound), float("inf"))] += 1

    def stream(self, owner: str, more: int) -> Streams:
        """So many more streams of changes are open, or fewer; how many there are now."""
        with self._lock:
            self._streams[owner] += more
            own, total = self._streams[owner], self._streams.total()
            if not own:
                del self._streams[owner]
            return Streams(own, total)

    def text(self, gauges: Iterable[Gauge]) -> str:
        """All numbers as text."""
        with self._lock:
            answered, within = dict(self._answered), dict(self._within)
            seconds, streams = self._seconds, self._streams.total()
        lines = [
            *_counted(answered),
            *_histogram(within, seconds),
            *_gauge(Gauge("noctuary_http_streams", "Streams of changes that are open.", streams)),
        ]
        for gauge in gauges:
            lines += _gauge(gauge)
        return "\n".join(lines) + "\n"


class Metering:
    """Counts what the application answers, by the template of its route: an address may name things."""

    def __init__(self, app: ASGIApp, meter: Meter) -> None:
        self.app = app
        self.meter = meter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call what is within, and count how it ended."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, begun = 500, time.perf_counter()

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            route = getattr(scope.get("route"), "path_format", "other")
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self.meter.count(Answered(method, route, status), time.perf_counter() - begun)


_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


def _counted(answered: Mapping[Answered, int]) -> Iterator[str]:
    yield "# HELP noctuary_http_requests_total Requests that were answered."
    yield "# TYPE noctuary_http_requests_total counter"
    for (method, route, status), count in sorted(answered.items()):
        yield f'noctuary_http_requests_total{{method="{method}",route="{route}",status="{status}"}} {count}'


def _histogram(within: Mapping[float, int], seconds: float) -> Iterator[str]:
    yield "# HELP noctuary_http_request_seconds What requests took."
    yield "# TYPE noctuary_http_request_seconds histogram"
    so_far = 0
    for bound in (*BOUNDS, float("inf")):
        so_far += within.get(bound, 0)
        label = "+Inf" if bound == float("inf") else str(bound)
        yield f'noctuary_http_request_seconds_bucket{{le="{label}"}} {so_far}'
    yield f"noctuary_http_request_seconds_sum {seconds:.6f}"
    yield f"noctuary_http_request_seconds_count {so_far}"


def _gauge(gauge: Gauge) -> Iterator[str]:
    yield f"# HELP {gauge.name} {gauge.told}"
    yield f"# TYPE {gauge.name} gauge"
    yield f"{gauge.name} {gauge.value!r}"
