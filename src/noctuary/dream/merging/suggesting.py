"""A session that nobody opened a task for may have been about one: a dream proposes it, and a person says so."""

from collections.abc import Sequence

from noctuary.authored import Author, Event, EventSource, EventStatus, EventType, Trust
from noctuary.dream.merging.what_was_read import Reading
from noctuary.dream.night import Night
from noctuary.errors import BadInput
from noctuary.graph import NodeType
from noctuary.ids import derived_id
from noctuary.ledger.ledger import entry_from
from noctuary.work.desk import PREFIXES
from noctuary.work.wording import headline_of

ENOUGH_ENTRIES = 3  # with fewer, a session was a question rather than a piece of work


def task_id(project: str, session: str) -> str:
    """The id of the task that a session is about, if nobody opened another; the same on every machine."""
    return derived_id(PREFIXES[NodeType.TASK], project, session)


def own_task(night: Night, reading: Reading) -> str | None:
    """The task that was proposed for an earlier part of the session, if somebody has confirmed it and it goes on."""
    node = night.store.nodes.find(night.owner, task_id(reading.project, reading.session.id))
    return node.id if node is not None and node.completed_ms is None else None


def suggested_task(night: Night, reading: Reading, events: Sequence[str], node: str | None) -> Event | None:
    """The proposal to open a task for what a session was about; None if it is about a node, or if it was proposed."""
    session = reading.session
    if len(events) < ENOUGH_ENTRIES or node or _was_suggested(night, reading):
        return None
    title = _title(night, reading, events)
    if not title:
        return None
    name = task_id(reading.project, session.id)
    return Event(
        EventType.OPEN,
        title,
        ts_ms=session.started_ms or session.last_ms or 0,
        author=Author.DREAM,
        source=EventSource.DREAM,
        status=EventStatus.SUGGESTED,
        trust=Trust.AGENT,
        meta={"dream": reading.mark, "opens": {"id": name, "title": title, "events": list(events)}},
    )


def _was_suggested(night: Night, reading: Reading) -> bool:
    records = night.store.dreams.of_session(night.owner, reading.session.id)
    names = [name for record in records if record.epoch != reading.epoch for name in record.artifacts]
    rows = (night.store.events.find(night.owner, name) for name in names)
    return any(row is not None and entry_from(row).acts_as is EventType.OPEN for row in rows)


def _title(night: Night, reading: Reading, events: Sequence[str]) -> str:
    said = (reading.session.title, reading.session.preview)
    first = next((words for words in said if words and words.strip()), None)
    if first is None:
        entry = night.ledger.entry(events[0])
        first = entry.event.text if entry else ""
    try:
        return headline_of(first)
    except BadInput:  # nothing in it can be seen
        return ""
