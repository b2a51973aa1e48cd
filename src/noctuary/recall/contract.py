"""What every recall backend promises; `tests/contract/test_recall.py` holds each of them to it."""

from collections.abc import Sequence
from typing import Protocol

from noctuary.recall.query import Query
from noctuary.records import Found, Message, Session, Window

DEFAULT_LIMIT = 5
MOST_HITS = 100
DEFAULT_WINDOW = 5
MOST_WINDOW = 200


class RecallStore(Protocol):
    """Past conversations, kept and found; each owner sees only their own.

    Message ids count from 1 in each session.  What does not exist is empty, not an error.  Secrets and what stands
    between <private> tags are never stored.
    """

    def ensure_session(self, owner: str, session: Session) -> None:
        """Make the session known.  Calling it again changes nothing but fills in what was missing."""
        ...

    def append(self, owner: str, session_id: str, message: Message) -> int:
        """Store the message at the end of the session and give its id; a session not known before is made."""
        ...

    def search(self, owner: str, query: Query, limit: int = DEFAULT_LIMIT) -> Found:
        """The best hits, one a session, best first; a blank query or a limit of 0 finds nothing."""
        ...

    def search_messages(self, owner: str, query: Query, limit: int = DEFAULT_LIMIT) -> Found:
        """The best hits, one a message, so that a session may appear more than once."""
        ...

    def scroll(self, owner: str, session_id: str, around: int, window: int = DEFAULT_WINDOW) -> Window | None:
        """The message and so many visible messages before and after it; None if there is no such message."""
        ...

    def recent(self, owner: str, limit: int = DEFAULT_LIMIT) -> Sequence[Session]:
        """Sessions by last activity, the newest first, with title, preview and number of messages."""
        ...

    def delete_session(self, owner: str, session_id: str) -> bool:
        """Remove the session, its messages and all that finds them; False if there was none."""
        ...
