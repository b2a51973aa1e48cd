"""How far each transcript has been read, so that only what is new is read again."""

from dataclasses import dataclass

from noctuary.store.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPlace:
    """The place reading stopped at, and what the file looked like then."""

    size: int
    mtime_ns: int
    byte_offset: int
    line: int
    fingerprint: str
    state: str  # JSON, the adapter's own
    error: str | None = None


class Places:
    """Saved places by owner and path."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def find(self, owner: str, path: str) -> SavedPlace | None:
        """The saved place, or None if the transcript was never read."""
        rows = self.database.fetch("find_place", owner=owner, path=path)
        if not rows:
            return None
        size, mtime_ns, byte_offset, line, fingerprint, state, error = rows[0]
        return SavedPlace(
            size=size,
            mtime_ns=mtime_ns,
            byte_offset=byte_offset,
            line=line,
            fingerprint=fingerprint,
            state=state,
            error=error,
        )

    def save(self, owner: str, path: str, place: SavedPlace) -> None:
        """Remember the place; belongs in the transaction that stores what was read up to it."""
        self.database.fetch(
            "save_place",
            owner=owner,
            path=path,
            size=place.size,
            mtime_ns=place.mtime_ns,
            byte_offset=place.byte_offset,
            line=place.line,
            fingerprint=place.fingerprint,
            state=place.state,
            error=place.error,
        )

    def interrupted(self, owner: str) -> list[tuple[str, str]]:
        """Path and reason of each transcript that could not be read to its end."""
        return [(row[0], row[3]) for row in self.database.fetch("places", owner=owner) if row[3]]

    def seen(self, owner: str) -> dict[str, tuple[int, int]]:
        """Size and time that each transcript ever read had, by its path."""
        return {path: (size, mtime_ns) for path, size, mtime_ns, _ in self.database.fetch("places", owner=owner)}
