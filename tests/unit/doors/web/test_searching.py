"""The page that searches."""

import pytest

from noctuary.app import Memory
from noctuary.records import Kind, Message, Role, Session
from tests.unit.doors.web.visiting import BLOG, SHOP, Shown, owner, talk, visitor

pytestmark = pytest.mark.slow


def titles(page: Shown) -> list[str]:
    """What was found, best first."""
    return [one.said for one in page.all("a", class_="title")]


def test_hits_lead_to_the_message_and_matches_are_marked(memory: Memory) -> None:
    """Each hit is a link to the message that matched, with the words that did."""
    talk(memory, "one", "Hello", "We drop Redis tomorrow", title="Sessions in SQLite")
    with visitor(memory) as ana:
        page = ana.see("/search?q=redis")

    link = page.one("a", class_="title")
    assert (link.said, link.get("href")) == ("Sessions in SQLite", "/sessions/one?at=2#m2")
    assert [one.said for one in page.all("mark")] == ["Redis"]
    assert page.one(role="status").said == "1 session, best first."
    assert page.one("input", name="q").get("value") == "redis"


def test_the_list_alone_is_the_same_list(memory: Memory) -> None:
    """What a script asks for as one types is what the whole page has, and no more."""
    talk(memory, "one", "We drop Redis", title="Sessions")
    with visitor(memory) as ana:
        part, page = ana.see("/search?q=redis&part=1"), ana.see("/search?q=redis")

    assert titles(part) == titles(page) == ["Sessions"]
    assert part.elements[0].get("data-told") == page.one(role="status").said
    assert not part.all("html") + part.all("form")


def test_of_an_empty_memory_it_is_said_that_it_is_empty(memory: Memory) -> None:
    """Other words would not help."""
    with visitor(memory) as ana:
        page = ana.see("/search?q=kangaroo")

    assert page.one("p", class_="note").said == "No conversation is stored yet; noctuary import brings them in."


def test_nothing_found_is_said(memory: Memory) -> None:
    """No hits is an answer, and is told apart from no question."""
    talk(memory, "one", "We drop Redis")
    with visitor(memory) as ana:
        nothing, blank = ana.see("/search?q=kangaroo"), ana.see("/search?q=++")

    assert "Nothing found" in nothing.one(role="status").said
    assert titles(nothing) == []
    assert blank.one(role="status").said == ""
    assert blank.all("section", class_="tips")
    assert not nothing.all("section", class_="tips")


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ("", {"Shop", "Blog"}),
        ("&agent=codex", {"Shop", "Blog"}),
        ("&agent=cursor", set()),
        ("&project=blog", {"Blog"}),
        ("&project=" + SHOP, {"Shop"}),
        ("&after=3d", {"Shop"}),
        ("&before=3d", {"Blog"}),
        ("&role=assistant", set()),
        ("&role=user", {"Shop", "Blog"}),
        ("&role=nobody", {"Shop", "Blog"}),
    ],
)
def test_filters_narrow(memory: Memory, filters: str, found: set[str]) -> None:
    """Agent, project, times and who said it choose among what is found; what is no role is no filter."""
    talk(memory, "shop", "Redis is slow", title="Shop", day=1)
    talk(memory, "blog", "Redis is empty", title="Blog", project=BLOG, day=9)
    with visitor(memory) as ana:
        assert set(titles(ana.see(f"/search?q=redis{filters}"))) == found


def test_filters_are_open_when_they_are_used(memory: Memory) -> None:
    """Whoever follows a link sees why the list is short; what was chosen stays chosen."""
    talk(memory, "one", "We drop Redis")
    with visitor(memory) as ana:
        used, unused = ana.see("/search?q=redis&agent=codex&after=7d"), ana.see("/search?q=redis")

    assert "open" in used.one("details", class_="filters").attributes
    assert "open" not in unused.one("details", class_="filters").attributes
    assert used.one("input", name="after").get("value") == "7d"
    assert [one.get("value") for one in used.all("option") if "selected" in one.attributes] == ["codex"]


def test_a_time_that_cannot_be_read_is_said(memory: Memory) -> None:
    """The page says what is wrong, and keeps what was typed."""
    talk(memory, "one", "We drop Redis")
    with visitor(memory) as ana:
        page = ana.see("/search?q=redis&after=soon")

    assert "'soon' is not a time" in page.one("p", class_="note").said
    assert page.one("input", name="after").get("value") == "soon"
    assert titles(page) == []


