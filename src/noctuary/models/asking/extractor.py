"""An extractor on top of any language model."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from noctuary.models.asking.answers import items_of
from noctuary.models.asking.asker import Asker, Retries
from noctuary.models.asking.cache import ChunkCache
from noctuary.models.asking.checks import SCHEMA, Checker, Fault
from noctuary.models.asking.chunks import CHUNK_TOKENS, Chunk, chunks_of
from noctuary.models.asking.prompts import prompt
from noctuary.models.asking.rendering import Redact, heading, known_lines, shown
from noctuary.models.chat.meter import Meter
from noctuary.models.chat.model import ChatModel, TooLong
from noctuary.proposals import Conversation, Dropped, Extraction, Proposal

MOST_EVENTS = 40  # of one part; a model that finds more has not understood
_LONGEST_SHOWN = 2_000  # of a faulty event


class _Found(NamedTuple):
    """What one part gave."""

    proposals: list[Proposal]
    dropped: list[Dropped]


class ModelExtractor:
    """Asks a model what is worth keeping of a session, part by part, and believes only what can be checked.

    `redact` takes secrets out of everything before it is sent.  Answers are kept in `cache`, so an attempt after a
    failure asks only for what is missing.
    """

    def __init__(
        self,
        chat: ChatModel,
        meter: Meter,
        *,
        redact: Redact,
        cache: ChunkCache | None = None,
        retries: Retries = Retries(),  # noqa: B008 - unchangeable
        chunk_tokens: int = CHUNK_TOKENS,
    ) -> None:
        self._asker = Asker(chat, meter, cache, retries)
        self._meter = meter
        self._redact = redact
        self._chunk_tokens = chunk_tokens
        self._system = prompt("extract")
        self.name = chat.name

    def extract(self, conversation: Conversation) -> Extraction:
        """What is worth keeping of this part of a session, in the order in which it was said."""
        before = self._meter.spent
        messages = shown(conversation.messages, self._redact)
        context = shown(conversation.before, self._redact)
        proposals: list[Proposal] = []
        dropped: list[Dropped] = []
        for chunk in chunks_of(messages, context, most=self._chunk_tokens):
            found = self._read(conversation, chunk, [each.text for each in proposals])
            proposals += found.proposals
            dropped += found.dropped
        kept, doubled = _without_doubles(proposals)
        return Extraction(kept, [*dropped, *doubled], self._meter.since(before))

    def _read(self, conversation: Conversation, chunk: Chunk, found: Sequence[str]) -> _Found:
        """What the part gives; in halves, if it is too long for the model."""
        try:
            return self._asked(conversation, chunk, found)
        except TooLong:
            halves = chunk.halves()
            if halves is None:
                raise
        first = self._read(conversation, halves[0], found)
        second = self._read(conversation, halves[1], [*found, *(each.text for each in first.proposals)])
        return _Found(first.proposals + second.proposals, first.dropped + second.dropped)

    def _asked(self, conversation: Conversation, chunk: Chunk, found: Sequence[str]) -> _Found:
        question = self._redact(self._question(conversation, chunk, found))
        checker = Checker(conversation, [each.message for each in chunk.messages], self._redact)
        items = self._items(question)
        proposals, faults = checker.sort(items[:MOST_EVENTS])
        if faults:
            again = self._items(f"{question}\n\n{self._redact(_complaint(faults))}")
            more, faults = checker.sort(again[:MOST_EVENTS])
            proposals += more
        dropped = [fault.dropped() for fault in faults]
        over = [Fault(item, f"more than {MOST_EVENTS} events of one part").dropped() for item in items[MOST_EVENTS:]]
        return _Found(proposals, dropped + over)

    def _items(self, question: str) -> list[Mapping[str, Any]]:
        return self._asker.ask(self._system, question, schema=SCHEMA, read=partial(items_of, name="events"))

    def _question(self, conversation: Conversation, chunk: Chunk, found: Sequence[str]) -> str:
        known = known_lines([*conversation.known, *found], self._redact)
        parts = {
            "The session": heading(conversation, self._redact),
            "Known already": known,
            "What came before, to understand by and not to cite": "\n".join(each.text for each in chunk.before),
            "The part to read": "\n".join(each.text for each in chunk.messages),
        }
        return "\n\n".join(f"# {title}\n\n{text}" for title, text in parts.items() if text)


def _complaint(faults: Sequence[Fault]) -> str:
    """The page that tells a model exactly what was wrong."""
    lines = [f"- {json.dumps(dict(each.item), ensure_ascii=False)[:_LONGEST_SHOWN]}: {each.why}" for each in faults]
    return "\n".join(["# Once more", "", prompt("repair"), "", *lines])


def _without_doubles(proposals: Sequence[Proposal]) -> tuple[list[Proposal], list[Dropped]]:
    """In the order in which it was said, each thing once."""
    kept: dict[tuple[str, str], Proposal] = {}
    doubled: list[Dropped] = []
    for each in sorted(proposals, key=lambda proposal: proposal.messages[0].id):
        key = (each.type, each.text.casefold())
        if key in kept:
            doubled.append(Dropped(each.text, "it was proposed twice"))
        kept.setdefault(key, each)
    return list(kept.values()), doubled
