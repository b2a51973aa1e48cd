"""The page in a real browser: searching, reading, and getting about by the keyboard."""

import re

from playwright.sync_api import Browser, Page, expect

from noctuary.doors.web.wording import session_address
from tests.acceptance.browser import Site, opened, picture
from tests.acceptance.page_memory import LONG, LONG_MESSAGES, REDIS

PLACES = {
    "g": "/",
    "d": "/dreams",
    "r": "/review",
    "m": "/memories",
    "w": "/work",
    "t": "/shared",
    "h": "/health",
    "s": "/sessions",  # last: the test goes on from there
}


def focused(page: Page) -> str:
    """The text of what has the focus."""
    return str(page.evaluate("document.activeElement.innerText")).strip()


def test_search_answers_as_one_types(browser: Browser, site: Site) -> None:
    """The list and what is said of it follow what is typed, and the address does, too; no page is loaded anew."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/search"))
        page.evaluate("window.isSamePage = true")
        page.get_by_role("searchbox").press_sequentially("why did we drop redis", delay=20)
        expect(page.get_by_role("status").first).to_have_text("1 session, best first.")
        expect(page.locator("mark").first).to_have_text("drop")
        expect(page).to_have_url(site.at("/search?q=why+did+we+drop+redis"))
        expect(page).to_have_title("why did we drop redis · Noctuary")
        picture(page, "search-as-one-types")

        page.get_by_role("searchbox").fill("zebrafish")
        expect(page.get_by_role("status").first).to_contain_text("Nothing found")
        expect(page.locator(".hit")).to_have_count(0)
        page.get_by_role("searchbox").fill("")
        expect(page.locator(".tips")).to_be_visible()
        expect(page).to_have_url(site.at("/search"))

        assert page.evaluate("window.isSamePage")


def test_arrows_lead_through_what_was_found(browser: Browser, site: Site) -> None:
    """Down from the field to the first hit and on to the next, and up again to the field."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/search?q=logs"))
        titles = page.locator(".hit .title").all_inner_texts()
        page.get_by_role("searchbox").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        assert focused(page) == titles[1]
        page.keyboard.press("ArrowUp")
        assert focused(page) == titles[0]
        page.keyboard.press("ArrowUp")
        expect(page.get_by_role("searchbox")).to_be_focused()


def test_only_the_last_question_is_answered(browser: Browser, site: Site) -> None:
    """What was typed before and is answered late changes nothing any more."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/search"))
        held: list[str] = []
        page.route(re.compile("q=migration&part"), lambda route: held.append(route.request.url))
        with page.expect_request(re.compile("q=migration&part")):
            page.get_by_role("searchbox").fill("migration")
        expect(page.locator("[data-results]")).to_have_attribute("aria-busy", "true")
        page.get_by_role("searchbox").fill("redis")
        expect(page.locator(".hit .title").first).to_contain_text("SQLite table instead of Redis")

        assert len(held) == 1
        expect(page).to_have_url(site.at("/search?q=redis"))
        seen.excused.append("Failed to load resource")  # a request was given up


def test_a_server_that_is_gone_takes_nothing_away(browser: Browser, site: Site) -> None:
    """What was found stays and it is said that nobody answers; as soon as somebody does, typing goes on."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/search?q=redis"))
        found = page.locator(".hit .title").all_inner_texts()
        page.route(re.compile("part=1"), lambda route: route.abort("connectionrefused"))
        page.get_by_role("searchbox").fill("migration")
        expect(page.get_by_role("status").first).to_contain_text("The server does not answer")
        assert page.locator(".hit .title").all_inner_texts() == found
        page.unroute(re.compile("part=1"))
        page.get_by_role("searchbox").press("Enter")
        expect(page.locator(".hit .title").first).to_contain_text("The long migration")
        seen.excused.append("Failed to load resource")


