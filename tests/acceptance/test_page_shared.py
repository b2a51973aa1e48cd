"""What a team shares, in a browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.acceptance.browser import opened, served
from tests.acceptance.page_looks import STYLES, looked_at
from tests.unit.sharing.people import People, cited, published


def fill(folder: Path) -> dict[str, str]:
    """A team of Ana's with something to read, to review and to take back; pages that show it."""
    people = People(folder)
    team = people["ana"].team.make("Shop").id
    people["ana"].team.invite("Shop", "ben")
    first = cited(people["ben"], "Prices are stored in cents, never as floating point", "prices are cents, always")
    people["ana"].team.accept(people["ben"].team.publish("Shop", memory=first.id).proposed[0].id)
    worded = published(people["ben"], "Shop", "tests r parallel", kind="procedure", topic="tests")
    people["ana"].team.accept(worded.id, "Tests run in parallel.")
    published(people["ben"], "Shop", "The staging database is reset every night", kind="gotcha")
    own = published(people["ana"], "Shop", "Deploys happen on Tuesdays")
    people.close()
    return {
        "shared": "/shared",
        "shared-team": f"/shared?team={team}",
        "share": f"/shared/preview/{own.content.memory}",
    }


@pytest.mark.parametrize("style", STYLES)
def test_everybody_can_use_the_pages_of_what_is_shared(browser: Browser, tmp_path: Path, style: str) -> None:
    """Axe finds nothing serious, nothing is wider than the screen, and a picture of each is kept."""
    pages = fill(tmp_path)
    with served(tmp_path, People(tmp_path).clock) as site:
        assert looked_at(browser, site, pages, style) == []


@pytest.mark.parametrize("is_scripted", [True, False])
def test_a_proposal_is_accepted_by_a_button(browser: Browser, tmp_path: Path, is_scripted: bool) -> None:
    """With script and without."""
    fill(tmp_path)
    with served(tmp_path, People(tmp_path).clock) as site, opened(browser, site, is_scripted=is_scripted) as seen:
        seen.page.goto(site.at("/shared"))
        card = seen.page.locator("article", has_text="The staging database")
        card.get_by_role("button", name="Accept", exact=True).click()

        expect(seen.page.get_by_role("status")).to_have_text("Accepted: The staging database is reset every night")
        expect(seen.page.get_by_text("accepted 2026-03-01 by ana").first).to_be_visible()
        expect(seen.page.get_by_role("heading", name="What is shared")).to_be_visible()


@pytest.mark.parametrize("is_scripted", [True, False])
def test_what_was_published_is_taken_back_by_a_button(browser: Browser, tmp_path: Path, is_scripted: bool) -> None:
    """The line leads to the memory, but for its button, which takes back what it stands for."""
    fill(tmp_path)
    with served(tmp_path, People(tmp_path).clock) as site, opened(browser, site, is_scripted=is_scripted) as seen:
        seen.page.goto(site.at("/shared"))
        row = seen.page.locator(".row", has_text="Deploys happen on Tuesdays")
        row.get_by_role("button", name="Take back").click()

        expect(seen.page.get_by_role("status")).to_have_text("Taken back: nobody sees it any more.")
        expect(seen.page).to_have_url(site.at("/shared"))
