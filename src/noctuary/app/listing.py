"""Lists for doors that hand them out in parts: each part begins behind the last of the one before."""

from collections.abc import Sequence

from noctuary.app.memory import Memory
from noctuary.app.work import Work
from noctuary.authored import Entry
from noctuary.dream import reports
from noctuary.dreams import Report
from noctuary.graph import Node, NodeType
from noctuary.ledger.ledger import entry_from
from noctuary.records import Session
from noctuary.store.listing import EventChoice, SessionChoice
from noctuary.work.ready import as_they_stand

__all__ = ["EventChoice", "SessionChoice", "events", "nodes", "runs", "sessions"]


def sessions(memory: Memory, wanted: SessionChoice, behind: tuple[int, str] | None, most: int) -> Sequence[Session]:
    """Sessions by last activity, the newest first, empty ones too; `behind` is last activity and id of one of them."""
    return memory.store.listing.sessions(memory.owner, wanted, behind, most)


def events(memory: Memory, wanted: EventChoice, before: str | None, most: int) -> Sequence[Entry]:
    """What was written down, the last first; `before` is the id of one of them."""
    return [entry_from(row) for row in memory.store.listing.events(memory.owner, wanted, before, most)]


def nodes(
    work: Work, kind: NodeType | None, behind: tuple[int, str] | None, most: int, *, everywhere: bool
) -> Sequence[Node]:
    """Nodes of a project or of all, the oldest first, each as it stands now; `behind` is a moment and an id of one."""
    desk = work.desk
    project, types = None if everywhere else desk.project, None if kind is None else [kind]
    found = desk.store.nodes.where(desk.owner, project=project, types=types, behind=behind, most=most)
    return as_they_stand(desk, found)


def runs(memory: Memory, before: str | None, most: int) -> Sequence[Report]:
    """Reports of dreams that left one, the last first; `before` is the id of one of them."""
    found = memory.store.listing.runs(memory.owner, before, most)
    return [reports.from_json(run.report) for run in found if run.report]
