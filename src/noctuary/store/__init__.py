"""The database and what is kept in it."""

from __future__ import annotations  # or the annotations would load the parts below

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from noctuary.lazily import lazy_module
from noctuary.store.backlog import Backlog
from noctuary.store.database import Database, Extensible, Row
from noctuary.store.lexicon import Lexicon
from noctuary.store.messages import Messages
from noctuary.store.sessions import Sessions
from noctuary.store.sqlite import BUSY_SECONDS, SqliteDatabase
from noctuary.store.vectors import Vectors

if TYPE_CHECKING:
    from noctuary.store import (
        citations,
        dreams,
        events,
        journal_lines,
        journals,
        listing,
        memories,
        nodes,
        pages,
        places,
        postgres,
        requests,
        sharing,
        tombstones,
        work_sessions,
    )
    from noctuary.store.citations import Citations
    from noctuary.store.dreams import Dreams
    from noctuary.store.events import Events
    from noctuary.store.journal_lines import JournalLines
    from noctuary.store.journals import Journals
    from noctuary.store.listing import Listing
    from noctuary.store.memories import Memories
    from noctuary.store.nodes import Nodes
    from noctuary.store.pages import Pages
    from noctuary.store.places import Places
    from noctuary.store.requests import Requests
    from noctuary.store.sharing import Sharing
    from noctuary.store.tombstones import Tombstones
    from noctuary.store.work_sessions import WorkSessions
else:
    citations = lazy_module("noctuary.store.citations")
    dreams = lazy_module("noctuary.store.dreams")
    events = lazy_module("noctuary.store.events")
    journal_lines = lazy_module("noctuary.store.journal_lines")
    journals = lazy_module("noctuary.store.journals")
    listing = lazy_module("noctuary.store.listing")
    memories = lazy_module("noctuary.store.memories")
    nodes = lazy_module("noctuary.store.nodes")
    pages = lazy_module("noctuary.store.pages")
    places = lazy_module("noctuary.store.places")
    postgres = lazy_module("noctuary.store.postgres")
    requests = lazy_module("noctuary.store.requests")
    sharing = lazy_module("noctuary.store.sharing")
    tombstones = lazy_module("noctuary.store.tombstones")
    work_sessions = lazy_module("noctuary.store.work_sessions")


class Store:
    """One database, and a part for each family of tables."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.sessions = Sessions(database)
        self.messages = Messages(database)
        self.lexicon = Lexicon(database)

    @cached_property
    def places(self) -> Places:
        """How far each transcript has been read."""
        return places.Places(self.database)

    @cached_property
    def tombstones(self) -> Tombstones:
        """What must stay forgotten."""
        return tombstones.Tombstones(self.database)

    @cached_property
    def journals(self) -> Journals:
        """How far each journal has been folded."""
        return journals.Journals(self.database)

    @cached_property
    def journal_lines(self) -> JournalLines:
        """Journals that are no files."""
        return journal_lines.JournalLines(self.database)

    @cached_property
    def events(self) -> Events:
        """What was authored."""
        return events.Events(self.database)

    @cached_property
    def citations(self) -> Citations:
        """Which messages events rest on."""
        return citations.Citations(self.database)

    @cached_property
    def nodes(self) -> Nodes:
        """The graph of the work."""
        return nodes.Nodes(self.database)

    @cached_property
    def work_sessions(self) -> WorkSessions:
        """Sessions of work, and their notes."""
        return work_sessions.WorkSessions(self.database)

    @cached_property
    def memories(self) -> Memories:
        """Sentences worth keeping."""
        return memories.Memories(self.database)

    @cached_property
    def dreams(self) -> Dreams:
        """Completions of sessions, and runs over them."""
        return dreams.Dreams(self.database)

    @cached_property
    def pages(self) -> Pages:
        """What was written to MEMORY.md."""
        return pages.Pages(self.database)

    @cached_property
    def requests(self) -> Requests:
        """What servers keep of requests, and what changed."""
        return requests.Requests(self.database)

    @cached_property
    def listing(self) -> Listing:
        """Lists that are read in parts."""
        return listing.Listing(self.database)

    @cached_property
    def sharing(self) -> Sharing:
        """What owners share with teams."""
        return sharing.Sharing(self.database)

    @property
    def vectors(self) -> Vectors:
        """What messages mean, as vectors."""
        return self.messages.vectors

    @property
    def backlog(self) -> Backlog:
        """What is stored but not yet indexed."""
        return self.messages.backlog

    def changes(self) -> Row:
        """Something that stays the same as long as nobody writes to the database."""
        return self.database.fetch("changes_so_far")[0]

    def extend(self) -> None:
        """Put to use what a server can do since its tables were made."""
        if isinstance(self.database, Extensible):
            self.database.extend()

    def close(self) -> None:
        """Close the database."""
        self.database.close()


def open_store(path: Path, *, busy_seconds: float = BUSY_SECONDS) -> Store:
    """Open the store in this SQLite file, making it if need be."""
    return Store(SqliteDatabase(path, busy_seconds=busy_seconds))


def open_server_store(url: str, owner: str, *, busy_seconds: float = BUSY_SECONDS) -> Store:
    """Open one owner's part of the store on this PostgreSQL server, making its tables if need be."""
    return Store(postgres.PostgresDatabase(url, owner, busy_seconds=busy_seconds))
