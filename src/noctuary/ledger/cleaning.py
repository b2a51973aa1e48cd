"""Events without secrets, and without what no database can hold."""

from typing import Any

from noctuary.authored import Event, Refs
from noctuary.errors import BadInput
from noctuary.redact import redact
from noctuary.text import clean

LONGEST_TEXT = 100_000


def cleaned(event: Event, harmless: set[str] | None = None) -> Event:
    """The event without secrets and without what no database can hold.

    `harmless` are texts that were found to be so before, and those found now: events written together repeat much.
    """
    if len(event.text) > LONGEST_TEXT:
        raise BadInput(f"The text has {len(event.text):,} characters; {LONGEST_TEXT:,} are the most an entry can have.")
    harmless = set() if harmless is None else harmless
    text, node, session, corrects, supersedes, meta, change = (
        _value(value, harmless)
        for value in (
            event.text, event.node, event.session, event.corrects, event.supersedes, event.meta, event.change,
        )
    )  # fmt: skip
    return event._replace(
        text=text,
        node=node,
        session=session,
        refs=_refs(event.refs, harmless),
        corrects=corrects,
        supersedes=supersedes,
        meta=meta,
        change=change,
    )


def _refs(refs: Refs, harmless: set[str]) -> Refs:
    messages = tuple(
        ref._replace(session=_text(ref.session, harmless), quote=_text(ref.quote, harmless)) for ref in refs.messages
    )
    commits, files, events = (
        tuple(_text(name, harmless) for name in names) for names in (refs.commits, refs.files, refs.events)
    )
    return Refs(messages, commits, files, events)


def _text(text: str, harmless: set[str]) -> str:
    if type(text) is not str:
        text = str.__str__(text)  # the name of a kind of ours
    if text in harmless:
        return text
    plain = redact(clean(text))
    if plain == text:
        harmless.add(text)
    return plain


def _value(value: Any, harmless: set[str]) -> Any:
    """The value as JSON would give it back: no other kinds of texts, lists or numbers than it has."""
    if value is None:
        return None
    if isinstance(value, str):
        return _text(value, harmless)
    if isinstance(value, dict):
        return {_text(str(key), harmless): _value(item, harmless) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_value(item, harmless) for item in value]
    if type(value) in (bool, int, float):
        return value
    return int(value) if isinstance(value, int) else float(value) if isinstance(value, float) else value
