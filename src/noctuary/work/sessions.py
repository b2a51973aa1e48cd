"""Sessions of work on a goal: they begin with what the last one left, and end with notes for the next.

A session that has ended stays as it ended.  Its notes are made and kept in the same transaction that ends it, and are
spelled out in the event, so that whoever folds the journal again gets the very same notes although the work went on.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from noctuary.authored import EventType
from noctuary.errors import BadInput, WorkSessionNotFound
from noctuary.graph import NodeType
from noctuary.ledger.ledger import LONGEST_TEXT
from noctuary.store.work_sessions import WorkSession
from noctuary.work.desk import Desk
from noctuary.work.handoff import notes_on
from noctuary.work.wording import only_one, title_of

BOOKKEEPING = {"bookkeeping": True}
_MOST = 1_000_000


class Started(NamedTuple):
    """A session that can be worked in, and the notes that the last session on the goal ended with."""

    session: WorkSession
    last_notes: str | None  # None: no session on this goal has ended yet
    is_new: bool = True  # False: it was open already


def start_session(desk: Desk, goal: str, agents: Iterable[str] = ()) -> Started:
    """Begin a session on a goal, or join the one that is open; NodeNotFound if there is no such goal or task."""
    node = desk.node(goal, NodeType.GOAL, NodeType.TASK)
    names = _names(agents)
    with desk.writing(node.project) as write:
        opened = desk.store.work_sessions.where(desk.owner, goal=node.id, is_open=True, most=1)
        fresh = desk.unused_id("ws", desk.store.work_sessions.find)
        session = opened[0] if opened else WorkSession(fresh, node.project, node.id, 0)
        joined = _joined(session.agents, names)
        if not opened or joined != session.agents:
            text = f"Session of work {session.id} {'joined' if opened else 'started'}"
            change = _change(session, agents=joined)
            write(EventType.STATUS, text, node=node.id, change=change, meta=BOOKKEEPING)
        return Started(_found(desk, session.id), _last_notes(desk, node.id), is_new=not opened)


def end_session(desk: Desk, name: str | None = None, summary: str = "", agents: Iterable[str] = ()) -> WorkSession:
    """End a session with its handoff notes; one that has ended is given as it is.

    Without a name it is the one that is open in the desk's project; BadInput if there are several.
    WorkSessionNotFound if there is none.
    """
    if len(summary) > LONGEST_TEXT:
        raise BadInput(f"The summary has {len(summary):,} characters; {LONGEST_TEXT:,} are the most it can have.")
    names = _names(agents)
    session = session_named(desk, name) if name is not None else _only_open(desk)
    with desk.writing(session.project) as write:
        session = _found(desk, session.id)  # somebody else may have ended it just now
        if session.ended_ms is not None:
            return session
        change = _change(
            session,
            ended=True,
            notes=notes_on(desk, session.goal),
            agents=_joined(session.agents, names),
            summary=summary.strip() or session.summary,
        )
        text = f"Session of work {session.id} ended"
        write(EventType.STATUS, text, node=session.goal, change=change, meta=BOOKKEEPING)
        return _found(desk, session.id)


def list_sessions(desk: Desk, goal: str | None = None, *, everywhere: bool = False) -> list[WorkSession]:
    """Sessions of work, the newest first: on a goal, in the desk's project, or everywhere."""
    if goal is not None:
        node = desk.node(goal, NodeType.GOAL, NodeType.TASK)
        return desk.store.work_sessions.where(desk.owner, goal=node.id)
    return desk.store.work_sessions.where(desk.owner, project=None if everywhere else desk.project)


def session_named(desk: Desk, name: str) -> WorkSession:
    """The session with this id, or the only one whose id begins so; WorkSessionNotFound if there is none."""
    if desk.store.work_sessions.find(desk.owner, name):
        return _found(desk, name)
    sessions = desk.store.work_sessions.where(desk.owner, most=_MOST) if name else []
    beginning = [session.id for session in sessions if session.id.startswith(name)]
    return _found(desk, only_one(beginning, name, "session of work", WorkSessionNotFound) or name)


def _only_open(desk: Desk) -> WorkSession:
    opened = desk.store.work_sessions.where(desk.owner, project=desk.project, is_open=True)
    if not opened:
        raise WorkSessionNotFound(
            "No session of work is open in this project; `noctuary session start GOAL` opens one."
        )
    if len(opened) > 1:
        listed = ", ".join(f"{session.id} (on {session.goal})" for session in opened)
        raise BadInput(f"Several sessions of work are open in this project; name one of them: {listed}.")
    return opened[0]


def _last_notes(desk: Desk, goal: str) -> str | None:
    ended = desk.store.work_sessions.where(desk.owner, goal=goal, is_ended=True)
    return (
        max(ended, key=lambda session: (session.ended_ms or 0, session.started_ms, session.id)).notes if ended else None
    )


def _found(desk: Desk, session_id: str) -> WorkSession:
    found = desk.store.work_sessions.find(desk.owner, session_id)
    if found is None:
        raise WorkSessionNotFound(f"session not found: {session_id}; `noctuary session list` shows ids.")
    return found


def _change(session: WorkSession, **fields: Any) -> Mapping[str, Any]:
    """What the event does to the session.  The goal is always named: an end must make sense without its start."""
    told = {key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()}
    return {"sessions": [{"id": session.id, "goal": session.goal, **told}]}


def _names(agents: Iterable[str]) -> tuple[str, ...]:
    given = [agents] if isinstance(agents, str) else agents  # one name is no list of letters
    return tuple(dict.fromkeys(title_of(agent) for agent in given))


def _joined(known: Sequence[str], added: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *added)))
