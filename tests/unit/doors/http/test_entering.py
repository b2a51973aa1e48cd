"""How a person comes in by a browser, and leaves."""

from collections.abc import Iterator
from datetime import timedelta
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from noctuary.access import Scope
from noctuary.server_settings import ServerSettings
from tests.unit.doors.http.guarded import HERE, TOKEN, Guarded, guarded

COOKIE = "noctuary-7400"


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with guarded(tmp_path_factory.mktemp("entering")) as made:
        yield made


@pytest.fixture
def door(standing: Guarded) -> Guarded:
    standing.clock.advance(timedelta(minutes=1))
    standing.kept.lines.clear()
    return standing


def test_the_address_with_the_token_leads_to_the_page_without_it(door: Guarded) -> None:
    """It sets a cookie that no script can read and no other site sends, and stays in no history."""
    answer = door.ask(f"/?token={TOKEN}")

    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    morsel = SimpleCookie(answer.headers["set-cookie"])[COOKIE]
    assert morsel.value == TOKEN
    assert morsel["httponly"]
    assert morsel["samesite"].lower() == "strict"
    assert morsel["path"] == "/"
    assert not morsel["secure"]
    assert TOKEN not in door.kept.text


def test_who_came_in_stays_in(door: Guarded) -> None:
    """A browser follows, and goes on without the token."""
    client = TestClient(door.app, base_url=HERE)

    assert client.get(f"/?token={TOKEN}").json() == "the page of ana"
    assert client.get("/").json() == "the page of ana"
    assert client.post("/change", headers={"origin": HERE}).json() == "changed by ana"


def test_over_tls_the_cookie_is_for_tls(door: Guarded) -> None:
    """It never travels in the clear."""
    answer = TestClient(door.app, base_url="https://127.0.0.1:7400", follow_redirects=False).get(f"/?token={TOKEN}")

    assert "secure" in answer.headers["set-cookie"].lower()


def test_any_page_can_be_opened_with_a_token(door: Guarded) -> None:
    """What else the address says stays, and the redirect leads nowhere else."""
    answer = door.ask(f"/search?q=a%20%26b&token={TOKEN}&page=2")

    assert answer.headers["location"] == "/search?q=a+%26b&page=2"
    for path in ("//evil.example/", "/\\evil.example", "///evil.example"):
        place = door.ask(f"{path}?token={TOKEN}").headers["location"]
        assert place.startswith("/")
        assert not place.startswith(("//", "/\\"))


def test_a_key_opens_the_page_of_its_owner(door: Guarded) -> None:
    """And may do there what it is for."""
    client = TestClient(door.app, base_url=HERE)

    assert client.get("/", params={"token": door.key(Scope.READ, owner="ben")}).json() == "the page of ben"
    assert client.post("/change", headers={"origin": HERE}).status_code == 403


@pytest.mark.parametrize("token", ["", "x", TOKEN[:-1], TOKEN + "x", "%00", "%C3%A4" * 20, "n" * 5_000, "a b"])
def test_a_wrong_token_sets_nothing(door: Guarded, token: str) -> None:
    """Whatever it is."""
    answer = door.ask(f"/?token={token}")

    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


def test_two_tokens_are_none(door: Guarded) -> None:
    """One of them may have been put there by somebody else."""
    assert door.ask(f"/?token={TOKEN}&token=x").status_code == 401


@pytest.mark.parametrize("fetched", ["cross-site", "same-site"])
def test_no_other_page_leads_in(door: Guarded, fetched: str) -> None:
    """It could let somebody into a memory that is not theirs, and they would write into it."""
    answer = door.ask(f"/?token={TOKEN}", sec_fetch_site=fetched)

    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_an_address_that_a_person_opened_leads_in(door: Guarded) -> None:
    """Typed, or clicked in a terminal."""
    assert door.ask(f"/?token={TOKEN}", sec_fetch_site="none").status_code == 303


def test_the_api_takes_no_token_from_an_address(door: Guarded) -> None:
    """There it would end up in logs of others."""
    answer = door.ask(f"/api/v1/me?token={TOKEN}")

    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


