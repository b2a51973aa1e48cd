"""What a brief is made of: all of a project that may be worth telling, read from the tables.

Nothing depends on what time it is, so the same memory always gives the same.  Whatever is read is read by an index and
at most so often, so that a brief costs the same however much was ever said.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from noctuary.authored import EventStatus, EventType, Trust
from noctuary.brief.telling import may_be_told
from noctuary.dream.pages.lines import STALE
from noctuary.graph import STARTED, Node, NodeStatus, NodeType
from noctuary.ledger.ledger import Ledger
from noctuary.records import Relation, Session
from noctuary.store.memories import EVERY_PROJECT, MemoryKind, MemoryStatus, Remembered, holds_everywhere
from noctuary.store.sharing import Share
from noctuary.store.telling import Noted, Telling
from noctuary.store.work_sessions import WorkSession
from noctuary.work import event_meta

TOLD = (
    EventType.DECISION,
    EventType.REJECTION,
    EventType.CONSTRAINT,
    EventType.PREFERENCE,
    EventType.CORRECTION,
    EventType.FINDING,
    EventType.EVIDENCE,
    EventType.HYPOTHESIS,
)
_ORDERS = (EventType.CONSTRAINT, EventType.PREFERENCE)
_VOUCHED = (Trust.USER, Trust.AGENT)
_KINDS = {MemoryKind.CONSTRAINT: EventType.CONSTRAINT, MemoryKind.PREFERENCE: EventType.PREFERENCE}
_KINDS |= {MemoryKind.DECISION: EventType.DECISION}
_MOST_MEMORIES = 120
_MOST_EVERYWHERE = 20
_MOST_PROPOSED = 60
_MOST_EVENTS = 300
_MOST_SESSIONS = 8
_MOST_NODES = 12
_MOST_SHARED = 40
_NEVER_MS = 0  # leases end by the clock, which a brief does not know: who holds a task holds it


class Told(NamedTuple):
    """Something that was said or found in a session, and who said it."""

    id: str  # of the event, or of the memory that it may become
    event: str  # later ones have greater ids
    type: EventType
    text: str
    trust: Trust
    session: str  # empty: it was noted outside of all
    ts_ms: int
    confidence: float
    support: int = 1
    is_confirmed: bool = False
    is_gotcha: bool = False  # it cost somebody time


class Goal(NamedTuple):
    """A goal that is worked on, and where that stands."""

    node: Node
    done: int
    remaining: int
    last: Sequence[Node] = ()  # what was done last, the newest first
    handoff: WorkSession | None = None  # the last session of work that ended


class Work(NamedTuple):
    """Where the work of a project stands."""

    goals: Sequence[Goal] = ()
    begun: Sequence[Node] = ()
    blocked: Sequence[Node] = ()
    ready: Sequence[Node] = ()
    undecided: Sequence[Node] = ()


class Material(NamedTuple):
    """All that may be told, each kind with the most important first."""

    memories: Sequence[Remembered] = ()  # that hold, of the project and of all
    rejections: frozenset[str] = frozenset()  # those of them that say what not to do
    told: Sequence[Told] = ()
    work: Work = Work()
    sessions: Mapping[str, Session] = {}  # by id: the last ones, and those of what is told
    last: Sequence[str] = ()  # ids of the last sessions, the newest first
    shared: Sequence[Share] = ()  # by others, with the teams that the project is bound to; the newest first


def gather(ledger: Ledger, project: str) -> Material:
    """What there is to tell about a project; of one that is not known, what holds everywhere."""
    telling, owner = Telling(ledger.store.database), ledger.owner
    memories = _memories(telling, owner, project)
    rejections = ledger.store.memories.said_as(owner, memories, EventType.REJECTION)
    if project == EVERY_PROJECT:
        return Material(memories, frozenset(rejections))
    told = _told(telling, owner, project)
    last = telling.sessions(owner, project, _MOST_SESSIONS)
    return Material(
        memories,
        frozenset(rejections),
        told,
        _work(ledger, project),
        _sessions(ledger, told, last),
        [session.id for session in last],
        ledger.store.sharing.told(owner, project, _MOST_SHARED),
    )


def _memories(telling: Telling, owner: str, project: str) -> list[Remembered]:
    """What holds, without what is stale: of all projects first, then of this one."""
    everywhere = telling.memories(owner, EVERY_PROJECT, MemoryStatus.ACTIVE, _MOST_EVERYWHERE)
    own = [] if project == EVERY_PROJECT else telling.memories(owner, project, MemoryStatus.ACTIVE, _MOST_MEMORIES)
    return [memory for memory in (*filter(holds_everywhere, everywhere), *own) if memory.facts.get("verified") != STALE]


def _told(telling: Telling, owner: str, project: str) -> list[Told]:
    """What was noted last and neither is nor was a memory, and what was ever proposed and weighs most."""
    noted = telling.events(owner, project, TOLD, _MOST_EVENTS)
    known = telling.remembered(owner, [event.id for event in noted])
    told = {event.id: _said(event) for event in noted if event.id not in known and _may_be_told(event)}
    for memory in telling.memories(owner, project, MemoryStatus.PROPOSED, _MOST_PROPOSED):
        if memory.facts.get("verified") == STALE:
            told.pop(memory.event, None)
        elif memory.event in told:
            is_gotcha = memory.kind is MemoryKind.GOTCHA
            told[memory.event] = told[memory.event]._replace(
                id=memory.id, support=_support(memory), is_gotcha=is_gotcha
            )
        elif _may_be_proposed(memory):
            told[memory.event] = _proposed(memory)
    return [*told.values()]


def _may_be_told(event: Noted) -> bool:
    return may_be_told(event.text, event.trust) and (event.type not in _ORDERS or event.trust in _VOUCHED)


def _may_be_proposed(memory: Remembered) -> bool:
    trust = Trust(str(memory.facts.get("trust") or Trust.AGENT))
    is_order = memory.kind in (MemoryKind.CONSTRAINT, MemoryKind.PREFERENCE)
    return may_be_told(memory.text, trust) and (not is_order or trust in _VOUCHED)


def _said(event: Noted) -> Told:
    sure = 0.5 if event.confidence is None else event.confidence
    text = _with_reasons(event.text, event_meta.alternatives({"alternatives": event.alternatives}))
    is_confirmed = event.status is EventStatus.CONFIRMED
    about = (event.id, event.id, event.type, text, event.trust, event.session, event.ts_ms, sure)
    return Told(*about, is_confirmed=is_confirmed)


def _with_reasons(text: str, options: Sequence[event_meta.ToldOption]) -> str:
    """A decision with what was chosen and what was not, each with its reason."""
    chosen = [option for option in options if option.chosen]
    ways = [f"{'' if option.chosen else 'not '}{option.option}" for option in (*chosen, *options)]
    whys = [f" ({option.rationale})" if option.rationale else "" for option in (*chosen, *options)]
    told = dict.fromkeys(way + why for way, why in zip(ways, whys, strict=True) if way != text)
    return ": ".join([text, "; ".join(told)]) if told else text


def _proposed(memory: Remembered) -> Told:
    facts = memory.facts
    sessions, sure, last_ms = facts.get("sessions"), facts.get("confidence"), facts.get("last_ms")
    return Told(
        memory.id,
        memory.event,
        _KINDS.get(memory.kind, EventType.FINDING),
        memory.text,
        Trust(str(facts.get("trust") or Trust.AGENT)),
        str(sessions[-1]) if isinstance(sessions, list) and sessions else "",
        last_ms if isinstance(last_ms, int) else memory.recorded_ms,
        sure if isinstance(sure, float) else 0.5,
        _support(memory),
        is_gotcha=memory.kind is MemoryKind.GOTCHA,
    )


def _support(memory: Remembered) -> int:
    support = memory.facts.get("support")
    return support if isinstance(support, int) and support > 0 else 1


def _sessions(ledger: Ledger, told: Sequence[Told], last: Sequence[Session]) -> dict[str, Session]:
    """The sessions that are spoken of; one that an agent had with itself is the one that it was had in."""
    found = {session.id: session for session in last}
    for name in dict.fromkeys(one.session for one in told):
        if name and name not in found and (session := _session(ledger, name)):
            found |= {name: session, session.id: session}
    return found


def _session(ledger: Ledger, name: str) -> Session | None:
    found = ledger.store.sessions.find(ledger.owner, name)
    session = found[1] if found else None
    if session and session.relation is Relation.SUBAGENT and session.parent:
        above = ledger.store.sessions.find(ledger.owner, session.parent)
        return above[1] if above else session
    return session


def _work(ledger: Ledger, project: str) -> Work:
    nodes, owner = ledger.store.nodes, ledger.owner
    task, kinds = (NodeType.TASK,), (NodeType.DECISION,)
    goals = nodes.where(owner, project=project, types=(NodeType.GOAL,), statuses=(NodeStatus.ACTIVE,))
    newest = sorted(goals, key=lambda node: (-node.last_ms, node.id))[:2]
    open_ = (NodeStatus.ACTIVE, NodeStatus.PENDING)
    return Work(
        [_goal(ledger, node) for node in newest],
        nodes.where(owner, project=project, types=task, statuses=STARTED, most=_MOST_NODES),
        nodes.where(owner, project=project, types=task, statuses=(NodeStatus.BLOCKED,), most=_MOST_NODES),
        nodes.free(owner, project, _NEVER_MS).ready[:_MOST_NODES],
        nodes.where(owner, project=project, types=kinds, statuses=open_, most=_MOST_NODES),
    )


def _goal(ledger: Ledger, node: Node) -> Goal:
    below = [one for one in ledger.store.nodes.subtree(ledger.owner, node.id) if one.type is NodeType.TASK]
    done = [one for one in below if one.status is NodeStatus.COMPLETED]
    over = (NodeStatus.COMPLETED, NodeStatus.CANCELLED, NodeStatus.FAILED)
    last = sorted(done, key=lambda one: (-(one.completed_ms or 0), one.id))[:2]
    ended = ledger.store.work_sessions.where(ledger.owner, goal=node.id, is_ended=True, most=1)
    remaining = sum(one.status not in over for one in below)
    return Goal(node, len(done), remaining, last, ended[0] if ended else None)
