"""What every recall backend promises about keeping: sessions, messages, order, and whose they are.

`test_recall_search.py`, `test_recall_query.py` and `test_recall_owners.py` hold what it promises about finding.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from noctuary.recall.contract import MOST_WINDOW, RecallStore
from noctuary.records import Hidden, Kind, Message, Relation, Role, Session, Status, TitleSource
from tests.contract.building import (
    DAY,
    MINUTE,
    NOW,
    OWNER,
    Backend,
    best,
    find,
    first_message,
    named,
    say,
    search,
    session_of,
    tell,
    window_ids,
)


def test_contract(recall: RecallStore) -> None:
    """Append, search, scroll and recent work together; another owner and a blank query find nothing."""
    tell(recall, "auth", "Plan the auth refactor", say("Start with the tokens", Role.ASSISTANT), "Good", start=NOW)
    tell(recall, "other", "Bake bread", start=NOW - DAY)

    found = search(recall, "auth refactor")
    assert [hit.session.id for hit in found.hits] == ["auth"]
    assert ">>>" in found.hits[0].snippet
    assert window_ids(recall, "auth", 2, 1) == [1, 2, 3]
    assert [session.id for session in recall.recent(OWNER)] == ["auth", "other"]
    assert not search(recall, "auth refactor", owner="bob").hits
    assert not recall.recent("bob")
    assert recall.scroll("bob", "auth", 2, 1) is None
    assert not search(recall, "").hits


def test_a_message_comes_back_as_it_was_given(recall: RecallStore) -> None:
    """Every field of a message survives; only its id is new."""
    given = Message(
        role=Role.TOOL,
        kind=Kind.TOOL_RESULT,
        content="line one\nline two\r\n\ttab “quoted” \\ / 支付 \u2028 \x1b[0m",
        ts_ms=NOW,
        tool_name="Bash",
        tool_calls='[{"name": "Bash", "input": {"command": "ls"}}]',
        call_id="call_1",
        source_line=7,
    )

    recall.append(OWNER, "s", given)

    assert first_message(recall, "s") == given._replace(id=1)


def test_a_session_comes_back_as_it_was_given(recall: RecallStore) -> None:
    """Every fact of a session survives."""
    given = Session(
        id="s",
        agent="codex",
        project="/home/ana/shop",
        title="Tax rounding",
        title_source=TitleSource.GIVEN,
        cwd="/home/ana/shop/src",
        branch="main",
        model="gpt",
        parent="p",
        relation=Relation.FORK,
        source="cli",
        source_path="/home/ana/.codex/s.jsonl",
        started_ms=NOW - MINUTE,
        ended_ms=NOW,
    )
    recall.ensure_session(OWNER, given)

    tell(recall, "s", "How is tax rounded?", start=NOW)

    assert session_of(recall, "s") == given._replace(
        owner=OWNER, message_count=1, preview="How is tax rounded?", last_ms=NOW
    )


def test_ids_count_from_one_in_each_session(recall: RecallStore) -> None:
    """Sessions that are written in turns have ids of their own, without gaps."""
    ids = [(recall.append(OWNER, "a", say("x")), recall.append(OWNER, "b", say("y"))) for _ in range(4)]

    assert ids == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_append_without_ensure_session_lands(recall: RecallStore) -> None:
    """A session not known before is made, and begins with the message."""
    assert recall.append(OWNER, "new", say("hello there", ts_ms=NOW)) == 1

    session = session_of(recall, "new")
    assert (session.started_ms, session.last_ms, session.message_count) == (NOW, NOW, 1)
    assert find(recall, "hello there") == ["new"]


def test_ensure_session_twice_is_once(recall: RecallStore) -> None:
    """Making a session known again changes nothing."""
    named(recall, "s", "hello", title="First", agent="codex", branch="main", model="m")
    before = session_of(recall, "s")

    recall.ensure_session(OWNER, Session(id="s", title="Second", agent="other"))
    recall.ensure_session(OWNER, Session(id="s"))

    assert session_of(recall, "s") == before
    assert len(recall.recent(OWNER)) == 1


def test_ensure_session_fills_in_what_was_missing(recall: RecallStore) -> None:
    """Facts that come later are added to those known before; the title is searchable from then on."""
    tell(recall, "s", "hello")

    recall.ensure_session(OWNER, Session(id="s", project="/code/shop", agent="codex"))
    recall.ensure_session(OWNER, Session(id="s", title="Greeting", project="/code/elsewhere"))

    session = session_of(recall, "s")
    assert (session.project, session.agent, session.title) == ("/code/shop", "codex", "Greeting")
    assert session.message_count == 1


def test_appending_leaves_the_facts_alone(recall: RecallStore) -> None:
    """A message changes counts and times, not what is known of the session."""
    named(recall, "s", "one", status=Status.ENDED, branch="main", model="m")

    tell(recall, "s", "two")

    session = session_of(recall, "s")
    assert (session.status, session.branch, session.model) == (Status.ENDED, "main", "m")


def test_recent_is_by_last_activity(recall: RecallStore) -> None:
    """The session something was said in last comes first, whenever it began."""
    tell(recall, "old but busy", "begin", start=NOW - 30 * DAY)
    tell(recall, "young", "begin", start=NOW - 2 * DAY)
    tell(recall, "old but busy", "go on", start=NOW - DAY)

    assert [session.id for session in recall.recent(OWNER)] == ["old but busy", "young"]


def test_recent_says_what_a_session_is_about(recall: RecallStore) -> None:
    """Title, beginning of the first prompt and number of messages are enough to choose by."""
    named(recall, "s", say("ls output", Role.TOOL), "  Why is\nthe test  flaky? " + "x" * 500, title="Flaky")

    session = recall.recent(OWNER)[0]
    assert (session.title, session.message_count) == ("Flaky", 2)
    assert session.preview is not None
    assert session.preview.startswith("Why is the test flaky? xxx")
    assert len(session.preview) <= 120


def test_recent_leaves_out_sessions_without_messages(recall: RecallStore) -> None:
    """A session in which nothing was said is not worth a line."""
    recall.ensure_session(OWNER, Session(id="empty", title="Nothing yet"))

    assert list(recall.recent(OWNER)) == []


@pytest.mark.parametrize(("limit", "count"), [(-1, 0), (0, 0), (1, 1), (2, 2), (10**9, 3)])
def test_recent_is_limited(recall: RecallStore, limit: int, count: int) -> None:
    """At most as many as asked for; none for nothing."""
    for name in "abc":
        tell(recall, name, "hello")

    assert len(recall.recent(OWNER, limit)) == count


@pytest.mark.parametrize(
    ("around", "window", "ids", "before", "after"),
    [
        (5, 2, [3, 4, 5, 6, 7], 2, 3),
        (1, 2, [1, 2, 3], 0, 7),
        (10, 2, [8, 9, 10], 7, 0),
        (5, 0, [5], 4, 5),
        (5, -3, [5], 4, 5),
        (5, 10**9, list(range(1, 11)), 0, 0),
    ],
)
def test_scroll(recall: RecallStore, around: int, window: int, ids: list[int], before: int, after: int) -> None:
    """The message, its neighbours, and how many there are beyond them."""
    tell(recall, "s", *map(str, range(1, 11)))

    shown = recall.scroll(OWNER, "s", around, window)
    assert shown is not None
    assert ([m.id for m in shown.messages], shown.before, shown.after) == (ids, before, after)


def test_a_window_has_a_greatest_size(recall: RecallStore) -> None:
    """However much is asked for, an answer has an end."""
    recall.ensure_session(OWNER, Session(id="s"))
    tell(recall, "s", *(["x"] * (2 * MOST_WINDOW + 10)))

    assert len(window_ids(recall, "s", MOST_WINDOW + 5, 10**9)) == 2 * MOST_WINDOW + 1


@pytest.mark.parametrize("around", [0, -1, 3, 10**9, 2**70])
def test_scroll_to_a_message_that_is_not_there(recall: RecallStore, around: int) -> None:
    """No such message or session is no answer, and no error."""
    tell(recall, "s", "one", "two")

    assert recall.scroll(OWNER, "s", around) is None
    assert recall.scroll(OWNER, "no such session", 1) is None


def test_windows_count_messages_when_sessions_interleave(recall: RecallStore) -> None:
    """Another session's messages in between take nothing from the window of this one."""
    for i in range(1, 16):
        tell(recall, "a", f"apple {i}", start=NOW + i)
        tell(recall, "b", f"banana {i}", start=NOW + i)

    assert window_ids(recall, "a", 8, 5) == list(range(3, 14))
    hit = best(recall, '"apple 8"')
    assert [m.id for m in hit.window] == list(range(3, 14))
    assert {m.content.split()[0] for m in hit.window} == {"apple"}


