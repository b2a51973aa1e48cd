"""The reader."""

from itertools import chain

import pytest

from noctuary.app import Memory
from noctuary.records import Hidden, Kind, Message, Relation, Role, Session
from tests.unit.doors.web.visiting import BLOG, SHOP, Shown, owner, talk, visitor

pytestmark = pytest.mark.slow

START_MS = 1_772_000_000_000


def numbers(page: Shown) -> list[int]:
    """The messages that are shown."""
    return [int(one.get("id")[1:]) for one in page.all("article")]


def long_session(memory: Memory, count: int, hidden: range = range(0)) -> None:
    """A session of so many messages, some of which nobody is shown."""
    messages = [
        Message(
            Role.USER, f"Message {number}", ts_ms=START_MS + number, hidden=Hidden.REWOUND if number in hidden else None
        )
        for number in range(1, count + 1)
    ]
    memory.add_session(Session("long", agent="codex", project=SHOP, title="Long"), messages)


def follow(memory: Memory, place: str, rel: str) -> list[list[int]]:
    """The messages of all pages that one comes to by this link."""
    seen = []
    with visitor(memory) as ana:
        while place:
            page = ana.see(place)
            seen.append(numbers(page))
            place = next((one.get("href") for one in page.all("a", rel=rel)), "")
    return seen


def test_a_message_says_when_where_and_who(memory: Memory) -> None:
    """Each message has its time, the line of its transcript, its number, and a link to itself."""
    talk(memory, "one", "Hello", "Hi there", title="Greetings")
    with visitor(memory) as ana:
        page = ana.see("/sessions/one")

    article = page.all("article")[1]
    assert article.said == "Copy link 12:01 line 2 #2 Assistant Hi there"
    assert article.get("id") == "m2"
    assert page.all("a", class_="number")[1].get("href") == "/sessions/one?at=2#m2"
    assert page.one("h1").said == "Greetings"
    assert [one.said for one in page.all("p", class_="day")] == ["2026-03-01"]


def test_tools_and_thoughts_are_folded(memory: Memory) -> None:
    """What tools gave and what was thought is there, but folded; what was said is not."""
    messages = [
        Message(Role.ASSISTANT, "Hm.\nWell.", Kind.THINKING, ts_ms=START_MS),
        Message(Role.ASSISTANT, "command: ls", Kind.TOOL_CALL, ts_ms=START_MS, tool_name="Bash"),
        Message(Role.TOOL, "a.py\nb.py", Kind.TOOL_RESULT, ts_ms=START_MS, tool_name="Bash"),
        Message(Role.ASSISTANT, "Two files.", ts_ms=START_MS),
    ]
    memory.add_session(Session("one"), messages)
    with visitor(memory) as ana:
        page = ana.see("/sessions/one")
        asked = ana.see("/sessions/one?at=3")

    folded = page.all("details")[1:]  # the first is about the session
    assert [one.said for one in folded] == [
        "Thinking Hm. 2 lines Hm. Well.",
        "Bash command: ls 11 characters command: ls",
        "↳ Output of Bash a.py 2 lines a.py b.py",
    ]
    assert not any("open" in one.attributes for one in folded)
    assert ["open" in one.attributes for one in asked.all("details")[1:]] == [False, False, True]


def test_the_message_that_was_asked_for_stands_out(memory: Memory) -> None:
    """It is in the middle of what is shown, and marked, also without a script."""
    long_session(memory, 500)
    with visitor(memory) as ana:
        page = ana.see("/sessions/long?at=250")

    assert numbers(page) == list(range(225, 276))
    assert page.one("article", class_="asked").get("id") == "m250"


def test_long_sessions_are_read_in_windows(memory: Memory) -> None:
    """Going on from the beginning to the end shows each message once, and so does going back."""
    long_session(memory, 230)
    onward, back = follow(memory, "/sessions/long", "next"), follow(memory, "/sessions/long?end=1", "prev")

    assert [len(each) for each in onward] == [50, 50, 50, 50, 30]
    assert list(chain(*onward)) == list(range(1, 231))
    assert list(chain(*reversed(back))) == list(range(1, 231))
    assert max(map(len, back)) == 50


def test_messages_that_nobody_is_shown_do_not_count(memory: Memory) -> None:
    """A session that begins with hundreds of them, or has them in between, is read like any other."""
    long_session(memory, 900, hidden=range(1, 400))
    onward, back = follow(memory, "/sessions/long", "next"), follow(memory, "/sessions/long?end=1", "prev")

    assert list(chain(*onward)) == list(chain(*reversed(back))) == list(range(400, 901))


