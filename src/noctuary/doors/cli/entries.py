"""Entries of the journal as people read them: a line that says what and when, and the words below it."""

from collections.abc import Iterator, Sequence

from noctuary.authored import Entry, Event, EventStatus, EventType, MessageRef
from noctuary.doors.cli.paint import bold, clipped, coloured, dim, one_line, safe, wrapped
from noctuary.doors.cli.tables import facts
from noctuary.moments import show_time

_INDENT = "    "
_SHOWN = 400  # columns of a text in a list; `noctuary event show` has the whole


def entries_told(entries: Sequence[Entry], *, with_node: bool = False) -> list[str]:
    """Entries as a list, in their order; with what each is about if that is not the same for all."""
    return [line for entry in entries for line in _told(entry, with_node)]


def entry_told(entry: Entry) -> list[str]:
    """One entry with all that is known of it, and its whole text."""
    return [bold(f"{entry.event.id}  {entry.acts_as}"), *facts(list(_facts(entry))), "", safe(_words(entry.event))]


def _told(entry: Entry, with_node: bool) -> Iterator[str]:
    event = entry.event
    marks = [coloured(mark, "yellow") for mark in _marks(entry)]
    about = [f"about {one_line(event.node)}"] if with_node and event.node else []
    yield "  ".join([dim(event.id), show_time(event.ts_ms), bold(entry.acts_as), *about, *marks])
    if words := one_line(_words(event)):
        yield _INDENT + wrapped(clipped(words, _SHOWN), _INDENT)


def _marks(entry: Entry) -> list[str]:
    """What one must know before one believes it."""
    marks = [str(entry.event.strength)] if entry.event.strength else []
    if entry.hidden_by:
        done = "retracted" if entry.status is EventStatus.RETRACTED else "replaced"
        marks.append(f"{done} by {entry.hidden_by}")
    elif entry.superseded_by:
        marks.append(f"superseded by {entry.superseded_by}")
    elif entry.is_suggested:
        marks.append("suggested")
    return marks


def _words(event: Event) -> str:
    """What it says; of a status also which one, and of what says nothing what it did to the node it is about."""
    fields = event.change.get("set", {}).get(event.node, {})
    if event.type is EventType.STATUS and "status" in fields:
        return f"{fields['status']}: {event.text}" if event.text else str(fields["status"])
    return event.text or ", ".join(f"{name}: {value}" for name, value in fields.items() if value is not None)


def _facts(entry: Entry) -> Iterator[tuple[str, str]]:
    event = entry.event
    yield "about", event.node or "the project as a whole"
    yield "project", one_line(event.project)
    yield "happened", show_time(event.ts_ms)
    late = show_time(event.recorded_ms)
    yield "recorded", late if late != show_time(event.ts_ms) else ""
    yield "author", f"{event.author}, through {event.source}"
    yield "session", one_line(event.session or "")
    yield "status", entry.status
    yield "strength", event.strength or ""
    yield "confidence", "" if event.confidence is None else f"{event.confidence:g}"
    yield "corrects", event.corrects or ""
    yield "supersedes", event.supersedes or ""
    yield "replaced by", entry.hidden_by or ""
    yield "superseded by", entry.superseded_by or ""
    for message in event.refs.messages:
        yield "rests on", _cited(message)
    yield "commits", one_line(", ".join(event.refs.commits))
    yield "files", one_line(", ".join(event.refs.files))
    yield "entries", ", ".join(event.refs.events)


def _cited(message: MessageRef) -> str:
    line = f", line {message.line} of its transcript" if message.line is not None else ""
    quote = f": “{one_line(message.quote)}”" if message.quote else ""
    return f"message {message.id} of session {one_line(message.session)}{line}{quote}"
