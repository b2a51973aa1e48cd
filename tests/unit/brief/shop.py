"""A memory of the shop's work, and what its brief says: what the tests of the brief share."""

from pathlib import Path

from noctuary.app import Memory
from noctuary.authored import Author, Event, EventSource, EventStatus, EventType, MessageRef, Refs, Strength, Trust
from noctuary.brief.making import make
from noctuary.brief.material import Told
from noctuary.brief.page import Brief
from noctuary.records import Message, Relation, Role, Session
from noctuary.settings import Settings
from noctuary.testing import FakeClock

SHOP = "/home/ana/code/shop"
DAY_MS = 86_400_000
NOON = FakeClock().now_ms()


def opened(folder: Path, clock: FakeClock | None = None, owner: str = "ana") -> Memory:
    """The memory in a folder."""
    settings = Settings(home=folder / "memory", owner=owner, user_home=folder, environ={})
    return Memory.from_settings(settings, clock or FakeClock())


def talk(memory: Memory, name: str, title: str, *, days_ago: int = 0, parent: str | None = None) -> None:
    """A session with this title, some days before noon."""
    then_ms = NOON - days_ago * DAY_MS
    session = Session(id=name, project=SHOP, title=title, started_ms=then_ms)
    if parent:
        session = session._replace(parent=parent, relation=Relation.SUBAGENT)
    memory.add_session(session, [Message(role=Role.USER, content=title, ts_ms=then_ms)])


def note(
    memory: Memory,
    kind: str,
    text: str,
    *,
    session: str = "",
    trust: Trust = Trust.AGENT,
    days_ago: int = 0,
    project: str = SHOP,
    confidence: float | None = None,
    status: EventStatus = EventStatus.SUGGESTED,
    strength: Strength | None = None,
) -> Event:
    """Something that a dream found in a session."""
    cited = Refs(messages=(MessageRef(session, 1, text[:50]),)) if session else Refs()
    return memory.ledger.record(
        Event(
            type=EventType(kind),
            text=text,
            project=project,
            ts_ms=NOON - days_ago * DAY_MS,
            author=Author.DREAM,
            source=EventSource.DREAM,
            trust=trust,
            refs=cited,
            confidence=confidence,
            status=status,
            strength=strength,
        )
    )


def brief_of(memory: Memory, project: str = SHOP, budget: int = 2_000) -> Brief:
    """The brief of the shop."""
    return make(memory.ledger, project, budget=budget)


def section(brief: Brief, title: str) -> list[str]:
    """The lines of the section that begins so; none if there is none."""
    return [line.text for one in brief.sections if one.title.startswith(title) for line in one.lines]


def told(text: str, kind: str = "finding", **more: object) -> Told:
    """Something that was said at noon."""
    given = {
        "id": f"01{text}",
        "event": f"01{text}",
        "trust": Trust.AGENT,
        "session": "s-1",
        "ts_ms": NOON,
        "confidence": 0.5,
        **more,
    }
    return Told(type=EventType(kind), text=text, **given)  # type: ignore[arg-type]
