"""What people tell tools: the option they picked, why they refused, and what they did not allow."""

import re
from collections.abc import Iterator

from noctuary.authored import EventType, Trust
from noctuary.models.rules.asked import Words, judge_words
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.prose import plain
from noctuary.models.rules.statements import shortened
from noctuary.models.rules.turns import Turn
from noctuary.records import Kind, Message

_HEAD, _MOST = 400, 3_000  # characters of an answer that are looked at
_ANSWERED = re.compile(r'"([^"\n]{5,200})"="([^"\n]{1,200})"')
_REASON = "provided the following reason for the rejection:"
_DENIED = "Permission for this tool use was denied"
_CHOICE, _DENIAL = 8.0, 5.0  # scores: what was picked is certain, what was not allowed is seldom said again


def from_choices(turn: Turn) -> Iterator[Candidate]:
    """What the user answered, refused and did not allow in the turn."""
    calls: dict[str, Message] = {}
    for message in turn.work:
        if message.kind is Kind.TOOL_CALL and message.call_id:
            calls[message.call_id] = message
        elif message.kind is Kind.TOOL_RESULT:
            yield from _answer(message, calls.get(message.call_id or ""))


def _answer(message: Message, call: Message | None) -> Iterator[Candidate]:
    head = message.content[:_HEAD]
    if head.startswith(_DENIED):
        yield _denial(message, call)
    elif _REASON in head:
        start = message.content.index(_REASON) + len(_REASON)
        yield from judge_words(Words(message, start, min(len(message.content), start + _MOST), "reason"))
    elif '"="' in head and (message.tool_name or "").lower().startswith("ask"):
        support = () if call is None else (call,)
        for found in _ANSWERED.finditer(message.content[:_MOST]):
            text = shortened(f"{found[1]} The user chose: {found[2]}.")
            yield Candidate(
                EventType.DECISION, _CHOICE, message, found.start(), found.end(), text, "choice", Trust.USER, support
            )


def _denial(message: Message, call: Message | None) -> Candidate:
    tool = message.tool_name or "a tool"
    wanted = "" if call is None else f": {plain(call.content.split(chr(10), 1)[0])}"
    text = shortened(f"Permission to use {tool} was denied{wanted}")
    support = () if call is None else (call,)
    return Candidate(EventType.CONSTRAINT, _DENIAL, message, 0, len(_DENIED), text, "denied", Trust.TOOL, support)
