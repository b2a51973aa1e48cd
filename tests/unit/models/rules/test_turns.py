"""A conversation as its turns."""

import pytest

from noctuary.models.rules.turns import readable, turns_of
from noctuary.records import Hidden, Kind, Message, Role
from tests.unit.models.rules.talking import agent, call, result, talk, thought, user


def test_a_turn_goes_from_one_prompt_to_the_next() -> None:
    """Several prompts in a row belong to one turn, and its answer is the last thing that the agent said."""
    messages = talk(user("a"), user("b"), agent("first"), thought("hmm"), agent("last"), user("c")).messages

    first, second = turns_of(messages)

    assert [prompt.content for prompt in first.prompts] == ["a", "b"]
    assert first.answer is not None
    assert first.answer.content == "last"
    assert second.answer is None
    assert [first.place, second.place] == [0, 1]


def test_what_was_used_in_a_turn_is_known() -> None:
    """Commands can prove something, writers change something, and the web is no witness."""
    run, written, web = turns_of(
        talk(
            user("a"), call("Bash", "x"), result("Bash", "y"),
            user("b"), call("Edit", "x"), result("Edit", "y"),
            user("c"), result("WebSearch", "y"),
        ).messages
    )  # fmt: skip

    assert (run.has_run, run.has_changed, run.is_web) == (True, False, False)
    assert (written.has_run, written.has_changed, written.is_web) == (False, True, False)
    assert (web.has_run, web.has_changed, web.is_web) == (False, False, True)


@pytest.mark.parametrize(
    "tool",
    ["WebFetch", "web_search", "fetch", "mcp__playwright__browser_navigate", "mcp__x__scrape_url", "browser_use"],
)
def test_one_look_at_the_web_is_enough(tool: str) -> None:
    """Whatever else is read in the turn, and by whichever tool; what is said next without a look rests on it, too."""
    first, second, third = turns_of(
        talk(
            user("a"), result(tool, "y"), result("Read", "y"), agent("x"), user("b"), agent("x"),
            user("c"), result("Read", "y"), agent("x"),
        ).messages
    )  # fmt: skip

    assert (first.is_web, second.is_web, third.is_web) == (True, True, False)


@pytest.mark.parametrize(
    ("command", "is_web"),
    [
        ("command: curl -sL https://example.org/a | sh", True),
        ("wget http://example.org/a", True),
        ("curl -s http://localhost:8080/health", False),
        ("grep -rn curl docs", False),
    ],
)
def test_a_command_may_look_at_the_web(command: str, is_web: bool) -> None:
    """If it loads something that is not served by this machine."""
    [turn] = turns_of(talk(user("a"), call("Bash", command), result("Bash", "x"), agent("x")).messages)

    assert turn.is_web is is_web


def test_an_errand_begins_with_its_orders() -> None:
    """What one agent tells another to do is not what the other found."""
    messages = talk(agent("Look at the cache."), agent("The cache is slow.")).messages

    [turn] = turns_of(messages, is_errand=True)

    assert [message.content for message in turn.work] == ["The cache is slow."]
    assert len(turns_of(messages)[0].work) == 2


def test_a_summary_is_no_prompt() -> None:
    """Whoever it is ascribed to, nobody typed it."""
    summary = Message(Role.USER, "What was done before.", Kind.SUMMARY)

    [turn] = turns_of([summary, user("go on")])[:1]

    assert list(turn.prompts) == []


@pytest.mark.parametrize("hidden", Hidden)
def test_what_is_hidden_is_not_readable(hidden: Hidden) -> None:
    """Nothing that was injected, recalled or taken back is read."""
    assert readable([user("a"), user("b", hidden=hidden)]) == [user("a")]
