"""What a page must not do: obey what is stored, ask elsewhere, be large, or need a script to be read."""

import pytest
from playwright.sync_api import Browser, expect

from noctuary.doors.web.wording import session_address
from tests.acceptance.browser import PHONE, Site, opened, picture
from tests.acceptance.page_memory import HOSTILE, LONG, REDIS

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
PLACES = ["/", "/search", "/search?q=zanzibar", "/sessions", session_address(REDIS), session_address(HOSTILE)]
MOST_BYTES = 100_000
UNSEEN = "\u202e\u202c\u200b\u2060\x1b\x07\x00\U000e0041"


def test_what_is_stored_is_text(browser: Browser, site: Site) -> None:
    """Markup, links that would run and characters that nobody sees are shown as text or not at all, and do nothing."""
    with opened(browser, site) as seen:
        page = seen.page
        for place in (
            "/search?q=zanzibar",
            session_address(HOSTILE),
            session_address(HOSTILE, whole=1),
            "/sessions?page=2",
        ):
            page.goto(site.at(place))
            page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
            shown = page.locator("main").inner_text()

            assert "<script>window.evil = 1</script>" in shown
            assert not set(shown) & set(UNSEEN)
            assert page.evaluate("window.evil") is None
            assert page.locator("main :is(img, script, iframe, object, b, i, u, a[href^=javascript])").count() == 0
        page.goto(site.at("/search"))
        page.get_by_role("searchbox").fill("zanzibar")
        expect(page.locator(".hit")).to_have_count(1)

        assert page.evaluate("window.evil") is None
        assert page.locator(".results :is(img, script, b, i, u)").count() == 0
        picture(page, "hostile-search", is_whole=False)


@pytest.mark.parametrize("place", PLACES)
def test_the_policy_is_strict_and_holds(browser: Browser, site: Site, place: str) -> None:
    """Every page carries it, and a script or style that somebody slipped in does nothing."""
    with opened(browser, site) as seen:
        answer = seen.page.goto(site.at(place))
        assert answer is not None
        headers = answer.all_headers()
        with seen.page.expect_console_message(lambda line: "Content Security Policy" in line.text):
            seen.page.evaluate(
                """() => {
                    const script = document.createElement("script");
                    script.textContent = "window.evil = 1";
                    document.body.append(script);
                    const image = document.createElement("div");
                    image.innerHTML = "<img src=x onerror='window.evil = 1'><p style='color: red' id=styled>x</p>";
                    document.body.append(image);
                }"""
            )

        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert seen.page.evaluate("window.evil") is None
        assert seen.page.evaluate("getComputedStyle(document.getElementById('styled')).color") != "rgb(255, 0, 0)"
        assert any("Content Security Policy" in line for line in seen.complaints)
        seen.excused.extend(["Content Security Policy", "Failed to load resource"])


def test_nothing_is_asked_for_elsewhere(browser: Browser, site: Site) -> None:
    """All that a visit of every page asks for comes from the server itself; `opened` looks at each address."""
    with opened(browser, site) as seen:
        for place in PLACES:
            seen.page.goto(site.at(place))
        seen.page.goto(site.at("/search"))
        seen.page.get_by_role("searchbox").fill("redis")
        expect(seen.page.locator(".hit").first).to_be_visible()

    assert len(seen.requests) > len(PLACES)
    assert {url.split("/")[2] for url in seen.requests} == {site.address.split("/")[2]}


def first_visit(browser: Browser, site: Site, place: str) -> float:
    """How many bytes a first visit of a page transfers in all."""
    with opened(browser, site) as seen:
        sizes: list[float] = []
        session = seen.page.context.new_cdp_session(seen.page)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        session.on("Network.loadingFinished", lambda one: sizes.append(one["encodedDataLength"]))
        seen.page.goto(site.at(place), wait_until="networkidle")

        assert len(sizes) >= 4  # the page, its style, and scripts
        return sum(sizes)


@pytest.mark.parametrize("place", ["/", "/search?q=redis", "/sessions", session_address(LONG, 204)])
def test_a_first_visit_is_small(browser: Browser, site: Site, place: str) -> None:
    """All that it transfers is at most 100 kB; bench/team.py measures how long it keeps the browser busy."""
    assert 5_000 < first_visit(browser, site, place) <= MOST_BYTES


def test_pages_are_read_without_script(browser: Browser, site: Site) -> None:
    """Searching, filtering, listing, jumping to a message, unfolding and going on work with scripts switched off."""
    with opened(browser, site, is_scripted=False, size=PHONE) as seen:
        page = seen.page
        page.get_by_role("searchbox").fill("why did we drop redis")
        page.get_by_role("button", name="Search").click()
        expect(page.locator("mark").first).to_have_text("drop")
        expect(page.get_by_role("status").first).to_have_text("1 session, best first.")
        page.get_by_text("Filters").click()
        page.get_by_label("Who said it").select_option("assistant")
        page.get_by_role("button", name="Search").click()
        expect(page).to_have_url(
            site.at("/search?q=why+did+we+drop+redis&agent=&project=&after=&before=&role=assistant")
        )
        page.goto(site.at("/search?q=why+did+we+drop+redis"))
        page.locator(".hit .title").first.click()
        expect(page.locator("#m4")).to_be_in_viewport()
        page.locator("#m6 summary").click()
        expect(page.locator("#m6 pre")).to_be_visible()
        expect(page.get_by_role("button", name="Copy the link")).to_have_count(0)
        picture(page, "session-without-script", is_whole=False)
        page.goto(site.at(session_address(LONG)))
        page.get_by_role("link", name="Later").first.click()
        expect(page.locator("#m51")).to_be_visible()
        page.goto(site.at("/sessions"))
        page.get_by_label("Project").fill("blog")
        page.get_by_role("button", name="Show").click()
        expect(page.locator(".row").first).to_contain_text("blog")
        expect(page.get_by_role("button", name="Dark or light")).to_have_count(0)
