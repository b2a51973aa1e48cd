"""Dreams and the review queue in a browser."""

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.acceptance.browser import Site, opened
from tests.acceptance.page_looks import STYLES, looked_at
from tests.acceptance.shop_with_a_past import Past

Served = tuple[Site, Past]


def waiting(page: Page) -> list[str]:
    """What is proposed on a page that is all there."""
    return page.locator(".suggestion h2").all_inner_texts()


def expect_waiting(page: Page, proposals: Sequence[str]) -> None:
    """Wait until all of the page is there that a click led to, with these and no others."""
    expect(page.locator(".suggestion h2")).to_have_text(proposals, use_inner_text=True)


@pytest.mark.parametrize("style", STYLES)
def test_everybody_can_use_the_pages_of_dreams(browser: Browser, seen_shop: Served, style: str) -> None:
    """Axe finds nothing serious, nothing is wider than the screen, and a picture of each is kept."""
    site, past = seen_shop
    pages = {"dreams": "/dreams", "dream": f"/dreams/{past.runs[-1]}", "undo": f"/dreams/{past.runs[0]}/undo"}

    assert looked_at(browser, site, {**pages, "review": "/review"}, style) == []


def test_a_line_of_a_dream_leads_to_the_message(browser: Browser, seen_shop: Served) -> None:
    """From the timeline to the run, and from its first line to the words in the conversation."""
    site, _ = seen_shop
    with opened(browser, site) as seen:
        seen.page.goto(site.at("/dreams"))
        seen.page.locator(".run a.title").last.click()
        seen.page.get_by_role("link", name="Prices are off by a cent · message 1").click()

        expect(seen.page).to_have_url(re.compile(r"/sessions/s-prices\b.*#m1$"))
        expect(seen.page.locator("#m1")).to_contain_text("round prices half to even")
        expect(seen.page.locator("#m1")).to_be_in_viewport()


@pytest.mark.parametrize("is_scripted", [True, False])
def test_a_dream_is_taken_back(browser: Browser, own_shop: Served, is_scripted: bool) -> None:
    """A button, a question, and the page says what was done, with and without script; going back changes nothing."""
    site, past = own_shop
    with opened(browser, site, is_scripted=is_scripted) as seen:
        seen.page.goto(site.at(f"/dreams/{past.runs[0]}"))
        seen.page.get_by_role("link", name="Undo this dream").click()
        seen.page.get_by_role("link", name="Cancel").click()
        expect(seen.page.locator(".note")).to_have_count(0)
        seen.page.get_by_role("link", name="Undo this dream").click()
        seen.page.get_by_role("button", name="Undo this dream").click()

        expect(seen.page).to_have_url(site.at(f"/dreams/{past.runs[0]}"))
        expect(seen.page.get_by_role("status")).to_contain_text("Undid the dream")
        expect(seen.page.locator(".note")).to_contain_text("undone")
        seen.page.reload()
        expect(seen.page.get_by_role("status")).to_have_count(0)


def test_the_queue_is_worked_off_by_keys(browser: Browser, own_shop: Served) -> None:
    """j and k move, a accepts, e takes other words, r rejects; after each the next one is in focus."""
    site, _ = own_shop
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/review"))
        first, second, third, *others = waiting(page)
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("k")
        with page.expect_navigation():
            page.keyboard.press("a")
        expect(page.get_by_role("status")).to_have_text(f"Accepted: {first}")
        assert waiting(page) == [second, third, *others]

        page.keyboard.press("e")
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type("Prices are whole cents. Press a, e and r freely.")
        page.keyboard.press("Tab")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text("Accepted: Prices are whole cents.")

        page.keyboard.press("r")
        page.keyboard.type("That was a joke")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text("Rejected")
        assert waiting(page) == others


def test_one_stays_where_one_is_in_the_queue(browser: Browser, own_shop: Served) -> None:
    """After a decision in the middle the next one is in focus and in sight; Escape folds a form, and no more."""
    site, _ = own_shop
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/review"))
        first, _, third, *_ = waiting(page)
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("e")
        expect(page.locator("textarea:focus")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".suggestion details[open]")).to_have_count(0)
        with page.expect_navigation():
            page.keyboard.press("a")

        assert waiting(page)[:2] == [first, third]
        expect(page.locator(".suggestion:focus h2")).to_have_text(third)
        expect(page.locator(".suggestion:focus")).to_be_in_viewport()


@pytest.mark.parametrize("is_scripted", [True, False])
def test_a_proposal_is_decided_once(browser: Browser, own_shop: Served, is_scripted: bool) -> None:
    """Two clicks are one; a page that another window has outrun says what was decided, and takes nothing back."""
    site, _ = own_shop
    with opened(browser, site, is_scripted=is_scripted) as seen:
        page, old = seen.page, seen.page.context.new_page()
        old.goto(site.at("/review"))
        page.goto(site.at("/review"))
        first, *others = waiting(page)
        page.locator(".suggestion").first.get_by_role("button", name="Accept", exact=True).dblclick()
        expect(page.get_by_role("status")).to_have_text(f"Accepted: {first}")
        expect_waiting(page, others)
        old.locator(".suggestion").first.get_by_text("Reject", exact=True).click()
        old.get_by_role("button", name="Reject for good").first.click()
        expect(old.get_by_role("status")).to_have_text(f"Accepted: {first}")
        page.go_back()
        page.reload()

        assert waiting(page) == others


def test_the_queue_is_worked_off_without_script(browser: Browser, own_shop: Served) -> None:
    """Buttons and forms do all of it."""
    site, _ = own_shop
    with opened(browser, site, is_scripted=False) as seen:
        page = seen.page
        page.goto(site.at("/review"))
        first, second, *others = waiting(page)
        page.locator(".suggestion").first.get_by_role("button", name="Accept").click()
        expect(page.get_by_role("status")).to_have_text(f"Accepted: {first}")
        page.locator(".suggestion").first.get_by_text("Reject", exact=True).click()
        page.get_by_label("Reason (optional)").first.fill("Not so")
        page.get_by_role("button", name="Reject for good").first.click()

        expect(page.get_by_role("status")).to_contain_text(f"Rejected, and no dream will propose it again: {second}")
        expect_waiting(page, others)
