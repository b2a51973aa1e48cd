"""How pages look: dark and light, on a desk and on a phone; and whether everybody can use them."""

import pytest
from playwright.sync_api import Browser

from noctuary.doors.web.wording import session_address
from tests.acceptance.browser import PHONE, WIDE, Site, faults, opened, picture
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
STYLES = {
    "light": ("light", WIDE),
    "dark": ("dark", WIDE),
    "light-phone": ("light", PHONE),
    "dark-phone": ("dark", PHONE),
}


@pytest.mark.parametrize("style", STYLES)
def test_everybody_can_use_every_page(browser: Browser, site: Site, style: str) -> None:
    """Axe finds nothing serious, no page is wider than the screen, and a picture of each is kept."""
    theme, size = STYLES[style]
    found: list[str] = []
    with opened(browser, site, theme=theme, size=size) as seen:
        for name, place in PAGES.items():
            seen.page.goto(site.at(place))
            picture(seen.page, f"{name}-{style}", is_whole=name == "home")
            found += [f"{name}: {fault}" for fault in faults(seen.page)]
            width = seen.page.evaluate("document.documentElement.scrollWidth")
            found += [f"{name}: {width} wide"] if width > size[0] else []

    assert found == []


def test_what_unfolds_can_be_used_as_well(browser: Browser, site: Site) -> None:
    """Filters, the numbers of the chart, all about a session and the list of keys are no worse when they are open."""
    found: list[str] = []
    with opened(browser, site) as seen:
        for place in ("/", "/search?q=redis", session_address(REDIS)):
            seen.page.goto(site.at(place))
            seen.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
            found += faults(seen.page)
        seen.page.keyboard.press("?")
        found += faults(seen.page)

    assert found == []


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