def test_hidden_messages_do_not_count(recall: RecallStore) -> None:
    """What people do not see is in no window and in no count, but keeps its id."""
    hidden = say("taken back", hidden=Hidden.REWOUND)
    tell(recall, "s", "one", hidden, hidden, "four", "five")

    assert window_ids(recall, "s", 4, 1) == [1, 4, 5]
    assert session_of(recall, "s").message_count == 3


@pytest.mark.parametrize("hidden", [Hidden.REWOUND, Hidden.RECALLED])
def test_what_was_taken_back_or_recalled_is_not_found(recall: RecallStore, hidden: Hidden) -> None:
    """Memory finds neither abandoned branches nor its own answers."""
    tell(recall, "s", "a visible pear", say("a hidden apricot", hidden=hidden))

    assert find(recall, "apricot") == []
    assert find(recall, '"hidden apricot"') == []
    assert find(recall, "pear") == ["s"]


def test_injected_text_is_found_last(recall: RecallStore) -> None:
    """What no human typed can be found, but never before what one did."""
    tell(recall, "injected", say("the apricot rule", hidden=Hidden.INJECTED), start=NOW)
    tell(recall, "typed", "the apricot rule", start=NOW - 300 * DAY)

    assert find(recall, "apricot rule") == ["typed", "injected"]


