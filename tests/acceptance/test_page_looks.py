"""How pages look: dark and light, on a desk and on a phone; and whether everybody can use them."""

import pytest
from playwright.sync_api import Browser, expect

from noctuary.doors.web.wording import session_address
from tests.acceptance.browser import Site, faults, opened, picture
from tests.acceptance.page_looks import STYLES, looked_at
from tests.acceptance.page_memory import HOSTILE, LONG, REDIS

PAGES = {
    "home": "/",
    "search": "/search?q=why+did+we+drop+redis",
    "search-empty": "/search",
    "search-filtered": "/search?q=logs&agent=codex&after=60d",
    "search-within": f"/search?q=migration&session={LONG}",
    "sessions": "/sessions",
    "session": session_address(REDIS),
    "session-at": session_address(LONG, 204),
    "message": session_address(LONG, whole=204),
    "hostile": session_address(HOSTILE),
}


@pytest.mark.parametrize("style", STYLES)
def test_everybody_can_use_the_pages_of_sessions(browser: Browser, site: Site, style: str) -> None:
    """Axe finds nothing serious, nothing is wider than the screen, and a picture of each is kept."""
    assert looked_at(browser, site, PAGES, style) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_use_the_list_of_keys(browser: Browser, site: Site, theme: str) -> None:
    """The same holds for what lies above a page, and for the page that asks who is there."""
    with opened(browser, site, theme=theme) as seen:
        seen.page.keyboard.press("?")
        expect(seen.page.get_by_role("dialog")).to_be_visible()
        assert faults(seen.page) == []

        seen.page.keyboard.press("Escape")
        seen.page.get_by_role("button", name="Sign out").click()
        expect(seen.page.get_by_label("Key or token")).to_be_visible()
        assert faults(seen.page) == []
        seen.excused.append("Failed to load resource")  # one is not let in


@pytest.mark.parametrize("width", [320, 360, 390])
def test_all_pages_are_within_reach_of_a_thumb(browser: Browser, site: Site, width: int) -> None:
    """However narrow the phone is, nothing of the navigation is hidden beside the screen."""
    with opened(browser, site, size=(width, 700)) as seen:
        seen.page.goto(site.at("/memories"))
        edges = seen.page.locator(".top nav a").evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")

        assert max(edges) <= width


def test_what_is_folded_is_told_across_a_phone(browser: Browser, site: Site) -> None:
    """What stands beside the name of a tool takes no room from the line below it, nor from the name."""
    with opened(browser, site, size=(360, 740)) as seen:
        seen.page.goto(site.at(session_address(REDIS)))
        line, name = (seen.page.locator(f"#m5 {which}").bounding_box() for which in (".gist", "h2"))
        time = seen.page.locator("#m5 .when").bounding_box()
        assert line
        assert name
        assert time
        picture(seen.page, "session-phone", is_whole=False)

        assert line["width"] > 220
        assert line["y"] >= time["y"] + time["height"] - 1
        assert abs(name["y"] - time["y"]) < 8


def test_a_page_can_be_printed(browser: Browser, site: Site) -> None:
    """On paper there is the session, and nothing to click."""
    with opened(browser, site, theme="dark") as seen:
        seen.page.goto(site.at(session_address(REDIS)))
        seen.page.emulate_media(media="print")
        picture(seen.page, "session-print")

        assert not seen.page.locator("header.top").is_visible()
        assert not seen.page.locator("form.within").is_visible()
        assert seen.page.locator("#m4").is_visible()
        assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
