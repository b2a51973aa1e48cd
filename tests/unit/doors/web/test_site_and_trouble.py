"""The site: its files, and trouble as a page."""

from pathlib import Path

import pytest

from noctuary.access import Caller, Scope
from noctuary.app import Memory
from tests.unit.doors.web.visiting import BROWSER, Shown, empty_memory, owner, talk, visitor

pytestmark = pytest.mark.slow

HOSTILE = ["%00", "%FF%FE", "%25_%5C", "'%20or%201=1--", "%E2%80%AE", "a" * 3_000, "%F0%9F%8C%99", "*%22(NEAR%20-)"]


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
    assert page.one("h1").said == nowhere.one("h1").said == "There is nothing here"
    assert "openapi" not in nowhere.one("main").said
    assert nowhere.all("a", href="/search")


def test_trouble_with_a_form_leads_back_to_it(memory: Memory) -> None:
    """Whoever sent what cannot be taken comes back to where they were, and nowhere else."""
    kept = memory.work("/home/ana/code/shop").remember("Prices are cents")
    with visitor(memory, owner(scopes=tuple(Scope))) as ana:

        def led(referer: str) -> list[str]:
            sent = ana.client.post(
                f"/memories/{kept.id}/edit", data={"text": " "}, headers={**BROWSER, "referer": referer}
            )
            assert sent.status_code == 422
            return [one.get("href") for one in Shown(sent.text).all("a") if one.said.startswith("Back")]

        assert led(f"http://testserver/memories/{kept.id}?a=%26") == [f"/memories/{kept.id}?a=%26"]
        for other in ("https://evil.example/x", "javascript:alert(1)", "", "http://[::1/"):
            assert led(other) == ["/"]
        assert led("http://testserver//evil.example/") == ["/evil.example/"]


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


@pytest.mark.parametrize("text", HOSTILE)
def test_any_address_has_an_answer(database: str, tmp_path: Path, text: str) -> None:
    """Whatever stands in a path or a query, the answer is a page: of what there is, or that there is nothing."""
    places = [f"/search?{name}={text}" for name in ("q", "q=hi&agent", "q=hi&project", "q=hi&after", "q=hi&session")]
    places += [f"/sessions?{name}={text}" for name in ("agent", "project", "after", "page")]
    with empty_memory(tmp_path) as memory:
        talk(memory, "one", "Hi there", title="One")
        with visitor(memory) as ana:
            for place in places:
                assert ana.see(place).all("main"), database
            for place in (f"/sessions/{text}", f"/sessions/?id={text}"):
                assert "There is no session" in ana.see(place, status=404).said


def test_nobody_sees_another_owner(database: str, tmp_path: Path) -> None:
    """With the ids of another owner in every place of every address, nothing of theirs is shown."""
    with empty_memory(tmp_path) as memory:
        talk(memory, "secret-1", "The kangaroo is purple", "Yes", title="Kangaroo plan", project="/kangaroo")
        memory.work("/kangaroo").open_task("Feed the kangaroo")
        with visitor(memory) as ana:
            assert "Kangaroo plan" in ana.see("/search?q=kangaroo").said, database
        with visitor(memory, Caller("bea", frozenset(Scope))) as bea:
            for place in (
                "/",
                "/search?q=kangaroo",
                "/search?q=kangaroo&part=1",
                "/sessions",
                "/sessions?project=/kangaroo",
            ):
                page = bea.see(place)
                words = " ".join(one.said for one in page.all("main") or page.elements)

                assert "Kangaroo" not in words
                assert "purple" not in words
                assert not [one for one in page.elements if "kangaroo" in one.get("value") and one.tag == "option"]
            for place in ("secret-1", "secret", "?id=secret-1", "secret-1?at=1", "secret-1?whole=1", "secret-1?end=1"):
                assert "angaroo" not in bea.see(f"/sessions/{place}", status=404).said
            assert "angaroo" not in bea.see("/search?q=purple&session=secret-1").said
            assert "No conversation is stored yet" in bea.see("/").said
