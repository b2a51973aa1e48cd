"""What a session gave joins what is known: entries are written, memories made, supported, superseded or disputed.

All of it is written within one right to write, so it is there whole or not at all.  The cost follows what the session
gave: what it meets is looked up by index, never by reading through all that is known.
"""

from collections.abc import Sequence
from typing import NamedTuple

from noctuary.authored import Author, Event, EventSource, EventType
from noctuary.dream.merging.clusters import Clusters
from noctuary.dream.merging.planted import distrust
from noctuary.dream.merging.suggesting import suggested_task
from noctuary.dream.merging.what_was_read import Reading
from noctuary.dream.night import Night
from noctuary.dreams import MemoryChange
from noctuary.ledger.ledger import Write

__all__ = ["Consolidated", "Reading", "consolidate"]


class Consolidated(NamedTuple):
    """What was written."""

    events: Sequence[str]  # ids of the entries, in the order in which they were written
    changes: Sequence[MemoryChange]
    mark: str  # id of the bookkeeping, which says what was read and how memories were before
    entries: int = 0  # how many of the events say something; the last one may only propose a task
    normalized_dates: int = 0


def consolidate(night: Night, write: Write, reading: Reading) -> Consolidated:
    """Write down what a session gave, within the right to write to its project."""
    clusters = Clusters(night, write, reading)
    for proposal in clusters.in_order(reading.guarded.kept):
        clusters.keep(proposal)
    for proposal, known in reading.guarded.merged:
        clusters.merge(proposal, known)
    clusters.changes += distrust(clusters.touched, reading.history, reading.planted)
    entries = len(clusters.events)
    if task := suggested_task(night, reading, clusters.events, clusters.node):
        clusters.events.append(write(task).id)
    mark = write(_bookkeeping(reading, clusters)).id
    return Consolidated(tuple(clusters.events), tuple(clusters.changes), mark, entries, clusters.dates)


def _bookkeeping(reading: Reading, clusters: Clusters) -> Event:
    """What heals the state of the dream from the journal, changes older memories, and lets all of it be taken back."""
    mark = {**reading.mark, "first": reading.first, "last": reading.last, "events": clusters.events}
    memories = clusters.touched.changes()
    return Event(
        EventType.STATUS,
        author=Author.DREAM,
        source=EventSource.DREAM,
        session=reading.session.id,
        meta={"bookkeeping": True, "dream": {**mark, "before": clusters.touched.before()}},
        change={"memories": memories} if memories else {},
    )
