"""How a pack says things: an entry, an option, a task in one line of Markdown each, whatever was typed into it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from noctuary.authored import Entry, Event
from noctuary.graph import Node, NodeStatus
from noctuary.moments import show_day
from noctuary.work import event_meta
from noctuary.work.cutting import Block, cut
from noctuary.work.wording import first_of

_RECENT = 160  # characters of what was said
_QUOTE = 80
_SUGGESTED = "[?] "
# Controls, and what turns the direction of the text behind it; joiners stay, for words and emoji are made with them.
_RANGES = ((0, 31), (127, 159), (0x2028, 0x202E), (0x2066, 0x2069), (0xFEFF, 0xFEFF))
_UNSEEN = {code: " " for first, last in _RANGES for code in range(first, last + 1)}
_SIGNS = "#`~>-*+=|<"  # that begin something else than a paragraph


def line(text: str) -> str:
    """The text in one line, without what cannot be seen."""
    return " ".join(text.translate(_UNSEEN).split())


def paragraph(text: str) -> str:
    """The text in one line that begins no heading, list or block of code."""
    words = line(text)
    return f"\\{words}" if words.startswith(tuple(_SIGNS)) else words


def mark(entry: Entry) -> str:
    """What stands before an entry that nobody has confirmed."""
    return _SUGGESTED if entry.is_suggested else ""


def entry_block(entry: Entry) -> list[str]:
    """When an entry happened, what it says, and what it rests on."""
    event = entry.event
    strength = f"[{event.strength}] " if event.strength else ""
    return [f"- {show_day(event.ts_ms)} {mark(entry)}{strength}{line(event.text)}", *cited_lines(event)]


def recent_line(entry: Entry) -> str:
    """An entry by its type and its beginning."""
    return f"- {show_day(entry.event.ts_ms)} {entry.acts_as}: {mark(entry)}{cut(line(entry.event.text), _RECENT)}"


def cited_lines(event: Event) -> list[str]:
    """What an event rests on, in one line; none if it cites nothing."""
    refs = event.refs
    names = [f"message {ref.id} of session {ref.session}{_quoted(ref.quote)}" for ref in refs.messages]
    names += [*(f"commit {commit}" for commit in refs.commits), *refs.files, *(f"event {name}" for name in refs.events)]
    return [f"  - rests on {first_of([*map(line, names)])}"] if names else []


def _quoted(quote: str) -> str:
    return f" “{cut(line(quote), _QUOTE)}”" if quote.strip() else ""


def option_line(status: str, title: str, why: str | None) -> str:
    """An option, whether it was chosen, and why."""
    word = status if status in (NodeStatus.CHOSEN, NodeStatus.REJECTED, NodeStatus.ABANDONED) else "option"
    return f"  - {word}: {line(title)}{f' — {line(why)}' if why and why.strip() else ''}"


def given_options(meta: Mapping[str, Any]) -> Iterator[str]:
    """The options that an event tells of itself."""
    for given in event_meta.alternatives(meta):
        status = NodeStatus.CHOSEN if given.chosen else NodeStatus.REJECTED
        yield option_line(status, given.option, given.rationale or None)


def named(node: Node) -> str:
    """Id and title."""
    return f"{node.id} {line(node.title)}"


def hindrances(task: Node, waits: str, is_blocked: str, on: Mapping[str, Sequence[str]]) -> Iterator[Block]:
    """What keeps a task from going on."""
    if task.status is NodeStatus.BLOCKED:
        yield [f"- {is_blocked}{f': {line(task.blocked_reason)}' if task.blocked_reason else ''}"]
    if task.id in on:
        yield [f"- {waits} for {'; '.join(on[task.id])}"]
