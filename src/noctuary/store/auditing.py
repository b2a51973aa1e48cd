"""All that is kept of one owner, read through once for an audit."""

import json
from collections.abc import Iterator
from typing import Any

from noctuary.store.database import Database
from noctuary.store.keys import PLACE_BITS, PLACE_SHIFT
from noctuary.store.messages import span

_AT_ONCE = 500
_LAST = (1 << PLACE_BITS) - 1


class Auditing:
    """What an audit reads; every call names the owner."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def recalled(self, owner: str) -> list[str]:
        """What memory told sessions, as their transcripts have it."""
        return [row[0] for row in self.database.fetch("recalled_texts", owner=owner)]

    def events(self, owner: str, project: str | None) -> Iterator[tuple[str, str, str]]:
        """Ids, projects and texts of all events, those that were taken back too."""
        after = ""
        while rows := self.database.fetch("audited_events", owner=owner, project=project, after=after, most=_AT_ONCE):
            yield from ((name, of, "\n".join(_texts_in(json.loads(body)))) for name, of, body in rows)
            after = rows[-1][0]

    def sessions(self, owner: str, project: str | None) -> list[tuple[int, str, str]]:
        """Numbers, ids and projects of all sessions."""
        return [*self.database.fetch("audited_sessions", owner=owner, project=project)]

    def messages(self, session_no: int) -> Iterator[tuple[int, str, str | None, str]]:
        """Place, kind, call and text of all messages of a session, hidden ones and what tools were given included."""
        for key, kind, call, content, calls in self.database.fetch("audited_messages", **span(session_no, 0, _LAST)):
            yield key >> PLACE_SHIFT & _LAST, kind, call, f"{content}\n{calls}" if calls else content


def _texts_in(value: Any) -> Iterator[str]:
    """All texts in what was parsed from JSON, however they are nested."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts_in(each)
