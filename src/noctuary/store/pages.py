"""What was written to MEMORY.md, so that an edit by hand can be told from what we wrote ourselves."""

from typing import NamedTuple

from noctuary.store.database import Database

_DUE = ""  # the digest of a page that is still to be written
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
        rows = self.database.fetch("memory_pages", owner=owner, project=project)
        return [Generation(*row) for row in rows if row[0] != _DUE]

    def add(self, owner: str, project: str, generation: Generation) -> None:
        """Note what is about to be written; the oldest generations are dropped."""
        with self.database.transaction():
            self.database.fetch("save_memory_page", owner=owner, project=project, **generation._asdict())
            for old in self.generations(owner, project)[_KEPT:]:
                self.database.fetch("remove_memory_page", owner=owner, project=project, digest=old.digest)

    def mark_due(self, owner: str, project: str) -> None:
        """Note that a project's page is not what the memories say."""
        self.database.fetch("save_memory_page", owner=owner, project=project, digest=_DUE, body=None, written_ms=0)

    def mark_written(self, owner: str, project: str) -> None:
        """Note that a project's page is what the memories say."""
        self.database.fetch("remove_memory_page", owner=owner, project=project, digest=_DUE)

    def due(self, owner: str) -> list[str]:
        """The projects whose pages are to be written."""
        return [row[0] for row in self.database.fetch("projects_with_pages_due", owner=owner)]
