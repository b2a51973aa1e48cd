"""The first look at the page, in a real Chromium: what is transferred, and how long the browser is kept busy."""

import contextlib
from pathlib import Path
from typing import Any

from playwright.sync_api import Response, sync_playwright

from team_load import Server

_CHROMIUM = "/usr/bin/chromium"
_WATCH = """
window.longest = 0;
new PerformanceObserver(list => {
  for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
}).observe({type: 'longtask', buffered: true});
"""
_TYPED = "museum"


def first_look(home: Path) -> dict[str, Any]:
    """Kilobytes and milliseconds of the first page, of a search as somebody types it, and of a session."""
    server = Server(home, None, owner="bench")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox"])
            page = browser.new_context().new_page()
            sizes: list[int] = []

            def count(response: Response) -> None:
                with contextlib.suppress(Exception):  # a redirect has no body
                    told = response.request.sizes()
                    sizes.append(told["responseBodySize"] + told["responseHeadersSize"])

            page.on("response", count)
            page.add_init_script(_WATCH)
            page.goto(server.page, wait_until="networkidle")
            first, longest = sum(sizes), page.evaluate("window.longest")
            page.locator("input[type=search]").first.press_sequentially(_TYPED, delay=60)
            page.wait_for_load_state("networkidle")
            typed = page.evaluate("window.longest")
            browser.close()
    finally:
        server.stop()
    return {
        "first_kb": round(first / 1000, 1),
        "first_longest_task_ms": round(longest, 1),
        "typing_longest_task_ms": round(typed, 1),
    }
