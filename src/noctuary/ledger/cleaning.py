"""Events without secrets, and without what no database can hold."""

import re
from collections.abc import Iterable
from typing import Any

from noctuary.authored import Event, MessageRef, Refs
from noctuary.errors import BadInput
from noctuary.redact import redact
from noctuary.text import clean

LONGEST_TEXT = 100_000
_OURS = re.compile(r"[a-z_]{1,15}|m-[0-9a-z]{10}|[0-7][0-9A-HJKMNP-TV-Z]{25}")  # names of fields, memories and events
_PLAIN = frozenset({bool, int, float, type(None)})


def cleaned(event: Event, harmless: set[str] | None = None, **filled: Any) -> Event:
    """The event without secrets and without what no database can hold; `filled` is what the ledger fills in.

    `harmless` are texts that were found to be so before, and those found now: events written together repeat much.
    """
    if len(event.text) > LONGEST_TEXT:
        raise BadInput(f"The text has {len(event.text):,} characters; {LONGEST_TEXT:,} are the most an entry can have.")
    harmless = set() if harmless is None else harmless
    return event._replace(
        text=_value(event.text, harmless),
        node=_value(event.node, harmless),
        session=_value(event.session, harmless),
        refs=_refs(event.refs, harmless),
        corrects=_value(event.corrects, harmless),
        supersedes=_value(event.supersedes, harmless),
        meta=_value(event.meta, harmless),
        change=_value(event.change, harmless),
        **filled,
    )


def _refs(refs: Refs, harmless: set[str]) -> Refs:
    messages = tuple(
        [
            MessageRef(_text(session, harmless), number, _text(quote, harmless), line)
            for session, number, quote, line in refs.messages
        ]
    )
    return Refs(messages, _names(refs.commits, harmless), _names(refs.files, harmless), _names(refs.events, harmless))


def _names(names: Iterable[str], harmless: set[str]) -> tuple[str, ...]:
    return tuple([_text(name, harmless) for name in names]) if names else ()


def _text(text: str, harmless: set[str]) -> str:
    if type(text) is not str:
        text = str.__str__(text)  # the name of a kind of ours
    if text in harmless:
        return text
    if _OURS.fullmatch(text):  # no secret looks like an id of ours, or is a small word
        harmless.add(text)
        return text
    plain = redact(clean(text))
    if plain == text:
        harmless.add(text)
    return plain


def _value(value: Any, harmless: set[str]) -> Any:
    """The value as JSON would give it back: no other kinds of texts, lists or numbers than it has."""
    kind = type(value)
    if kind is str:
        return value if value in harmless else _text(value, harmless)
    if kind in _PLAIN:
        return value
    if isinstance(value, str):
        return _text(value, harmless)
    if isinstance(value, dict):
        return {
            key if type(key) is str and key in harmless else _text(str(key), harmless): item
            if type(item) in _PLAIN  # as most are; else it is looked at
            else _value(item, harmless)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_value(item, harmless) for item in value]
    return int(value) if isinstance(value, int) else float(value) if isinstance(value, float) else value
