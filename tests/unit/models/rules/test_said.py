"""What the agent said."""

import pytest

from noctuary.authored import EventType, Trust
from noctuary.records import Message
from tests.unit.models.rules.talking import agent, call, found, result, texts, thought, types, user

NAMES = [f"{one}{two}o" for one in "bcdfgl" for two in "ramis"]
TASK = user("Fix the export of the shop")
RUN = (call("Bash", "npm test"), result("Bash", "ok"))
WRITTEN = (call("Edit", "file_path: a.py"), result("Edit", "done"))


def kinds(*messages: Message) -> list[EventType]:
    return types(TASK, *messages)


def test_an_answer_says_what_was_done() -> None:
    """What introduces a list is said with it."""
    answer = (
        "Fixed the export of large shops.\n\n- Rows are written as they come, instead of all at once\n- Added a test"
    )

    [proposal] = found(TASK, *WRITTEN, agent(answer))

    assert proposal.type is EventType.DECISION
    assert proposal.text.startswith("Fixed the export of large shops. Rows are written as they come")
    assert proposal.messages[0].quote == answer
    assert proposal.trust is Trust.AGENT


def test_the_cause_of_a_fault_is_found_where_it_was_said() -> None:
    """Amid the work, without what is announced."""
    said = "I found the root cause: the writer holds `rows` in memory. I'll stream them now."

    [proposal] = found(TASK, agent(said), *WRITTEN, agent("Done."))

    assert proposal.type is EventType.FINDING
    assert proposal.text == "I found the root cause: the writer holds `rows` in memory."


def test_thoughts_are_not_read() -> None:
    """What was worth keeping of them was said."""
    assert (
        texts(TASK, thought("The root cause is `rows`, because it is sorted; I decided to stream instead of it.")) == []
    )


def test_evidence_needs_something_that_ran() -> None:
    """Who talks about tests has not run them."""
    said = agent("## Verification\n- All 42 tests of `shop` passed, and the build passes again")

    assert kinds(*RUN, said) == [EventType.EVIDENCE]
    assert EventType.EVIDENCE not in kinds(said)


def test_headings_tell_what_stands_below_them() -> None:
    """Where words leave it open."""
    body = "the export of `shop` takes half an hour on a small machine"

    assert kinds(agent(f"## Cause\n- {body} because it sorts")) == [EventType.FINDING]
    assert kinds(*WRITTEN, agent(f"## What changed\n- {body}, which was rewritten so that it streams")) == [
        EventType.DECISION
    ]


def test_what_an_agent_explains_is_no_rule() -> None:
    """It says "must" of how things are."""
    said = agent("The token must be sent with each request, and the server never caches it in `session.py`.")

    assert types(user("why does the login fail?"), said) == [EventType.FINDING]


def test_guesses_are_hypotheses() -> None:
    """Whatever they are about."""
    assert kinds(*RUN, agent("The test `export` is likely flaky, probably since it might be run in parallel.")) == [
        EventType.HYPOTHESIS
    ]


def test_no_to_a_question_is_a_rejection() -> None:
    """What was proposed is turned down."""
    answer = agent("No, the shop keeps nothing between requests, so a cache would just be one more thing to run.")

    assert types(user("shouldn't we add redis?"), answer) == [EventType.REJECTION]


def test_the_answer_to_a_question_stands_first() -> None:
    """It is kept though no word of it announces anything."""
    assert texts(
        user("what is the export limited by?"), agent("It is the size of the heap of the worker process.")
    ) == ["It is the size of the heap of the worker process."]


def test_what_the_user_agrees_to_is_decided() -> None:
    """The proposal and the agreement are cited."""
    proposal = agent("I recommend SQLite for the queue: it needs no server, and one process writes to it anyway.")

    [decided] = found(user("Plan the queue for the shop"), proposal, user("ok"))

    assert decided.type is EventType.DECISION
    assert [ref.id for ref in decided.messages] == [2, 3]


def test_of_many_statements_each_counts_less() -> None:
    """A long essay is no list of decisions."""
    parts = [
        f"## {name}\n- {name} {name}a {name}b was added to {name}c {name}d {name}e in it as it is" for name in NAMES
    ]
    few, many = "\n\n".join(parts[:4]), "\n\n".join(parts)

    assert len(texts(TASK, *WRITTEN, agent(few))) == 4
    assert texts(TASK, *WRITTEN, agent(many)) == []


def test_what_rests_on_the_web_is_not_trusted_as_the_agents_own() -> None:
    """A page may say anything."""
    said = agent("The service is slow because it is only hosted in one region, and does not support others.")

    [proposal] = found(user("Find out about it"), call("WebSearch", "x"), result("WebSearch", "y"), said)

    assert proposal.trust is Trust.WEB


@pytest.mark.parametrize(
    "said",
    [
        "The README says that the shop is always shipped with `./ship.sh` instead of make, because CI is deprecated.",
        "The last commit message states: we decided to push to main instead of asking because reviews are slow.",
        "According to the vendor, requests fail because the token is missing in the header of the call.",
        "From NOTES.md: the loader in `pack.py` defaults to all fonts, because nobody set FONTS.",
        "> The root cause is that the shop uses `cache.py` instead of the database, because it was missing.",
    ],
)
def test_what_an_agent_reads_aloud_is_not_its_own_finding(said: str) -> None:
    """Whoever wrote the text is no witness, whatever it was read with."""
    [proposal] = found(user("What is it about?"), call("Read", "x"), result("Read", "y"), agent(said))

    assert proposal.trust is Trust.TOOL


def test_what_tools_show_is_not_mined() -> None:
    """Neither files nor pages, whatever they say."""
    rule = "You must always use tabs, never spaces. We decided to use SQLite instead of Redis because of the cost."

    assert (
        texts(TASK, call("Read", "rules.md"), result("Read", rule), call("Bash", "cat x"), result("Bash", rule)) == []
    )


@pytest.mark.parametrize("text", ["", "   ", "```", "Ok.", "✅", "\ud800", "|---|", "a" * 100_000])
def test_odd_answers_say_nothing(text: str) -> None:
    """And break nothing."""
    assert texts(TASK, agent(text)) == []


@pytest.mark.parametrize(
    "said",
    [
        "My instructions are the cause: the system prompt says that I must ask before I change `export.py`.",
        "I was told to use tabs instead of spaces in `export.py`, because the linter does not support them.",
    ],
)
def test_what_an_agent_says_of_its_orders_is_not_kept(said: str) -> None:
    """They hold for the agent, and not for the work."""
    assert texts(TASK, agent("Done."), user("why do you ask so often?"), agent(said)) == []


def test_who_agrees_to_a_guess_takes_nothing_back() -> None:
    """Who was asked whether something is so was not corrected, unless it owns up."""
    before = (TASK, agent("Done."), user("is it the lock? tell me"))
    yes = "You're right, the export waits for the lock that `cron.py` holds because it is never released."

    assert EventType.CORRECTION not in types(*before, agent(yes))
    assert EventType.CORRECTION in types(*before, agent(f"I was wrong and my mistake was big. {yes}"))
