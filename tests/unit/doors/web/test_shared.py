"""The page of what a team shares: who is shown what, and what its buttons do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from noctuary.access import Caller, Scope
from tests.unit.doors.web.visiting import Visitor, visitor
from tests.unit.sharing.people import PROJECT, People, cited, published, remembered

ALL = frozenset({Scope.ADMIN})


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    several = People(tmp_path / "memory")
    several["ana"].team.make("Shop")
    several["ana"].team.invite("Shop", "ben")
    yield several
    several.close()


@contextmanager
def visiting(people: People, who: str, scopes: frozenset[Scope] = ALL, project: str | None = None) -> Iterator[Visitor]:
    """Somebody at the page."""
    with visitor(people[who], Caller(who, scopes, project), people.clock) as at_the_page:
        yield at_the_page


def press(at_the_page: Visitor, place: str, **fields: str) -> str:
    """Send a form; where the browser goes then."""
    answer = at_the_page.client.post(place, data=fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def test_a_reviewer_accepts_and_everybody_reads(people: People) -> None:
    """The proposal is shown with what it rests on, and afterwards to all members."""
    memory = cited(people["ben"], "Prices are in cents", "all prices are cents", session="s-ben")
    share = people["ben"].team.publish("Shop", memory=memory.id).proposed[0]
    with visiting(people, "ana") as ana, visiting(people, "ben") as ben:
        assert "Nothing is shared yet." in ben.see("/shared").said
        shown = ana.see("/shared")
        assert "1 proposal for your review" in shown.said
        assert "all prices are cents" in shown.said

        assert press(ana, f"/shared/{share.id}/accept", text="All prices are in cents", back="/shared") == "/shared"

        seen = ben.see("/shared")
        assert seen.one(id=f"s-{share.id}").said == "All prices are in cents"
        assert "In the words of its publisher: Prices are in cents" in seen.said
        assert "Accepted: All prices are in cents" in ana.see("/shared").said


def test_sessions_of_others_are_no_links(people: People) -> None:
    """They are named, and cannot be opened."""
    memory = cited(people["ben"], "Prices are in cents", "all prices are cents", session="s-ben")
    people["ben"].team.publish("Shop", memory=memory.id)
    with visiting(people, "ana") as ana:
        links = [link.get("href") for link in ana.see("/shared").all("a")]

        assert not any("s-ben" in link for link in links)
        ana.see("/sessions/s-ben", status=404)


def test_a_refusal_needs_a_reason(people: People) -> None:
    """Which its publisher finds under what they published."""
    share = published(people["ben"], "Shop", "Prices are in cents")
    with visiting(people, "ana") as ana, visiting(people, "ben") as ben:
        assert ana.client.post(f"/shared/{share.id}/refuse", data={"reason": " "}).status_code == 422
        press(ana, f"/shared/{share.id}/refuse", reason="Only in your branch")

        assert "because: Only in your branch" in ben.see("/shared").said


def test_what_is_taken_back_is_gone(people: People) -> None:
    """From every page; the history of the team says that it was."""
    share = published(people["ben"], "Shop", "Prices are in cents")
    people["ana"].team.accept(share.id)
    with visiting(people, "ana") as ana, visiting(people, "ben") as ben:
        press(ben, f"/shared/{share.id}/take-back")

        assert "Prices" not in ana.see("/shared").said
        assert f"ben took back {share.id} of ben" in ana.see(f"/shared?team={share.team}").said


def test_the_preview_is_what_is_published(people: People) -> None:
    """From the page of a memory one comes to what others would see, and from there to the proposal."""
    memory = remembered(people["ben"], "Prices are in cents", kind="constraint")
    with visiting(people, "ben") as ben:
        [link] = [one for one in ben.see(f"/memories/{memory.id}").all("a") if one.said == "Share"]
        shown = ben.see(link.get("href"))
        assert shown.one(id="offered").said == "Prices are in cents"

        fields = {one.get("name"): one.get("value") for one in shown.all("input", type="hidden")}
        press(ben, "/shared/publish", **fields)

        assert "It is already proposed or shared" in ben.see(link.get("href")).said
    assert [one.content.memory for one in people["ana"].team.proposals()] == [memory.id]


def test_others_are_shown_nothing(people: People) -> None:
    """Neither what is shared nor that there is such a team."""
    share = published(people["ben"], "Shop", "Prices are in cents")
    people["ana"].team.accept(share.id)
    with visiting(people, "cem") as cem:
        assert "Prices" not in cem.see(f"/shared?team={share.team}").said
        assert "Shop" not in cem.see("/shared").said
        assert cem.client.post(f"/shared/{share.id}/accept").status_code == 404
        assert cem.client.post(f"/shared/{share.id}/take-back").status_code == 404


def test_a_member_reviews_nothing(people: People) -> None:
    """The buttons are not there, and to send the form is refused."""
    share = published(people["ben"], "Shop", "Prices are in cents")
    with visiting(people, "ben") as ben:
        assert "Accept" not in [one.said for one in ben.see("/shared").all("button")]
        assert ben.client.post(f"/shared/{share.id}/accept").status_code == 403


def test_a_key_that_only_reads_has_no_buttons(people: People) -> None:
    """And whatever concerns others takes one that speaks for the user."""
    share = published(people["ben"], "Shop", "Prices are in cents")
    with visiting(people, "ana", frozenset({Scope.READ, Scope.WRITE})) as ana:
        assert "Accept" not in [one.said for one in ana.see("/shared").all("button")]
        assert ana.client.post(f"/shared/{share.id}/accept").status_code == 403


def test_a_key_for_one_project_sees_what_that_is_bound_to(people: People) -> None:
    """No teams, no proposals, nothing to take back."""
    people["ana"].team.accept(published(people["ben"], "Shop", "Prices are in cents").id)
    published(people["ben"], "Shop", "Tests run in parallel")
    with visiting(people, "ana", project=PROJECT) as ana:
        assert "Prices" not in ana.see("/shared").said
        people["ana"].team.bind("Shop", PROJECT)

        shown = ana.see("/shared").said

        assert "Prices are in cents" in shown
        assert "Tests run in parallel" not in shown
        ana.see("/shared/preview/m-1", status=403)
        assert ana.client.post("/shared/publish", data={}).status_code == 403


def test_words_narrow_what_is_shown(people: People) -> None:
    """All of them, anywhere in it."""
    for text in ("Prices are in cents", "Tests run in parallel"):
        people["ana"].team.accept(published(people["ben"], "Shop", text).id)
    with visiting(people, "ana") as ana:
        shown = ana.see("/shared?words=CENTS").said

        assert "Prices are in cents" in shown
        assert "Tests run in parallel" not in shown
        assert "Nothing that is shared matches these words." in ana.see("/shared?words=euros").said


def test_what_others_wrote_is_text(people: People) -> None:
    """No word of it becomes a tag."""
    share = published(people["ben"], "Shop", "<script>alert(1)</script> <b>bold</b>", topic="<i>t</i>")
    people["ana"].team.accept(share.id, "<img src=x onerror=alert(1)>")
    with visiting(people, "ana") as ana:
        shown = ana.see("/shared")

        assert shown.one(id=f"s-{share.id}").said == "<img src=x onerror=alert(1)>"
        assert shown.all("img") == shown.all("b") == shown.all("i") == []
