"""Sessions for tests that gave exactly what a test says they gave, read as a run reads them."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from noctuary.authored import EventType, MessageRef, Trust
from noctuary.dream.merging.consolidating import Consolidated, Reading, consolidate
from noctuary.dream.merging.history import History, guard
from noctuary.dream.night import Night
from noctuary.ids import ulid_after
from noctuary.proposals import Proposal
from noctuary.records import Session
from noctuary.store.memories import MemoryStatus, Remembered
from noctuary.testing import FakeClock
from tests.unit.dream.nights import PROJECT

DAY_MS = 86_400_000
START_MS = 1_772_366_400_000  # when the clock of tests begins: 2026-03-01
Said = tuple[EventType, str]


def said(kind: EventType, text: str, *, trust: Trust = Trust.USER, confidence: float = 0.7, **more: Any) -> Proposal:
    """A proposal; the session that is read with it is cited."""
    return Proposal(kind, text, (MessageRef("", 1, text),), trust=trust, confidence=confidence)._replace(**more)


def by_agent(kind: EventType, text: str, confidence: float = 0.7, **more: Any) -> Proposal:
    """What an agent said."""
    return said(kind, text, trust=Trust.AGENT, confidence=confidence, **more)


def read(
    night: Night,
    session: str,
    *proposals: Proposal,
    day: float = 0,
    project: str = PROJECT,
    node: str | None = None,
    epoch: int = 1,
    **facts: Any,
) -> Consolidated:
    """Read a session that gave this, on a day of the calendar of the tests; messages are a second apart."""
    start_ms = START_MS + int(day * DAY_MS)
    if isinstance(clock := night.ledger.clock, FakeClock) and clock.now_ms() < start_ms + DAY_MS // 10:
        clock.advance(timedelta(milliseconds=start_ms + DAY_MS // 10 - clock.now_ms()))
    whole = Session(id=session, project=project, title=f"Work of {session}", started_ms=start_ms, last_ms=start_ms)
    cited = [_cited(session, start_ms, place, one) for place, one in enumerate(proposals)]
    with night.ledger.writing(project) as write:
        history = History(night.store, night.owner, project)
        run = ulid_after("", night.now_ms())
        reading = Reading(run, whole._replace(**facts), epoch, 1, len(cited), guard(history, cited), history, node)
        return consolidate(night, write, reading)


def _cited(session: str, start_ms: int, place: int, proposal: Proposal) -> Proposal:
    refs = tuple(ref._replace(session=ref.session or session, id=place + 1) for ref in proposal.messages)
    return proposal._replace(messages=refs, ts_ms=proposal.ts_ms or start_ms + place * 1_000)


def memories(night: Night, *statuses: MemoryStatus, project: str = PROJECT) -> list[Remembered]:
    """The memories of the project, the oldest first; active ones unless others are named."""
    wanted: Sequence[MemoryStatus] = statuses or (MemoryStatus.ACTIVE,)
    return night.store.memories.where(night.owner, project=project, statuses=wanted)[::-1]


def texts(night: Night, *statuses: MemoryStatus) -> list[str]:
    """What the memories say."""
    return [memory.text for memory in memories(night, *statuses)]
