"""Lines of a journal in the order of their ids: most are written in it, and those of a merge are sorted.

A journal that was only ever appended to on one machine is read as a stream, however long it is.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from noctuary.errors import BadEvent
from noctuary.journal.file import JournalFile, Line, Place
from noctuary.journal.lines import Record, as_text, line_digest, parse_line

CHUNK = 2_000
_START = b'{"event_id":"'
_ID = slice(len(_START), len(_START) + 26)


class BadLine(NamedTuple):
    """A line that could not be folded, and why."""

    number: int
    why: str


class Parsed(NamedTuple):
    """A line that is an event."""

    record: Record
    body: str
    number: int


class Reading:
    """What is behind a place of a journal: events by their ids, bad lines, and the place behind it all."""

    def __init__(self, journal: JournalFile, place: Place) -> None:
        self.journal = journal
        self.place = place
        self.bad: list[BadLine] = []
        self._last: Line | None = None
        self._greatest = place.last_id

    def chunks(self) -> Iterator[list[Parsed]]:
        """The events, some at a time: by id, and of the same id in the order of the file."""
        if _are_in_order(self.journal.read(self.place)):
            events = self._parsed(self.journal.read(self.place))
        else:
            events = iter(sorted(self._parsed(self.journal.read(self.place)), key=_by_id))
        while chunk := list(islice(events, CHUNK)):
            yield chunk

    def end(self) -> Place:
        """The place behind the last line that was read."""
        if self._last is None:
            return self.place
        content, number, start, end = self._last
        return Place(end, number, line_digest(content), self._greatest, start)

    def _parsed(self, lines: Iterable[Line]) -> Iterator[Parsed]:
        line = None
        for line in lines:
            try:
                body = as_text(line.content)
                if not body or body.isspace():
                    continue
                record = parse_line(body)
            except BadEvent as error:
                self.bad.append(BadLine(line.number, str(error)))
                continue
            if record["event_id"] > self._greatest:
                self._greatest = record["event_id"]
            yield Parsed(record, body, line.number)
        self._last = line


def _by_id(parsed: Parsed) -> str:
    return str(parsed.record["event_id"])


def _are_in_order(lines: Iterable[Line]) -> bool:
    """Whether the lines are as we write them, and no id is lower than the one before."""
    last = b""
    for line in lines:
        event_id = line.content[_ID]
        if event_id < last or not line.content.startswith(_START):
            return False
        last = event_id
    return True
