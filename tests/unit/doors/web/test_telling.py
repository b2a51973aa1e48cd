"""Messages as the reader shows them."""

import pytest

from noctuary.doors.web.telling import told
from noctuary.records import Hidden, Kind, Message, Role


@pytest.mark.parametrize(
    ("message", "look", "is_folded"),
    [
        (Message(Role.USER, "Hi"), "user", False),
        (Message(Role.ASSISTANT, "Hi"), "assistant", False),
        (Message(Role.SYSTEM, "Hi"), "system", False),
        (Message(Role.USER, "All of it", Kind.SUMMARY), "system", False),
        (Message(Role.ASSISTANT, "Hm", Kind.THINKING), "thinking", True),
        (Message(Role.ASSISTANT, "ls", Kind.TOOL_CALL, tool_name="Bash"), "call", True),
        (Message(Role.TOOL, "a.py", Kind.TOOL_RESULT, tool_name="Bash"), "output", True),
        (Message(Role.TOOL, "a.py"), "output", True),
    ],
)
def test_what_people_say_stands_open(message: Message, look: str, is_folded: bool) -> None:
    """What tools were told and gave, and thoughts, are folded; all else is not."""
    shown = told(message)

    assert (shown.look, shown.is_folded) == (look, is_folded)
    assert not told(message, is_whole=True).is_folded


def test_who_speaks_is_named() -> None:
    """A tool by its name, the others by their part."""
    assert told(Message(Role.USER, "Hi")).who == "User"
    assert told(Message(Role.TOOL, "x", Kind.TOOL_RESULT, tool_name="Read\n\x1b[1m")).who == "Read"
    assert told(Message(Role.TOOL, "x", Kind.TOOL_RESULT)).who == "Tool"
    assert told(Message(Role.ASSISTANT, "x", Kind.THINKING)).who == "Thinking"


def test_long_messages_are_cut_and_say_so() -> None:
    """A page of many messages shows the beginning of a long one, and how much is missing; a page of its own all."""
    output = Message(Role.TOOL, "x" * 100_000, Kind.TOOL_RESULT)
    speech = Message(Role.USER, "y" * 100_000)

    assert (len(told(output).text), told(output).left_out) == (3_000, "97,000 more characters")
    assert (len(told(speech).text), told(speech).left_out) == (12_000, "88,000 more characters")
    assert (len(told(output, is_whole=True).text), told(output, is_whole=True).left_out) == (100_000, "")


def test_what_is_folded_is_told_on_a_line() -> None:
    """The first line that says something, and how much there is."""
    shown = told(Message(Role.TOOL, "\n \x1b[0m\n  first\tline \nsecond\n", Kind.TOOL_RESULT))

    assert (shown.summary, shown.size) == ("first line", "4 lines")
    assert told(Message(Role.TOOL, "abc", Kind.TOOL_RESULT)).size == "3 characters"
    assert told(Message(Role.TOOL, "", Kind.TOOL_RESULT)).summary == ""
    assert len(told(Message(Role.TOOL, "z" * 500, Kind.TOOL_RESULT)).summary) == 90


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("Chunk ID: 7f01aa\nWall time: 0.1 s\nProcess exited with code 0\nOutput:\n3 passed\n", "3 passed"),
        ("Chunk ID: 7f01aa\nProcess exited with code 1\nOutput:\nboom", "Process exited with code 1"),
        ("*** Begin Patch\n*** Update File: src/tax.py\n", "*** Update File: src/tax.py"),
        ("Chunk ID: 7f01aa\nOutput:\n", "Chunk ID: 7f01aa"),
    ],
)
def test_what_a_tool_wraps_around_is_left_out_of_the_line(content: str, line: str) -> None:
    """The line shows what came out or is changed; that a command failed is more than what it printed."""
    assert told(Message(Role.TOOL, content, Kind.TOOL_RESULT)).summary == line


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("replace_all: false\nfile_path: src/tax.py\nold_string: a", "file_path: src/tax.py"),
        ("timeout: 120000\ncommand: make test", "command: make test"),
        ("replace_all: true", "replace_all: true"),
    ],
)
def test_what_a_tool_was_told_to_do_stands_before_how(content: str, line: str) -> None:
    """The line of a call shows what it is about, and a switch or a number only if there is nothing else."""
    assert told(Message(Role.ASSISTANT, content, Kind.TOOL_CALL)).summary == line


def test_nothing_is_told_as_nothing() -> None:
    """A command that printed nothing is no riddle."""
    assert told(Message(Role.TOOL, " \n", Kind.TOOL_RESULT)).size == "nothing"


@pytest.mark.parametrize("why", list(Hidden))
def test_what_is_no_part_of_the_conversation_says_why(why: Hidden) -> None:
    """A message that nobody typed, that was taken back or quoted from here is told from the others."""
    assert told(Message(Role.USER, "Hi", hidden=why)).aside
    assert not told(Message(Role.USER, "Hi")).aside
