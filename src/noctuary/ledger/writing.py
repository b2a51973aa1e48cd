"""Events that one right to write wrote: folded into the tables, and written to the journal when all of them are."""

from __future__ import annotations  # the ledger that it writes for imports it

from typing import TYPE_CHECKING, Any

from noctuary.authored import Event
from noctuary.errors import BadChange, BadEvent
from noctuary.ids import ulid_after
from noctuary.journal.contract import Place
from noctuary.journal.lines import check_record, encode_with_record, line_digest
from noctuary.ledger.changes import check_shape
from noctuary.ledger.cleaning import cleaned

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noctuary.ledger.fold import Fold
    from noctuary.ledger.ledger import Ledger


class Writing:
    """Events that are in the tables, and will be in the journal when all of them are."""

    def __init__(self, ledger: Ledger, project: str, place: Place, *, is_gathered: bool) -> None:
        self.ledger = ledger
        self.project = project
        self.is_gathered = is_gathered
        self.start = self.place = place
        self.last_id = place.last_id
        self.lines: list[bytes] = []
        self.is_late = False
        self._fold: Fold | None = None
        self._waiting: dict[str, Event] = {}  # to be cleaned and folded, by id
        self._harmless: set[str] = set()  # texts in which there is no secret; one event repeats much of another

    def write(self, event: Event) -> Event:
        """Fold the event, or let it wait; it comes back with its id and all that was filled in."""
        now_ms = self.ledger.clock.now_ms()
        filled = event._replace(
            id=ulid_after(self.last_id, now_ms),
            owner=self.ledger.owner,
            project=self.project,
            ts_ms=min(event.ts_ms, now_ms) if event.ts_ms > 0 else now_ms,
            recorded_ms=now_ms,
        )
        self.last_id = filled.id
        if self.is_gathered:
            self._waiting[filled.id] = filled
            self.ledger.note_made(memory["id"] for memory in filled.change.get("memories", ()))
            return filled
        ready = cleaned(filled, self._harmless)
        self._add([self._line_of(ready)])
        return ready

    def add_lines(self, events: list[Event]) -> None:
        """Add events that have ids, in the order of those; late ones are folded at the end, with all the others."""
        self.flush()
        last_id = self.place.last_id
        lines = [self._line_of(event) for event in events]
        self.last_id = self.place.last_id
        if events and events[0].id > last_id:
            self._add(lines)
        else:
            self.is_late = True

    def is_waiting(self, event_id: str) -> bool:
        """Whether an event is not in the tables yet."""
        return event_id in self._waiting or (self._fold is not None and self._fold.is_waiting(event_id))

    def flush(self) -> None:
        """Let the tables have what was written; BadChange if that speaks of what belongs to another project.

        What waited is cleaned, then written down, then folded: one after the other is done for all of it, because
        that takes two thirds of the time.
        """
        waiting, self._waiting = self._waiting, {}
        if waiting:
            ready = [cleaned(event, self._harmless) for event in waiting.values()]
            self._add([self._line_of(event) for event in ready])
        self._flush_fold()

    def _flush_fold(self) -> None:
        fold, self._fold = self._fold, None  # others may write before this one goes on
        if fold is None:
            return
        if fold.foreign:
            raise BadChange(f"{of_another_project(fold.foreign)}.")
        fold.flush()
        self.ledger.note_number(fold.next_event)

    def finish(self) -> None:
        """Write the lines to the journal, and note how far it is folded."""
        self.flush()
        if not self.lines:
            return
        self.ledger.journal(self.project).append(b"".join(self.lines), self.start)
        journals = self.ledger.store.journals
        if self.is_late:
            journals.remove(self.ledger.owner, self.project)
            for line in self.ledger.fold_new(self.project):
                if line.is_foreign and line.number > self.start.number:
                    raise BadChange(f"{line.why}.")
        else:
            journals.save_place(self.ledger.owner, self.project, self.place)

    def _line_of(self, event: Event) -> tuple[dict[str, Any], str]:
        """The event as the next line of the journal, parsed and plain; BadEvent if it is none that could be folded."""
        offset, number, digest, last_id, _ = self.place
        line, record = encode_with_record(event, digest)
        try:
            check_record(record)
            check_shape(record.get("change", {}))
        except BadEvent as error:
            raise BadEvent(f"This event cannot be recorded: {error}.") from None
        self.lines.append(line)
        self.place = Place(offset + len(line), number + 1, line_digest(line), max(last_id, event.id), offset)
        return record, line[:-1].decode()

    def _add(self, lines: list[tuple[dict[str, Any], str]]) -> None:
        fold = self._fold = self._fold or self.ledger.new_fold(self.project)
        for record, text in lines:
            fold.add(record, text, is_checked=True)
        if fold.foreign or not self.is_gathered:
            self._flush_fold()


def of_another_project(names: Iterable[str]) -> str:
    """What is wrong with an event that speaks of these."""
    return f"{', '.join(sorted(names))}: of another project, whose journal it has to be written to"
