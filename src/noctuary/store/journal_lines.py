"""Lines of journals in the database, where several machines share it; else journals are files."""

from collections.abc import Iterable

from noctuary.store.database import Database


class JournalLines:
    """Each line by the byte at which it would begin in a file; never changed."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def projects(self, owner: str) -> list[str]:
        """The projects that have lines, by name."""
        return sorted(row[0] for row in self.database.fetch("journal_projects", owner=owner))

    def end(self, owner: str, project: str) -> int:
        """The byte behind the last line; 0 if there is none."""
        rows = self.database.fetch("journal_end", owner=owner, project=project)
        return int(rows[0][0]) if rows else 0

    def at(self, owner: str, project: str, start: int) -> bytes | None:
        """The line that begins at this byte, without its end."""
        rows = self.database.fetch("journal_line_at", owner=owner, project=project, start=start)
        return bytes(rows[0][0]) if rows else None

    def page(self, owner: str, project: str, start: int, most: int) -> list[tuple[int, int, bytes]]:
        """Byte, number and content of the lines from this byte on, the first so many."""
        rows = self.database.fetch("journal_lines_from", owner=owner, project=project, start=start, most=most)
        return [(at, number, bytes(content)) for at, number, content in rows]

    def add(self, owner: str, project: str, rows: Iterable[tuple[int, int, bytes]]) -> None:
        """Store lines: byte, number, content.  Within the caller's transaction."""
        self.database.run_many("add_journal_line", [(owner, project, *row) for row in rows])

    def remove(self, owner: str, project: str) -> None:
        """Remove all lines of a project."""
        self.database.fetch("remove_journal_lines", owner=owner, project=project)
