"""Somebody who visits the page without a browser: who they are, what they are shown, and the memory behind it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from fastapi import FastAPI
from starlette.testclient import TestClient

from noctuary.access import Caller, Scope
from noctuary.app import Memory
from noctuary.app.house import House
from noctuary.clock import Clock
from noctuary.doors.http.problems import Problem, add_problems
from noctuary.doors.web.site import add_pages
from noctuary.records import Kind, Message, Role, Session
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests.databases import url_of

SHOP, BLOG = "/home/ana/code/shop", "/home/ana/code/blog"
DAY_MS = 86_400_000
BROWSER = {"accept": "text/html,application/xhtml+xml"}
_EMPTY = {"meta", "link", "input", "br", "hr", "img"}


class KnownCaller:
    """A guard that lets one caller in for what their key is for."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def caller(self, scope: Scope) -> Callable[[], Caller]:
        """What gives the caller, or a problem."""

        def find() -> Caller:
            if not self._caller.may(scope):
                raise Problem(403, f"This key is not for that; it needs the scope `{scope}`.")
            return self._caller

        return find


class Element(NamedTuple):
    """A tag with its attributes, and all text in it."""

    tag: str
    attributes: Mapping[str, str]
    text: list[str]

    def get(self, name: str) -> str:
        """An attribute; empty if it is not there."""
        return self.attributes.get(name, "")

    @property
    def said(self) -> str:
        """Its text on one line."""
        return " ".join("".join(self.text).split())


class Shown(HTMLParser):
    """A page, taken apart."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag begins."""
        element = Element(tag, {name: value or "" for name, value in attrs}, [])
        self.elements.append(element)
        if tag not in _EMPTY:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        """A tag ends; what is not closed in order is a defect."""
        assert self._open
        assert self._open[-1].tag == tag, f"</{tag}> closes <{self._open[-1].tag}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        """Text, which belongs to all tags around it."""
        for element in self._open:
            element.text.append(data)

    def all(self, tag: str = "", **attributes: str) -> list[Element]:
        """Elements with this tag and these attributes; `class_` is one of its classes."""
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [one for one in self.elements if tag in ("", one.tag) and _has(one, wanted)]

    def one(self, tag: str = "", **attributes: str) -> Element:
        """The only one."""
        found = self.all(tag, **attributes)
        assert len(found) == 1, f"{len(found)} of {tag} {attributes}"
        return found[0]

    @property
    def said(self) -> str:
        """All text of the page on one line."""
        return self.one("body").said if self.all("body") else " ".join(one.said for one in self.elements)


def _has(element: Element, wanted: Mapping[str, str]) -> bool:
    return all(
        value in element.get(name).split() if name == "class" else element.get(name) == value
        for name, value in wanted.items()
    )


class Visitor(NamedTuple):
    """Somebody at the page."""

    client: TestClient

    def see(self, place: str, *, status: int = 200) -> Shown:
        """What a browser shows there."""
        answer = self.client.get(place, headers=BROWSER)
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        return Shown(answer.text)


def owner(project: str | None = None, scopes: Iterable[Scope] = (Scope.READ,)) -> Caller:
    """Ana, with a key for all of her memory or for one project."""
    return Caller("ana", frozenset(scopes), project)


@contextmanager
def visitor(memory: Memory, caller: Caller | None = None, clock: Clock | None = None) -> Iterator[Visitor]:
    """Somebody who looks at the pages of this memory."""
    house = House(memory.settings, clock or memory.clock)
    app = FastAPI(openapi_url=None)
    add_problems(app)
    add_pages(app, house, KnownCaller(caller or owner()))
    with TestClient(app) as client:
        yield Visitor(client)
    house.close()


@contextmanager
def empty_memory(home: Path, clock: FakeClock | None = None) -> Iterator[Memory]:
    """A memory of Ana's in which nothing is."""
    settings = Settings(home=home, owner="ana", user_home=home, environ={}, database_url=url_of(home))
    with Memory.from_settings(settings, clock or FakeClock()) as memory:
        yield memory


def talk(memory: Memory, name: str, *said: str, project: str = SHOP, title: str = "", day: int = 0) -> None:
    """A session in which the user and the assistant take turns, so many days before now."""
    roles = (Role.USER, Role.ASSISTANT)
    start = memory.clock.now_ms() - day * DAY_MS
    messages = [
        Message(roles[place % 2], text, Kind.TEXT, ts_ms=start + place * 60_000, source_line=place + 1)
        for place, text in enumerate(said)
    ]
    memory.add_session(Session(name, agent="codex", project=project, title=title or None), messages)
