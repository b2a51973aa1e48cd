"""What holds for every request and every answer."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from noctuary.server_settings import ServerSettings
from tests.unit.doors.http.guarded import HERE, ME, TOKEN, Guarded, guarded

TOOL = "https://tool.example"


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with guarded(tmp_path_factory.mktemp("protected")) as made:
        yield made


@pytest.fixture(scope="module")
def open_door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """A server that pages of another site may call."""
    with guarded(tmp_path_factory.mktemp("open"), ServerSettings(origins=(TOOL,))) as made:
        yield made


@pytest.fixture
def door(standing: Guarded) -> Guarded:
    standing.clock.advance(timedelta(minutes=1))
    return standing


@pytest.mark.parametrize("host", ["evil.example", "evil.example:7400", "127.0.0.1.evil.example", "", "192.168.0.9"])
@pytest.mark.parametrize("path", ["/", ME, "/api/v1/open", "/nothing", f"/?token={TOKEN}"])
def test_a_request_for_another_host_comes_no_further(door: Guarded, host: str, path: str) -> None:
    """Whoever points a name at this machine gets nothing, not even with the token."""
    answer = door.with_key(TOKEN, path, host=host)

    assert answer.status_code == 421
    assert "set-cookie" not in answer.headers


def test_a_host_that_is_configured_is_ours(tmp_path: Path) -> None:
    """In any case of letters, and the address to listen on with it."""
    server = ServerSettings(host="10.1.2.3", hosts=("Memory.Example",))
    with guarded(tmp_path, server) as door:
        for host in ("memory.example", "MEMORY.example:443", "10.1.2.3:7400", "localhost:7400", "[::1]:7400"):
            assert door.with_key(TOKEN, host=host).status_code == 200
        assert door.with_key(TOKEN, host="10.1.2.4").status_code == 421


@pytest.mark.parametrize(
    "name", ["host", "origin", "authorization", "content-length", "transfer-encoding", "idempotency-key"]
)
def test_a_header_that_is_asked_comes_once(door: Guarded, name: str) -> None:
    """Two readers could take different ones of them."""
    twice = [(name, "0"), (name, "0")]
    asked = [("host", "127.0.0.1:7400"), ("authorization", f"Bearer {TOKEN}")]

    answer = door.client().get(ME, headers=[pair for pair in asked if pair[0] != name] + twice)

    assert answer.status_code == 400
    assert name in answer.json()["detail"]


def test_a_body_has_a_length_or_comes_in_pieces(door: Guarded) -> None:
    """A proxy in front may believe the one and this server the other, and then a request hides in the body."""
    both = {"content-length": "0", "transfer-encoding": "chunked"}

    answer = door.client().post("/api/v1/things", headers={"authorization": f"Bearer {TOKEN}", **both})

    assert answer.status_code == 400
    assert answer.headers["connection"] == "close"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "MADE-UP"])
@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:7401", "", "file://"])
def test_no_other_page_changes_anything(door: Guarded, method: str, origin: str) -> None:
    """Not even one that has a key."""
    assert door.with_key(TOKEN, "/api/v1/things", method, origin=origin).status_code == 403


@pytest.mark.parametrize("fetched", ["cross-site", "same-site", "nonsense"])
def test_a_browser_that_says_it_is_another_page_is_believed(door: Guarded, fetched: str) -> None:
    """Also if it sends no origin."""
    assert door.with_key(TOKEN, "/api/v1/things", "POST", sec_fetch_site=fetched).status_code == 403


@pytest.mark.parametrize("headers", [{}, {"origin": HERE}, {"sec_fetch_site": "same-origin"}])
def test_programs_and_our_page_change_things(door: Guarded, headers: dict[str, str]) -> None:
    """With a key."""
    assert door.with_key(TOKEN, "/api/v1/things", "POST", **headers).status_code == 200


@pytest.mark.parametrize("path", ["/", ME, "/api/v1/nothing", "/nothing"])
@pytest.mark.parametrize("host", ["127.0.0.1:7400", "evil.example"])
def test_every_answer_tells_browsers_to_be_careful(door: Guarded, path: str, host: str) -> None:
    """Also one that refuses."""
    headers = door.with_key(TOKEN, path, host=host).headers

    assert headers["content-security-policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "strict-transport-security" not in headers
    assert "server" not in headers


def test_answers_of_the_api_are_kept_by_nobody(door: Guarded) -> None:
    """Neither a cache nor a browser."""
    headers = door.with_key(TOKEN).headers

    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"


def test_pages_may_say_that_a_form_is_theirs(door: Guarded) -> None:
    """Without any referrer a browser sends `Origin: null` with it."""
    headers = door.by_cookie().headers

    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "private, no-cache"


def test_over_tls_browsers_are_told_to_stay_with_it(door: Guarded) -> None:
    """And only then."""
    client = TestClient(door.app, base_url="https://127.0.0.1:7400")

    assert client.get("/api/v1/open").headers["strict-transport-security"] == "max-age=31536000"


def test_no_other_site_reads_anything_unless_somebody_says_so(door: Guarded) -> None:
    """There is no header that would let it, and a preflight is refused."""
    asked = door.with_key(TOKEN, origin=TOOL)
    before = door.ask(ME, "OPTIONS", origin=TOOL, access_control_request_method="GET")

    assert before.status_code == 403
    assert not [name for answer in (asked, before) for name in answer.headers if name.startswith("access-control")]


def test_a_site_that_is_configured_may_call_the_api(open_door: Guarded) -> None:
    """By its exact name, with a key in a header, and never with cookies."""
    before = open_door.ask("/api/v1/things", "OPTIONS", origin=TOOL, access_control_request_method="POST")
    asked = open_door.with_key(TOKEN, "/api/v1/things", "POST", origin=TOOL)

    assert before.status_code == 204
    assert "Authorization" in before.headers["access-control-allow-headers"]
    assert "POST" in before.headers["access-control-allow-methods"]
    assert asked.status_code == 200
    for answer in (before, asked):
        assert answer.headers["access-control-allow-origin"] == TOOL
        assert answer.headers["vary"] == "Origin"
        assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("origin", ["https://evil.example", "null", f"{TOOL}.evil.example", "http://tool.example", "*"])
def test_that_one_may_call_lets_in_no_other(open_door: Guarded, origin: str) -> None:
    """What differs in one letter is another site."""
    before = open_door.ask(ME, "OPTIONS", origin=origin, access_control_request_method="GET")
    asked = open_door.with_key(TOKEN, origin=origin)

    assert before.status_code == 403
    for answer in (before, asked):
        assert "access-control-allow-origin" not in answer.headers
        assert answer.headers["vary"] == "Origin"


@pytest.mark.parametrize("path", [f"{ME}/", f"{ME}/?a=//b"])
def test_who_is_led_on_stays_where_they_are(door: Guarded, path: str) -> None:
    """Neither scheme nor host is named: behind a proxy that ended TLS, they would lead a key out of it."""
    answer = door.with_key(TOKEN, path)

    assert answer.status_code == 307
    assert answer.headers["location"] == path.replace("/?", "?").removesuffix("/")


def test_there_are_no_web_sockets(door: Guarded) -> None:
    """What nobody guards is closed."""
    with pytest.raises(WebSocketDisconnect), door.client().websocket_connect("/api/v1/me"):
        pass


@pytest.mark.parametrize("path", [ME, "/", "/api/v1/open"])
def test_head_says_what_get_would_but_for_the_rest(door: Guarded, path: str) -> None:
    """Monitors ask so; and who has no key is as much a stranger."""
    whole, head = door.with_key(TOKEN, path), door.with_key(TOKEN, path, "HEAD")

    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert head.headers["content-length"] == whole.headers["content-length"]
    assert door.ask(ME, "HEAD").status_code == 401
