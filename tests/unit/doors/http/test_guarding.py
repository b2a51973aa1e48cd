"""Who a request is from, whatever it says: keys, the token, the cookie, scopes, projects, and how often."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from starlette.requests import Request

from noctuary.access import Caller, Scope
from noctuary.app.access_keys import audits_of, keys_of, refusals_of
from noctuary.doors.http.guarding import FAILURES_PER_MINUTE
from noctuary.server_settings import ServerSettings
from tests.unit.doors.http.guarded import HERE, ME, TOKEN, Guarded, guarded

NO_KEY = "nk_abcdefghij_" + "a" * 52


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with guarded(tmp_path_factory.mktemp("guarded")) as made:
        yield made


@pytest.fixture
def door(standing: Guarded) -> Guarded:
    """The same for all, a minute later: nobody waits any more."""
    standing.clock.advance(timedelta(minutes=1))
    standing.kept.lines.clear()
    return standing


def test_the_token_is_the_owner_of_the_settings(door: Guarded) -> None:
    """With all scopes, and for all projects."""
    assert door.with_key(TOKEN).json() == {
        "owner": "ana",
        "project": None,
        "key": "",
        "scopes": ["admin", "dream", "read", "write"],
    }


def test_a_key_says_whose_memory_it_opens(door: Guarded) -> None:
    """Its owner, its project and its scopes, and nothing of what the request says."""
    key = door.key(Scope.READ, owner="ben", project="/home/ben/shop")

    answer = door.with_key(key, f"{ME}?owner=ana&project=/other", x_owner="ana").json()

    assert answer == {"owner": "ben", "project": "/home/ben/shop", "key": key.split("_")[1], "scopes": ["read"]}


def test_keys_are_known_on_either_database(tmp_path: Path, database: str) -> None:
    """Whoever's they are; what was asked is kept below the owner of the key, where the database hides it."""
    with guarded(tmp_path) as door:
        keys = {owner: door.key(owner=owner) for owner in ("ana", "ben")}
        assert {owner: door.with_key(key).json()["owner"] for owner, key in keys.items()} == {
            "ana": "ana",
            "ben": "ben",
        }
        assert door.with_key(NO_KEY).status_code == 401
        door.guard.trail.write()

        for owner, key in keys.items():
            with door.house.memory(owner) as memory:
                assert [(each.owner, each.key_id) for each in audits_of(memory)] == [(owner, key.split("_")[1])]
                assert [each.used_ms for each in keys_of(memory)] == [door.clock.now_ms()]
                assert [each.status for each in refusals_of(memory)] == [401]


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        f"Basic {TOKEN}",
        TOKEN,
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN.upper()}",
        f"Bearer{TOKEN}",
        f"Bearer {TOKEN} {TOKEN}",
        f"Bearer {TOKEN},Bearer {TOKEN}",
        f"Bearer {NO_KEY}",
        "Bearer " + "n" * 60_000,
        "Bearer nk_" + "a" * 10_000 + "_" + "b" * 52,
        "Bearer nk_abcdefghij_" + "ä" * 52,
        "Bearer nk_abcdefghij_" + "a" * 26 + "\0" + "a" * 25,
        "Bearer ' or 1=1 --",
    ],
)
def test_who_has_no_good_key_is_not_let_in(door: Guarded, header: str) -> None:
    """Long ones, strange letters, NULs and half keys are answered like none at all."""
    answer = door.client().get(ME, headers=[(b"authorization", header.encode())])

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == 401


@given(st.binary(max_size=200))
@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)  # it keeps nothing
def test_no_header_is_an_error_of_ours(door: Guarded, header: bytes) -> None:
    """Whatever bytes come: not let in, or told to wait."""
    answer = door.client().get(ME, headers=[(b"authorization", b"Bearer " + header)])

    assert answer.status_code in (401, 429)


def test_without_a_key_one_is_told_how(door: Guarded) -> None:
    """The answer says what to send."""
    assert "Authorization: Bearer KEY" in door.ask().json()["detail"]


def test_the_scheme_is_read_in_any_case(door: Guarded) -> None:
    """As RFC 9110 says."""
    assert door.ask(authorization=f"bEARER   {TOKEN}  ").status_code == 200


def test_two_keys_are_none(door: Guarded) -> None:
    """A request that says twice who it is from may be meant for one reader and read by another."""
    headers = [("authorization", f"Bearer {TOKEN}"), ("authorization", f"Bearer {NO_KEY}")]

    assert door.client().get(ME, headers=headers).status_code == 400


