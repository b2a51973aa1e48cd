"""Health in a browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from noctuary.testing import FakeClock
from tests.acceptance.browser import Site, opened, served
from tests.acceptance.page_looks import STYLES, looked_at
from tests.acceptance.shop_with_a_past import START, Past

PAGES = {"health": "/health", "checks": "/health/checks", "audit": "/health/audit"}


@pytest.mark.parametrize("style", STYLES)
def test_everybody_can_use_the_pages_of_health(browser: Browser, seen_shop: tuple[Site, Past], style: str) -> None:
    """Axe finds nothing serious, nothing is wider than the screen, and a picture of each is kept."""
    assert looked_at(browser, seen_shop[0], PAGES, style) == []


def test_the_doctor_is_asked_by_a_button(browser: Browser, seen_shop: tuple[Site, Past]) -> None:
    """What is due stands on the first page; the thorough look takes a click."""
    site, _ = seen_shop
    with opened(browser, site) as seen:
        seen.page.goto(site.at("/health"))
        expect(seen.page.locator("rect.bar")).to_have_count(7)
        seen.page.get_by_role("link", name="Let the doctor check everything").click()

        expect(seen.page.locator("h1")).to_have_text("The memory is sound.")
        assert seen.page.locator(".checks li").count() >= 10


def test_an_empty_memory_has_pages_too(browser: Browser, tmp_path: Path) -> None:
    """Before anything is kept, every page says what to do."""
    empty = {"e-dreams": "/dreams", "e-review": "/review", "e-memories": "/memories", "e-file": "/memories/file",
             "e-work": "/work", "e-graph": "/work/graph", "e-health": "/health",
             "e-audit": "/health/audit"}  # fmt: skip
    with served(tmp_path, FakeClock(START)) as site:
        assert looked_at(browser, site, empty, "light") == []
