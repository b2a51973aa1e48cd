"""Memories in a browser."""

import pytest
from playwright.sync_api import Browser, expect

from tests.acceptance.browser import Site, opened
from tests.acceptance.page_looks import STYLES, looked_at
from tests.acceptance.shop_with_a_past import BLOG, HOSTILE, SHOP, Past

Served = tuple[Site, Past]


@pytest.mark.parametrize("style", STYLES)
def test_everybody_can_use_the_pages_of_memories(browser: Browser, seen_shop: Served, style: str) -> None:
    """Axe finds nothing serious, nothing is wider than the screen, and a picture of each is kept."""
    site, past = seen_shop
    pages = {
        "memories": "/memories",
        "memories-none": "/memories?words=nothing",
        "memory": f"/memories/{past.memory}",
        "memory-file": f"/memories/file?project={SHOP}",
    }

    assert looked_at(browser, site, pages, style) == []


def test_memories_are_narrowed_and_read(browser: Browser, seen_shop: Served) -> None:
    """By the form and by a topic; one leads to where it was said."""
    site, _ = seen_shop
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/memories"))
        page.get_by_label("Kind").select_option("decision")
        page.get_by_role("button", name="Show").click()
        page.get_by_role("link", name="SQLite instead of Redis").click()
        page.get_by_role("link", name="Sessions without Redis · message 1").click()

        expect(page.locator("#m1")).to_contain_text("one file is all we need to back up")


@pytest.mark.parametrize("is_scripted", [True, False])
def test_a_memory_is_pinned_edited_and_forgotten(browser: Browser, own_shop: Served, is_scripted: bool) -> None:
    """Each by a button that says what it does, and each time the page says what was done."""
    site, past = own_shop
    with opened(browser, site, is_scripted=is_scripted) as seen:
        page = seen.page
        page.goto(site.at(f"/memories/{past.memory}"))
        page.get_by_role("button", name="Unpin").click()
        expect(page.get_by_role("status")).to_contain_text("Unpinned")
        page.get_by_text("Edit", exact=True).click()
        page.locator("textarea").fill("The staging server is called egret")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("h1")).to_have_text("The staging server is called egret")
        expect(page.locator(".difference")).to_contain_text("called heron")
        page.get_by_text("Forget", exact=True).click()
        page.get_by_label("Reason (optional)").fill("It is gone")
        page.get_by_role("button", name="Forget it for good").click()

        expect(page.get_by_role("status")).to_contain_text("Forgotten")
        assert (
            not page.get_by_text("egret").first.is_visible() or page.get_by_role("status").get_by_text("egret").count()
        )
        expect(page.locator(".shelf")).not_to_contain_text("egret")


def test_stored_text_stays_text(browser: Browser, own_shop: Served) -> None:
    """Whatever a memory says, it is shown and never done."""
    site, _ = own_shop
    with site.house.memory("ana") as memory:
        kept = memory.work(BLOG).remember(f"A post may say {HOSTILE}", topic="<i>html</i>")
    with opened(browser, site) as seen:
        for place in ("/memories", f"/memories/{kept.id}", f"/memories?words={HOSTILE[:8]}"):
            seen.page.goto(site.at(place))
            expect(seen.page.locator("main")).to_contain_text(HOSTILE)
            expect(seen.page).not_to_have_title("taken")


def test_memory_md_leads_to_its_memories(browser: Browser, seen_shop: Served) -> None:
    """A line of the file is a link to what it rests on; j and Enter get there."""
    site, _ = seen_shop
    with opened(browser, site) as seen:
        seen.page.goto(site.at(f"/memories/file?project={SHOP}"))
        line = seen.page.locator(".memory-file .item").first.inner_text()
        seen.page.keyboard.press("j")
        with seen.page.expect_navigation():
            seen.page.keyboard.press("Enter")

        assert "/memories/m-" in seen.page.url
        assert line.startswith(seen.page.locator("h1").inner_text()[:20])