def test_filters_count_at_once(browser: Browser, site: Site) -> None:
    """What is chosen narrows the list without a button, and a link with it opens the same list."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/search?q=logs"))
        page.get_by_text("Filters").click()
        page.get_by_label("Agent").select_option("codex")
        expect(page).to_have_url(site.at("/search?q=logs&agent=codex"))
        page.get_by_label("After").fill("20d")
        expect(page).to_have_url(site.at("/search?q=logs&agent=codex&after=20d"))
        expect(page.locator("[data-results]")).not_to_have_attribute("aria-busy", "true")
        listed = page.locator(".hit .title").all_inner_texts()
        page.goto(page.url)

        assert listed
        assert page.locator(".hit .title").all_inner_texts() == listed
        assert all("codex" in facts for facts in page.locator(".hit .facts").all_inner_texts())


def test_a_hit_opens_at_its_message(browser: Browser, site: Site) -> None:
    """From the hit to the very message, which is in sight and stands out."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/search?q=why+did+we+drop+redis"))
        page.locator(".hit .title").first.click()
        expect(page).to_have_url(site.at(session_address(REDIS, 4)))
        asked = page.locator("#m4")
        expect(asked).to_be_in_viewport()
        expect(asked).to_contain_text("We drop Redis: one less service to run")

        expect(page.locator("#m4:target")).to_be_visible()  # a browser says so when all of the page is there
        assert asked.evaluate("one => getComputedStyle(one).backgroundColor") != page.locator("#m1").evaluate(
            "one => getComputedStyle(one).backgroundColor"
        )


def test_all_of_a_line_of_a_list_is_its_link(browser: Browser, site: Site) -> None:
    """Whoever clicks on what is told below a title, or on a fact, comes to where the title leads."""
    with opened(browser, site) as seen:
        page = seen.page
        for place, item in (("/sessions", ".row"), ("/search?q=logs", ".hit"), ("/work", ".ticket")):
            page.goto(site.at(place))
            line = page.locator(item).first
            leads_to = line.locator(".title").get_attribute("href") or ""
            fact = line.locator(".facts span").last.bounding_box()
            assert fact
            page.mouse.click(fact["x"] + fact["width"] / 2, fact["y"] + fact["height"] / 2)
            expect(page).to_have_url(site.at(leads_to))


def test_a_long_session_is_never_there_as_a_whole(browser: Browser, site: Site) -> None:
    """Of thousands of messages a window is shown; one goes on, back, and to either end."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at(session_address(LONG)))
        expect(page.locator(".message")).to_have_count(50)
        page.get_by_role("link", name="Later").first.click()
        expect(page.locator("#m51")).to_be_visible()
        expect(page.locator(".message")).to_have_count(50)
        page.get_by_role("link", name="Last").first.click()
        expect(page.locator(f"#m{LONG_MESSAGES}")).to_be_visible()
        expect(page.locator(".message")).to_have_count(50)
        page.get_by_role("link", name="First").first.click()
        expect(page.locator("#m1")).to_be_visible()


def test_output_is_folded_and_unfolds(browser: Browser, site: Site) -> None:
    """What a tool gave is a line until one opens it; what it gave at length has a page of its own."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at(session_address(REDIS)))
        output = page.locator("#m6")
        expect(output.locator("pre")).not_to_be_visible()
        output.locator("summary").click()
        expect(output.locator("pre")).to_contain_text("1 failed, 23 passed")
        page.goto(site.at(session_address(LONG, 204)))
        page.locator("#m204").get_by_role("link", name="more characters").click()
        expect(page.locator("pre")).to_contain_text("399  line of output 203")


def test_the_link_to_a_message_is_copied(browser: Browser, site: Site) -> None:
    """What is copied leads to the message."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at(session_address(REDIS)))
        page.locator("#m3").hover()
        page.get_by_role("button", name="Copy the link to message 3").click()
        expect(page.locator(".told")).to_have_text("Link copied")

        assert page.evaluate("navigator.clipboard.readText()") == site.at(session_address(REDIS, 3))


def test_keys_move_open_and_go(browser: Browser, site: Site) -> None:
    """`/` searches, j and k move, Enter opens, g and a letter go; in a field letters are letters."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/sessions"))
        page.keyboard.press("j")
        first = focused(page)
        page.keyboard.press("j")
        second = focused(page)
        page.keyboard.press("k")
        assert (first, focused(page)) == ("Session store: SQLite table instead of Redis",) * 2
        assert second == "The long migration of every table"

        page.keyboard.press("Enter")
        expect(page).to_have_url(site.at(session_address(REDIS)))
        page.wait_for_load_state()
        for _ in range(6):
            page.keyboard.press("j")
        assert page.evaluate("document.activeElement.id") == "m6"
        page.keyboard.press("Enter")
        expect(page.locator("#m6 pre")).to_be_visible()
        page.keyboard.press("c")
        expect(page.locator(".told")).to_have_text("Link copied")

        page.keyboard.press("/")
        page.keyboard.type("jkg?t")
        expect(page.locator(".quick input")).to_have_value("jkg?t")
        page.keyboard.press("Escape")
        for letter, place in PLACES.items():
            page.keyboard.press("g")
            page.keyboard.press(letter)
            expect(page).to_have_url(site.at(place))
            page.wait_for_load_state()  # or nobody listens for keys yet
        page.keyboard.press("n")
        expect(page).to_have_url(site.at("/sessions?page=2"))
        page.wait_for_load_state()
        page.keyboard.press("p")
        expect(page).to_have_url(site.at("/sessions"))


