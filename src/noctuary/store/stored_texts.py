"""Texts in rows that neither a journal nor a message is: looked through, and replaced where they must not stay so."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from noctuary.store.database import Database, Row

Clean = Callable[[str], str]


class Texts(NamedTuple):
    """The texts of one row."""

    table: str
    names: Row  # what tells it from the other rows of its owner
    texts: tuple[str | None, ...]


# How many columns tell the rows of a table apart; the others are texts.
_NAMES: Mapping[str, int] = {
    "places": 1,
    "sessions": 1,
    "dream_sessions": 2,
    "dream_runs": 1,
    "dream_answers": 2,
    "share_reviews": 2,
    "request_answers": 1,
}
# Rows that cannot be another than they were: a share is what its reviewer saw.
_REMOVED: Mapping[str, int] = {"shares": 1}
RECORDS = ("dream_runs", "dream_answers", "request_answers")  # whose texts are JSON of ours
WITH_TEXTS = (*_NAMES, *_REMOVED)


class StoredTexts:
    """The texts in the rows of one owner."""

    def __init__(self, database: Database, owner: str) -> None:
        self.database = database
        self.owner = owner

    def all(self) -> Iterator[Texts]:
        """Every row that has texts."""
        for table, names in {**_NAMES, **_REMOVED}.items():
            for row in self.database.fetch(f"texts_of_{table}", owner=self.owner):
                yield Texts(table, row[:names], row[names:])

    def replace(self, found: Texts, clean: Clean) -> None:
        """Clean the texts of a row, or remove the row if it could not be cleaned; within the caller's transaction."""
        if found.table in _REMOVED:
            self._remove(found)
            return
        texts = tuple(text if text is None else clean(text) for text in found.texts)
        self.database.run_many(f"set_texts_of_{found.table}", [(*texts, self.owner, *found.names)])

    def _remove(self, found: Texts) -> None:
        for query in ("remove_reviews", "remove_share"):
            self.database.fetch(query, owner=self.owner, id=found.names[0])

    def generations(self) -> list[Row]:
        """Project, digest, text and time of all that is noted of pages; a mark has no text."""
        return self.database.fetch("generations_of_pages", owner=self.owner)

    def replace_generation(self, row: Row, digest: str, body: str | None) -> None:
        """Note another digest and text of a page, in the place of those there are."""
        project, old, _, written_ms = row
        self.database.fetch("remove_memory_page", owner=self.owner, project=project, digest=old)
        self.database.fetch(
            "save_memory_page", owner=self.owner, project=project, digest=digest, body=body, written_ms=written_ms
        )