def test_a_server_without_a_token_has_none(tmp_path: Path) -> None:
    """No text opens it, least of all an empty one."""
    with guarded(tmp_path, token=None) as door:
        assert [door.with_key(each).status_code for each in (TOKEN, "None", "")] == [401, 401, 401]
        assert door.with_key(door.key()).status_code == 200


def test_a_key_that_expired_is_refused(door: Guarded) -> None:
    """With a word that says so, for whoever has it."""
    key = door.key(lives_ms=1000)
    assert door.with_key(key).status_code == 200

    door.clock.advance(timedelta(seconds=1))

    answer = door.with_key(key)
    assert answer.status_code == 401
    assert "expired" in answer.json()["detail"]


def test_a_key_that_was_revoked_is_refused_at_once(door: Guarded) -> None:
    """Nothing remembers that it was good."""
    key = door.key()
    assert door.with_key(key).status_code == 200

    door.revoke(key)

    answer = door.with_key(key)
    assert answer.status_code == 401
    assert "revoked" in answer.json()["detail"]
    assert door.by_cookie(key=key).status_code == 401


def test_whoever_stays_is_known_as_long_as_their_key_is_good(door: Guarded) -> None:
    """A stream that was opened before a key was revoked is no way around it."""
    key = door.key()
    request = Request({"type": "http", "headers": [(b"authorization", f"Bearer {key}".encode())]})
    caller = door.guard.known(key)
    assert isinstance(caller, Caller)
    assert door.guard.still_admits(request, caller)

    door.revoke(key)

    assert not door.guard.still_admits(request, caller)
    by_token = Request({"type": "http", "headers": [(b"authorization", f"Bearer {TOKEN}".encode())]})
    assert door.guard.still_admits(by_token, door.caller())
    assert not door.guard.still_admits(by_token, caller)


def test_a_rotated_key_is_good_for_its_grace(door: Guarded) -> None:
    """And the next one at once."""
    old = door.key()
    new = door.rotate(old, grace_ms=1000)
    assert [door.with_key(each).status_code for each in (old, new)] == [200, 200]

    door.clock.advance(timedelta(seconds=1))

    assert [door.with_key(each).status_code for each in (old, new)] == [401, 200]


WAYS = {
    Scope.READ: ("GET", ME),
    Scope.WRITE: ("POST", "/api/v1/things"),
    Scope.DREAM: ("POST", "/api/v1/dream"),
    Scope.ADMIN: ("DELETE", "/api/v1/all"),
}


@pytest.mark.parametrize("wanted", Scope)
@pytest.mark.parametrize("held", Scope)
def test_a_key_is_for_its_scope_alone(door: Guarded, held: Scope, wanted: Scope) -> None:
    """None contains another, but `admin` all of them."""
    method, path = WAYS[wanted]

    answer = door.with_key(door.key(held), path, method)

    assert answer.status_code == (200 if held in (wanted, Scope.ADMIN) else 403)
    if answer.status_code == 403:
        assert f"`{wanted}`" in answer.json()["detail"]


def test_the_cookie_lets_in_like_the_header(door: Guarded) -> None:
    """The token and keys alike."""
    assert door.by_cookie().json() == "the page of ana"
    assert door.by_cookie(key=door.key(owner="ben")).json() == "the page of ben"
    assert door.by_cookie(key="nonsense").status_code == 401


def test_a_wrong_header_is_not_made_good_by_a_cookie(door: Guarded) -> None:
    """Who says who they are is taken at that."""
    assert door.with_key(NO_KEY, cookie=f"noctuary-7400={TOKEN}").status_code == 401


def test_a_cookie_of_another_port_or_two_of_ours_let_nobody_in(door: Guarded) -> None:
    """Cookies know no ports, so another server on this machine may have set one of them."""
    assert door.ask(cookie=f"noctuary-7401={TOKEN}").status_code == 401
    assert door.ask(cookie=f"noctuary={TOKEN}").status_code == 401
    assert door.ask(cookie=f"noctuary-7400={TOKEN}; noctuary-7400={TOKEN}").status_code == 401
    assert door.ask(cookie=f"theirs=1; noctuary-7400={TOKEN}; b=2").status_code == 200


