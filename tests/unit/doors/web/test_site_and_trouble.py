"""The site: its files, and trouble as a page."""

from noctuary.access import Scope
from noctuary.app import Memory
from tests.unit.doors.web.visiting import BROWSER, owner, talk, visitor


def test_files_may_be_kept_for_ever_under_their_version(memory: Memory) -> None:
    """A browser asks again only for a file whose address does not say which version it is."""
    with visitor(memory) as ana:
        address = ana.see("/").all("link")[1].get("href")
        kept, asked_again = ana.client.get(address), ana.client.get("/static/noctuary.css")

    assert address.startswith("/static/noctuary.css?v=")
    assert kept.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "cache-control" not in asked_again.headers
    assert kept.content == asked_again.content


def test_only_files_of_ours_are_served(memory: Memory) -> None:
    """No path leads out of their folder."""
    with visitor(memory) as ana:
        for place in (
            "/static/../site.py",
            "/static/%2e%2e/site.py",
            "/static/..%2fsite.py",
            "/static/",
            "/static/nope",
        ):
            assert ana.client.get(place).status_code == 404


def test_trouble_is_a_page_for_people(memory: Memory) -> None:
    """Who asks for a page is told what is wrong and where to go, in the frame of the page."""
    with visitor(memory) as ana:
        page = ana.see("/sessions/nope", status=404)
        nowhere = ana.see("/nowhere", status=404)

    assert "There is no session 'nope'" in page.one("main").said
    assert [one.said for one in page.all("code")] == ["noctuary sessions"]
    assert page.one("h1").said == nowhere.one("h1").said == "Not Found"


def test_trouble_is_json_for_programs(memory: Memory) -> None:
    """Who does not ask for a page gets the problem as it is."""
    with visitor(memory) as ana:
        answer = ana.client.get("/sessions/nope", headers={"accept": "*/*"})

    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == 404


def test_a_key_that_is_not_for_reading_reads_nothing(memory: Memory) -> None:
    """What a key is for is asked on every page, and the answer tells nothing of the memory."""
    talk(memory, "one", "Secret", title="Secret")
    with visitor(memory, owner(scopes=(Scope.WRITE,))) as ana:
        for place in ("/", "/search?q=secret", "/search?q=secret&part=1", "/sessions", "/sessions/one"):
            page = ana.see(place, status=403)

            assert "it needs the scope read" in page.said
            assert "Secret" not in page.said


def test_trouble_says_nothing_that_it_was_told_as_markup(memory: Memory) -> None:
    """A hostile address is text in the answer, too."""
    with visitor(memory) as ana:
        answer = ana.client.get("/sessions/%3Cscript%3Ealert(1)%3C%2Fscript%3E", headers=BROWSER)

    assert answer.status_code == 404
    assert "<script>alert" not in answer.text
    assert int(answer.headers["content-length"]) == len(answer.content)
