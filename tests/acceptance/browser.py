"""A real browser on a real server on a real memory: Debian's Chromium, driven by Playwright, and uvicorn on loopback.

Pictures of what it showed are kept in var/screenshots, which git ignores.
"""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it says nothing of its types
from playwright.sync_api import Browser, Page, expect, sync_playwright

from noctuary.app.house import House
from noctuary.clock import Clock
from noctuary.doors.http.application import build
from noctuary.doors.http.guarding import Guard
from noctuary.server_settings import ServerSettings
from noctuary.settings import Settings

CHROMIUM = Path("/usr/bin/chromium")
PICTURES = Path(__file__).parents[2] / "var" / "screenshots"
TOKEN = "a-token-that-only-the-tests-know"
WIDE, PHONE = (1180, 900), (390, 844)
_SECONDS = 60  # after which a test fails that waits for a page

expect.set_options(timeout=_SECONDS * 1000)  # or after five, whatever windows are told: a busy machine takes longer


class Site(NamedTuple):
    """A server that runs, and how to come in."""

    address: str  # without a slash at its end
    house: House

    def at(self, place: str) -> str:
        """The whole address of a page."""
        return f"{self.address}{place}"


class Seen(NamedTuple):
    """A page in a browser, and what happened behind it."""

    page: Page
    requests: list[str]  # addresses of all that was asked for
    complaints: list[str]  # what the browser wrote to its console: errors, and what the policy forbade
    excused: list[str]  # what complaints may be about: some come only after the test that provoked them


@contextmanager
def served(home: Path, clock: Clock) -> Iterator[Site]:
    """Serve the memory in this folder for as long as it is needed."""
    settings = Settings.load({}, home=home, owner="ana", user_home=home)
    server = ServerSettings(requests_per_minute=1_000_000)
    house = House(settings, clock)
    guard = Guard(house, server, TOKEN)
    app = build(house, guard, server)
    guard.protect(app)
    with socket.create_server(("127.0.0.1", 0)) as bound:
        running = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, http="h11", ws="none"))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield Site(f"http://127.0.0.1:{bound.getsockname()[1]}", house)
        finally:
            running.should_exit = True
            thread.join(_SECONDS)
            house.close()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium without a window; whoever does not have it is told so, loudly."""
    if not CHROMIUM.exists():
        pytest.skip(f"PAGES ARE NOT TESTED: there is no {CHROMIUM}; install Debian's package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(
    browser: Browser, site: Site, *, theme: str = "light", size: tuple[int, int] = WIDE, is_scripted: bool = True
) -> Iterator[Seen]:
    """A fresh window of somebody who has come in; nothing that it does may be against the policy of the page."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if theme == "dark" else "light",
        java_script_enabled=is_scripted,
        permissions=["clipboard-read", "clipboard-write"],
        reduced_motion="reduce",
    )
    context.set_default_timeout(_SECONDS * 1000)
    page = context.new_page()
    seen = Seen(page, [], [], [])
    page.on("request", lambda request: seen.requests.append(request.url))
    page.on("console", lambda line: seen.complaints.append(line.text) if line.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    try:
        page.goto(site.at(f"/?token={TOKEN}"))
        yield seen
    finally:
        context.close()
    unexcused = [line for line in seen.complaints if not any(about in line for about in seen.excused)]
    assert not unexcused, unexcused
    assert [url for url in seen.requests if not url.startswith((site.address, "data:"))] == []


def picture(page: Page, name: str, *, is_whole: bool = True) -> None:
    """Keep what the page looks like."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png", full_page=is_whole)


def faults(page: Page) -> Sequence[str]:
    """What axe finds that keeps somebody from using the page, each with where it is."""
    found: dict[str, Any] = Axe().run(page).response
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: {node['html'][:200]} {node.get('failureSummary', '')}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
