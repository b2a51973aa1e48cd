"""What was written to MEMORY.md, so that an edit by hand can be told from what we wrote ourselves.

The lines of memories are kept, too, as they would stand there: the database forgets that of a memory which changes.
"""

import json
from collections.abc import Collection, Iterable
from typing import NamedTuple

from noctuary.store.database import Database, Row

# Rows that are no generation, by what stands in the place of a digest; none of them has a body.
_DUE = ""  # the page is still to be written
_TAKEN = "taken:"  # an edit by hand was taken in, and the page is not written since
_SEEN = "seen:"  # the last event when the page was written
_TOPIC = "topic:"  # the file of a topic as it was written last: its digest and its name; it stays
_KEPT = 3


class Generation(NamedTuple):
    """One generation of a page: the text between our marks."""

    digest: str
    body: str
    written_ms: int


class Pages:
    """The pages of all owners; every call names the owner."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def generations(self, owner: str, project: str) -> list[Generation]:
        """The last generations of a project's page, the newest first."""
        return [Generation(*row) for row in self.database.fetch("memory_pages", owner=owner, project=project)]

    def last(self, owner: str, project: str) -> Generation | None:
        """The newest of them."""
        rows = self.database.fetch("last_memory_page", owner=owner, project=project)
        return Generation(*rows[0]) if rows else None

    def add(self, owner: str, project: str, generation: Generation) -> None:
        """Note what is about to be written; the oldest generations are dropped."""
        with self.database.transaction():
            self.database.fetch("save_memory_page", owner=owner, project=project, **generation._asdict())
            self.database.fetch("remove_old_memory_pages", owner=owner, project=project, kept=_KEPT)

    def remove(self, owner: str, project: str, digest: str) -> None:
        """Drop a generation."""
        self.database.fetch("remove_memory_page", owner=owner, project=project, digest=digest)

    def mark_due(self, owner: str, project: str) -> None:
        """Note that a project's page is not what the memories say."""
        self._mark(owner, project, _DUE)

    def mark_written(self, owner: str, project: str, seen: str = "") -> None:
        """Note that a project's page is what the memories say; `seen` is the last event that it knows of."""
        with self.database.transaction():
            self.database.fetch("remove_memory_page_marks", owner=owner, project=project)
            if seen:
                self._mark(owner, project, f"{_SEEN}{seen}")

    def seen(self, owner: str, project: str) -> str:
        """The last event that was known when the page was written; empty if it never was."""
        marks = self._marks(owner, project)
        return next((mark.removeprefix(_SEEN) for mark in marks if mark.startswith(_SEEN)), "")

    def is_last_of_topic(self, owner: str, project: str, topic: str, digest: str) -> bool:
        """Whether this is the digest of what was written last to the file of a topic."""
        name = f"{_TOPIC}{digest}:{topic}"
        return bool(self.database.fetch("find_memory_page", owner=owner, project=project, digest=name))

    def topics(self, owner: str, project: str) -> list[str]:
        """The topics whose files were ever written, by name."""
        marks = (mark.split(":", 2) for mark in self._marks(owner, project) if mark.startswith(_TOPIC))
        return sorted({name for _, _, name in marks})

    def save_topic(self, owner: str, project: str, topic: str, digest: str, old: str) -> None:
        """Note what was written to the file of a topic, in the place of what was there."""
        with self.database.transaction():
            self.remove(owner, project, f"{_TOPIC}{old}:{topic}")
            self._mark(owner, project, f"{_TOPIC}{digest}:{topic}")

    def mark_taken(self, owner: str, project: str, content: str) -> None:
        """Note that an edit by hand was taken in: the digest of all that the block held."""
        self._mark(owner, project, f"{_TAKEN}{content}")

    def is_taken(self, owner: str, project: str, content: str) -> bool:
        """Whether this edit was taken in since the page was written."""
        return f"{_TAKEN}{content}" in self._marks(owner, project)

    def leading_lines(self, owner: str, project: str, form: int, most: int) -> list[Row]:
        """Of the memories that a page should show, the most important first, the id and the line in this form.

        A line is its section, its text, whether it has to be there, its topic, and its size; nothing of one that has
        changed since a line was saved.
        """
        return self.database.fetch("leading_lines", owner=owner, project=project, form=form, most=most)

    def save_lines(self, owner: str, project: str, form: int, lines: Iterable[Row], wanted: Collection[str]) -> None:
        """Keep lines, each behind the id of its memory; of too many only those of the memories that are wanted.

        Whoever calls it has read the memories in the same transaction.
        """
        self.database.run_many("save_memory_line", [(owner, project, form, *line) for line in lines])
        ((count,),) = self.database.fetch("memory_line_count", owner=owner, project=project)
        if 2 * count > 3 * len(wanted):
            kept = json.dumps([*wanted])
            self.database.fetch("remove_other_memory_lines", owner=owner, project=project, kept=kept)

    def due(self, owner: str) -> list[str]:
        """The projects whose pages are to be written."""
        return [row[0] for row in self.database.fetch("projects_with_pages_due", owner=owner)]

    def _mark(self, owner: str, project: str, name: str) -> None:
        self.database.fetch("save_memory_page", owner=owner, project=project, digest=name, body=None, written_ms=0)

    def _marks(self, owner: str, project: str) -> list[str]:
        """The rows that are no generation; no page is read for them."""
        return [row[0] for row in self.database.fetch("memory_page_marks", owner=owner, project=project)]
