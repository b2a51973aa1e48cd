"""Lines of a journal in the order of their ids: most are written in it, and those of a merge are sorted.

A journal that was only ever appended to on one machine is read as a stream, however long it is.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from noctuary.errors import BadEvent
from noctuary.journal.contract import Journal, Line, Place
from noctuary.journal.lines import Record, as_text, line_digest, parse_line


class BadLine(NamedTuple):
    """A line that could not be folded, and why."""

    number: int
    why: str
    is_foreign: bool = False  # it was, but for what it says of things of another project


Parsed = tuple[Record, str, int]  # an event, the line it was read from, and the number of that


class Reading:
    """What is behind a place of a journal: events by their ids, bad lines, and the place behind it all."""

    def __init__(self, journal: Journal, place: Place) -> None:
        self.journal = journal
        self.place = place
        self.bad: list[BadLine] = []
        self._last: Line | None = None
        self._greatest = place.last_id

    def events(self) -> Iterator[Parsed]:
        """The events, one at a time: by id, and of the same id in the order of the file."""
        parsed = self._parsed()
        return parsed if self.journal.is_in_order(self.place) else iter(sorted(parsed, key=_by_id))

    def end(self) -> Place:
        """The place behind the last line that was read."""
        if self._last is None:
            return self.place
        content, number, start, end = self._last
        return Place(end, number, line_digest(content), self._greatest, start)

    def _parsed(self) -> Iterator[Parsed]:
        for line in self.journal.read(self.place):
            self._last, (content, number, _, _) = line, line
            try:
                body = as_text(content)
                if not body or body.isspace():
                    continue
                record = parse_line(body)
            except BadEvent as error:
                self.bad.append(BadLine(number, str(error)))
                continue
            if record["event_id"] > self._greatest:
                self._greatest = record["event_id"]
            yield record, body, number


@contextmanager
def uncollected() -> Iterator[None]:
    """Python looks for no garbage meanwhile: reading leaves none that refers to itself, and looking costs a sixth."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _by_id(parsed: Parsed) -> str:
    return str(parsed[0]["event_id"])
