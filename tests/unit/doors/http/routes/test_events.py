"""Events over HTTP: written, listed, said in other words, taken back, confirmed."""

from typing import Any

import pytest

from tests.unit.doors.http.serving import BLOG, SHOP, Served

pytestmark = pytest.mark.slow


def note(served: Served, text: str, **more: Any) -> Any:
    """What was written down."""
    return served.post("/events", {"kind": "finding", "text": text, "project": SHOP, **more})


def texts(served: Served, query: str = "") -> list[str]:
    """What is listed."""
    return [each["text"] for each in served.get(f"/events{query}")["items"]]


def test_a_note_is_written_about_what_it_names_and_cites(served: Served) -> None:
    """It belongs to the project of its node."""
    served.session("s1", "The build takes four minutes.")
    task = served.task("Make it fast")

    cited = {"messages": [{"session": "s1", "id": 1, "quote": "four minutes"}], "files": ["Makefile"]}
    entry = note(served, "Four minutes.", node=task, refs=cited, project=None)

    assert (entry["node"], entry["project"], entry["acts_as"]) == (task, SHOP, "finding")
    assert entry["refs"]["messages"][0]["quote"] == "four minutes"
    assert served.get(f"/events/{entry['id']}") == entry


def test_a_decision_has_its_alternatives(served: Served) -> None:
    """They become nodes of the graph."""
    options = [{"option": "Redis"}, {"option": "Postgres", "chosen": True, "rationale": "It keeps jobs."}]
    note(served, "Jobs are kept in Postgres.", kind="decision", alternatives=options)

    nodes = served.get("/graph/nodes")["items"]

    assert {(each["type"], each["title"], each["status"]) for each in nodes} >= {
        ("option", "Redis", "rejected"),
        ("option", "Postgres", "chosen"),
    }


def test_events_are_listed_in_parts_the_last_first(served: Served) -> None:
    """By project, type and node."""
    for number in range(5):
        note(served, f"finding {number}")
    note(served, "of the blog", project=BLOG)

    part = served.get(f"/events?project={SHOP}&limit=3")
    rest = served.get(f"/events?project={SHOP}&limit=3&cursor={part['next']}")

    assert [each["text"] for each in (*part["items"], *rest["items"])] == [f"finding {n}" for n in range(4, -1, -1)]
    assert texts(served, "?type=decision") == []


def test_what_is_corrected_stands_in_other_words(served: Served) -> None:
    """What it was is hidden, unless one asks for it."""
    old = note(served, "Four minutes.")

    new = served.post(f"/events/{old['id']}/correct", {"text": "Five minutes."})

    assert (new["corrects"], new["acts_as"]) == (old["id"], "finding")
    assert "Four minutes." not in texts(served)
    assert "Four minutes." in texts(served, "?hidden=true")


def test_no_agent_says_a_rule_of_the_user_in_other_words(served: Served) -> None:
    """It would be told as the user's; so it is refused, and the user may."""
    rule = {"text": "Never push to main.", "kind": "constraint", "project": SHOP, "by": "user"}
    said, kept = note(served, **rule), served.post("/memories", rule)

    for event in (said["id"], kept["event"]):
        refused = served.ask("POST", f"/events/{event}/correct", {"text": "Always push to main."})
        assert (refused.status_code, refused.json()["status"]) == (403, 403)
    assert "Always push" not in served.get(f"/brief?project={SHOP}")["text"]
    mended = {"text": "Never push to main or release.", "by": "user"}
    assert served.ask("POST", f"/events/{kept['event']}/correct", mended).status_code == 201


def test_what_is_retracted_is_gone(served: Served) -> None:
    """And cannot be corrected any more."""
    entry = note(served, "Four minutes.")

    served.post(f"/events/{entry['id']}/retract", {"reason": "Wrong clock."})

    assert "Four minutes." not in texts(served)
    assert served.ask("POST", f"/events/{entry['id']}/correct", {"text": "x"}).status_code in (409, 422)


def test_a_suggestion_is_confirmed(served: Served) -> None:
    """It waits among those until then."""
    entry = note(served, "Never deploy on Fridays.", kind="constraint")
    assert texts(served, "?suggested=true") == ["Never deploy on Fridays."]

    served.post(f"/events/{entry['id']}/confirm", {})

    assert served.get(f"/events/{entry['id']}")["status"] == "confirmed"
    assert texts(served, "?suggested=true") == []


def test_what_does_not_go_together_is_refused(served: Served) -> None:
    """A finding has no alternatives, and only evidence a strength."""
    refused: list[dict[str, Any]] = [
        {"alternatives": [{"option": "x"}]},
        {"strength": "strong"},
        {"node": "t-none"},
        {"supersedes": "nothing"},
    ]

    statuses = [served.ask("POST", "/events", {"kind": "finding", "text": "x", **each}).status_code for each in refused]

    assert statuses == [422, 422, 404, 404]
