"""Sessions of work and memories, as the changes of events make them.  They are few, so each is written at once."""

import json
from collections.abc import Mapping
from typing import Any

from noctuary.ledger.folding_nodes import Scope
from noctuary.store.database import Row
from noctuary.weighing import weight

_HOLDS = ("active", "proposed")
_HEAVIEST = 1e15
_JSON = json.JSONEncoder(ensure_ascii=False)
_OWN_COLUMNS = frozenset({"id", "kind", "text", "status", "event"})


def save_work_session(scope: Scope, session: Mapping[str, Any], ts_ms: int) -> None:
    """Make a session of work, or fill in what is said of it now."""
    database, owner, project, foreign, _ = scope
    rows = database.fetch("find_work_session", owner=owner, id=session["id"])
    old: Row = rows[0] if rows else (session["id"], project, "", ts_ms, None, None, "[]", None)
    _, home, goal, started_ms, ended_ms, notes, agents, summary = old
    if home != project:
        foreign.add(session["id"])
        return
    agents = json.dumps(session["agents"], ensure_ascii=False) if "agents" in session else agents
    row = (
        owner, project, session["id"], session.get("goal", goal), started_ms,
        ended_ms or ts_ms if session.get("ended") else ended_ms,
        session.get("notes", notes), agents, session.get("summary", summary),
    )  # fmt: skip
    database.run_many("save_work_session", [row])


def is_any_memory_there(scope: Scope, change: Mapping[str, Any]) -> bool:
    """Whether a memory that the change makes was made already."""
    made = [memory["id"] for memory in change.get("memories", ()) if "text" in memory]
    return any(scope.database.fetch("find_memory", owner=scope.owner, id=name) for name in made)


def save_memory(scope: Scope, memory: Mapping[str, Any], ts_ms: int, event_id: str) -> None:
    """Make a memory, or change what is said of it now; it keeps the event that says its text, this or an earlier."""
    database, owner, project, foreign, absent = scope
    is_new = memory["id"] in absent
    rows = [] if is_new else database.fetch("find_memory", owner=owner, id=memory["id"])
    absent.discard(memory["id"])
    old: Row = rows[0] if rows else (memory["id"], project, "fact", "", "active", ts_ms, None, None, event_id, "")
    _, home, kind, text, status, recorded_ms, retired_ms, superseded_by, event, facts = old
    if home != project:
        foreign.add(memory["id"])
        return
    status = memory.get("status", status)
    said = {key: value for key, value in memory.items() if key not in _OWN_COLUMNS}
    known = json.loads(facts) | said if facts else said
    row = (
        owner, memory["id"], project, memory.get("kind", kind), memory.get("text", text), status, recorded_ms,
        None if status in _HOLDS else retired_ms or ts_ms, known.get("superseded_by", superseded_by),
        memory.get("event", event_id) if "text" in memory else event, _JSON.encode(known),
        _text(known, "topic"), known.get("pinned") is True, _weight(known, memory.get("kind", kind), recorded_ms),
        _text(known, "verified") or "unknown",
    )  # fmt: skip
    database.run_many("save_memory", [row])
    supporting = [(owner, each, memory["id"], project) for each in _texts(memory, "events")]
    if supporting:
        database.run_many("support_memory", supporting)


def _text(known: Mapping[str, Any], key: str) -> str:
    return value if isinstance(value := known.get(key), str) else ""


def _texts(known: Mapping[str, Any], key: str) -> list[str]:
    given = known.get(key)
    return [each for each in given if isinstance(each, str)] if isinstance(given, list) else []


def _weight(known: Mapping[str, Any], kind: str, recorded_ms: int) -> float:
    """How important a memory is; who made it may not have said so."""
    given = known.get("weight")
    if isinstance(given, (int, float)) and abs(given) < _HEAVIEST:
        return float(given)
    return weight(kind, _text(known, "trust"), approved=known.get("approved") is True, last_ms=recorded_ms)
