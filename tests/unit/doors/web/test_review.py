"""The review queue."""

import pytest

from noctuary.access import Scope
from noctuary.app import Memory
from noctuary.app.browsing import Browsing
from noctuary.doors.web.wording import session_address
from noctuary.store.memories import MemoryStatus
from tests.unit.doors.web.dreaming import EVIL, FRIDAY, MARKDOWN, ROUND, changing, dreamt
from tests.unit.doors.web.visiting import BLOG, SHOP, Shown, owner, visitor

pytestmark = pytest.mark.usefixtures("database")
REVIEWER = owner(scopes=(Scope.READ, Scope.DREAM))


def waiting(memory: Memory) -> dict[str, str]:
    """What waits: its words and the id of its event."""
    return {one.entry.event.text: one.entry.event.id for one in memory.dreams.suggestions()}


def words(page: Shown) -> list[str]:
    return [one.said for one in page.all("h2", class_="words")]


def test_each_proposal_stands_with_its_source(memory: Memory) -> None:
    """Its words, who said it when, the message it rests on, and what can be done; the oldest first."""
    dreamt(memory, "s1", ROUND, EVIL)
    with visitor(memory, REVIEWER) as ana:
        page = ana.see("/review")

    assert sorted(words(page)) == sorted([ROUND, EVIL])
    cited = {one.get("href") for one in page.all("a") if " · message " in one.said}
    assert cited == {session_address("s1", 1), session_address("s1", 3)}
    assert "said by you" in page.said
    assert len(changing(page)) == 6


def test_a_proposal_is_accepted(memory: Memory) -> None:
    """It is the user's from then on, waits no longer, and one comes back to where one was."""
    dreamt(memory, "s1", ROUND, FRIDAY)
    event = waiting(memory)[ROUND]
    with visitor(memory, REVIEWER) as ana:
        place = "/review?project=%2Fhome%2Fana%2Fcode%2Fshop"
        answer = ana.client.post(f"/review/{event}/accept", data={"back": place}, follow_redirects=False)
        page = ana.see(answer.headers["location"])

    assert (answer.status_code, answer.headers["location"]) == (303, place)
    assert page.one(role="status").said == f"Accepted: {ROUND}"
    assert words(page) == [FRIDAY]
    kept = next(one for one in memory.work(SHOP).memories() if one.text == ROUND)
    assert (kept.status, kept.facts["approved"]) == (MemoryStatus.ACTIVE, True)


def test_a_proposal_is_accepted_in_other_words(memory: Memory) -> None:
    """The words of the user stand in its place."""
    dreamt(memory, "s1", ROUND)
    with visitor(memory, REVIEWER) as ana:
        ana.client.post(f"/review/{waiting(memory)[ROUND]}/accept", data={"text": " Round half to even. "})

    assert [one.text for one in memory.work(SHOP).memories()] == ["Round half to even."]


def test_a_proposal_is_rejected_with_a_reason(memory: Memory) -> None:
    """The reason is in the journal, and the memory is gone."""
    dreamt(memory, "s1", ROUND)
    event = waiting(memory)[ROUND]
    with visitor(memory, REVIEWER) as ana:
        page = Shown(ana.client.post(f"/review/{event}/reject", data={"reason": "That was a joke"}).text)

    assert "Rejected" in page.one(role="status").said
    assert words(page) == []
    assert memory.work(SHOP).memories() == []
    assert any("That was a joke" in str(row) for row in memory.store.events.all("ana", SHOP))


