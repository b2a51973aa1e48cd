"""Dreams over HTTP: asked for, reported, looked through, taken back."""

from typing import Any

import pytest

from noctuary.doors.http.nights import Nights
from tests.unit.doors.http.serving import BLOG, OF_SHOP, SHOP, Served

pytestmark = pytest.mark.slow

DECIDED = "From now on always use ruff for linting, because it is fast."


@pytest.fixture
def dreamt(served: Served) -> Any:
    """A dream over one session of each project."""
    served.session("s1", DECIDED)
    served.session("s2", "Never write about politics on the blog.", project=BLOG)
    for name in ("s1", "s2"):
        served.post(f"/sessions/{name}/complete")
    return served.dream()


def test_a_dream_that_is_asked_for_tells_how_it_goes(served: Served, dreamt: Any) -> None:
    """At the address that it was given; then as a run."""
    report = served.get(f"/dream/runs/{dreamt['run']}")

    assert (dreamt["state"], dreamt["outcome"]) == ("done", "completed")
    assert {each["session"] for each in report["sessions"]} == {"s1", "s2"}
    assert served.get("/dream")["last_run"] == dreamt["run"]


def test_the_same_wish_with_the_same_key_is_one_dream(served: Served) -> None:
    """Whoever asks again is given the same name, and nothing is had twice."""
    first, second = (served.post("/dream/runs", {"backend": "rules"}, key="k") for _ in range(2))

    assert served.door.nights.wait_until_idle(60)
    assert first == second
    assert len(served.get("/dream/runs")["items"]) == 1


def test_who_asks_when_too_many_wait_is_told_to_come_again(served: Served) -> None:
    """A server that ends has none any more; and who asks again under the same key is not told that it will be had."""
    nights: Nights = served.door.nights
    nights.close(1)

    first, again = (served.ask("POST", "/dream/runs", {}, headers={"Idempotency-Key": "k"}) for _ in range(2))

    assert (first.status_code, again.status_code) == (503, 503)
    assert "retry-after" in first.headers


def test_dreams_are_listed_in_parts_and_their_ids_are_whole(served: Served) -> None:
    """The last first."""
    for number in range(3):
        served.session(f"s{number}", DECIDED)
        served.post(f"/sessions/s{number}/complete")
        served.dream()

    first = served.get("/dream/runs?limit=2")
    rest = served.get(f"/dream/runs?limit=2&cursor={first['next']}")
    runs = [each["run"] for each in (*first["items"], *rest["items"])]

    assert len(runs) == 3
    assert runs == sorted(runs, reverse=True)
    assert served.ask("GET", f"/dream/runs/{runs[0][:-1]}").status_code == 404


def test_what_was_dreamt_is_taken_back(served: Served, dreamt: Any) -> None:
    """Completely, and once."""
    undone = served.post(f"/dream/runs/{dreamt['run']}/undo")

    assert undone["sessions"] == 2
    assert served.get(f"/dream/runs/{dreamt['run']}")["status"] == "undone"


def test_proposals_are_accepted_and_rejected(served: Served, dreamt: Any) -> None:
    """Each leaves the queue, and is not proposed again."""
    queue = served.get("/dream/suggestions")["items"]
    assert queue, "the dream proposed nothing to look at"

    first = queue[0]["entry"]["id"]
    served.post(f"/dream/suggestions/{first}/accept", {})
    for each in queue[1:]:
        served.post(f"/dream/suggestions/{each['entry']['id']}/reject", {"reason": "No."})

    assert served.get("/dream/suggestions")["items"] == []
    assert served.get(f"/events/{first}")["status"] == "confirmed"


def test_a_key_for_one_project_sees_the_dream_of_that_alone(served: Served, dreamt: Any) -> None:
    """Neither sessions nor words of another; and it may not take back what concerns both."""
    report = served.ask("GET", f"/dream/runs/{dreamt['run']}", as_=OF_SHOP)
    runs = served.ask("GET", "/dream/runs", as_=OF_SHOP)

    assert [each["session"] for each in report.json()["sessions"]] == ["s1"]
    for answer in (report, runs, served.ask("GET", "/dream/suggestions", as_=OF_SHOP)):
        assert "politics" not in answer.text
        assert BLOG not in answer.text
    assert served.ask("POST", f"/dream/runs/{dreamt['run']}/undo", as_=OF_SHOP).status_code == 403
    assert served.get("/dream", as_=OF_SHOP)["waiting"] == 0


def test_a_key_for_one_project_dreams_of_that_alone(served: Served) -> None:
    """What waits elsewhere goes on waiting."""
    served.session("s1", DECIDED)
    served.session("s2", DECIDED, project=BLOG)
    for name in ("s1", "s2"):
        served.post(f"/sessions/{name}/complete")

    asked = served.dream(as_=OF_SHOP)

    assert asked["project"] == SHOP
    assert served.get("/dream")["waiting"] == 1
    assert served.ask("POST", "/dream/runs", {"sessions": ["s2"]}, as_=OF_SHOP).status_code == 404
