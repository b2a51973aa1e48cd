"""Numbers for a monitor: right, readable, and without a word of what is kept."""

import re

import pytest

from noctuary.doors.http.metering import Answered, Gauge, Meter
from tests.unit.doors.http.serving import BOB, OF_SHOP, Served

pytestmark = pytest.mark.slow

LINE = re.compile(r'[a-z_]+(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? -?[0-9.e+]+')


def value(text: str, beginning: str) -> float:
    """The number of the only line that begins so."""
    (line,) = [line for line in text.splitlines() if line.startswith(beginning)]
    return float(line.rpartition(" ")[2])


def test_requests_are_counted_by_route_and_status() -> None:
    """Each bucket of the histogram holds those before it, too."""
    meter = Meter()
    for seconds in (0.001, 0.02, 0.02, 99):
        meter.count(Answered("GET", "/tasks", 200), seconds)

    text = meter.text([Gauge("noctuary_things", "Things.", 3)])

    assert value(text, 'noctuary_http_requests_total{method="GET",route="/tasks",status="200"}') == 4
    assert value(text, 'noctuary_http_request_seconds_bucket{le="0.005"}') == 1
    assert value(text, 'noctuary_http_request_seconds_bucket{le="0.025"}') == 3
    assert value(text, 'noctuary_http_request_seconds_bucket{le="+Inf"}') == 4
    assert value(text, "noctuary_http_request_seconds_count") == 4
    assert value(text, "noctuary_things ") == 3


def test_what_a_monitor_reads_is_numbers_alone(served: Served) -> None:
    """No name, no id and no word of anybody, though addresses have them; routes are told by their templates."""
    served.session("s1", "a secret plan", project="/home/ana/code/shop")
    served.session("s2", "another plan", as_=BOB)
    served.get("/search/sessions?q=plan")
    served.ask("GET", "/sessions/nowhere-at-all")
    served.ask("GET", "/no/such/address")

    text = served.ask("GET", "/metrics").text

    for line in text.splitlines():
        assert line.startswith("# ") or LINE.fullmatch(line), line
    for word in ("secret", "plan", "ana", "bob", "shop", "s1", "nowhere", "such"):
        assert not re.search(rf"\b{word}\b", text), word
    assert value(text, 'noctuary_http_requests_total{method="GET",route="/sessions/{session}",status="404"}') == 1
    assert value(text, "noctuary_sessions ") == 1


def test_a_key_for_one_project_reads_no_numbers_of_its_owner(served: Served) -> None:
    """How much there is of other projects is nothing for it."""
    served.session("s1", "hello", project="/home/ana/code/blog")

    assert "noctuary_sessions" not in served.ask("GET", "/metrics", as_=OF_SHOP).text
