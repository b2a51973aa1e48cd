"""What holds for every request: done once a key, answered with a tag, and as somebody's word."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event
from typing import Any

import pytest

from noctuary.access import Caller, Scope
from noctuary.doors.http.flights import Flights
from tests.unit.doors.http.serving import ANA, BLOG, BOB, OF_SHOP, SHOP, Served

pytestmark = pytest.mark.slow

HELLO = {"messages": [{"role": "user", "content": "hello"}]}


def said(served: Served, session: str = "s1") -> list[str]:
    """What stands in a session."""
    return [each["content"] for each in served.get(f"/sessions/{session}/messages")["items"]]


def send(served: Served, body: Any = HELLO, key: str = "k", as_: Caller = ANA) -> Any:
    """The answer to a message that is sent under a key."""
    return served.ask("POST", "/sessions/s1/messages", body, headers={"Idempotency-Key": key}, as_=as_)


def test_the_same_request_with_the_same_key_is_done_once_and_answered_the_same(served: Served) -> None:
    """The second answer is the first, letter for letter, and says so."""
    served.session("s1")
    first = send(served)

    second = send(served)

    assert (second.status_code, second.text) == (first.status_code, first.text) == (201, '{"session":"s1","ids":[1]}')
    assert "idempotent-replayed" not in first.headers
    assert second.headers["idempotent-replayed"] == "true"
    assert said(served) == ["hello"]


def test_a_key_that_was_used_for_something_else_is_a_conflict(served: Served) -> None:
    """Nothing is done: neither another body, nor the same at another address."""
    served.session("s1")
    served.session("s2")
    send(served)

    other = send(served, {"messages": [{"role": "user", "content": "bye"}]})
    elsewhere = served.ask("POST", "/sessions/s2/messages", HELLO, headers={"Idempotency-Key": "k"})

    assert (other.status_code, elsewhere.status_code) == (409, 409)
    assert (said(served), said(served, "s2")) == (["hello"], [])


def test_a_key_is_of_its_owner_and_of_its_day(served: Served) -> None:
    """Another owner may use the same, and after a day it is new."""
    served.session("s1")
    served.session("s1", as_=BOB)
    send(served)

    assert "idempotent-replayed" not in send(served, as_=BOB).headers
    served.clock.advance(timedelta(hours=25))
    assert "idempotent-replayed" not in send(served).headers
    assert said(served) == ["hello", "hello"]


def test_a_request_that_failed_can_be_repeated(served: Served) -> None:
    """What was not done is not remembered as done."""
    assert send(served).status_code == 404
    served.session("s1")

    assert send(served).status_code == 201


def test_every_way_to_add_something_takes_a_key(served: Served) -> None:
    """The document says so of each POST, so a client may rely on it."""
    document = served.ask("GET", "/openapi.json").json()
    without = [
        path
        for path, operations in document["paths"].items()
        if "post" in operations
        and not path.endswith("/preview")  # which changes nothing
        and not any(each["name"] == "idempotency-key" for each in operations["post"].get("parameters", ()))
    ]

    assert without == []


def test_two_requests_with_one_key_at_the_same_time_are_told_apart() -> None:
    """While the first is being answered, the second is told so at once; afterwards the key is free."""
    flights, begun, end = Flights(), Event(), Event()

    def fly() -> bool:
        with flights.taking_off("ana", "k") as is_only:
            begun.set()
            end.wait(60)
            return is_only

    with ThreadPoolExecutor() as threads:
        first = threads.submit(fly)
        begun.wait(60)
        with flights.taking_off("ana", "k") as second, flights.taking_off("bob", "k") as of_another:
            pass
        end.set()

    assert (first.result(), second, of_another) == (True, False, True)
    with flights.taking_off("ana", "k") as third:
        assert third


def test_many_clients_with_the_same_key_at_once_do_it_once(served: Served) -> None:
    """Each gets the answer, or is told that it is under way; the message is there once."""
    served.session("s1")

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: send(served), range(16)))

    assert {answer.status_code for answer in answers} <= {201, 409}
    assert any(answer.status_code == 201 for answer in answers)
    assert said(served) == ["hello"]


def test_who_has_an_answer_is_not_sent_it_again(served: Served) -> None:
    """As long as it is the same; then it is sent, with another tag."""
    served.session("s1")
    tag = served.ask("GET", "/sessions/s1").headers["etag"]

    same = served.ask("GET", "/sessions/s1", headers={"If-None-Match": tag})
    served.post("/sessions/s1/suspend")
    other = served.ask("GET", "/sessions/s1", headers={"If-None-Match": tag})

    assert (same.status_code, same.text, same.headers["etag"]) == (304, "", tag)
    assert other.status_code == 200
    assert other.headers["etag"] != tag


def test_who_has_read_something_else_changes_nothing(served: Served) -> None:
    """A task that was changed since is not changed again by somebody who has not seen that."""
    task = served.task("Write it down")
    tag = served.ask("GET", f"/tasks/{task}").headers["etag"]
    changed = served.ask("PATCH", f"/tasks/{task}", {"title": "Write it"}, headers={"If-Match": tag})

    late = served.ask("PATCH", f"/tasks/{task}", {"title": "Do not"}, headers={"If-Match": tag})
    seen = served.ask("PATCH", f"/tasks/{task}", {"title": "Done"}, headers={"If-Match": changed.headers["etag"]})

    assert (changed.status_code, late.status_code, seen.status_code) == (200, 412, 200)
    assert served.get(f"/tasks/{task}")["node"]["title"] == "Done"


def test_a_memory_that_was_changed_since_is_not_forgotten_by_mistake(served: Served) -> None:
    """The tag of what was read goes for memories, too."""
    memory = served.post("/memories", {"text": "The build takes four minutes.", "project": SHOP})["id"]
    tag = served.ask("GET", f"/memories/{memory}").headers["etag"]
    served.ask("PUT", f"/memories/{memory}/pin")

    assert served.ask("DELETE", f"/memories/{memory}", headers={"If-Match": tag}).status_code == 412
    assert served.get(f"/memories/{memory}")["status"] == "active"


def test_a_key_without_admin_writes_an_agents_word_only(tmp_path: Any) -> None:
    """Whoever says `by: user` without it is refused, and a rule of an agent waits for the user's yes."""
    writer = Caller("ana", frozenset({Scope.READ, Scope.WRITE}), key_id="w")
    served = Served(tmp_path, writer)
    rule = {"kind": "constraint", "text": "Never deploy on Fridays.", "project": SHOP}

    refused = served.ask("POST", "/events", {**rule, "by": "user"}, as_=writer)
    agents = served.post("/events", rule, as_=writer)
    users = served.post("/events", {**rule, "text": "Never deploy on Mondays.", "by": "user"})

    assert refused.status_code == 403
    assert (agents["author"], agents["trust"], agents["status"]) == ("agent", "agent", "suggested")
    assert (users["author"], users["trust"], users["status"]) == ("user", "user", "confirmed")
    served.close()


@pytest.mark.parametrize("body", [{"title": "x", "project": BLOG}, {"title": "x", "project": ""}])
def test_a_key_for_one_project_writes_to_no_other(served: Served, body: dict[str, str]) -> None:
    """To name another is refused; to name none means its own."""
    assert served.ask("POST", "/tasks", body, as_=OF_SHOP).status_code == 403
    assert served.post("/tasks", {"title": "y"}, as_=OF_SHOP)["project"] == SHOP


@pytest.mark.parametrize("text", ["\ud800", "a\0b", "\u202e", "\u200b"])
def test_letters_that_no_database_can_hold_stop_nothing(served: Served, text: str) -> None:
    """Half a letter is refused; what nobody can see is no title; all else is stored without it."""
    content = f'{{"title": {text.encode("unicode_escape").decode()!r}}}'.replace("'", '"').replace("\\x00", "\\u0000")

    answer = served.ask("POST", "/tasks", content=content.encode(), headers={"Content-Type": "application/json"})

    assert answer.status_code in (201, 422), answer.text
