"""Lists for doors that hand them out in parts: each part begins behind the last of the one before."""

from collections.abc import Sequence

from noctuary.app.memory import Memory
from noctuary.authored import Entry
from noctuary.dream import reports
from noctuary.dreams import Report
from noctuary.ledger.ledger import entry_from
from noctuary.records import Session
from noctuary.store.listing import EventChoice, SessionChoice

__all__ = ["EventChoice", "SessionChoice", "events", "runs", "sessions"]


def sessions(memory: Memory, wanted: SessionChoice, behind: tuple[int, str] | None, most: int) -> Sequence[Session]:
    """Sessions by last activity, the newest first, empty ones too; `behind` is last activity and id of one of them."""
    return memory.store.listing.sessions(memory.owner, wanted, behind, most)


def events(memory: Memory, wanted: EventChoice, before: str | None, most: int) -> Sequence[Entry]:
    """What was written down, the last first; `before` is the id of one of them."""
    return [entry_from(row) for row in memory.store.listing.events(memory.owner, wanted, before, most)]


def runs(memory: Memory, before: str | None, most: int) -> Sequence[Report]:
    """Reports of dreams that left one, the last first; `before` is the id of one of them."""
    found = memory.store.listing.runs(memory.owner, before, most)
    return [reports.from_json(run.report) for run in found if run.report]
