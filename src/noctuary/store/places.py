"""How far each transcript has been read, so that only what is new is read again; and what it told."""

from dataclasses import asdict, dataclass
from typing import NamedTuple

from noctuary.store.database import Database

_COUNTS = ("agent", "told", "malformed", "drift")


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
    agent: str = ""  # empty: read before that was noted
    told: int = 0  # messages
    malformed: int = 0  # records that could not be used
    drift: str = "{}"  # JSON: types and fields of records that were new, the importer's own


class PlaceCounts(NamedTuple):
    """What one transcript told."""

    path: str
    agent: str
    told: int
    malformed: int
    drift: str


class Places:
    """Saved places by owner and path."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def find(self, owner: str, path: str) -> SavedPlace | None:
        """The saved place, or None if the transcript was never read."""
        rows = self.database.fetch("find_place", owner=owner, path=path)
        if not rows:
            return None
        names = ("size", "mtime_ns", "byte_offset", "line", "fingerprint", "state", "error", *_COUNTS)
        return SavedPlace(**dict(zip(names, rows[0], strict=True)))

    def save(self, owner: str, path: str, place: SavedPlace) -> None:
        """Remember the place; belongs in the transaction that stores what was read up to it."""
        self.database.fetch("save_place", owner=owner, path=path, **asdict(place))

    def counts(self, owner: str) -> list[PlaceCounts]:
        """What every transcript ever read told, by path."""
        return [PlaceCounts(*row) for row in self.database.fetch("place_counts", owner=owner)]

    def interrupted(self, owner: str) -> list[tuple[str, str]]:
        """Path and reason of each transcript that could not be read to its end."""
        return [(row[0], row[3]) for row in self.database.fetch("places", owner=owner) if row[3]]

    def seen(self, owner: str) -> dict[str, tuple[int, int]]:
        """Size and time that each transcript ever read had, by its path."""
        return {path: (size, mtime_ns) for path, size, mtime_ns, _ in self.database.fetch("places", owner=owner)}
