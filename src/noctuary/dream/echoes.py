"""Since when an agent knew in a session what memory holds: what it says of it from then on is an echo.

An agent that calls a tool or a command of ours, opens a page of ours, or was given a brief may repeat a line of it in
its own name.  That another session says so then tells nothing.
"""

import re
from collections.abc import Iterable, Sequence

from noctuary.fences import is_echo
from noctuary.records import Hidden, Kind, Message

_CALL = Kind.TOOL_CALL  # to ask an enum for a member takes longer than to compare with it
_OURS = "noctuary"
_NAMED = ("octuary", "NOCTUARY")
_SHOWN = re.compile(r"\[(?:[me]-|recalled)")
_ECHOED = (*_NAMED, "[m-", "[e-", "[recalled")  # one is in all that is ours
_OPENED = ("MEMORY.md", "topics/")  # one is in each call that opens a page of ours
_COMMAND = re.compile(r"(?:^|[\s\"'`;&|(/])noctuary\s+[a-z-]", re.MULTILINE)
_PAGE = re.compile(r"(?<![\w.-])MEMORY\.md\b|\bmemory/\S*topics/")


def first_recalled(messages: Iterable[Message], *, may_name_us: bool = True) -> int | None:
    """The first of the messages by which the agent saw what memory holds, by its id; None if there is none.

    `may_name_us` is false if it is known that our name is in no content of theirs.
    """
    given = [*messages]
    if not _may_show(given, may_name_us=may_name_us):
        return None
    return next((message.id for message in given if _shows_memory(message)), None)


def _may_show(messages: Sequence[Message], *, may_name_us: bool) -> bool:
    """Whether any of them can show memory; most conversations cannot, and to see that of all at once is quick."""
    if Hidden.RECALLED in {message.hidden for message in messages}:
        return True
    if _OURS in "\n".join({message.tool_name or "" for message in messages}).lower():
        return True
    contents = [message.content for message in messages]
    called = [message.tool_calls for message in messages if message.tool_calls]
    if any(map(_SHOWN.search, [text for text in (*contents, *called) if "[" in text])):
        return True
    if _is_any_in(_NAMED, called) or (may_name_us and _is_any_in(_NAMED, contents)):
        return True
    calls = [message for message in messages if message.kind is _CALL]
    return _is_any_in(_OPENED, [text for message in calls for text in (message.content, message.tool_calls) if text])


def _is_any_in(marks: Sequence[str], texts: Sequence[str]) -> bool:
    return True in [mark in text for mark in marks for text in texts]  # quicker than `any`: mostly all are looked at


def _shows_memory(message: Message) -> bool:
    if message.hidden is Hidden.RECALLED or _OURS in (message.tool_name or "").lower():
        return True
    texts = [text for text in (message.content, message.tool_calls) if text]
    marks = (*_ECHOED, *_OPENED) if message.kind is Kind.TOOL_CALL else _ECHOED
    if not any(mark in text for text in texts for mark in marks):  # few have any, and to see that is quick
        return False
    if message.kind is Kind.TOOL_CALL and any(_COMMAND.search(text) or _PAGE.search(text) for text in texts):
        return True
    return any(is_echo(text) for text in texts)
