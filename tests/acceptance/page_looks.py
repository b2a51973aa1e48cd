"""How pages look, and whether everybody can use them: each dark and light, on a desk and on a phone, folded and not."""

from collections.abc import Mapping

from playwright.sync_api import Browser

from tests.acceptance.browser import PHONE, WIDE, Site, faults, opened, picture

STYLES = {"light": ("light", WIDE), "dark-phone": ("dark", PHONE), "dark": ("dark", WIDE)}
_UNFOLD = "for (const each of document.querySelectorAll('main details')) each.open = true"


def looked_at(browser: Browser, site: Site, pages: Mapping[str, str], style: str) -> list[str]:
    """What keeps somebody from using these pages; a picture of each is kept."""
    theme, size = STYLES[style]
    found: list[str] = []
    with opened(browser, site, theme=theme, size=size) as seen:
        for name, place in pages.items():
            answer = seen.page.goto(site.at(place))
            if answer is None or not answer.ok:
                found.append(f"{name}: {answer and answer.status}")
            picture(seen.page, f"{name}-{style}")
            found += [f"{name}: {fault}" for fault in faults(seen.page)]
            seen.page.evaluate(_UNFOLD)
            if style == "light" and seen.page.locator("main details").count():
                found += [f"{name}, unfolded: {fault}" for fault in faults(seen.page)]
            width = seen.page.evaluate("document.documentElement.scrollWidth")
            found += [f"{name}: {width} wide"] if width > size[0] else []
    return found
