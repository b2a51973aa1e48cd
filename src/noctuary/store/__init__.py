"""The database and what is kept in it."""

from pathlib import Path

from noctuary.store.database import Database
from noctuary.store.lexicon import Lexicon
from noctuary.store.messages import Messages
from noctuary.store.places import Places
from noctuary.store.sessions import Sessions
from noctuary.store.sqlite import BUSY_SECONDS, SqliteDatabase
from noctuary.store.tombstones import Tombstones


class Store:
    """One database, and a part for each family of tables."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.sessions = Sessions(database)
        self.messages = Messages(database)
        self.lexicon = Lexicon(database)
        self.places = Places(database)
        self.tombstones = Tombstones(database)

    def close(self) -> None:
        """Close the database."""
        self.database.close()


def open_store(path: Path, *, busy_seconds: float = BUSY_SECONDS) -> Store:
    """Open the store in this SQLite file, making it if need be."""
    return Store(SqliteDatabase(path, busy_seconds=busy_seconds))
