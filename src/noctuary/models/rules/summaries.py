"""What an agent wrote when its conversation grew too long: what was asked, went wrong, was chosen and is left.

The sections are those that Claude Code asks for; their titles say what stands in them.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from noctuary.authored import EventType, Trust
from noctuary.models.rules.asked import Words, judge_words
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.cues import ASKED
from noctuary.models.rules.lexicon import normal
from noctuary.models.rules.prose import Unit, plain, single_units
from noctuary.models.rules.statements import quote_end, shortened
from noctuary.models.rules.turns import USING
from noctuary.records import Kind, Message, Role

_SECTION = re.compile(r"^ {0,3}(?:#+ *)?\d{1,2}\. +\**([A-Z][^:\n*]{3,60})\**:?\**[ \t]*$", re.MULTILINE)
_LEAST_SECTIONS = 4
_LEAST_WORDS = 7
_OPENING = 30_000  # characters in which a summary that thinks first has begun


class _Section(NamedTuple):
    """What a section holds, and how much its title speaks for it."""

    kind: EventType
    score: float


_TOLD_NOWHERE_ELSE = (EventType.CORRECTION, EventType.REJECTION)  # the first section has what else was asked

_SECTIONS = {
    "primary request": _Section(EventType.CONSTRAINT, 5.0),
    "errors and fixes": _Section(EventType.FINDING, 5.5),
    "problem solving": _Section(EventType.DECISION, 6.0),
    "current work": _Section(EventType.FINDING, 5.0),
}


def is_summary(message: Message) -> bool:
    """Whether the message sums up a conversation that went on before."""
    if message.kind in USING:  # as most are
        return False
    if message.kind is Kind.TEXT:
        if message.role is not Role.ASSISTANT or "<summary>" not in message.content[:_OPENING]:
            return False
    elif message.kind is not Kind.SUMMARY:
        return False
    return len(_SECTION.findall(message.content)) >= _LEAST_SECTIONS


def from_summary(message: Message) -> Iterator[Candidate]:
    """What a summary says was asked, fixed, solved and left."""
    content = message.content
    titles = list(_SECTION.finditer(content, max(0, content.find("<summary>"))))
    for place, title in enumerate(titles):
        end = titles[place + 1].start() if place + 1 < len(titles) else len(content)
        name = title[1].lower()
        if "user messages" in name:
            said = judge_words(Words(message, title.end(), end, "summary"))
            yield from (each._replace(trust=Trust.AGENT) for each in said if each.type in _TOLD_NOWHERE_ELSE)
        for known, section in _SECTIONS.items():
            if known in name:
                yield from _statements(message, title.end(), end, section)


def _statements(message: Message, start: int, end: int, section: _Section) -> Iterator[Candidate]:
    for unit in single_units(message.content[start:end]):
        if candidate := _judge(message, start, unit, section):
            yield candidate


def _judge(message: Message, offset: int, unit: Unit, section: _Section) -> Candidate | None:
    start = offset + unit.start
    end = quote_end(message.content, start, offset + unit.end)
    text = plain(message.content[start:end])
    norm = normal(text)
    if norm.count(" ") <= _LEAST_WORDS:
        return None
    kind = section.kind
    if kind is EventType.CONSTRAINT and EventType.PREFERENCE in ASKED.weigh(norm):
        kind = EventType.PREFERENCE
    score = section.score + (1.0 if unit.is_bullet else 0.0)
    return Candidate(kind, score, message, start, end, shortened(text), "summary")
