"""Searches over HTTP: what was said, and what was written down."""

import pytest

from tests.unit.doors.http.serving import BLOG, OF_SHOP, SHOP, Served

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def conversations(served: Served) -> None:
    """Two sessions about the same, in two projects."""
    served.session("s1", "We dropped Redis because it lost jobs.", "Postgres keeps them.")
    served.session("s2", "Redis caches the blog.", project=BLOG)


def found(served: Served, path: str) -> list[str]:
    """The sessions of the hits."""
    return [hit["session"]["id"] for hit in served.get(path)["hits"]]


def test_sessions_are_found_by_words_with_the_message_that_matched(served: Served) -> None:
    """The snippet marks the match."""
    answer = served.get("/search/sessions?q=why+did+we+drop+redis")

    best = answer["hits"][0]
    assert best["session"]["id"] == "s1"
    assert best["anchor"]["content"].startswith("We dropped Redis")
    assert ">>>" in best["snippet"]


@pytest.mark.parametrize(
    ("filters", "sessions"),
    [
        (f"&project={BLOG}", ["s2"]),
        ("&exclude=s2", ["s1"]),
        ("&role=assistant", []),
        ("&before_ms=1", []),
        ("&agent=codex", []),
    ],
)
def test_filters_narrow_a_search(served: Served, filters: str, sessions: list[str]) -> None:
    """Each does."""
    assert found(served, f"/search/sessions?q=redis{filters}") == sessions


def test_messages_are_found_in_one_session(served: Served) -> None:
    """A session may appear more than once; another does not."""
    assert set(found(served, "/search/messages?q=redis+postgres&session=s1")) == {"s1"}


def test_any_text_is_a_query(served: Served) -> None:
    """Nothing found is a complete answer."""
    answer = served.ask("GET", "/search/sessions", params={"q": "\"'*)(-:\x00 NEAR/3 \ufffe"})

    assert answer.status_code == 200
    assert answer.json()["hits"] == []


def test_a_key_for_one_project_finds_nothing_of_one_whose_name_ends_the_same(served: Served) -> None:
    """Searches take the end of a path for its name; a key does not."""
    served.session("s3", "Redis in the copy.", project=f"/backup{SHOP}")

    hits = served.ask("GET", "/search/sessions?q=redis&limit=50", as_=OF_SHOP).json()["hits"]

    assert [hit["session"]["id"] for hit in hits] == ["s1"]


def test_entries_and_nodes_are_found_by_their_words(served: Served) -> None:
    """Of one project or of all."""
    task = served.task("Replace Redis")
    served.post("/events", {"kind": "decision", "text": "Postgres holds the jobs.", "node": task})

    assert [each["text"] for each in served.get("/search/events?q=jobs")["entries"]] == ["Postgres holds the jobs."]
    assert [each["id"] for each in served.get(f"/search/nodes?q=redis&project={SHOP}")["nodes"]] == [task]
    assert served.get(f"/search/events?q=jobs&project={BLOG}")["entries"] == []


def test_a_key_for_one_project_finds_no_node_of_another_by_its_id(served: Served) -> None:
    """Searches for nodes know ids, of whichever project."""
    theirs = served.task("The secret of the blog", project=BLOG)

    assert served.get(f"/search/nodes?q={theirs}", as_=OF_SHOP)["nodes"] == []
    assert [each["id"] for each in served.get(f"/search/nodes?q={theirs}")["nodes"]] == [theirs]
