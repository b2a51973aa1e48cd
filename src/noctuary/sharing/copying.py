"""What others will see of a memory: a copy with what it rests on, and nothing that leads further.

Sessions and messages are named and the cited words are quoted, so that the team can ask the publisher about them; what
else was said there stays with the publisher.  Secrets are looked for once more, as redaction learns with each version.
"""

from collections.abc import Iterator
from typing import Any

from noctuary.authored import Author, Entry, EventStatus, Trust
from noctuary.dream.pages.lines import since_ms
from noctuary.ledger.ledger import Ledger
from noctuary.redact import redact
from noctuary.store.memories import Remembered
from noctuary.store.sharing import CitedWords, Content
from noctuary.work.cutting import cut

MOST_CITED = 8
LONGEST_QUOTE = 400


def content_of(ledger: Ledger, memory: Remembered) -> Content:
    """The memory as others would see it now."""
    facts, entries = memory.facts, _entries(ledger, memory)
    said = entries[0].event if entries else None
    return Content(
        memory=memory.id,
        kind=memory.kind,
        text=redact(memory.text),
        topic=redact(str(facts.get("topic") or "")),
        event=memory.event,
        said_by=str(said.author if said else Author.USER),
        trust=str(facts.get("trust") or (said.trust if said else Trust.AGENT)),
        said_ms=since_ms(memory),
        valid_from_ms=_moment(facts.get("valid_from")),
        valid_to_ms=_moment(facts.get("valid_to")),
        recorded_ms=memory.recorded_ms,
        cited=tuple(_cited(memory, entries)),
    )


def is_as_it_was(one: Content, other: Content) -> bool:
    """Whether both say the same; what they rest on may have grown."""
    return _said(one) == _said(other)


def _said(content: Content) -> tuple[object, ...]:
    return content.text, content.kind, content.topic, content.valid_from_ms, content.valid_to_ms


def _entries(ledger: Ledger, memory: Remembered) -> list[Entry]:
    """The entries that say it, its own first; what was taken back or said otherwise is no ground any more."""
    names = dict.fromkeys([memory.event, *(str(name) for name in memory.facts.get("events") or ())])
    found = (ledger.entry(name) for name in names)
    return [one for one in found if one and one.hidden_by is None and one.status is not EventStatus.RETRACTED]


def _cited(memory: Remembered, entries: list[Entry]) -> list[CitedWords]:
    found: dict[tuple[str, int], CitedWords] = {}
    for session, message, quote in _all_cited(memory, entries):
        words = cut(redact(quote), LONGEST_QUOTE)
        if (session, message) not in found or (words and not found[session, message].quote):
            found[session, message] = CitedWords(session, message, words)
    return [*found.values()][:MOST_CITED]


def _all_cited(memory: Remembered, entries: list[Entry]) -> Iterator[tuple[str, int, str]]:
    for entry in entries:
        yield from ((cited.session, cited.id, cited.quote) for cited in entry.event.refs.messages)
    for cited in memory.facts.get("messages") or ():
        if isinstance(cited, dict) and isinstance(cited.get("id"), int):
            yield str(cited.get("session", "")), cited["id"], str(cited.get("quote", ""))


def _moment(given: Any) -> int | None:
    return given if isinstance(given, int) and given > 0 else None
