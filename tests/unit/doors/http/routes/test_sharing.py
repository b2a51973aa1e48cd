"""Teams over HTTP: who may do what with which key, and what is answered."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from noctuary.access import Scope
from noctuary.app.access_keys import make_key
from noctuary.app.house import House
from noctuary.doors.http.application import build
from noctuary.doors.http.guarding import Guard
from noctuary.server_settings import ServerSettings
from noctuary.settings import Settings
from tests.databases import url_of
from tests.unit.sharing.people import PROJECT, GoingClock, remembered

pytestmark = pytest.mark.slow

API = "/api/v1"


class Served:
    """A server with the memories of several people, and a client that is whoever is named."""

    def __init__(self, folder: Path) -> None:
        settings = Settings(home=folder, owner="ana", user_home=folder, environ={}, database_url=url_of(folder))
        self.house = House(settings, GoingClock())
        guard = Guard(self.house, ServerSettings(), None)
        self.trail = guard.trail
        self.client = TestClient(build(self.house, guard, ServerSettings()), base_url="http://127.0.0.1:7400")
        self._keys: dict[str, str] = {}

    def ask(self, who: str, method: str, path: str, body: object = None, *, key: str = "", **headers: str) -> Any:
        """The answer to somebody's request."""
        named = {"Authorization": f"Bearer {key or self.key(who)}", **headers}
        return self.client.request(method, f"{API}{path}", json=body, headers=named)

    def key(self, who: str, *scopes: Scope, project: str | None = None) -> str:
        """A key of somebody's; the same each time unless something is asked of it."""
        if scopes or who not in self._keys:
            with self.house.memory(who) as memory:
                made = make_key(memory, "a key", scopes or (Scope.ADMIN,), project=project).text
            if scopes:
                return made
            self._keys[who] = made
        return self._keys[who]

    def remember(self, who: str, text: str) -> str:
        """A memory that somebody keeps."""
        with self.house.memory(who) as memory:
            return remembered(memory, text).id


@pytest.fixture
def served(tmp_path: Path, database: str) -> Iterator[Served]:
    several = Served(tmp_path / database)
    yield several
    several.trail.close()
    several.house.close()


@pytest.fixture
def team(served: Served) -> str:
    """A team of Ana, who reviews, and Ben."""
    made: str = served.ask("ana", "POST", "/teams", {"name": "Shop"}).json()["id"]
    served.ask("ana", "PUT", f"/teams/{made}/members/ben", {"reviewer": False})
    return made


def published(served: Served, team: str, text: str) -> str:
    """Something that Ben proposed."""
    answer = served.ask("ben", "POST", f"/teams/{team}/shares", {"memory": served.remember("ben", text)})
    assert answer.status_code == 201, answer.text
    share: str = answer.json()["proposed"][0]["id"]
    return share


@pytest.mark.parametrize("verb", ["preview", "shares"])
def test_a_memory_is_named_whole(served: Served, team: str, verb: str) -> None:
    """The beginning of an id names nothing; and the team is there, so it is no 404."""
    memory = served.remember("ben", "Prices are in cents")

    for name in (memory[:6], "m-nothing"):
        refused = served.ask("ben", "POST", f"/teams/{team}/{verb}", {"memory": name})
        assert (refused.status_code, refused.json()["detail"]) == (409, "There is no memory with this id.")


def test_a_memory_goes_to_the_team_and_back(served: Served, team: str) -> None:
    """Preview, proposal, acceptance in other words, taking back."""
    memory = served.remember("ben", "Prices are in cents")
    preview = served.ask("ben", "POST", f"/teams/{team}/preview", {"memory": memory}).json()["items"]
    share = served.ask("ben", "POST", f"/teams/{team}/shares", {"memory": memory}).json()["proposed"][0]
    assert share["content"] == preview[0]["content"]
    assert [one["id"] for one in served.ask("ana", "GET", "/proposals").json()["items"]] == [share["id"]]

    served.ask("ana", "POST", f"/shares/{share['id']}/accept", {"text": "All prices are in cents"})

    [shared] = served.ask("ben", "GET", f"/teams/{team}/shares").json()["items"]
    assert (shared["text"], shared["content"]["text"]) == ("All prices are in cents", "Prices are in cents")
    assert served.ask("ana", "DELETE", f"/shares/{share['id']}").status_code == 404
    assert served.ask("ben", "DELETE", f"/shares/{share['id']}").json() == {"taken_back": [share["id"]]}
    assert served.ask("ana", "GET", "/shared").json()["items"] == []
    history = served.ask("ana", "GET", f"/teams/{team}/history").json()["items"]
    assert history[0]["what"] == "took back"


@pytest.mark.parametrize(("verdict", "body"), [("accept", {}), ("refuse", {"reason": "Not for us"})])
def test_what_was_taken_back_stays_in_no_answer(served: Served, team: str, verdict: str, body: dict[str, str]) -> None:
    """A reviewer who repeats a request is not answered what its publisher took back meanwhile."""
    share, path = published(served, team, "Prices are in cents"), f"/shares/{{}}/{verdict}"
    again = {"Idempotency-Key": "one"}
    for _ in range(2):
        assert served.ask("ana", "POST", path.format(share), body, **again).status_code == 200

    served.ask("ben", "DELETE", f"/shares/{share}")

    assert served.ask("ana", "POST", path.format(share), body, **again).status_code == 404


def test_others_find_nothing(served: Served, team: str) -> None:
    """As if there were no such team, and no such share."""
    share = published(served, team, "Prices are in cents")
    served.ask("ana", "POST", f"/shares/{share}/accept", {})

    for path in (f"/teams/{team}/members", f"/teams/{team}/history", f"/teams/{team}/shares", f"/shares/{share}"):
        assert served.ask("cem", "GET", path).status_code == 404
    for path in ("/teams", "/shared", "/shares", "/proposals"):
        assert served.ask("cem", "GET", path).json()["items"] == []