def test_where_one_is_stands_above_and_below(memory: Memory) -> None:
    """Which messages of how many these are."""
    long_session(memory, 130)
    with visitor(memory) as ana:
        said = [one.said for one in ana.see("/sessions/long?after=50").all("nav", class_="paging")]

    assert said == ["First Earlier51 to 100 of 130Later Last"] * 2


@pytest.mark.parametrize("place", ["at=9999", "at=x", "at=-3", "before=9999", "after=0", "after=99999999999", "end=x"])
def test_a_message_that_is_none_is_harmless(memory: Memory, place: str) -> None:
    """Whatever is asked for, the session is shown from its beginning."""
    long_session(memory, 60)
    with visitor(memory) as ana:
        assert numbers(ana.see(f"/sessions/long?{place}"))[0] == 1


def test_a_long_message_has_a_page_of_its_own(memory: Memory) -> None:
    """In its session it is cut; the link below it shows all."""
    text = "\n".join(f"line {number}" for number in range(5_000))
    memory.add_session(Session("one", title="One"), [Message(Role.TOOL, text, Kind.TOOL_RESULT, ts_ms=START_MS)])
    with visitor(memory) as ana:
        page = ana.see("/sessions/one")
        more = page.one("p", class_="left-out")
        whole = ana.see("/sessions/one?whole=1")
        ana.see("/sessions/one?whole=2", status=404)

    assert len(page.one("pre").said) < 4_000
    assert more.said.endswith("more characters")
    assert "line 4999" in whole.one("pre").said


def test_where_a_session_comes_from(memory: Memory) -> None:
    """A fork leads to what it was forked from."""
    talk(memory, "parent", "Hi", title="Parent")
    child = Session("child", project=SHOP, parent="parent", relation=Relation.FORK, source_path="/t/child.jsonl")
    memory.add_session(child, [Message(Role.USER, "Hi", ts_ms=START_MS)])
    with visitor(memory) as ana:
        about = ana.see("/sessions/child").one("dl", class_="about").said

    assert "Fork ofParent" in about
    assert "/t/child.jsonl" in about


@pytest.mark.parametrize("name", ["a/b", "a b", "ü", "a?b#c&d", "%2F", "<script>", "a//b", ".", "..", "a.b", ""])
def test_any_id_can_be_read(memory: Memory, name: str) -> None:
    """The link of the list leads to the session, whatever its id is."""
    talk(memory, name, "Hello", title="Odd")
    with visitor(memory) as ana:
        link = ana.see("/sessions").one("a", class_="title").get("href")

        assert ana.see(link).one("h1").said == "Odd"


def test_hostile_texts_are_text(memory: Memory) -> None:
    """Whatever stands in any field of a session or a message, no element of the page is made of it."""
    evil = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>\x1b[31m\u202e\x00"
    session = Session("evil", "", evil, evil, evil, None, evil, evil, evil, None, None, None, evil)
    kinds = [(role, kind) for role in Role for kind in Kind]
    memory.add_session(
        session, [Message(r, evil, k, ts_ms=START_MS, tool_name=evil, tool_calls=evil) for r, k in kinds]
    )
    with visitor(memory) as ana:
        shown = ana.client.get("/sessions/evil").text
        page = Shown(shown)

    assert not page.all("img")
    assert {one.get("src").split("?")[0] for one in page.all("script")} == {
        "/static/theme.js",
        "/static/keys.js",
        "/static/reading.js",
    }
    assert not {"onerror", "onclick", "style"} & {name for one in page.elements for name in one.attributes}
    assert not {"\x1b", "\u202e", "\x00"} & set(shown)
    assert len(numbers(page)) == len(kinds)


def test_a_key_for_one_project_reads_only_that(memory: Memory) -> None:
    """A session of another project is not there, nor is its title where another comes from it."""
    talk(memory, "blog", "Secret", title="Secret plan", project=BLOG)
    child = Session("shop", project=SHOP, title="Shop", parent="blog", relation=Relation.FORK)
    memory.add_session(child, [Message(Role.USER, "Hi", ts_ms=START_MS)])
    with visitor(memory, owner(SHOP)) as ana:
        page = ana.see("/sessions/shop")
        for place in ("/sessions/blog", "/sessions/blog?whole=1", "/sessions/blog?at=1", "/sessions/bl"):
            assert "Secret" not in ana.see(place, status=404).said

    assert "Secret" not in page.said


def test_a_session_without_messages_says_so(memory: Memory) -> None:
    """An empty session is no error."""
    memory.add_session(Session("empty", title="Empty"), [])
    with visitor(memory) as ana:
        assert "This session has no messages" in ana.see("/sessions/empty").said
