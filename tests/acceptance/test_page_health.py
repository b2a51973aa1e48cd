"""Health in a browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from noctuary.app import Memory
from noctuary.authored import Author, Trust
from noctuary.records import Message, Role, Session
from noctuary.testing import FakeClock
from noctuary.work.desk import Writer
from tests.acceptance.browser import Site, opened, served
from tests.acceptance.page_looks import STYLES, looked_at
from tests.acceptance.shop_with_a_past import START, Past

# How light the colour of an element is, by what the browser paints.
_LIGHTNESS = """(element, name) => {
  const brush = new OffscreenCanvas(1, 1).getContext("2d");
  brush.fillStyle = getComputedStyle(element)[name];
  brush.fillRect(0, 0, 1, 1);
  const parts = [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
  const [r, g, b] = parts.map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}"""
PAGES = {"health": "/health", "checks": "/health/checks", "audit": "/health/audit"}


@pytest.mark.parametrize("style", STYLES)
def test_everybody_can_use_the_pages_of_health(browser: Browser, seen_shop: tuple[Site, Past], style: str) -> None:
    """Axe finds nothing serious, nothing is wider than the screen, and a picture of each is kept."""
    assert looked_at(browser, seen_shop[0], PAGES, style) == []


def test_the_doctor_is_asked_by_a_button(browser: Browser, seen_shop: tuple[Site, Past]) -> None:
    """What is due stands on the page of health; the thorough look takes a click."""
    site, _ = seen_shop
    with opened(browser, site) as seen:
        seen.page.goto(site.at("/health"))
        expect(seen.page.locator("rect.bar")).to_have_count(7)
        seen.page.get_by_role("link", name="Run all checks").click()

        expect(seen.page.locator("h1")).to_have_text("The memory is sound.")
        expect(seen.page.locator(".checks li").nth(9)).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_of_concern_is_seen_in_the_picture(browser: Browser, tmp_path: Path, theme: str) -> None:
    """Bars of concern are told from those behind them by how light they are, by day and by night, as in the legend."""
    agent = Writer(author=Author.AGENT, trust=Trust.AGENT)
    with Memory.open(tmp_path, owner="ana", user_home=tmp_path, clock=FakeClock(START)) as memory:
        for text in ("Never touch billing", "Never deploy on Fridays"):
            memory.work("shop").remember(text)
        memory.work("shop", agent).remember("Always use tabs", kind="constraint")
    with served(tmp_path, FakeClock(START)) as site, opened(browser, site, theme=theme) as seen:
        seen.page.goto(site.at("/health/audit"))
        painted = {
            name: seen.page.locator(where).first.evaluate(f"element => ({_LIGHTNESS})(element, '{style}')")
            for name, where, style in (
                ("held", ".bar.held", "fill"),
                ("of concern", ".bar.of-concern", "fill"),
                ("held in the legend", ".swatch.bar-held", "backgroundColor"),
                ("of concern in the legend", ".swatch.bar-of-concern", "backgroundColor"),
            )
        }
        darker, lighter = sorted([painted["held"], painted["of concern"]])

        assert (lighter + 0.05) / (darker + 0.05) >= 1.5
        assert painted["held"] == painted["held in the legend"]
        assert painted["of concern"] == painted["of concern in the legend"]


def test_a_long_name_of_an_agent_fits_a_phone(browser: Browser, tmp_path: Path) -> None:
    """Whatever stands in the table, nothing is beside the screen."""
    with Memory.open(tmp_path, owner="ana", user_home=tmp_path, clock=FakeClock(START)) as memory:
        said = [Message(Role.USER, "Hello", ts_ms=memory.clock.now_ms())]
        memory.add_session(Session("s1", agent="agentwithalongname" * 6, project="shop"), said)
    with served(tmp_path, FakeClock(START)) as site:
        assert looked_at(browser, site, {"health-long-agent": "/health"}, "dark-phone") == []


def test_an_empty_memory_has_pages_too(browser: Browser, tmp_path: Path) -> None:
    """Before anything is kept, every page says what to do."""
    empty = {"e-dreams": "/dreams", "e-review": "/review", "e-memories": "/memories", "e-file": "/memories/file",
             "e-work": "/work", "e-graph": "/work/graph", "e-health": "/health",
             "e-audit": "/health/audit"}  # fmt: skip
    with served(tmp_path, FakeClock(START)) as site:
        assert looked_at(browser, site, empty, "light") == []
