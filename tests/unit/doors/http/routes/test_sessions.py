"""Sessions over HTTP: made known, appended to, read in parts, ended and paused."""

from urllib.parse import quote, unquote

import pytest

from noctuary.access import Caller, Scope
from noctuary.app.portions import MOST_CHARACTERS
from noctuary.records import Message, Role, Session
from tests.unit.doors.http.serving import BLOG, OF_SHOP, SHOP, Served

pytestmark = pytest.mark.slow


def test_a_session_is_made_once_and_what_was_missing_is_filled_in(served: Served) -> None:
    """201, then 200; what is known stays."""
    made = served.ask("PUT", "/sessions/s1", {"agent": "codex", "project": SHOP})
    again = served.ask("PUT", "/sessions/s1", {"agent": "claude", "title": "Taxes"})

    assert (made.status_code, again.status_code) == (201, 200)
    assert (again.json()["agent"], again.json()["title"], again.json()["project"]) == ("codex", "Taxes", SHOP)


def test_messages_are_stored_all_or_none_in_their_order(served: Served) -> None:
    """One that is wrong keeps the others out."""
    served.session("s1", "one", "two")

    wrong = {"messages": [{"role": "user", "content": "three"}, {"role": "nobody", "content": "four"}]}

    assert served.ask("POST", "/sessions/s1/messages", wrong).status_code == 422
    assert [each["content"] for each in served.get("/sessions/s1/messages")["items"]] == ["one", "two"]


def test_messages_come_in_parts_that_join(served: Served) -> None:
    """Also if more is said meanwhile."""
    served.session("s1", *map(str, range(7)))
    heard: list[str] = []
    cursor = ""
    while True:
        part = served.get(f"/sessions/s1/messages?limit=3{cursor}")
        heard += [each["content"] for each in part["items"]]
        if part["next"] is None:
            break
        cursor = f"&cursor={part['next']}"

    assert heard == list(map(str, range(7)))


def test_very_long_messages_are_handed_out_in_shorter_parts(served: Served) -> None:
    """All of them are had, each once, and no answer is much longer than a server can hold; one message is always."""
    served.session("s1", "short", *(f"{number}{' long' * 199_000}" for number in range(7)), "end")
    heard: list[str] = []
    parts, cursor = 0, ""
    while True:
        part = served.get(f"/sessions/s1/messages?limit=9{cursor}")
        assert 0 < sum(len(each["content"]) for each in part["items"]) <= MOST_CHARACTERS
        heard += [each["content"][:5] for each in part["items"]]
        parts += 1
        if part["next"] is None:
            break
        cursor = f"&cursor={part['next']}"

    assert heard == ["short", *(f"{number} lon" for number in range(7)), "end"]
    assert parts == 2
    window = served.get("/sessions/s1/messages/5?window=20")
    assert [each["id"] for each in window["messages"]] == [3, 4, 5, 6]
    assert (window["before"], window["after"]) == (2, 3)


def test_hits_that_are_very_long_stand_alone(served: Served) -> None:
    """The first come with what stands around them; of others there is the message, and how much is beyond it."""
    for name in ("s1", "s2", "s3"):
        served.session(name, *(f"{number}{' long' * 199_000}" for number in range(2)), f"kiwi of {name}", "end")

    hits = served.get("/search/sessions?q=kiwi")["hits"]

    assert [len(hit["window"]) for hit in hits] == [4, 4, 1]
    assert [hit["before"] for hit in hits] == [0, 0, 2]
    assert [hit["after"] for hit in hits] == [0, 0, 1]
    assert "kiwi" in hits[2]["anchor"]["content"]


def test_one_scrolls_around_a_message(served: Served) -> None:
    """It and its neighbours, and how many there are beyond them."""
    served.session("s1", *map(str, range(9)))

    window = served.get("/sessions/s1/messages/5?window=1")

    assert [each["content"] for each in window["messages"]] == ["3", "4", "5"]
    assert (window["before"], window["after"]) == (3, 3)
    assert served.ask("GET", "/sessions/s1/messages/99").status_code == 404


