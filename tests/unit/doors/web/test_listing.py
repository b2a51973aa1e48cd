"""The list of sessions."""

from itertools import chain

import pytest

from noctuary.app import Memory
from tests.unit.doors.web.visiting import BLOG, SHOP, Shown, owner, talk, visitor

pytestmark = pytest.mark.slow


def titles(page: Shown) -> list[str]:
    """The sessions of the page, in order."""
    return [one.said for one in page.all("a", class_="title")]


def test_sessions_are_listed_the_last_first(memory: Memory) -> None:
    """Each is a link, with the day, the agent, the project and how many messages it has."""
    talk(memory, "old", "Hi", title="Old", day=3)
    talk(memory, "new", "Hi", "Ho", title="New", day=1)
    with visitor(memory) as ana:
        page = ana.see("/sessions")

    assert [(one.said, one.get("href")) for one in page.all("a", class_="title")] == [
        ("New", "/sessions/new"),
        ("Old", "/sessions/old"),
    ]
    assert page.all("p", class_="facts")[0].said == "2026-02-28 12:01codexshop2 messages"
    assert "2 sessions, 3 messages" in page.said


def test_long_lists_have_pages(memory: Memory) -> None:
    """Every session is on exactly one page, and pages lead to each other."""
    for number in range(120):
        talk(memory, f"s{number}", "Hi", title=f"T{number}", day=number)
    seen: list[list[str]] = []
    place = "/sessions?agent=codex"
    with visitor(memory) as ana:
        while place:
            page = ana.see(place)
            seen.append(titles(page))
            place = next((one.get("href") for one in page.all("a", rel="next")), "")
        back = page.one("a", rel="prev").get("href")

    assert [len(each) for each in seen] == [50, 50, 20]
    assert list(chain(*seen)) == [f"T{number}" for number in range(120)]
    assert back == "/sessions?agent=codex&page=2"


@pytest.mark.parametrize("page", ["0", "-1", "x", "99999999"])
def test_a_page_that_is_none_is_harmless(memory: Memory, page: str) -> None:
    """Whatever number is asked for, there is an answer."""
    talk(memory, "one", "Hi", title="One")
    with visitor(memory) as ana:
        assert titles(ana.see(f"/sessions?page={page}")) == ["One"]
        assert "No session matches" in ana.see("/sessions?page=7").said


def test_filters_choose_sessions(memory: Memory) -> None:
    """Project and time narrow the list; what cannot be read is said."""
    talk(memory, "shop", "Hi", title="Shop", day=1)
    talk(memory, "blog", "Hi", title="Blog", project=BLOG, day=9)
    with visitor(memory) as ana:
        assert titles(ana.see("/sessions?project=blog")) == ["Blog"]
        assert titles(ana.see("/sessions?after=3d")) == ["Shop"]
        assert "No session matches" in ana.see("/sessions?agent=cursor").said
        assert "'soon' is not a time" in ana.see("/sessions?before=soon").said


def test_an_empty_memory_says_what_to_do(memory: Memory) -> None:
    """Nobody is left alone with an empty page."""
    with visitor(memory) as ana:
        assert "noctuary import" in ana.see("/sessions").said


def test_a_key_for_one_project_lists_only_that(memory: Memory) -> None:
    """Nor does it count, or offer to choose, what is elsewhere."""
    talk(memory, "shop", "Hi", title="Shop")
    talk(memory, "blog", "Hi", title="Blog", project=BLOG)
    talk(memory, "alike", "Hi", title="Alike", project=f"/elsewhere{SHOP}")
    with visitor(memory, owner(SHOP)) as ana:
        page = ana.see(f"/sessions?project={BLOG}")

    assert titles(page) == ["Shop"]
    assert "1 session, 1 message" in page.said
    assert not page.all("input", name="project")