def test_a_deleted_session_is_gone(recall: RecallStore) -> None:
    """Messages, title and all that found them are removed, once; the rest stays."""
    named(recall, "gone", "secret apricot", title="Orchard")
    tell(recall, "stays", "another apricot")

    assert recall.delete_session(OWNER, "gone") is True
    assert recall.delete_session(OWNER, "gone") is False
    assert find(recall, "apricot") == ["stays"]
    assert find(recall, "orchard") == []
    assert recall.scroll(OWNER, "gone", 1) is None
    assert [session.id for session in recall.recent(OWNER)] == ["stays"]


def test_a_deleted_session_can_begin_again(recall: RecallStore) -> None:
    """A new session under an old name has nothing of the old one."""
    tell(recall, "s", "apricot", "second")
    assert find(recall, "apricot") == ["s"]
    recall.delete_session(OWNER, "s")

    assert tell(recall, "s", "cherry") == [1]
    assert find(recall, "apricot") == []
    assert find(recall, "cherry") == ["s"]


def test_a_store_survives_being_opened_again(backend: Backend) -> None:
    """What was stored is there for the next process, and goes on where it stopped."""
    named(backend.open(), "s", "apricot", title="Orchard")
    backend.close()

    reopened = backend.open()
    assert find(reopened, "apricot") == ["s"]
    assert session_of(reopened, "s").title == "Orchard"
    assert tell(reopened, "s", "next") == [2]


def test_two_instances_see_each_others_messages(backend: Backend) -> None:
    """What one writes, the other finds, also when it has searched before."""
    one, other = backend.open(), backend.open()
    tell(one, "s", "apricot")
    assert find(other, "apricot") == ["s"]

    assert tell(other, "s", "cherry") == [2]
    assert tell(one, "s", "mulberry") == [3]
    assert find(other, "mulberry") == find(one, "cherry") == ["s"]


def test_two_processes_append_at_once(backend: Backend) -> None:
    """No id is lost or given twice, however many write."""
    writers = [f"writer{i}" for i in range(3)]
    backend.open()
    command = [sys.executable, "-m", "tests.contract.building", backend.kind, str(backend.place)]
    root = Path(__file__).parents[2]
    running = [subprocess.Popen([*command, writer, "40"], cwd=root) for writer in writers]
    assert [process.wait(60) for process in running] == [0, 0, 0]

    recall = backend.open()
    shown = recall.scroll(OWNER, "shared", 60, MOST_WINDOW)
    assert shown is not None
    assert [m.id for m in shown.messages] == list(range(1, 121))
    assert len({m.content for m in shown.messages}) == 120
    assert {session.id: session.message_count for session in recall.recent(OWNER)} == {
        "shared": 120,
        **dict.fromkeys(writers, 40),
    }
    assert find(recall, "line39")[0] == "shared"
