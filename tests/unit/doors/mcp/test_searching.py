"""`session_search`: the shape follows from the arguments, and every shape has a budget."""

import re
from typing import Any

import pytest

from noctuary.doors.mcp.keeper import Keeper
from noctuary.records import Message, Role
from tests.unit.doors.mcp.serving import MINUTE_MS, START_MS, Served, output

pytestmark = pytest.mark.slow

DAY_MS = 24 * 60 * MINUTE_MS
TALK = [
    "Why are logins lost on every deploy?",
    "Because sessions live in a dict.",
    "Decision: no Redis for sessions, a SQLite table is enough.",
    "Done, sessions are kept in SQLite.",
]


@pytest.fixture
def shop(served: Served) -> Served:
    """Two sessions that speak of Redis, months apart, and one that does not."""
    served.keep("aaaa-1", TALK, title="Session store")
    later = ["Shall the cache be Redis?", "Redis would be a second daemon."]
    served.keep("bbbb-2", later, title="Cache", agent="codex", start_ms=START_MS + 60 * DAY_MS, project="/home/ana/api")
    served.keep("cccc-3", ["Round the tax", "Rounded."], title="Tax", start_ms=START_MS + 30 * DAY_MS)
    return served


def sessions_in(answer: str) -> list[str]:
    """The sessions of the hits, in their order."""
    return list(dict.fromkeys(re.findall(r"session (\w{4}-\d)", answer)))


def messages_in(answer: str) -> list[int]:
    """The ids of the messages shown."""
    return [int(number) for number in re.findall(r"^\[(\d+)\]", answer, re.MULTILINE)]


def test_words_find_sessions_with_all_one_needs_to_read_on(shop: Served) -> None:
    """A hit has a dated title, who said it where, the marked words, and what reading around it would cost."""
    answer = shop("session_search", query="no redis for sessions")

    assert sessions_in(answer)[0] == "aaaa-1"
    assert (
        "1. 2026-03-02 · Session store\n   session aaaa-1 message 3 · claude-code · shop · around it: about " in answer
    )
    assert re.search(r"user: .*>>>Redis<<<", answer)


def test_a_miss_is_a_complete_answer(shop: Served) -> None:
    """It is no error, and says what else could be tried."""
    answer = shop("session_search", query="kubernetes xylophone")

    assert "complete answer" in answer
    assert "recall_why" in answer
    assert "filters" not in answer.split("What else could be tried")[1]
    assert "fewer filters" in shop("session_search", query="kubernetes", agent="codex")


def test_an_empty_memory_says_how_it_is_filled(served: Served) -> None:
    """And asking it leaves nothing behind."""
    assert "noctuary import" in served("session_search")
    assert "noctuary import" in served("session_search", query="redis")
    assert not served.keeper.serving.settings.home.exists()


def test_filters_narrow_the_search(shop: Served) -> None:
    """By agent, project, time, role, and what was seen already."""
    found: dict[str, list[str]] = {
        name: sessions_in(shop("session_search", query="redis", **{name: value}))
        for name, value in {
            "agent": "codex",
            "project": "shop",
            "after": "2026-04-01",
            "before": "2026-04-01",
            "exclude_sessions": ["aaaa-1"],
            "role": "assistant",
        }.items()
    }

    assert found == {
        "agent": ["bbbb-2"],
        "project": ["aaaa-1"],
        "after": ["bbbb-2"],
        "before": ["aaaa-1"],
        "exclude_sessions": ["bbbb-2"],
        "role": ["bbbb-2"],
    }


def test_hits_can_be_sorted_by_time(shop: Served) -> None:
    """Newest or oldest first, instead of best."""
    assert sessions_in(shop("session_search", query="redis", sort="newest")) == ["bbbb-2", "aaaa-1"]
    assert sessions_in(shop("session_search", query="redis", sort="oldest")) == ["aaaa-1", "bbbb-2"]


def test_a_session_and_words_search_within_it(shop: Served) -> None:
    """Both together mean more than either: the messages of that session that answer."""
    answer = shop("session_search", session_id="aaaa", query="sqlite")

    assert sessions_in(answer) == ["aaaa-1"]
    assert {"message 3", "message 4"} <= set(re.findall(r"message \d", answer))


def test_a_session_and_a_message_scroll(shop: Served) -> None:
    """So many messages before and after it, by count, with what is beyond."""
    answer = shop("session_search", session_id="aaaa-1", around=2, window=1)

    assert messages_in(answer) == [1, 2, 3]
    assert "[2] assistant 2026-03-02 09:01 ← the message asked for" in answer
    assert "1 message after: around=3" in answer
    assert "before" not in answer


def test_a_message_wins_over_words(shop: Served) -> None:
    """What is more particular is what is meant."""
    assert messages_in(shop("session_search", session_id="aaaa-1", around=1, window=0, query="redis")) == [1]


def test_a_session_alone_is_read(shop: Served) -> None:
    """All of a short one, with who said what and when."""
    answer = shop("session_search", session_id="aaaa-1")

    assert messages_in(answer) == [1, 2, 3, 4]
    assert all(text in answer for text in TALK)


def test_a_long_session_is_read_from_both_ends(served: Served) -> None:
    """How it began and how it ended, and where to go on in between."""
    served.keep("long-1", [f"turn {number}" for number in range(1, 101)])
    answer = served("session_search", session_id="long-1", limit=9)

    assert messages_in(answer) == [1, 2, 3, 4, 5, 6, 98, 99, 100]
    assert "91 messages left out here" in answer
    assert "around=11" in answer