def test_more_is_shown_until_there_is_no_more(memory: Memory) -> None:
    """A link shows more hits, as long as there are more."""
    for number in range(30):
        talk(memory, f"s{number}", f"Redis number {number}", title=f"Title {number}")
    with visitor(memory) as ana:
        first = ana.see("/search?q=redis&role=user")
        more = first.one("a", rel="next").get("href")
        all_of_them = ana.see(more)

    assert len(titles(first)) == 20
    assert more == "/search?q=redis&role=user&most=40"
    assert len(titles(all_of_them)) == 30
    assert not all_of_them.all("a", rel="next")


@pytest.mark.parametrize("most", ["0", "-1", "x", "99999999999", "٣", "1e3"])
def test_how_many_is_a_small_number(memory: Memory, most: str) -> None:
    """Whatever is asked, no page has more hits than it can show."""
    for number in range(25):
        talk(memory, f"s{number}", f"Redis number {number}")
    with visitor(memory) as ana:
        assert 0 < len(titles(ana.see(f"/search?q=redis&most={most}"))) <= 100


def test_one_session_is_searched_by_its_messages(memory: Memory) -> None:
    """Within a session each message is a hit of its own, and the way back to all sessions is there."""
    talk(memory, "one", "Redis a", "Redis b", "Redis c", title="Sessions")
    talk(memory, "two", "Redis d")
    with visitor(memory) as ana:
        page = ana.see("/search?q=redis&session=one")

    assert {one.get("href") for one in page.all("a", class_="title")} == {
        f"/sessions/one?at={number}#m{number}" for number in (1, 2, 3)
    }
    assert page.one("input", name="session").get("value") == "one"
    assert page.one("a", class_="drop").get("href") == "/search?q=redis"


def test_a_key_for_one_project_finds_nothing_else(memory: Memory) -> None:
    """Neither by words, nor by filters, nor by naming a session, nor in what can be chosen."""
    talk(memory, "shop", "Redis is slow", title="Shop")
    talk(memory, "blog", "Redis is empty", title="Blog", project=BLOG)
    talk(memory, "alike", "Redis is full", title="Alike", project=f"/elsewhere{SHOP}")
    places = ("q=redis", "q=redis+project:blog", f"q=redis&project={BLOG}", "q=redis+session:blog", "q=redis+-shop")
    with visitor(memory, owner(SHOP)) as ana:
        for place in places:
            page = ana.see(f"/search?{place}")

            assert set(titles(page)) <= {"Shop"}
            assert "blog" not in page.one("main").said.lower()
            assert not page.all("input", name="project")
            assert not [one for one in page.all("option") if "blog" in one.get("value")]
        within = ana.see("/search?q=redis&session=blog")
        assert titles(within) == []
        assert "Blog" not in within.said


def test_a_key_for_one_project_finds_what_is_in_it(memory: Memory) -> None:
    """The rule before this one is not kept by finding nothing at all."""
    talk(memory, "shop", "Redis is slow", title="Shop")
    with visitor(memory, owner(SHOP)) as ana:
        assert titles(ana.see("/search?q=redis")) == ["Shop"]


def test_hostile_texts_are_text(memory: Memory) -> None:
    """Markup in titles, agents, snippets and in the question itself is shown, never obeyed."""
    evil = "<script>alert(1)</script>"
    session = Session("evil", agent=f"a{evil}", project=f"/p{evil}", title=f"Title {evil}")
    memory.add_session(session, [Message(Role.TOOL, f"kangaroo {evil}", Kind.TOOL_RESULT, tool_name=evil, ts_ms=5)])
    with visitor(memory) as ana:
        page = ana.see("/search?q=kangaroo+%3Cscript%3E%22%27&agent=%22%3E%3Cscript%3E")
        found = ana.see("/search?q=kangaroo")

    assert {one.get("src").split("?")[0] for one in page.all("script") + found.all("script")} == {
        "/static/theme.js",
        "/static/keys.js",
        "/static/search.js",
    }
    assert titles(found) == [f"Title {evil}"]
    assert page.one("input", name="q").get("value") == "kangaroo <script>\"'"