def test_a_member_is_told_that_others_decide(served: Served, team: str) -> None:
    """403, with who may."""
    share = published(served, team, "Prices are in cents")

    answer = served.ask("ben", "POST", f"/shares/{share}/accept", {})

    assert answer.status_code == 403
    assert "Only a reviewer" in answer.json()["detail"]


def test_a_refusal_has_a_reason(served: Served, team: str) -> None:
    """Which its publisher reads."""
    share = published(served, team, "Prices are in cents")
    assert served.ask("ana", "POST", f"/shares/{share}/refuse", {}).status_code == 422

    served.ask("ana", "POST", f"/shares/{share}/refuse", {"reason": "Only in your branch"})

    [mine] = served.ask("ben", "GET", "/shares").json()["items"]
    assert (mine["state"], mine["reason"]) == ("refused", "Only in your branch")


@pytest.mark.parametrize("scopes", [(Scope.READ,), (Scope.WRITE, Scope.DREAM)])
def test_what_concerns_others_takes_a_key_that_speaks_for_the_user(
    served: Served, team: str, scopes: tuple[Scope, ...]
) -> None:
    """An agent that may write notes lets nobody in and publishes nothing."""
    key, memory = served.key("ana", *scopes), served.remember("ana", "Prices are in cents")

    for method, path, body in (
        ("POST", "/teams", {"name": "Till"}),
        ("PUT", f"/teams/{team}/members/cem", {}),
        ("POST", f"/teams/{team}/shares", {"memory": memory}),
    ):
        assert served.ask("ana", method, path, body, key=key).status_code == 403


def test_a_key_for_one_project_reads_what_that_is_bound_to(served: Served, team: str) -> None:
    """And nothing else of teams."""
    share = published(served, team, "Prices are in cents")
    served.ask("ana", "POST", f"/shares/{share}/accept", {})
    key = served.key("ana", Scope.ADMIN, project="/home/ana/code/shop")
    assert served.ask("ana", "GET", "/shared", key=key).json()["items"] == []

    served.ask("ana", "POST", f"/teams/{team}/bindings", {"project": PROJECT})

    assert [one["id"] for one in served.ask("ana", "GET", "/shared", key=key).json()["items"]] == [share]
    for path in ("/teams", "/shares", "/proposals", f"/shares/{share}", f"/teams/{team}/members"):
        assert served.ask("ana", "GET", path, key=key).status_code == 403


def test_the_brief_tells_what_is_bound(served: Served, team: str) -> None:
    """And no longer when it is not."""
    share = published(served, team, "Prices are in cents")
    served.ask("ana", "POST", f"/shares/{share}/accept", {})
    served.ask("ana", "POST", f"/teams/{team}/bindings", {"project": PROJECT})
    assert (
        "ben says (fact): Prices are in cents" in served.ask("ana", "GET", f"/brief?project={PROJECT}").json()["text"]
    )

    served.ask("ana", "POST", f"/teams/{team}/unbind", {"project": PROJECT})

    assert served.ask("ana", "GET", f"/brief?project={PROJECT}").json()["text"] == ""


def test_the_same_request_is_done_once(served: Served) -> None:
    """With an idempotency key a repeated request makes no second team."""
    again = {"Idempotency-Key": "one"}
    first = served.ask("ana", "POST", "/teams", {"name": "Shop"}, **again)
    assert first.status_code == 201

    assert served.ask("ana", "POST", "/teams", {"name": "Shop"}, **again).json() == first.json()
    assert len(served.ask("ana", "GET", "/teams").json()["items"]) == 1


def test_members_come_and_go(served: Served, team: str) -> None:
    """Invited, made a reviewer, removed."""
    served.ask("ana", "PUT", f"/teams/{team}/members/ben", {"reviewer": True})
    assert served.ask("ben", "GET", "/teams").json()["items"][0]["role"] == "reviewer"

    served.ask("ana", "DELETE", f"/teams/{team}/members/ben")

    assert [one["owner"] for one in served.ask("ana", "GET", f"/teams/{team}/members").json()["items"]] == ["ana"]
    assert served.ask("ana", "DELETE", f"/teams/{team}/members/ben").status_code == 404


def test_the_history_comes_in_parts_to_its_beginning(served: Served, team: str) -> None:
    """However much was done in a team, null comes after the first deed."""
    for _ in range(101):
        for is_reviewer in (True, False):
            served.ask("ana", "PUT", f"/teams/{team}/members/ben", {"reviewer": is_reviewer})
    told: list[str] = []
    cursor = ""
    while True:
        part = served.ask("ana", "GET", f"/teams/{team}/history?limit=90{cursor}").json()
        told += [f"{each['what']} {each['about']}" for each in part["items"]]
        if part["next"] is None:
            break
        cursor = f"&cursor={part['next']}"

    assert len(told) > 202
    assert told[-1].startswith("made")


@pytest.mark.parametrize("who", ["Ωmega", "مريم", "ภูมิ", "देव", "ben", "ana.b@c"])
def test_members_have_names_of_any_script(served: Served, team: str, who: str) -> None:
    """They are let in and removed by the name that the command line takes."""
    invited = served.ask("ana", "PUT", f"/teams/{team}/members/{quote(who)}", {"reviewer": False})
    removed = served.ask("ana", "DELETE", f"/teams/{team}/members/{quote(who)}")

    assert (invited.status_code, removed.status_code) == (200, 200), invited.text
    assert invited.json()["owner"] == who
