"""Proposals that two runs made of the same words: two machines dreamt of a session, and their journals were merged.

The one with the smaller id counts, on whichever machine: it stands in the place of the other, and what became of it
became of both.  The lines of both stay in the journal.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from noctuary.authored import Author, EventStatus
from noctuary.store.database import Database

_GREATEST = 0xFFFFFF  # number of a message that events are found by
_SUGGESTED, _DREAM = str(EventStatus.SUGGESTED), str(Author.DREAM)


class Said(NamedTuple):
    """What makes two proposals one: the message that they cite first, and the words."""

    session: str
    message: int
    text: str


class Doubles:
    """The proposals of a project, as far as they are folded."""

    def __init__(self, database: Database, owner: str, project: str, *, is_first: bool) -> None:
        """`is_first`: nothing is in the tables yet."""
        self._database, self._owner, self._project, self._is_first = database, owner, project, is_first
        self._folded: dict[Said, list[tuple[str, str]]] = {}  # by this fold: run and id
        self._cited: dict[str, set[int]] = {}  # messages that events in the tables rest on, by their session

    def of(self, record: Mapping[str, Any], *, is_new: bool = False) -> list[str]:
        """The ids of proposals of other runs that say what this event says, the first first; none if it is none.

        `is_new`: the event is being folded, and is one of them from now on.
        """
        run, said = _proposal(record)
        if said is None:
            return []
        known = self._folded.setdefault(said, []) if is_new else self._folded.get(said, [])
        found = [name for other, name in known if other != run]
        if is_new:
            known.append((run, record["event_id"]))
        return sorted({*found, *([] if self._is_first else self._stored(run, said))})

    def _stored(self, run: str, said: Said) -> list[str]:
        if said.message not in self._cited_in(said.session):  # as mostly none is
            return []
        rows = self._database.fetch(
            "proposals_of_other_runs", owner=self._owner, project=self._project, run=run, **said._asdict()
        )
        return [row[0] for row in rows]

    def _cited_in(self, session: str) -> set[int]:
        """The messages of a session that events rested on when it was first asked for: later ones are of this fold."""
        if session not in self._cited:
            rows = self._database.fetch("cited_messages", owner=self._owner, session=session)
            self._cited[session] = {row[0] for row in rows}
        return self._cited[session]


def is_double(event_id: str, hidden_by: object) -> bool:
    """Whether what stands in the place of an event came before it: who corrects something comes after it."""
    return isinstance(hidden_by, str) and hidden_by < event_id


def is_undoing(record: Mapping[str, Any]) -> bool:
    """Whether an event takes back what it does with a whole run, of which nobody judged what it said."""
    dream = (record.get("meta") or {}).get("dream")
    return isinstance(dream, dict) and "undo" in dream


def _proposal(record: Mapping[str, Any]) -> tuple[str, Said | None]:
    """The run that proposed an event, and what it says; None if no dream did, or if it cites nothing."""
    get = record.get
    if get("status") != _SUGGESTED or get("author") != _DREAM:
        return "", None
    meta, refs = get("meta") or {}, get("refs") or {}
    dream = None if meta.get("bookkeeping") else meta.get("dream")
    cited = next(iter(refs.get("messages") or ()), None)
    run = dream.get("run") if isinstance(dream, dict) else None
    if not isinstance(run, str) or not run or cited is None or not 0 < cited["id"] <= _GREATEST:
        return "", None
    return run, Said(cited["session"], cited["id"], get("text", ""))