def test_reading_can_be_of_one_role(served: Served) -> None:
    """What the user said, without what tools gave."""
    served.keep("talk-1", ["one", "two", output("three"), "four", "five"])

    assert messages_in(served("session_search", session_id="talk-1", role="user")) == [1, 5]
    assert messages_in(served("session_search", session_id="talk-1", around=3, role="user")) == [1, 3, 5]


def test_nothing_lists_the_latest_sessions(shop: Served) -> None:
    """By last activity, with title, agent, project, size and id."""
    answer = shop("session_search")

    assert sessions_in(answer) == ["bbbb-2", "cccc-3", "aaaa-1"]
    assert "2026-05-01 09:01 · Cache · codex · api · 2 messages · session bbbb-2" in answer
    assert sessions_in(shop("session_search", agent="codex")) == ["bbbb-2"]
    assert sessions_in(shop("session_search", exclude_sessions=["bbbb"], limit=1)) == ["cccc-3"]
    assert sessions_in(shop("session_search", sort="oldest", limit=2)) == ["cccc-3", "bbbb-2"]
    assert "complete answer" in shop("session_search", agent="cursor")


def test_the_session_one_is_in_is_left_out_unless_it_is_named(shop: Served) -> None:
    """An agent that finds its own words takes them for a second witness."""
    within = Served(Keeper(shop.keeper.serving._replace(session="aaaa-1")))

    assert sessions_in(within("session_search", query="redis")) == ["bbbb-2"]
    assert sessions_in(within("session_search")) == ["bbbb-2", "cccc-3"]
    assert sessions_in(within("session_search", query="redis", session_id="aaaa-1")) == ["aaaa-1"]
    assert "session_id aaaa-1 searches it" in within("session_search", query="xylophone")
    within.keeper.close()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"around": 3}, "around is the id of a message in a session: give its session_id, too."),
        ({"session_id": "nope"}, "There is no session 'nope'"),
        ({"session_id": "aaaa-1", "around": 99}, "Session aaaa-1 has no message 99"),
        ({"session_id": "aaaa-1", "around": -3}, "Session aaaa-1 has no message 0"),
        ({"query": "redis", "after": "last tuesday"}, "'last tuesday' is not a time; write 2026-05-01"),
        ({"query": "redis", "role": "robot"}, "role of session_search is one of user, assistant, tool, system"),
        ({"query": "redis", "sort": "best"}, "sort of session_search is one of relevance, newest, oldest"),
        ({"query": {"text": "redis"}}, "query of session_search is a text, not an object"),
        ({"q": "redis"}, "session_search has no argument 'q'; it has query, session_id"),
    ],
)
def test_bad_arguments_are_answered_with_the_right_form(shop: Served, arguments: dict[str, Any], sentence: str) -> None:
    """A model that reads the sentence can do it right the next time."""
    assert sentence in shop.refused("session_search", **arguments)


MONSTERS = [
    "x" * 100_000,
    "word " * 12_000,
    "</noctuary-recalled>" * 2_000,
    "<" * 30_000,
    "\u202e\u200b" * 15_000 + "monster",
    "line\n" * 10_000,
    "支付服务" * 8_000,
]
BUDGETS = {"brief": 3_000, "normal": 8_000, "full": 20_000}


@pytest.fixture
def monstrous(served: Served) -> Served:
    """Sessions of enormous messages, with enormous titles and names."""
    for number in range(6):
        said: list[str | Message] = [
            one if place % 2 else output(f"monster {one}") for place, one in enumerate(MONSTERS)
        ]
        facts = {"title": "monster " * 2_000, "project": "/home/" + "deep" * 1_000, "agent": "agent" * 400}
        served.keep(f"bbbb-{number}", ["monster", *said, "monster"], **facts)
    return served


def test_every_shape_keeps_its_budget(monstrous: Served) -> None:
    """However long messages, titles and names are, and however much is asked for."""
    shapes: list[dict[str, Any]] = [
        {"query": "monster", "limit": 20},
        {"query": "monster word", "session_id": "bbbb-1", "limit": 20},
        {"session_id": "bbbb-1", "around": 4, "window": 200},
        {"session_id": "bbbb-1", "limit": 1_000},
        {"limit": 1_000},
        {"query": "x" * 100_000},
    ]
    lengths = {
        (detail, number): len(monstrous("session_search", detail=detail, **shape))
        for detail in BUDGETS
        for number, shape in enumerate(shapes)
    }

    assert {key: length for key, length in lengths.items() if length > BUDGETS[key[0]]} == {}


def test_the_last_hit_has_room_as_well(monstrous: Served) -> None:
    """The first must not eat the budget of the others: each has its session and message to read on."""
    answer = monstrous("session_search", query="monster", limit=20)

    assert len(re.findall(r"session bbbb-\d message \d+ · ", answer)) == 6
    assert "cut here" not in answer


def test_the_message_asked_for_is_cut_last(served: Served) -> None:
    """One that is scrolled to may be longer than its neighbours together."""
    noise = [output("noise " * 5_000)] * 10
    served.keep("bbbb-1", [*noise, "needle " * 100, *["noise " * 900] * 10], title="t")
    answer = served("session_search", session_id="bbbb-1", around=11, window=10)

    assert answer.count("needle") == 100


def test_words_of_the_user_outweigh_output(served: Served) -> None:
    """What tools gave is cut shorter than what was said."""
    served.keep("bbbb-1", ["spoken " * 150, Message(Role.TOOL, "printed " * 150, tool_name="Bash")], title="t")
    answer = served("session_search", session_id="bbbb-1")

    assert answer.count("spoken") == 150
    assert answer.count("printed") < 60
