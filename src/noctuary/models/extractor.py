"""What everything that reads sessions for a dream promises; `tests/contract/test_extractor.py` holds each to it."""

from typing import Protocol

from noctuary.proposals import Conversation, Extraction


class Extractor(Protocol):
    """Finds what a session decided, found, rejected or demanded that nobody wrote down.

    Raises only `ModelError`s; then nothing of the session counts as read.  Every proposal is of a type in `PROPOSED`
    and cites messages of the conversation by ids that exist, with a quote that occurs in the first of them.
    """

    name: str  # of the backend and its model, for reports

    def extract(self, conversation: Conversation) -> Extraction:
        """What is worth keeping of this part of a session, in the order in which it was said."""
        ...
