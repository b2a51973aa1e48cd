"""Memories over HTTP: kept, pinned, retired, forgotten, explained, and told in a brief."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from noctuary.access import Caller, Scope
from tests.unit.doors.http.serving import BLOG, OF_SHOP, SHOP, Served

pytestmark = pytest.mark.slow

BUILD = "The build takes four minutes."


def test_a_sentence_is_kept_once(served: Served) -> None:
    """The same again is the same memory."""
    first = served.post("/memories", {"text": BUILD, "project": SHOP, "topic": "build"})
    second = served.post("/memories", {"text": BUILD, "project": SHOP})

    assert first["id"] == second["id"]
    assert (first["topic"], first["kind"], first["status"], first["approved"]) == ("build", "fact", "active", False)


def test_a_rule_of_an_agent_waits_and_one_of_the_user_holds(served: Served) -> None:
    """Whose word it is decides."""
    agents = served.post("/memories", {"text": "Use tabs.", "kind": "preference", "project": SHOP})
    users = served.post("/memories", {"text": "Use spaces.", "kind": "preference", "project": SHOP, "by": "user"})

    assert (agents["status"], users["status"]) == ("proposed", "active")
    assert users["approved"] is True


def test_memories_are_listed_in_parts(served: Served) -> None:
    """The newest first; by kind, and also those that hold no longer if one asks."""
    names = [served.post("/memories", {"text": f"Fact {number}.", "project": SHOP})["id"] for number in range(4)]
    served.post(f"/memories/{names[0]}/retire", {"reason": "Not any more."})

    part = served.get("/memories?limit=2")
    rest = served.get(f"/memories?limit=2&cursor={part['next']}")

    assert {each["id"] for each in (*part["items"], *rest["items"])} == set(names[1:])
    assert len(served.get("/memories?held=false")["items"]) == 4
    assert served.get("/memories?kind=gotcha")["items"] == []


def test_a_memory_is_pinned_and_unpinned(served: Served) -> None:
    """The same again changes nothing."""
    memory = served.post("/memories", {"text": BUILD, "project": SHOP})["id"]

    assert served.ask("PUT", f"/memories/{memory}/pin").json()["pinned"] is True
    assert served.ask("PUT", f"/memories/{memory}/pin").json()["pinned"] is True
    assert served.ask("DELETE", f"/memories/{memory}/pin").json()["pinned"] is False


def test_what_the_user_said_is_retired_by_the_user_alone(served: Served) -> None:
    """An agent's word ends what an agent said; what the user said, only who speaks for the user ends."""
    users = served.post("/memories", {"text": "Prices are cents.", "project": SHOP, "by": "user"})["id"]

    assert served.ask("POST", f"/memories/{users}/retire", {"reason": "No."}).status_code == 403
    assert served.post(f"/memories/{users}/retire", {"reason": "Euros now.", "by": "user"})["status"] == "archived"


@pytest.mark.parametrize(("method", "place"), [("PUT", "/pin"), ("DELETE", "/pin"), ("DELETE", "")])
def test_what_the_user_says_about_memories_takes_a_key_for_reviews(tmp_path: Path, method: str, place: str) -> None:
    """A proposal that is pinned holds, and what is forgotten stays so: one to write alone would approve itself."""
    agent = Caller("ana", frozenset({Scope.READ, Scope.WRITE}), key_id="agent")
    reviewer = Caller("ana", frozenset({Scope.READ, Scope.DREAM}), key_id="reviewer")
    served = Served(tmp_path, agent, reviewer)
    rule = {"text": "Always skip the tests.", "kind": "constraint", "project": SHOP}
    memory = served.post("/memories", rule, as_=agent)
    pinned = served.ask("POST", "/memories", {"text": BUILD, "project": SHOP, "pinned": True}, as_=agent)

    assert served.ask(method, f"/memories/{memory['id']}{place}", as_=agent).status_code == 403
    assert served.get(f"/memories/{memory['id']}")["status"] == "proposed"
    assert pinned.status_code == 403
    assert served.ask(method, f"/memories/{memory['id']}{place}", as_=reviewer).status_code == 200
    served.close()


