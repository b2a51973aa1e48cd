"""After a change it is said once what was done."""

from noctuary.access import Scope
from noctuary.app import Memory
from noctuary.doors.web.outcome import COOKIE
from tests.unit.doors.web.visiting import SHOP, owner, visitor

REVIEWER = owner(scopes=(Scope.READ, Scope.DREAM))


def test_what_was_done_is_said_once(memory: Memory) -> None:
    """On the page that the browser is sent to, and not again after that."""
    kept = memory.work(SHOP).remember("Prices are cents")
    with visitor(memory, REVIEWER) as ana:
        answer = ana.client.post(f"/memories/{kept.id}/pin", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/memories/{kept.id}")
        first, second = ana.see(f"/memories/{kept.id}"), ana.see(f"/memories/{kept.id}")

    assert first.one(role="status").said.startswith("Pinned")
    assert second.all(role="status") == []
    assert all(word in answer.headers["set-cookie"] for word in ("HttpOnly", "SameSite=strict", "Max-Age=60"))


def test_words_of_others_are_text_and_short(memory: Memory) -> None:
    """A cookie that somebody made says what it says as text, and not all of it."""
    with visitor(memory, REVIEWER) as ana:
        ana.client.cookies.set(COOKIE, "%3Cb%3Etaken%3C%2Fb%3E%FF" + "x" * 3_000)
        page = ana.see("/memories")

    assert page.one(role="status").said.startswith("<b>taken</b>")
    assert len(page.one(role="status").said) <= 300
