"""A conversation as its turns: what somebody asked, the work on it, and the answer that ended it."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from noctuary.records import Kind, Message, Role

# To ask an enum for a member takes longer than to compare with it, and this is done for every message.
TOOL_CALL, TOOL_RESULT, _TEXT, _USER, _ASSISTANT = (
    Kind.TOOL_CALL,
    Kind.TOOL_RESULT,
    Kind.TEXT,
    Role.USER,
    Role.ASSISTANT,
)
USING = frozenset({TOOL_CALL, TOOL_RESULT})
_SHELLS = frozenset(
    {"bash", "exec_command", "shell", "write_stdin", "local_shell", "run_shell_command", "exec", "terminal"}
)
_WRITERS = frozenset({"write", "edit", "multiedit", "apply_patch", "create_file", "write_file", "str_replace"})
# Names of tools that read what strangers wrote, whoever offers them: what they bring is in all that is said with it.
_WEB = re.compile(
    r"web|fetch|brows|navigat|playwright|puppeteer|selenium|chrom(?:e|ium)|https?\b|url|crawl|scrap|internet|google|bing|"
    r"duckduckgo|tavily|perplexity|firecrawl|exa_|search_engine|reddit|wikipedia"
)
_LOADED = re.compile(r"\b(?:curl|wget)\b[^\n|;&]*?https?://(?!localhost|127\.|0\.0\.0\.0|\[::1\])")


class Turn(NamedTuple):
    """From one prompt to the next."""

    prompts: Sequence[Message]  # what the user said; empty if the part that is read begins amid a turn
    work: Sequence[Message]  # all that followed, the answer too
    said: Sequence[Message] = ()  # of this what the agent said to the user; the last of it is the answer
    used: Sequence[Message] = ()  # and what it called tools for, with their results
    place: int = 0  # how many turns are before it
    has_run: bool = False  # a command answered, so that something can have been proved
    has_changed: bool = False  # a file was written
    is_web: bool = False  # some of what it rests on comes from the web
    is_errand: bool = False  # another agent wants a report

    @property
    def answer(self) -> Message | None:
        """The last thing the agent said in it."""
        return self.said[-1] if self.said else None


def readable(messages: Iterable[Message]) -> list[Message]:
    """The messages that people see: nothing injected, nothing recalled, nothing taken back."""
    return [message for message in messages if message.hidden is None]


def turns_of(messages: Sequence[Message], *, is_errand: bool = False) -> list[Turn]:
    """The turns of the conversation, in order; one that runs an errand for another agent begins with its orders."""
    if is_errand and len(messages) > 1 and is_said(messages[0]):
        messages = messages[1:]
    turns: list[Turn] = []
    prompts: list[Message] = []
    work: list[Message] = []
    for message in messages:
        if message.role is _USER and message.kind is _TEXT:
            if work:
                turns.append(_turn(prompts, work, turns))
                prompts, work = [], []
            prompts.append(message)
        else:
            work.append(message)
    if prompts or work:
        turns.append(_turn(prompts, work, turns))
    return [turn._replace(is_errand=True) for turn in turns] if is_errand else turns


def _turn(prompts: list[Message], work: list[Message], before: Sequence[Turn]) -> Turn:
    used = [message for message in work if message.kind in USING]
    tools = {(message.tool_name or "").lower() for message in used if message.kind is TOOL_RESULT}
    calls = [message for message in used if message.kind is TOOL_CALL]
    loading = [message for message in calls if "curl" in message.content or "wget" in message.content]
    is_web = any(_reads_web(tool) for tool in tools) or any(_loads(message) for message in loading)
    return Turn(
        prompts,
        work,
        said=[message for message in work if message.kind is _TEXT and is_said(message)],
        used=used,
        place=len(before),
        has_run=not tools.isdisjoint(_SHELLS),
        has_changed=not tools.isdisjoint(_WRITERS),
        is_web=is_web or (not tools and bool(before) and before[-1].is_web),  # it rests on what was read before
    )


@lru_cache(maxsize=512)
def _reads_web(tool: str) -> bool:
    return _WEB.search(tool) is not None


def _loads(message: Message) -> bool:
    """Whether a call is a command that loads a page."""
    return is_command(message) and _LOADED.search(message.content) is not None


def is_said(message: Message) -> bool:
    """Whether this is something the agent said to the user."""
    return message.role is _ASSISTANT and message.kind is _TEXT and bool(message.content)


def is_command(message: Message) -> bool:
    """Whether this is a command, or what it printed."""
    return (message.tool_name or "").lower() in _SHELLS