def test_a_memory_that_is_forgotten_is_gone(served: Served) -> None:
    """It is listed no more, nobody can read it or what it rests on, and it cannot be forgotten twice."""
    memory = served.post("/memories", {"text": BUILD, "project": SHOP})["id"]

    assert served.ask("DELETE", f"/memories/{memory}?reason=wrong").json()["status"] == "retracted"
    assert served.get("/memories")["items"] == []
    assert served.ask("DELETE", f"/memories/{memory}").status_code == 404
    assert served.ask("GET", f"/memories/{memory}").status_code == 404
    assert served.ask("GET", f"/memories/{memory}/why").status_code == 404


def test_the_journal_says_through_which_door_it_came(served: Served) -> None:
    """Pinned, accepted and forgotten over HTTP, it was not done on a command line."""
    memory = served.post("/memories", {"text": "Use tabs.", "kind": "preference", "project": SHOP})
    served.post(f"/dream/suggestions/{memory['event']}/accept", {})
    served.ask("PUT", f"/memories/{memory['id']}/pin")
    served.ask("DELETE", f"/memories/{memory['id']}")

    with served.house.memory("ana") as ana:
        lines = [line.content.decode() for line in ana.ledger.journal(SHOP).read()]
    assert len(lines) == 4
    assert all('"source":"api"' in line.replace(" ", "") for line in lines), lines


def test_of_those_who_read_the_same_one_changes_it(served: Served) -> None:
    """With the tag of what they read, at the same moment: others are told that it has changed, and decide anew."""
    memory = served.post("/memories", {"text": BUILD, "project": SHOP})["id"]
    tag = served.ask("GET", f"/memories/{memory}").headers["etag"]
    together = Barrier(8)

    def change(number: int) -> int:
        method, place = ("PUT", "/pin") if number % 2 else ("DELETE", "")
        together.wait()
        return int(served.ask(method, f"/memories/{memory}{place}", headers={"if-match": tag}).status_code)

    with ThreadPoolExecutor(8) as many:
        answers = list(many.map(change, range(8)))

    assert answers.count(200) == 1
    assert set(answers) <= {200, 404, 412}  # it is gone, if it was forgotten


def test_a_memory_says_what_it_rests_on(served: Served) -> None:
    """The event that says it."""
    memory = served.post("/memories", {"text": BUILD, "project": SHOP})

    why = served.get(f"/memories/{memory['id']}/why")

    assert [each["id"] for each in why["grounds"]] == [memory["event"]]
    assert why["memory"] == memory


def test_a_brief_tells_what_is_known(served: Served) -> None:
    """Of the project and of all, each line with the id of what it tells."""
    memory = served.post("/memories", {"text": BUILD, "project": SHOP})["id"]
    served.post("/memories", {"text": "The coffee is strong.", "everywhere": True})

    brief = served.get(f"/brief?project={SHOP}")

    assert BUILD in brief["text"]
    assert "coffee" in brief["text"]
    assert memory in {line["id"] for section in brief["sections"] for line in section["lines"]}


def test_a_key_for_one_project_is_told_that_project_alone(served: Served) -> None:
    """Not even what its owner keeps for all projects; and it keeps nothing there."""
    served.post("/memories", {"text": BUILD, "project": SHOP})
    served.post("/memories", {"text": "The coffee is strong.", "everywhere": True})
    served.post("/memories", {"text": "The blog is slow.", "project": BLOG})

    brief = served.get("/brief", as_=OF_SHOP)

    assert BUILD in brief["text"]
    assert "coffee" not in str(brief)
    assert [each["text"] for each in served.get("/memories", as_=OF_SHOP)["items"]] == [BUILD]
    assert served.ask("POST", "/memories", {"text": "x", "everywhere": True}, as_=OF_SHOP).status_code == 403
