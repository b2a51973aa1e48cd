"""What programs hand to `Memory` is kept, and what it repeats of ours is never found again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.fences import fenced
from noctuary.records import Kind, Message, Role, Session
from noctuary.testing import FakeClock

TOLD = fenced("- Feed the quokka. [m-9k2x4z7abc]")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory."""
    with Memory.open(tmp_path / "memory", owner="ana", user_home=tmp_path, clock=FakeClock()) as memory:
        yield memory


def shown(memory: Memory, session: str) -> list[str]:
    """What a reader of the session sees."""
    return [each.content for each in memory.show(session).messages]


def test_what_we_told_is_not_heard_again(memory: Memory) -> None:
    """A prompt that carries what memory had added is kept in two parts, of which one is hidden and found by nothing."""
    first = memory.append("s-1", Message(Role.USER, "Hello"))
    second = memory.append("s-1", Message(Role.USER, f"{TOLD}\nWhat about the wombat?"))
    third = memory.append("s-1", Message(Role.ASSISTANT, "It sleeps."))

    assert first < second < third
    assert shown(memory, "s-1") == ["Hello", "What about the wombat?", "It sleeps."]
    assert not memory.search("quokka").hits
    assert memory.search_messages("wombat").hits[0].anchor.id == second


def test_of_a_whole_conversation_each_message_has_its_id(memory: Memory) -> None:
    """However many parts a message is kept in, there is one id for each that was given, and it is that of the words."""
    given = [
        Message(Role.USER, f"{TOLD}\nWhat about the wombat?"),
        Message(Role.TOOL, "The quokka sleeps.", Kind.TOOL_RESULT, tool_name="mcp__noctuary__session_search"),
        Message(Role.ASSISTANT, "It sleeps."),
    ]

    ids = memory.add_session(Session(id="s-1", title="Animals"), given)

    assert len(ids) == 3
    assert memory.show("s-1", around=ids[2], window=0).messages[0].content == "It sleeps."
    assert shown(memory, "s-1") == ["What about the wombat?", "It sleeps."]
    assert not memory.search("quokka").hits
    assert memory.add_session(Session(id="s-1"), []) == []