def test_sessions_are_listed_by_activity_in_parts(served: Served) -> None:
    """The newest first; filters are whole names."""
    for number in range(5):
        served.session(f"s{number}", "hello", project=SHOP if number % 2 else BLOG)

    first = served.get("/sessions?limit=3")
    rest = served.get(f"/sessions?limit=3&cursor={first['next']}")

    assert sorted(each["id"] for each in (*first["items"], *rest["items"])) == [f"s{number}" for number in range(5)]
    assert rest["next"] is None
    assert {each["id"] for each in served.get(f"/sessions?project={SHOP}")["items"]} == {"s1", "s3"}
    assert served.get("/sessions?project=shop")["items"] == []


@pytest.mark.parametrize("now_ms", [2**53 - 1, 1_780_000_000_000_000])
def test_sessions_of_any_time_are_listed_in_parts(served: Served, now_ms: int) -> None:
    """The last moment that is taken has a cursor, and so has what somebody counted in microseconds."""
    for name in ("s1", "s2"):
        served.session(name)
        said = {"messages": [{"role": "user", "content": "hello", "ts_ms": now_ms}]}
        served.post(f"/sessions/{name}/messages", said)

    first = served.get("/sessions?limit=1")
    rest = served.get(f"/sessions?limit=1&cursor={first['next']}")

    assert [each["id"] for each in (*first["items"], *rest["items"])] == ["s2", "s1"]


NAMED_BY_OTHERS = ["My Project-20260301100000", "今日の仕事-20260301", f"agent/{'深' * 340}"]


@pytest.mark.parametrize("name", NAMED_BY_OTHERS)
def test_sessions_are_called_what_their_agents_called_them(served: Served, name: str) -> None:
    """By the name of a folder perhaps, with spaces and any letters: they are listed, read, searched and cited."""
    with served.memory() as memory:
        for number, each in enumerate((name, "s2"), 1):
            memory.add_session(Session(id=each, project=SHOP), [Message(Role.USER, "hello", ts_ms=9_000 - number)])

    first = served.get("/sessions?limit=1")
    rest = served.get(f"/sessions?limit=1&cursor={first['next']}")
    path = f"/sessions/{quote(name, safe='')}"
    note = {"kind": "finding", "text": "So.", "project": SHOP, "session": name}
    cited = served.post("/events", {**note, "refs": {"messages": [{"session": name, "id": 1}]}})

    assert [each["id"] for each in (*first["items"], *rest["items"])] == [name, "s2"]
    assert served.get(path)["id"] == name
    assert served.get(f"{path}/messages")["items"][0]["content"] == "hello"
    assert served.get(f"/search/messages?q=hello&session={quote(name)}")["hits"][0]["session"]["id"] == name
    assert (cited["session"], cited["refs"]["messages"][0]["session"]) == (name, name)
    assert served.ask("PUT", "/sessions/child", {"parent": name, "relation": "subagent"}).json()["parent"] == name
    assert served.dream(sessions=[name])["state"] == "done"


def test_an_id_must_be_whole(served: Served) -> None:
    """The beginning of one is none."""
    served.session("session-1")

    assert served.ask("GET", "/sessions/session").status_code == 404


def test_where_a_transcript_lies_is_not_told(served: Served) -> None:
    """Paths of the server are nobody's business."""
    served.session("s1")

    assert "source_path" not in served.get("/sessions/s1")


def test_a_session_that_is_completed_is_written_down_before_anything_is_dreamt(served: Served) -> None:
    """Its completion waits for a dream, and the same again says the same."""
    served.session("s1", "hello")

    done = served.post("/sessions/s1/complete")
    again = served.post("/sessions/s1/complete")

    assert (done["session"]["status"], done["completion"]["last_id"]) == ("ended", 1)
    assert again["completion"]["epoch"] == 1


def test_a_dream_that_fails_fails_no_request(served: Served) -> None:
    """A journal that cannot be read stops every dream; sessions end all the same."""
    for number in range(12):
        served.session(f"s{number}", "We use ruff from now on.")
    with served.memory() as memory:
        path = memory.settings.home / "config.toml"
    path.write_text("[dream\n", encoding="utf-8")

    for number in range(12):
        assert served.post(f"/sessions/s{number}/complete")["session"]["status"] == "ended"
    assert served.door.nights.wait_until_idle(60)