@pytest.mark.parametrize(
    "place", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
def test_a_form_leads_nowhere_else(memory: Memory, place: str) -> None:
    """A form that asks to be sent to another site comes to the first page of this one."""
    dreamt(memory, "s1", ROUND)
    with visitor(memory, REVIEWER) as ana:
        event = waiting(memory)[ROUND]
        answer = ana.client.post(f"/review/{event}/accept", data={"back": place}, follow_redirects=False)

    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_a_long_queue_comes_in_parts(memory: Memory) -> None:
    """Twenty at a time, each once; whoever leaves some can look further and come back."""
    for number in range(45):
        memory.work(SHOP).remember(f"Idea {number}", suggested=True)
    dreamt(memory, "s1", ROUND)
    total = Browsing(memory).suggested(None)
    seen, place = [], "/review"
    with visitor(memory, REVIEWER) as ana:
        while place:
            page = ana.see(place)
            seen.append(words(page))
            place = next((one.get("href") for one in page.all("a", rel="next")), "")
        back = page.one("a", rel="prev").get("href") if len(seen) > 1 else "/review"

    everything = [one for part in seen for one in part]
    assert len(everything) == len({*everything}) == total
    assert max(map(len, seen)) <= 20
    assert back == "/review"


def test_a_form_that_is_sent_twice_decides_once(memory: Memory) -> None:
    """Whoever clicks twice is told the same twice; a page that is older than a decision changes nothing of it."""
    dreamt(memory, "s1", ROUND, FRIDAY, MARKDOWN)
    events = waiting(memory)

    def told(event: str, verb: str, text: str = "") -> str:
        page = Shown(ana.client.post(f"/review/{events[event]}/{verb}", data={"text": text}).text)
        return page.one(role="status").said

    with visitor(memory, REVIEWER) as ana:
        assert [told(ROUND, "accept"), told(ROUND, "accept")] == [f"Accepted: {ROUND}"] * 2
        assert [told(MARKDOWN, "accept", "Posts are Markdown") for _ in range(2)] == [
            "Accepted: Posts are Markdown"
        ] * 2
        rejected = told(FRIDAY, "reject")
        assert rejected.startswith("Rejected")
        assert [told(FRIDAY, "reject"), told(FRIDAY, "accept")] == [rejected] * 2
        before = memory.store.events.count("ana")
        assert told(ROUND, "reject") == f"Accepted: {ROUND}"
        assert told(MARKDOWN, "reject") == "Accepted: Posts are Markdown"
        own = memory.work(SHOP).note("finding", "Nobody proposed this")
        assert ana.client.post(f"/review/{own.event.id}/accept").status_code == 404

    assert memory.store.events.count("ana") == before + 1
    assert {one.text for one in memory.work(SHOP).memories()} == {ROUND, "Posts are Markdown"}


def test_a_proposed_task_says_where_it_was_found(memory: Memory) -> None:
    """A task cites no message, so it leads to the session that a dream read; and it is called a task."""
    dreamt(memory, "s1", ROUND, FRIDAY, MARKDOWN)
    with visitor(memory, REVIEWER) as ana:
        page = ana.see("/review")

    assert [one.said for one in page.all("p", class_="found-in")] == [f"Found in {ROUND}"]
    assert "open" not in [one.said for one in page.all("span", class_="pill")]


def test_a_key_for_one_project_decides_there_alone(memory: Memory) -> None:
    """It sees and changes nothing of another project, by whatever id."""
    dreamt(memory, "s1", ROUND)
    dreamt(memory, "s2", MARKDOWN, project=BLOG)
    with visitor(memory, owner(SHOP, (Scope.READ, Scope.DREAM))) as ana:
        page = ana.see(f"/review?project={BLOG}")
        event = waiting(memory)[MARKDOWN]
        for verb in ("accept", "reject"):
            assert ana.client.post(f"/review/{event}/{verb}").status_code == 404

    assert words(page) == [ROUND]
    assert MARKDOWN in waiting(memory)


def test_whoever_may_not_dream_changes_nothing(memory: Memory) -> None:
    """There are no buttons, no keys are told, and a form that is sent all the same is refused."""
    dreamt(memory, "s1", ROUND)
    event = waiting(memory)[ROUND]
    with visitor(memory, owner(scopes=(Scope.READ, Scope.WRITE))) as ana:
        page = ana.see("/review")
        assert changing(page) == []
        assert page.all("p", class_="keys-told") == []
        assert ana.client.post(f"/review/{event}/accept").status_code == 403
        assert ana.client.post(f"/review/{event}/reject").status_code == 403

    assert ROUND in waiting(memory)
