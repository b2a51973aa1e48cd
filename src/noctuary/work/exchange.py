"""Journals between machines: all that was authored as lines to keep in git, and lines of others read in.

An export is sorted by the ids of events and says nothing of the machine it comes from: two memories that have the same
events export the same bytes.  An import adds what is not known yet and never changes what is, so importing each other's
lines, in any order and any number of times, makes two memories the same.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from noctuary.authored import Event
from noctuary.errors import BadEvent
from noctuary.ids import moment_of
from noctuary.journal.lines import decode, encode, line_digest, parse_line
from noctuary.ledger.changes import check_shape
from noctuary.ledger.ledger import LONGEST_TEXT, Ledger

DEEPEST = 60  # lists and objects in each other
FARTHEST_AHEAD_MS = 366 * 24 * 3_600_000
_PREV = b'"prev":"",'


class SetAside(NamedTuple):
    """A line that something is wrong with, and what."""

    number: int  # from 1
    why: str
    line: str
    file: str = ""  # if there are several


class ImportedLines(NamedTuple):
    """What became of lines that were read."""

    added: int = 0  # events
    known: int = 0  # events that were there before
    bad: Sequence[SetAside] = ()  # not read
    notes: Sequence[SetAside] = ()  # read, but not quite as they stand

    def joined(self, other: "ImportedLines") -> "ImportedLines":
        """Both together."""
        bad, notes = (*self.bad, *other.bad), (*self.notes, *other.notes)
        return ImportedLines(self.added + other.added, self.known + other.known, bad, notes)


def export_journal(ledger: Ledger, project: str | None = None) -> Iterator[str]:
    """Every event of a project, or of all, as lines: hidden and retracted ones too, sorted by id."""
    ledger.catch_up(project)
    for row in ledger.store.events.all(ledger.owner, project):
        event = decode(json.loads(row[-1]))
        yield encode(event._replace(owner=""), "").replace(_PREV, b"", 1).decode()


def import_journal(ledger: Ledger, lines: Iterable[str | bytes], project: str | None = None) -> ImportedLines:
    """Add the events of lines that were exported, or of another machine's journal; they become ours.

    Lines that are no events are set aside, and those that do not fit the line before are noted.  JournalTooNew, and
    nothing done, if one was written by a newer version.
    """
    events: dict[str, Event] = {}
    bad: list[SetAside] = []
    notes: list[SetAside] = []
    latest_ms = ledger.clock.now_ms() + FARTHEST_AHEAD_MS
    before = ""
    for number, line in enumerate(map(as_line, lines), start=1):
        if line.strip():
            try:
                record = parse_line(whole(line))
                event = checked(decode(record), latest_ms)
                if not _fits(record, before):
                    notes.append(
                        SetAside(number, "it does not follow the line before it: one was changed or lost", line)
                    )
                if events.setdefault(event.id, event) != event:
                    bad.append(SetAside(number, f"event {event.id} was there already, with other content", line))
            except BadEvent as error:
                bad.append(SetAside(number, str(error), line))
        before = line_digest(line.encode("utf-8", "surrogatepass"))
    report = add_events(ledger, events.values(), project)
    return report._replace(bad=bad, notes=[*notes, *report.notes])


def add_events(ledger: Ledger, events: Iterable[Event], project: str | None = None) -> ImportedLines:
    """Add events to the journals of their projects, or of the one given: all, or none if something goes wrong.

    Those whose id is known are passed over; if they say something else, that is noted.
    """
    given = {event.id: event for event in events}
    by_project: dict[str, list[Event]] = {}
    for event in given.values():
        by_project.setdefault(event.project if project is None else project, []).append(event)
    with ExitStack() as all_of_them:
        for name in sorted(by_project):
            all_of_them.enter_context(ledger.writing(name))
        known = ledger.store.events.known(ledger.owner, given)
        notes = _different(ledger, [given[event_id] for event_id in sorted(known)])
        for name, each in sorted(by_project.items()):
            ledger.add_lines(name, [event for event in each if event.id not in known])
    added = len(given) - len(known)
    return ImportedLines(added, len(known), (), notes)


def would_add(ledger: Ledger, events: Iterable[Event], project: str | None = None) -> ImportedLines:  # noqa: ARG001
    """The numbers of `add_events`, with nothing done."""
    given = {event.id for event in events}
    known = ledger.store.events.known(ledger.owner, given)
    return ImportedLines(len(given) - len(known), len(known))


def as_line(line: str | bytes) -> str:
    """The line without its end, and without the mark that some editors put at the beginning of a file."""
    text = line if isinstance(line, str) else line.decode("utf-8", "surrogateescape")
    return text.rstrip("\r\n").removeprefix("\ufeff")


def whole(line: str) -> str:
    """The line; BadEvent if bytes of it were no text."""
    try:
        line.encode()
    except UnicodeEncodeError:
        raise BadEvent("it is no text in UTF-8") from None
    return line


def checked(event: Event, latest_ms: int) -> Event:
    """The event; BadEvent if it is one that no ledger would have written."""
    if moment_of(event.id) > latest_ms:
        raise BadEvent("its event_id is of a time far ahead; check the clock of the machine that wrote it")
    if goes_too_deep(event.meta) or goes_too_deep(event.change):
        raise BadEvent(f"its lists and objects stand more than {DEEPEST} deep in each other")
    if (longest := max(len(event.text), _longest(event.change))) > LONGEST_TEXT:
        raise BadEvent(f"it has a text of {longest:,} characters; {LONGEST_TEXT:,} are the most")
    check_shape(event.change)
    return event


def goes_too_deep(value: object) -> bool:
    """Whether lists and objects stand too deep in each other for whoever walks through them."""
    level = [value]
    for _ in range(DEEPEST):
        level = [item for each in level for item in _inside(each)]
        if not level:
            return False
    return True


def _longest(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    return max(map(_longest, _inside(value)), default=0)


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, (list, tuple)) else ()


def _fits(record: Mapping[str, Any], before: str) -> bool:
    """Whether the line follows the one before; an export does not say, and a journal may begin anywhere."""
    return record.get("prev", "") in ("", before)


def _different(ledger: Ledger, events: Sequence[Event]) -> list[SetAside]:
    """Events that are known, but not with this content; whose they are and of which project does not count."""
    if not events:
        return []
    rows = ledger.store.events.all(ledger.owner, None)
    records = [json.loads(row[-1]) for row in rows]
    here = {record["event_id"]: record for record in records}
    return [
        SetAside(0, f"event {event.id} is here already, with other content; ours was kept", "")
        for event in events
        if not _are_same(decode(here[event.id]), event)
    ]


def _are_same(one: Event, other: Event) -> bool:
    if one._replace(owner="", project="") == other._replace(owner="", project=""):
        return True
    return _content(one) == _content(other)  # a list and a tuple are the same line


def _content(event: Event) -> bytes:
    return encode(event._replace(owner="", project=""), "")