def test_a_form_leads_in_as_well(door: Guarded) -> None:
    """For whoever has a key and no address."""
    client = TestClient(door.app, base_url=HERE)

    assert client.post("/enter", data={"token": door.key(owner="ben")}).json() == "the page of ben"


def test_the_form_leads_back_to_where_one_was(door: Guarded) -> None:
    """To the page at which somebody was asked who they are, and never out of this server."""

    def led(place: str) -> str:
        answer = door.client().post("/enter", params={"place": place}, data={"token": TOKEN}, headers={"origin": HERE})
        assert answer.status_code == 303
        return str(answer.headers["location"])

    assert led("/search?q=a+%26b&page=2") == "/search?q=a+%26b&page=2"
    assert led("/sessions/x%2Fy?at=4") == "/sessions/x%2Fy?at=4"
    for other in ("https://evil.example/", "evil", "javascript:alert(1)", "/" + "x" * 5_000, ""):
        assert led(other) == "/"
    for sly in ("//evil.example/", "/\\evil.example", "///evil.example", "/\t/evil.example", "/\r\nSet-Cookie:a=b"):
        assert led(sly).startswith("/")
        assert not led(sly).startswith(("//", "/\\"))
        assert not {*"\r\n\t"} & {*led(sly)}


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:7401"])
def test_no_other_pages_form_leads_in(door: Guarded, origin: str) -> None:
    """As with an address."""
    answer = door.client().post("/enter", data={"token": TOKEN}, headers={"origin": origin})

    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def chunks() -> Iterator[bytes]:
    yield b"token="
    yield TOKEN.encode()


@pytest.mark.parametrize("body", [b"", b"x=1", b"token=" + b"x" * 2_000, b"\xff\xfe", chunks()])
def test_a_form_that_is_none_leads_nowhere(door: Guarded, body: bytes | Iterator[bytes]) -> None:
    """It is short, and says how long it is."""
    answer = door.client().post("/enter", content=body)

    assert answer.status_code in (401, 422)
    assert "set-cookie" not in answer.headers


def test_who_leaves_is_out(door: Guarded) -> None:
    """The cookie is taken away; a page of another site cannot do it."""
    client = TestClient(door.app, base_url=HERE, follow_redirects=False)
    client.get(f"/?token={TOKEN}")

    assert client.post("/leave", headers={"origin": "https://evil.example"}).status_code == 403
    assert client.get("/").status_code == 200
    assert client.post("/leave", headers={"origin": HERE}).headers["location"] == "/"
    assert client.get("/").status_code == 401


def test_nobody_is_put_out_by_another_page(tmp_path: Path) -> None:
    """Also if it says nothing of itself, or may call the API."""
    with guarded(tmp_path, ServerSettings(origins=("https://tool.example",))) as door:
        assert door.by_cookie("/leave", "POST").status_code == 403
        assert door.by_cookie("/leave", "POST", origin="https://tool.example").status_code == 403
        assert door.by_cookie("/leave", "POST", origin=HERE).status_code == 303


def test_a_ticket_opens_the_page_once(door: Guarded) -> None:
    """Others on this machine see the arguments of a browser, but come too late."""
    ticket = door.guard.ticket()

    first, second = door.ask(f"/?token={ticket}"), door.ask(f"/?token={ticket}")

    assert SimpleCookie(first.headers["set-cookie"])[COOKIE].value == TOKEN
    assert second.status_code == 401


def test_a_ticket_is_good_for_a_minute_and_for_the_page_alone(door: Guarded) -> None:
    """It is no key."""
    ticket = door.guard.ticket()
    assert door.with_key(ticket).status_code == 401

    door.clock.advance(timedelta(minutes=1))

    assert door.ask(f"/?token={ticket}").status_code == 401


def test_without_a_token_there_are_only_keys(tmp_path: Path) -> None:
    """A ticket stands for the token, so there is none either."""
    with guarded(tmp_path, token=None) as door:
        assert door.ask(f"/?token={door.guard.ticket()}").status_code == 401
        assert door.ask(f"/?token={door.key()}").status_code == 303
