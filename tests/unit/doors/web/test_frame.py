"""What every page has in common."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.testclient import TestClient

from noctuary.access import Caller, Scope
from noctuary.app import Memory
from noctuary.app.house import House
from noctuary.doors.http.problems import add_problems
from noctuary.doors.web.frame import Form, Frame
from tests.unit.doors.web.visiting import KnownCaller, Shown, empty_memory, owner, talk, visitor

PLACES = ["/search", "/sessions", "/dreams", "/memories", "/work", "/health"]


@pytest.fixture
def house(memory: Memory) -> Iterator[House]:
    opened = House(memory.settings, memory.clock)
    yield opened
    opened.close()


def test_every_page_has_the_same_frame(memory: Memory) -> None:
    """A way past the navigation, the navigation with one's place in it, a main part, and a heading."""
    talk(memory, "one", "Hi", title="One")
    with visitor(memory) as ana:
        for place, name in (("/search", "Search"), ("/sessions", "Sessions"), ("/sessions/one", "Sessions"), ("/", "")):
            page = ana.see(place)

            assert page.all("a")[0].get("href") == "#main"
            assert [one.get("href") for one in page.all("a") if one.get("href") in PLACES][:6] == PLACES
            here = [one.said for one in page.all("a") if "aria-current" in one.attributes]
            assert here == [name or "Noctuary"]
            assert page.one("main").get("id") == "main"
            assert len(page.all("h1")) == 1
            assert page.all("title")[0].said.endswith("· Noctuary")


def test_pages_are_the_same_on_either_database(database: str, tmp_path: Path) -> None:
    """What is found, listed, counted and read does not depend on where it is kept."""
    with empty_memory(tmp_path) as memory:
        talk(memory, "one", "We drop Redis", "Why?", title="Sessions in SQLite", day=1)
        talk(memory, "two", "Hello", title="Greetings", day=2)
        with visitor(memory) as ana:
            shown = {
                place: ana.see(place) for place in ("/", "/search?q=redis", "/sessions?after=3d", "/sessions/one?at=2")
            }

    assert "3 messages in 2 sessions" in shown["/"].said, database
    assert len(shown["/"].all("rect", class_="bar")) == 2
    assert [one.said for one in shown["/search?q=redis"].all("mark")] == ["Redis"]
    assert [one.said for one in shown["/sessions?after=3d"].all("a", class_="title")] == [
        "Sessions in SQLite",
        "Greetings",
    ]
    assert shown["/sessions/one?at=2"].one("article", class_="asked").get("id") == "m2"


def test_no_page_has_script_or_style_in_itself(memory: Memory) -> None:
    """All script and style is in files, as the policy demands; what is asked for is ours."""
    talk(memory, "one", "Hi", title="One")
    with visitor(memory) as ana:
        for place in ("/", "/search", "/search?q=hi", "/sessions", "/sessions/one", "/sessions/one?whole=1"):
            page = ana.see(place)

            assert not page.all("style")
            assert all(one.get("src").startswith("/static/") and not one.said for one in page.all("script"))
            assert all(one.get("href").startswith("/static/") for one in page.all("link"))
            assert not [name for one in page.elements for name in one.attributes if name.startswith("on")]
            assert not [one for one in page.elements if "style" in one.attributes]


def test_templates_escape_and_clean_whatever_they_print(house: House) -> None:
    """A text loses what nobody sees, and markup in it is text, without anybody thinking of it."""
    template = Frame(house, KnownCaller(owner())).templates.from_string("{{ a }}<i title='{{ a }}'>")

    assert template.render(a="<b>\u202e'x\x1b[2J\x00\u200b&") == "&lt;b&gt;&#39;x&amp;<i title='&lt;b&gt;&#39;x&amp;'>"


@pytest.mark.parametrize(
    ("place", "led_to"),
    [
        ("/dreams?x=1#a", "/dreams?x=1#a"),
        ("https://example.org/", "/"),
        ("//example.org/", "/"),
        ("/\\example.org", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
    ],
)
def test_a_change_leads_to_a_page_of_ours(house: House, place: str, led_to: str) -> None:
    """Wherever a form says it wants to go, it stays here."""
    answer = Frame(house, KnownCaller(owner())).go_to(place)

    assert (answer.status_code, answer.headers["location"]) == (303, led_to)


def test_forms_and_scopes(house: House) -> None:
    """A route gets the fields of its form and its caller; a key that is not for it does not come in."""
    app = FastAPI()
    add_problems(app)
    frame = Frame(house, KnownCaller(owner(scopes=(Scope.READ, Scope.WRITE))))
    given: list[tuple[str, Form]] = []

    @app.post("/keep")
    def keep(caller: Caller = frame.writer, form: Form = frame.form) -> RedirectResponse:
        given.append((caller.owner, form))
        return frame.go_to("/")

    @app.post("/dream")
    def dream(request: Request, caller: Caller = frame.dreamer) -> HTMLResponse:
        return frame.page(request, caller, "home.html")

    with TestClient(app) as client:
        kept = client.post("/keep", content="text=a+b%26c&empty=&text=last%C3%BC", follow_redirects=False)
        refused = client.post("/dream")

    assert kept.status_code == 303
    assert given == [("ana", {"text": "lastü", "empty": ""})]
    assert refused.status_code == 403


def test_files_have_an_address_for_each_version(house: House) -> None:
    """The same contents have the same address; it says which version of the file it is."""
    template = Frame(house, KnownCaller(owner())).templates.from_string(
        "{{ static('keys.js') }} {{ static('theme.js') }}"
    )
    keys, theme = template.render().split()

    assert keys.startswith("/static/keys.js?v=")
    assert keys.split("=")[1] != theme.split("=")[1]
    assert Shown(f'<a href="{keys}"></a>').one("a").get("href") == keys
