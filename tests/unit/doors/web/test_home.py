"""The first page."""

from datetime import timedelta

import pytest

from noctuary.app import Memory
from noctuary.testing import FakeClock
from tests.unit.doors.web.visiting import BLOG, SHOP, owner, talk, visitor

pytestmark = pytest.mark.slow


def test_the_first_page_says_how_much_there_is_and_what_was_last(memory: Memory) -> None:
    """Counts, the last sessions, and a field to search in."""
    for number in range(12):
        talk(memory, f"s{number}", "Hi", "Ho", title=f"T{number}", day=number)
    with visitor(memory) as ana:
        page = ana.see("/")

    assert "24 messages in 12 sessions" in page.said
    assert [one.said for one in page.all("a", class_="title")] == [f"T{number}" for number in range(8)]
    assert page.one("form", class_="ask").get("action") == "/search"
    assert page.one("input", name="q")


def test_the_chart_has_a_bar_a_day(memory: Memory) -> None:
    """Each day on which something was said has a bar, and a row in a table that says the same."""
    talk(memory, "a", "1", "2", "3", day=0)
    talk(memory, "b", "1", day=10)
    with visitor(memory) as ana:
        page = ana.see("/")

    assert [one.get("data-day") for one in page.all("rect", class_="bar")] == ["2026-02-19", "2026-03-01"]
    assert [one.said for one in page.all("rect", class_="bar")] == ["2026-02-19: 1 message", "2026-03-01: 3 messages"]
    assert [row.said for row in page.all("tr")[1:]] == ["2026-03-013", "2026-02-191"]
    assert page.one("title", id="chart-told").said.startswith("4 messages from 2025-11-02 to 2026-03-01; most, 3")


def test_a_memory_that_fell_silent_shows_its_last_days(memory: Memory) -> None:
    """Where nothing has happened for long, the chart ends when it last did."""
    talk(memory, "a", "1", "2")
    clock = FakeClock()
    clock.advance(timedelta(days=400))
    with visitor(memory, clock=clock) as ana:
        page = ana.see("/")

    assert [one.get("data-day") for one in page.all("rect", class_="bar")] == ["2026-03-01"]
    assert "2025-11-02 to 2026-03-01" in page.said


def test_an_empty_memory_says_what_to_do(memory: Memory) -> None:
    """Nobody is left alone with an empty page: commands, the first first; what is due is told once something is."""
    with visitor(memory) as ana:
        page = ana.see("/")

    assert [one.said for one in page.all("code")] == ["noctuary import", "noctuary install", "noctuary dream"]
    assert "To do" not in page.said
    assert not page.all("svg", class_="days")

    memory.work(SHOP).open_task("First")
    with visitor(memory) as ana:
        assert "1 task ready to begin" in ana.see("/").said


def test_whoever_may_import_nothing_is_not_told_to(memory: Memory) -> None:
    """Commands are for whoever has the whole memory, and not for a key of one project."""
    with visitor(memory, owner(SHOP)) as ana:
        page = ana.see("/")

    assert "No conversation is stored yet" in page.said
    assert "Get started" not in page.said


def test_what_waits_is_told(memory: Memory) -> None:
    """Sessions that no dream has read, and tasks that can be begun or are stuck, each with where to go."""
    talk(memory, "old", "Hi", day=30)
    work = memory.work(SHOP)
    first, second, third = (work.open_task(title) for title in ("First", "Second", "Third"))
    work.depend(second, first)
    work.depend(third, second)
    with visitor(memory) as ana:
        before = ana.see("/")
    work.close(first, tag="abandoned", outcome="No longer wanted")
    with visitor(memory) as ana:
        after = ana.see("/")

    assert [one.said for one in before.all("li")][-2:] == [
        "1 session to dream about",
        "1 task ready to begin",
    ]
    assert "1 task stuck" in after.one("ul", class_="due").said


def test_a_key_for_one_project_is_told_only_of_that(memory: Memory) -> None:
    """Neither counts, nor bars, nor sessions, nor tasks of another project are there."""
    talk(memory, "shop", "Hi", title="Shop", day=1)
    talk(memory, "blog", "Hi", "Ho", title="Blog", project=BLOG, day=2)
    memory.work(BLOG).open_task("Theirs")
    memory.work(BLOG).open_task("Theirs, too")
    with visitor(memory, owner(SHOP)) as ana:
        page = ana.see("/")
        memory.work(SHOP).open_task("Ours")
        later = ana.see("/")

    assert "1 message in 1 session of shop" in page.said
    assert [one.said for one in page.all("a", class_="title")] == ["Shop"]
    assert len(page.all("rect", class_="bar")) == 1
    assert "ready" not in page.said
    assert "1 task ready to begin" in later.said


def test_a_key_for_a_project_that_is_not_known_sees_no_other(memory: Memory) -> None:
    """A name that is the end of another project's path is not that project."""
    talk(memory, "shop", "Hi", title="Secret")
    memory.work(SHOP).open_task("Secret")
    with visitor(memory, owner("shop")) as ana:
        page = ana.see("/")

    assert "Secret" not in page.said
    assert "ready" not in page.said
