"""From which message on an agent knew what memory holds."""

import pytest

from noctuary.dream.echoes import first_recalled
from noctuary.dream.life.completing import end_session
from noctuary.dream.night import Night
from noctuary.dream.run import dream
from noctuary.dreams import Trigger
from noctuary.fences import fenced
from noctuary.records import Hidden, Kind, Message, Role
from tests.unit.dream.nights import add_session
from tests.unit.dream.proposing import memories
from tests.unit.dream.reading_by_script import Verbatim

FACT = "The build is slow because the loader in `pack.py` reads all fonts."


def call(tool: str, text: str, calls: str = "{}") -> Message:
    return Message(Role.ASSISTANT, text, Kind.TOOL_CALL, tool_name=tool, tool_calls=calls, call_id="c")


def result(tool: str, text: str) -> Message:
    return Message(Role.TOOL, text, Kind.TOOL_RESULT, tool_name=tool, call_id="c")


SHOWN = [
    call("mcp__noctuary__search", "fonts"),
    call("Bash", "noctuary search fonts"),
    call("Bash", "", '{"command": "cd /srv && noctuary search fonts"}'),
    call("Read", "/home/ana/.noctuary/memory/ana/shop/MEMORY.md"),
    call("Read", "/home/ana/.noctuary/memory/ana/shop/topics/fonts.md"),
    result("Bash", "- The build is slow. (2026-03-01) [m-aaaa1111bb]"),
    Message(Role.USER, fenced("- The build is slow.")),
    Message(Role.USER, "- The build is slow.", hidden=Hidden.RECALLED),
]


@pytest.mark.parametrize("message", SHOWN)
def test_what_shows_memory(message: Message) -> None:
    """Tools, commands, pages and briefs of ours."""
    messages = [Message(Role.USER, "Hello", id=3), message._replace(id=4), message._replace(id=5)]

    assert first_recalled(messages) == 4


@pytest.mark.parametrize(
    "message",
    [
        call("Read", "docs/IN_MEMORY.md"),
        call("Bash", "ls noctuary-web"),
        call("Read", "web/topics/index.html"),
        Message(Role.USER, "Shall we install Noctuary?"),
        Message(Role.ASSISTANT, "I would write it to MEMORY.md."),
    ],
)
def test_what_only_looks_like_it(message: Message) -> None:
    """To speak of memory is not to be shown it."""
    assert first_recalled([message._replace(id=1)]) is None


@pytest.mark.parametrize("shown", SHOWN)
def test_an_agent_that_repeats_what_it_was_shown_is_no_second_voice(night: Night, shown: Message) -> None:
    """Its word counts once, however often memory gives it back."""
    add_session(night, "s-0", "Why is the build slow?", FACT)
    for number in range(1, 4):
        at = night.now_ms() - 1_000 * (4 - number)
        said = (Message(Role.USER, "What do we know?", ts_ms=at), shown._replace(ts_ms=at + 1))
        add_session(night, f"s-{number}", *said, Message(Role.ASSISTANT, FACT, ts_ms=at + 2))
    for number in range(4):
        end_session(night, f"s-{number}")

    dream(night, Verbatim(), trigger=Trigger.MANUAL)

    held = [memory for memory in memories(night) if memory.text == FACT]
    assert [memory.facts["support"] for memory in held] == [1]


def test_an_agent_that_finds_it_again_is_a_second_voice(night: Night) -> None:
    """Nobody told it."""
    for number in range(3):
        add_session(night, f"s-{number}", "Why is the build slow?", FACT)
        end_session(night, f"s-{number}")

    dream(night, Verbatim(), trigger=Trigger.MANUAL)

    held = [memory for memory in memories(night) if memory.text == FACT]
    assert [memory.facts["support"] for memory in held] == [3]


def test_ids_of_memories_are_seen_also_where_nobody_names_us() -> None:
    """Who knows that no content names us need not have our name looked for; a line of ours is known by its id."""
    shown = result("Bash", "- The build is slow. (2026-03-01) [m-aaaa1111bb]")
    assert first_recalled([shown._replace(id=1)], may_name_us=False) == 1