def test_enough_sessions_that_end_are_dreamt_of(served: Served) -> None:
    """Nobody has to ask: what is due is had behind the answer."""
    for number in range(12):
        served.session(f"s{number}", "We decided to use ruff from now on, because it is fast.")
        served.post(f"/sessions/s{number}/complete")

    assert served.door.nights.wait_until_idle(120)
    assert served.get("/dream")["last_run"] is not None


def test_a_session_pauses_and_goes_on_until_it_has_ended(served: Served) -> None:
    """Then it is a conflict to say that it pauses."""
    served.session("s1", "hello")

    assert served.post("/sessions/s1/suspend")["status"] == "suspended"
    assert served.post("/sessions/s1/resume")["status"] == "active"
    served.post("/sessions/s1/complete")
    assert served.ask("POST", "/sessions/s1/suspend").status_code == 409


def test_a_key_for_one_project_makes_sessions_of_it_alone(served: Served) -> None:
    """Neither does it get the session of another by its id, nor may it name another project."""
    served.session("theirs", "hello", project=BLOG)

    assert served.ask("PUT", "/sessions/theirs", {}, as_=OF_SHOP).status_code == 409
    assert served.ask("PUT", "/sessions/new", {"project": BLOG}, as_=OF_SHOP).status_code == 403
    assert served.ask("PUT", "/sessions/new", {}, as_=OF_SHOP).json()["project"] == SHOP
    assert served.ask("POST", "/sessions/theirs/complete", as_=OF_SHOP).status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("GET", "/sessions", Scope.READ),
        ("PUT", "/sessions/s1", Scope.WRITE),
        ("POST", "/dream/runs", Scope.DREAM),
        ("POST", "/snapshots", Scope.ADMIN),
    ],
)
def test_a_key_does_what_it_is_for(tmp_path: object, method: str, path: str, scope: Scope) -> None:
    """With every scope but the one that is needed, it is refused; with that alone it is not."""
    others = Caller("ana", frozenset(Scope) - {scope, Scope.ADMIN}, key_id="others")
    alone = Caller("ana", frozenset({scope}), key_id="alone")
    served = Served(tmp_path, others, alone)  # type: ignore[arg-type]

    assert served.ask(method, path, {}, as_=others).status_code == 403
    assert served.ask(method, path, {}, as_=alone).status_code < 300
    served.close()


@pytest.mark.parametrize("encoded", ["s1/agent-7", "s1%2Fagent-7", "a%20b/../%3Cid%3E%3F%23"])
def test_a_session_whose_name_has_slashes_is_reached(served: Served, encoded: str) -> None:
    """Those of sub-agents have, in the transcripts of several agents."""
    name = unquote(encoded)
    with served.memory() as memory:
        memory.add_session(Session(name, project=SHOP), [Message(Role.USER, "one", ts_ms=1)])
    place = f"/sessions/{encoded}".replace("..", "%2E%2E")

    served.post(f"{place}/messages", {"messages": [{"role": "user", "content": "two"}]})

    assert served.get(place)["id"] == name
    assert [each["content"] for each in served.get(f"{place}/messages")["items"]] == ["one", "two"]
    assert [each["content"] for each in served.get(f"{place}/messages/2?window=0")["messages"]] == ["two"]
    assert served.post(f"{place}/suspend")["status"] == "suspended"
    assert served.post(f"{place}/resume")["status"] == "active"
    assert served.post(f"{place}/complete")["session"]["status"] == "ended"


def test_what_comes_behind_a_session_is_no_part_of_its_name(served: Served) -> None:
    """It would be another session, of which nobody knows anything."""
    served.session("s1", "one")

    assert served.ask("GET", "/sessions/s1/complete").status_code == 405
    assert served.ask("GET", "/sessions/s1/messages/").status_code in (200, 307, 404)
    assert served.ask("GET", "/sessions/s1/agent-7").json()["detail"] == "There is no session with this id."
