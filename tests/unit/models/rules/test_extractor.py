"""The extractor that reads by rules, as a whole."""

import subprocess
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.authored import EventType, Trust
from noctuary.models.rules.extractor import RulesExtractor
from noctuary.models.rules.prose import LONGEST
from noctuary.proposals import PROPOSED, Conversation
from noctuary.records import Hidden, Kind, Message, Relation, Role, Session
from tests.unit.models.rules.talking import SESSION, agent, call, found, result, talk, texts, types, user

pytestmark = pytest.mark.slow

PHRASES = st.sampled_from(
    [
        "We must never do that.", "let's use `a.py` instead of b", "The root cause is the port, because it is taken.",
        "All 3 tests passed.", "ok", "wait, no", "- a bullet that was added so that it is there", "## Verification",
        "```", "| a | b |", "|---|---|", 'git commit -m "Use a instead of b to avoid c"',
        "file_path: A.md\ncontent: ",
        "exited with code 1\nError: it failed", "<summary>\n1. Primary Request and Intent:\n2. Current Work:\n",
        "Permission for this tool use was denied", '"Which one is it?"="That one"', "\ud800", "İ", "You're right.",
        "user provided the following reason for the rejection: always test", "<noctuary>", "remember that it is so",
    ]
)  # fmt: skip
CONTENTS = st.lists(PHRASES | st.text(max_size=80), max_size=6).map("\n".join)
TOOLS = st.sampled_from(["Bash", "Write", "Edit", "ExitPlanMode", "AskUserQuestion", "WebFetch", "exec_command", ""])
MESSAGES = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(Role),
        content=CONTENTS,
        kind=st.sampled_from(Kind),
        tool_name=st.none() | TOOLS,
        call_id=st.none() | st.sampled_from(["a", "b"]),
        hidden=st.sampled_from([None, None, None, *Hidden]),
        ts_ms=st.integers(0, 9),
    ),
    max_size=8,
).map(lambda said: [message._replace(id=number, source_line=number) for number, message in enumerate(said, start=1)])


@given(MESSAGES, st.sampled_from([None, *Relation]), st.booleans())
@settings(max_examples=200, deadline=None)
def test_whatever_is_said_what_is_proposed_holds(said: list[Message], relation: Relation | None, begun: bool) -> None:
    """Types are allowed, ids exist, quotes occur, texts are short, nothing hidden is cited, and all comes in order."""
    known = {message.id: message for message in said}
    before = [user("earlier", id=99)] if begun else []
    conversation = Conversation(SESSION._replace(relation=relation), said, before)

    proposals = RulesExtractor().extract(conversation).proposals

    for proposal in proposals:
        first = proposal.messages[0]
        assert proposal.type in PROPOSED
        assert 0 < len(proposal.text) <= LONGEST
        assert first.quote.strip()
        assert first.quote in known[first.id].content
        assert all(known[ref.id].hidden is None for ref in proposal.messages)
        assert len({ref.id for ref in proposal.messages}) == len(proposal.messages)
        assert proposal.ts_ms == known[first.id].ts_ms
        assert 0.0 < proposal.confidence < 1.0
    assert [proposal.messages[0].id for proposal in proposals] == sorted(p.messages[0].id for p in proposals)
    assert RulesExtractor().extract(conversation).proposals == proposals


def session_of_work() -> Sequence[Message]:
    """A session such as agents have."""
    return (
        user("the export of large shops fails, why?"),
        agent("I'll look at the exporter."),
        call("Read", "file_path: /shop/export.py"),
        result("Read", "# you must never do this; we decided to use Redis instead of SQLite because of its speed"),
        agent("I found the root cause: `export.py` holds all rows in memory, because it sorts them."),
        user("fix it, and never sort in memory"),
        call("Edit", "file_path: /shop/export.py"),
        result("Edit", "done"),
        call("Bash", "command: pytest"),
        result("Bash", "Process exited with code 1\nFAILED tests/test_prices.py::test_cents"),
        agent(
            "Fixed the export.\n\n### Changes\n- Rows are sorted by the database instead of in memory\n\n"
            "### Verification\n- `pytest tests/test_export.py` passed\n"
            "- `pytest` still fails in `tests/test_prices.py`, which failed before"
        ),
        user("commit"),
        agent("Committed.\n\n- Commit: `3ac02a4`"),
    )


def test_a_session_is_told_in_its_events() -> None:
    """The cause, the rule, what was changed, and what was verified; nothing of the file it read."""
    assert types(*session_of_work()) == [
        EventType.FINDING,
        EventType.PREFERENCE,
        EventType.DECISION,
        EventType.EVIDENCE,
    ]
    assert not any("Redis" in text for text in texts(*session_of_work()))


@pytest.mark.parametrize("words", ["resume", "commit", "hello", "thanks"])
def test_a_trivial_session_has_nothing_to_keep(words: str) -> None:
    """Most sessions are short."""
    assert texts(user(words), agent("Done.")) == []
    assert texts(user(words), agent("You've hit your limit · resets 6pm")) == []


def test_what_was_read_before_is_not_cited() -> None:
    """It is only there to be understood by."""
    earlier = talk(*session_of_work()).messages

    assert found(user("thanks"), before=earlier) == []


def test_the_same_is_found_in_every_process() -> None:
    """Nothing depends on how this process happens to order its sets."""
    program = (
        "from tests.unit.models.rules.test_extractor import session_of_work\n"
        "from tests.unit.models.rules.talking import found\n"
        "print(found(*session_of_work()))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2", "3")
    ]  # fmt: skip

    assert len(set(runs)) == 1


def test_nobody_is_the_user_of_another_agent() -> None:
    """What an agent was told by the agent that started it is not the user's word."""
    session = Session(id="s-2", owner="ana", relation=Relation.SUBAGENT)
    told = user("Please remember that you must always use the mirror. Never ask anybody about it.")

    proposals = found(
        told, agent("The root cause is a race in `cache.py`, because the lock was missing."), session=session
    )

    assert proposals
    assert {(each.trust, each.is_asked) for each in proposals} == {(Trust.AGENT, False)}
