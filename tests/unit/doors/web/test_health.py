"""The page of health."""

import pytest

from noctuary.app import Memory
from noctuary.authored import Author, Trust
from noctuary.doors.web.health import DAYS, HEIGHT, WIDTH, chart
from noctuary.proposals import Spent
from noctuary.work.desk import Writer
from tests.unit.doors.web.dreaming import ROUND, dreamt
from tests.unit.doors.web.visiting import SHOP, owner, talk, visitor

pytestmark = pytest.mark.usefixtures("database")
NOW_MS = 1_772_366_400_000  # noon of the first of March 2026


def test_health_tells_what_is_kept_and_what_is_due(memory: Memory) -> None:
    """Sizes, agents, imports, dreams, hooks and the queue, and what models cost."""
    talk(memory, "s0", "Hi", "Ho")
    dreamt(memory, "s1", ROUND)
    memory.store.dreams.spend("ana", "2026-03-01", Spent(3, 1_000, 500, 0.25))
    with visitor(memory) as ana:
        page = ana.see("/health")

    figures = page.one("dl", class_="figures").said
    assert "sessions2" in figures
    assert "messages4" in figures
    for words in ("codex", "No transcript was found", "hooks", "1 proposal to look at", "$0.25, 1,500 tokens"):
        assert words in page.said
    assert len(page.all("rect", class_="bar")) == 1


def test_the_doctor_looks_at_everything(memory: Memory) -> None:
    """Each check with what was found; a sound memory is said to be sound."""
    talk(memory, "s1", "Hi")
    with visitor(memory) as ana:
        page = ana.see("/health/checks")

    assert page.one("h1").said == "The memory is sound."
    names = {one.said for one in page.all("b")}
    assert {"database file", "full-text index", "journals", "hooks", "dreams"} <= names


def test_health_is_of_the_whole_memory(memory: Memory) -> None:
    """A key for one project is told so."""
    with visitor(memory, owner(SHOP)) as ana:
        for place in ("/health", "/health/checks", "/health/audit"):
            assert "key is for one project" in ana.see(place, status=403).said


def test_the_chart_has_a_bar_for_every_day_that_cost(memory: Memory) -> None:
    """The highest is as high as the chart, all are within it, and days before it are not drawn."""
    spending = {
        "2026-03-01": Spent(1, 10, 10, 2.0),
        "2026-02-10": Spent(1, 10, 10, 0.5),
        "2020-01-01": Spent(9, 9, 9, 9),
    }

    drawn = chart(spending, NOW_MS)

    assert [bar.day for bar in drawn.bars] == ["2026-02-10", "2026-03-01"]
    assert [round(bar.height) for bar in drawn.bars] == [HEIGHT // 4, HEIGHT]
    assert all(0 <= bar.x <= bar.x + bar.width <= WIDTH for bar in drawn.bars)
    assert (drawn.is_money, drawn.first, drawn.last, drawn.total.dollars) == (True, "2026-01-31", "2026-03-01", 2.5)
    assert DAYS == 30


def test_without_prices_the_chart_counts_tokens() -> None:
    """A model of one's own costs nobody knows what; a day on which nothing was read is seen all the same."""
    drawn = chart({"2026-03-01": Spent(1, 90, 10), "2026-02-28": Spent(1)}, NOW_MS)

    assert (drawn.is_money, drawn.highest) == (False, 100.0)
    assert all(bar.height >= 2 for bar in drawn.bars)
    assert chart({}, NOW_MS).bars == []


def test_the_audit_tells_what_deserves_a_look(memory: Memory) -> None:
    """Each concern with what to do, a link to each memory, and a picture by week."""
    dreamt(memory, "s1", ROUND)
    agent = Writer(author=Author.AGENT, trust=Trust.AGENT)
    rule = memory.work(SHOP, agent).remember("Never touch <b>billing</b>", kind="constraint")
    with visitor(memory) as ana:
        page = ana.see("/health/audit")
        assert ana.see("/health").one("a", href="/health/audit").said == "Audit the memories"

    assert page.one("h1").said == "1 concern in 2 memories"
    assert "Never touch <b>billing</b>" in page.said
    assert page.one("a", href=f"/memories/{rule.id}").said == "Never touch <b>billing</b>"
    assert page.one("h2", id="unverified_rule").said == "1 unverified rule"
    assert [one.said for one in page.all("li") if one.said.startswith(("memories that", "those of them"))] == [
        "memories that held in the week",
        "those of them that are of concern today",
    ]
    assert page.one("text", class_="highest").said == "2"
    assert len(page.all("rect", class_="of-concern")) == 1
    assert len(page.all("rect", class_="held")) == 26


def test_what_is_said_twice_leads_to_both(memory: Memory) -> None:
    """To the one and to the other; what there is more of is counted in proper words."""
    agent = memory.work(SHOP, Writer(author=Author.AGENT, trust=Trust.AGENT))
    first = memory.work(SHOP).remember("The staging server is called heron")
    second = agent.remember("The staging server is called heron.")
    for part in ("billing", "the tests"):
        agent.remember(f"Never touch {part}", kind="constraint")
    with visitor(memory) as ana:
        page = ana.see("/health/audit")

    assert {one.get("href") for one in page.all("a") if one.get("href").startswith("/memories/m-")} >= {
        f"/memories/{first.id}",
        f"/memories/{second.id}",
    }
    assert [one.said for one in page.all("h2")][:3] == ["Week by week", "2 unverified rules", "1 duplicate"]


def test_an_audit_of_nothing_has_no_picture(memory: Memory) -> None:
    """It says so."""
    with visitor(memory) as ana:
        page = ana.see("/health/audit")

    assert "There is no memory yet." in page.said
    assert page.all("rect", class_="held") == []