CROSS = {"sec_fetch_site": "cross-site"}
NEIGHBOUR = {"sec_fetch_site": "same-site"}  # another port of this machine
LINK = {"sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": HERE}, 200),
        ({"sec_fetch_site": "same-origin"}, 200),
        ({"sec_fetch_site": "none", **LINK}, 200),
        ({**NEIGHBOUR, **LINK}, 200),
        (NEIGHBOUR, 403),
        (CROSS, 403),
        ({**CROSS, "sec_fetch_mode": "navigate", "sec_fetch_dest": "iframe"}, 403),
        ({**CROSS, "sec_fetch_mode": "no-cors", "sec_fetch_dest": "script"}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:7401"}, 403),
    ],
)
def test_with_the_cookie_no_other_page_looks(door: Guarded, headers: dict[str, str], status: int) -> None:
    """A link may lead here; anything else that another page asks for is refused."""
    assert door.by_cookie(**headers).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": HERE}, 200),
        ({"origin": HERE, "sec_fetch_site": "same-origin"}, 200),
        ({"sec_fetch_site": "same-origin"}, 200),
        ({}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "http://127.0.0.1"}, 403),
        ({"origin": "http://127.0.0.1:7401"}, 403),
        ({"origin": f"{HERE}.evil.example"}, 403),
        ({"origin": f"{HERE}/"}, 403),
        ({"origin": f"{HERE}, https://evil.example"}, 403),
        (CROSS, 403),
        ({**CROSS, **LINK}, 403),
        ({**NEIGHBOUR, **LINK}, 403),
    ],
)
def test_with_the_cookie_only_our_page_changes_anything(door: Guarded, headers: dict[str, str], status: int) -> None:
    """A browser sends it whoever's form it is, so the page must say that it is ours."""
    assert door.by_cookie("/change", "POST", **headers).status_code == status


def test_another_site_that_may_call_the_api_still_has_no_use_of_the_cookie(tmp_path: Path) -> None:
    """It needs a key of its own."""
    with guarded(tmp_path, ServerSettings(origins=("https://tool.example",))) as door:
        assert door.by_cookie("/change", "POST", origin="https://tool.example").status_code == 403
        assert door.by_cookie(origin="https://tool.example").status_code == 403
        assert door.with_key(TOKEN, "/change", "POST", origin="https://tool.example").status_code == 200


def test_a_key_that_asks_too_often_waits(tmp_path: Path) -> None:
    """Others do not wait for it, and after a while it may ask again."""
    with guarded(tmp_path, ServerSettings(requests_per_minute=3)) as door:
        busy, calm = door.key(), door.key()
        assert [door.with_key(busy).status_code for _ in range(4)] == [200, 200, 200, 429]

        answer = door.with_key(busy)

        assert answer.headers["retry-after"] == "20"
        assert answer.json()["title"] == "Too Many Requests"
        assert door.with_key(calm).status_code == 200
        assert door.with_key(TOKEN).status_code == 200
        door.clock.advance(timedelta(seconds=20))
        assert [door.with_key(busy).status_code for _ in range(2)] == [200, 429]


def test_a_request_counts_once(tmp_path: Path) -> None:
    """However many parts of a route ask who it is from."""
    with guarded(tmp_path, ServerSettings(requests_per_minute=2)) as door:
        assert [door.with_key(TOKEN, "/api/v1/things/a").status_code for _ in range(3)] == [200, 200, 429]


def test_who_tries_keys_is_told_to_wait(door: Guarded) -> None:
    """So many wrong ones in a minute from one address; whoever has a good one is let in all the same."""
    tried = [door.with_key(NO_KEY).status_code for _ in range(FAILURES_PER_MINUTE + 1)]

    assert tried == [401] * FAILURES_PER_MINUTE + [429]
    assert door.with_key(NO_KEY).headers["retry-after"] == "3"
    assert door.with_key(TOKEN).status_code == 200
    assert door.ask(f"/?token={NO_KEY}").status_code == 429
    assert door.ask().status_code == 401
    door.clock.advance(timedelta(minutes=1))
    assert door.with_key(NO_KEY).status_code == 401


def test_nothing_of_a_key_is_in_an_answer_or_a_log(door: Guarded) -> None:
    """Neither of a good one nor of a wrong one, and nothing that was asked for."""
    key = door.key(Scope.WRITE)
    told = [
        door.with_key(NO_KEY, "/api/v1/things/intimate-name?q=intimate-words"),
        door.with_key(key, "/api/v1/things/intimate-name?q=intimate-words"),
        door.with_key(key, "/intimate-path"),
    ]

    text = "".join(f"{answer.headers}{answer.text}" for answer in told) + door.kept.text
    assert len(door.kept.lines) == 3
    for secret in (NO_KEY, key, key.split("_")[2], "intimate", TOKEN):
        assert secret not in text
