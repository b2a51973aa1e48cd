"""Recall on a PostgreSQL server, where a connection sees one owner's rows: a recall for each owner who asks."""

from collections.abc import Sequence

from noctuary.clock import Clock
from noctuary.recall.contract import DEFAULT_LIMIT, DEFAULT_WINDOW
from noctuary.recall.database import DatabaseRecall
from noctuary.recall.query import Query
from noctuary.records import Found, Message, Session, Window
from noctuary.store import open_server_store


class ServerRecall:
    """A `RecallStore` on PostgreSQL."""

    def __init__(self, url: str, clock: Clock) -> None:
        self.url = url
        self.clock = clock
        self._by_owner: dict[str, DatabaseRecall] = {}

    def of(self, owner: str) -> DatabaseRecall:
        """The recall of one owner."""
        if owner not in self._by_owner:
            self._by_owner[owner] = DatabaseRecall(open_server_store(self.url, owner), self.clock)
        return self._by_owner[owner]

    def ensure_session(self, owner: str, session: Session) -> None:
        """Make the session known, or fill in what was missing."""
        self.of(owner).ensure_session(owner, session)

    def append(self, owner: str, session_id: str, message: Message) -> int:
        """Store the message at the end of the session and give its id."""
        return self.of(owner).append(owner, session_id, message)

    def search(self, owner: str, query: Query, limit: int = DEFAULT_LIMIT) -> Found:
        """The best hits, one a session."""
        return self.of(owner).search(owner, query, limit)

    def search_messages(self, owner: str, query: Query, limit: int = DEFAULT_LIMIT) -> Found:
        """The best hits, one a message."""
        return self.of(owner).search_messages(owner, query, limit)

    def scroll(self, owner: str, session_id: str, around: int, window: int = DEFAULT_WINDOW) -> Window | None:
        """The message and its visible neighbours."""
        return self.of(owner).scroll(owner, session_id, around, window)

    def recent(self, owner: str, limit: int = DEFAULT_LIMIT) -> Sequence[Session]:
        """Sessions by last activity, the newest first."""
        return self.of(owner).recent(owner, limit)

    def delete_session(self, owner: str, session_id: str) -> bool:
        """Remove the session, its messages and its index entries."""
        return self.of(owner).delete_session(owner, session_id)

    def close(self) -> None:
        """Close what was opened for each owner."""
        for recall in self._by_owner.values():
            recall.store.close()
        self._by_owner.clear()
