"""Events by their words, looked up before the turn to write and brought up to date within it.

Whoever writes has to know all that was written before, and others wait meanwhile.  So the long questions are asked
before, and in the turn only for what was written since; mostly that is little, and what it adds to the answers can be
said without asking again.  Where it cannot, as when somebody took something back, everything is asked anew.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from noctuary.authored import Author, Event, EventType
from noctuary.store.database import Database, Question, Row
from noctuary.store.event_words import EventWords
from noctuary.store.postgres_words import phrases, words
from noctuary.text import searchable

_DREAM, _BOOKKEEPING = str(Author.DREAM), str(EventType.STATUS)


class WordsAhead(EventWords):
    """What `EventWords` would say, as far as it was asked before; the rest is asked when it is needed."""

    def __init__(self, database: Database, owner: str) -> None:
        """What is asked from now on can be brought up to date."""
        super().__init__(database)
        self._owner = owner
        self._last = self._newest()
        self._is_current = True  # or else nothing that was asked counts any more
        self._hidden: bool | None = None
        self._found: dict[tuple[str, str], list[int]] = {}  # by project and expression
        self._rows: dict[tuple[str, int], Row | None] = {}  # by project and number
        self._newer: dict[int, str] = {}  # the words of what was written since, by number
        self.following = self._last[0] + 1  # the number of the next event

    def questions(self) -> Iterable[Question]:
        """What `catch_up` asks, for whoever asks several things at once."""
        return [("events_from", {"owner": self._owner, "first": self._last[0]})]

    def catch_up(self) -> None:
        """Take in what others wrote since; within the turn, before anything is written."""
        ((query, values),) = self.questions()
        rows = self.database.fetch(query, **values)
        if self._last[0]:
            first, *rows = rows or [()]
            self._is_current = first[:2] == self._last[:2] and first[-1] == self._last[-1]
        for number, name, made_by, kind, project, *row, _ in rows:
            self.following = number + 1
            record = json.loads(row[-1]) if row[-1] else {}
            if made_by != _DREAM or name <= self._last[1] or (not record and kind != _BOOKKEEPING):
                self._is_current = False
            self._add(number, project, (kind, *row), record)

    def note(self, event: Event) -> None:
        """Take in an event of a dream that was written in this turn."""
        number, self.following = self.following, self.following + 1
        if event.meta.get("bookkeeping"):
            return
        record = {"event_id": event.id, "text": event.text, "corrects": event.corrects, "supersedes": event.supersedes}
        record["trust"] = str(event.trust)
        row = (str(event.type), str(event.status), None, None, json.dumps(record))
        self._add(number, event.project, row, record)

    def forget(self) -> None:
        """Ask for everything anew: what was written may have changed what was known."""
        self._is_current = False

    def matching(
        self, owner: str, project: str, matches: Sequence[str], most: int, *, hidden: bool = False
    ) -> list[list[int]]:
        """Of each expression the numbers of at most so many events that match it; each is asked for once."""
        if hidden or not self._is_current:
            return super().matching(owner, project, matches, most, hidden=hidden)
        missing = [match for match in dict.fromkeys(matches) if (project, match) not in self._found]
        if missing:
            found = super().matching(owner, project, missing, most)
            self._found.update(((project, match), each) for match, each in zip(missing, found, strict=True))
        return [self._with_newer(project, match)[:most] for match in matches]

    def has_hidden(self) -> bool:
        """Whether anything was ever taken back."""
        if self._hidden is None or not self._is_current:
            self._hidden = super().has_hidden()
        return self._hidden

    def numbered(
        self, owner: str, project: str, numbers: Sequence[int], types: Iterable[str] | None = None
    ) -> dict[int, Row]:
        """Those of the numbers that are events of the project, each with its row; each is asked for once."""
        if types is not None or not self._is_current:
            return super().numbered(owner, project, numbers, types)
        missing = [number for number in numbers if (project, number) not in self._rows and number not in self._newer]
        if missing:
            found = super().numbered(owner, project, missing)
            self._rows.update(((project, number), found.get(number)) for number in missing)
        return {number: row for number in numbers if (row := self._rows.get((project, number)))}

    def _newest(self) -> Row:
        """The number of the newest event, its id, and by which transaction its row was made."""
        rows = self.database.fetch("newest_event_row", owner=self._owner)
        return rows[0] if rows else (0, "", "")

    def _add(self, number: int, project: str, row: Row, record: Mapping[str, Any]) -> None:
        if record.get("corrects") or record.get("supersedes"):
            self._is_current = False
        text, hidden_by = record.get("text"), row[2]
        if text and hidden_by is None:
            self._newer[number] = _in_a_row(words(searchable(text)))
            self._rows[project, number] = row

    def _with_newer(self, project: str, match: str) -> list[int]:
        known = self._found[project, match]
        wanted = [_in_a_row(phrase) for phrase in phrases(match)]
        newer = [
            number
            for number, said in self._newer.items()
            if (project, number) in self._rows and all(phrase in said for phrase in wanted)
        ]
        return [*known, *(number for number in newer if number not in known)] if newer else known


def _in_a_row(found: Sequence[str]) -> str:
    """Words so that those of a phrase stand in those of a text if they do so there; no words stand in none."""
    return f" {' '.join(found)} " if found else "-"