def test_the_keys_are_listed_and_can_be_turned_off(browser: Browser, site: Site) -> None:
    """`?` shows them; whoever does not want them is left alone from then on."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/sessions"))
        page.keyboard.press("?")
        dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
        expect(dialog).to_be_visible()
        picture(page, "keys", is_whole=False)
        assert "in the graph" in dialog.inner_text()
        dialog.get_by_label("Use these shortcuts").uncheck()
        page.keyboard.press("Escape")
        expect(dialog).not_to_be_visible()
        page.reload()
        page.keyboard.press("?")
        expect(dialog).not_to_be_visible()
        page.get_by_role("button", name="Keyboard shortcuts").click()
        expect(dialog).to_be_visible()


def test_focus_is_seen_and_the_navigation_can_be_skipped(browser: Browser, site: Site) -> None:
    """The first Tab offers to skip to the page; whatever has the focus has a ring."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/sessions"))
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to content")).to_be_in_viewport()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.name") == "agent"
        for _ in range(12):
            page.keyboard.press("Tab")
            style = "(e => getComputedStyle(e).outlineStyle + getComputedStyle(e, '::after').outlineStyle)"
            assert "solid" in page.evaluate(f"{style}(document.activeElement)")


def test_dark_and_light_are_remembered(browser: Browser, site: Site) -> None:
    """What the system prefers holds until one chooses; the choice holds on the next page."""
    with opened(browser, site, theme="dark") as seen:
        page = seen.page
        page.goto(site.at("/sessions"))
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
        page.get_by_role("button", name="Dark or light").click()
        light = page.evaluate("getComputedStyle(document.body).backgroundColor")
        page.goto(site.at("/search"))

        assert dark != light
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == light


def test_a_bar_of_the_chart_leads_to_its_day(browser: Browser, site: Site) -> None:
    """A click on a day lists the sessions of that day."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/"))
        page.locator(".bar").last.click()
        expect(page).to_have_url(re.compile(r"/sessions\?after=2026-06-12&before=2026-06-12T23:59:59$"))
        expect(page.locator(".row .title").first).to_have_text("Session store: SQLite table instead of Redis")


def test_what_is_wrong_is_said_on_a_page(browser: Browser, site: Site) -> None:
    """An address that leads nowhere is a page that says so, and leads back."""
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/sessions/nowhere"))
        expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing here")
        expect(page.get_by_text("There is no session 'nowhere'")).to_be_visible()
        picture(page, "trouble", is_whole=False)
        seen.excused.append("Failed to load resource")  # the page was not found


def test_a_stranger_is_asked_for_a_key(browser: Browser, site: Site) -> None:
    """Without a key there is no page but the one that asks for it; what is wrong with one is said, and one goes on."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(site.at("/sessions?page=2"))
    expect(page.get_by_label("Key or token")).to_be_visible()
    expect(page.get_by_text("SQLite table instead of Redis")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_text("Bearer")).to_have_count(0)
    picture(page, "stranger", is_whole=False)
    page.get_by_label("Key or token").fill("another-key")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("This key is not known here")
    page.get_by_label("Key or token").fill("a-token-that-only-the-tests-know")
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(site.at("/sessions?page=2"))
    expect(page.locator(".row").first).to_be_visible()
    context.close()
