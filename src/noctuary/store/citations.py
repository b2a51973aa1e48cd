"""Which messages events rest on: how what was noted leads to what was said."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from noctuary.records import Term
from noctuary.store.database import Database
from noctuary.store.lexicon import match_expression


class Citation(NamedTuple):
    """A message that an event rests on."""

    event: int  # its number
    position: int  # of the message: its key without voice and length
    holds: bool  # whether nothing has superseded the event


class Citations:
    """The citations of all owners; every call names the owner, and what was taken back cites nothing."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def is_any(self, owner: str) -> bool:
        """Whether any event of the owner rests on a message."""
        return bool(self.database.fetch("is_any_citation", owner=owner))

    def speaking_of(self, owner: str, terms: Sequence[Term], most: int) -> list[int]:
        """Numbers of the owner's events that have one of the terms, the newest first."""
        match = match_expression((), terms)
        rows = self.database.fetch("newest_matching_events", owner=owner, match=match, most=most)
        return [row[0] for row in rows]

    def by(self, owner: str, events: Sequence[int]) -> list[Citation]:
        """What the owner's among these events rest on."""
        rows = self.database.fetch("citations_by_events", owner=owner, events=json.dumps(list(events)))
        return [Citation(event, position, bool(holds)) for event, position, holds in rows]

    def within(self, owner: str, sessions: Sequence[int], most: int) -> list[Citation]:
        """The messages of these sessions that the owner's events rest on, those of the newest events first."""
        asked = json.dumps(list(sessions))
        rows = self.database.fetch("citations_in_sessions", owner=owner, sessions=asked, most=most)
        return [Citation(event, position, bool(holds)) for event, position, holds in rows]
