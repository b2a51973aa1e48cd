"""What may be recalled for a prompt: memories that hold, and what was noted in a project last."""

from collections.abc import Iterator
from itertools import islice

from noctuary.authored import EventType
from noctuary.brief.lines import short_event
from noctuary.brief.telling import SOURCES, may_be_told
from noctuary.dream.pages.lines import STALE, since_ms
from noctuary.ledger.ledger import Ledger
from noctuary.moments import show_day
from noctuary.store.memories import EVERY_PROJECT, MemoryStatus, Remembered, holds_everywhere
from noctuary.store.telling import Telling

Entry = tuple[str, str, str, str, str]  # id, kind, day, session, words
RECALLED = (
    EventType.DECISION,
    EventType.REJECTION,
    EventType.CONSTRAINT,
    EventType.FINDING,
    EventType.EVIDENCE,
)
MOST = 5_000


def entries(ledger: Ledger, project: str) -> list[Entry]:
    """Memories first, then events that are none, the newest first; at most so many that a hook can look through."""
    return [*islice(_all(ledger, project), MOST)]


def _all(ledger: Ledger, project: str) -> Iterator[Entry]:
    telling, owner = Telling(ledger.store.database), ledger.owner
    everywhere = telling.memories(owner, EVERY_PROJECT, MemoryStatus.ACTIVE, MOST)
    own = telling.memories(owner, project, MemoryStatus.ACTIVE, MOST) if project != EVERY_PROJECT else []
    held = [memory for memory in (*own, *filter(holds_everywhere, everywhere)) if memory.facts.get("verified") != STALE]
    rejections = ledger.store.memories.said_as(owner, held, EventType.REJECTION)
    yield from (_remembered(memory, is_rejection=memory.id in rejections) for memory in held)
    noted = telling.events(owner, project, RECALLED, MOST)
    known = telling.remembered(owner, [event.id for event in noted])
    for event in noted:
        if event.id not in known and may_be_told(event.text, event.trust):
            source = SOURCES.get(event.trust)
            kind = f"{event.type}, {source}" if source else str(event.type)
            yield short_event(event.id), kind, show_day(event.ts_ms), event.session, event.text


def _remembered(memory: Remembered, *, is_rejection: bool) -> Entry:
    sessions = memory.facts.get("sessions")
    last = str(sessions[-1]) if isinstance(sessions, list) and sessions else ""
    kind = EventType.REJECTION if is_rejection else memory.kind
    return memory.id, str(kind), show_day(since_ms(memory)), last, memory.text
