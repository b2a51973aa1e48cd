"""Where a memory is, or is to be: the SQLite file in a folder with journals beside it, or a PostgreSQL server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from noctuary.errors import BadInput
from noctuary.journal.contract import Journals
from noctuary.ledger.ledger import journals_of
from noctuary.store import Store, open_server_store, open_store
from noctuary.store.owned_rows import OwnedRows

DATABASE = "noctuary.db"
SERVERS = ("postgresql://", "postgres://")


class Place(NamedTuple):
    """A folder, and the server if the database is on one."""

    home: Path  # with the pages, and the database unless it is elsewhere
    url: str | None = None

    def is_same(self, other: "Place") -> bool:
        """Whether both are one database."""
        if self.url or other.url:
            return self.url == other.url
        return self.home.resolve() == other.home.resolve()


class Opened(NamedTuple):
    """One owner's memory in a place."""

    owner: str
    place: Place
    store: Store

    @property
    def rows(self) -> OwnedRows:
        """The tables."""
        return OwnedRows(self.store.database, self.owner)

    @property
    def journals(self) -> Journals:
        """The journals."""
        return journals_of(self.store, self.place.home, self.owner)


def place_named(to: str, home: Path) -> Place:
    """The place that somebody names as the destination: the address of a server, or a folder."""
    if to.startswith(SERVERS):
        return Place(home, to)
    if "://" in to or not to.strip():
        raise BadInput(f"--to is {to!r}; name a folder, or the address of a server that begins with postgresql://.")
    return Place(Path(to).expanduser().absolute())


@contextmanager
def opened(place: Place, owner: str, busy_seconds: float) -> Iterator[Opened]:
    """One owner's memory there, which is made if there is none."""
    if place.url is None:
        store = open_store(place.home / DATABASE, busy_seconds=busy_seconds)
    else:
        store = open_server_store(place.url, owner, busy_seconds=busy_seconds)
    try:
        yield Opened(owner, place, store)
    finally:
        store.close()
