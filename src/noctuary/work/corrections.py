"""What is said about what was said: corrected, confirmed, retracted, superseded.

Nothing is edited.  Each of these is an event of its own that names the one it is about; what that one did to the graph
is put right in the same breath.  Whoever is corrected, retracted or superseded once cannot be again: the event that did
it is named, for that is the one that counts now.
"""

from typing import Any

from noctuary.authored import Author, Entry, EventType
from noctuary.errors import BadChange, BadInput
from noctuary.graph import FIRST_STATUS, Node, NodeStatus, NodeType, may_follow
from noctuary.store.memories import MemoryStatus
from noctuary.work import event_meta
from noctuary.work.alternatives import decision_change, decision_of, kept_meta, made_by, worded
from noctuary.work.changes import both, ends_of
from noctuary.work.desk import Desk
from noctuary.work.disputes import settled_for, settled_without
from noctuary.work.notes import needed_words
from noctuary.work.remembering import approval
from noctuary.work.reviving import RETRACTED, revival
from noctuary.work.superseding import NOTED, check_holds, check_speaker, memory_of, successor, supersession
from noctuary.work.wording import headline_of, words_of

# A correction that corrects no event says that somebody was corrected in a conversation.
_RETRACTABLE = frozenset({*NOTED, EventType.CORRECTION, EventType.OPEN, EventType.REMEMBER, EventType.SUPERSEDE})
_CORRECTABLE = _RETRACTABLE | {EventType.CLOSE, EventType.REOPEN, EventType.RETIRE}
# What to do instead about events that did something rather than said it.
_INSTEAD = {
    EventType.CLOSE: "reopen the node",
    EventType.REOPEN: "close the node",
    EventType.RENAME: "rename the node again",
    EventType.AMEND: "amend the node again",
    EventType.STATUS: "set the status again",
    EventType.LINK: "take the link off",
    EventType.UNLINK: "make the link again",
}
# As what a node ends that should never have been.
_GONE = {
    NodeType.TASK: NodeStatus.CANCELLED,
    NodeType.GOAL: NodeStatus.CANCELLED,
    NodeType.DECISION: NodeStatus.SUPERSEDED,
    NodeType.OPTION: NodeStatus.ABANDONED,
}
# What is called by the words of the event that made it.
_TITLED_BY_WORDS = (NodeType.DECISION, NodeType.OBSERVATION, NodeType.OUTCOME, NodeType.REVISIT)


def correct(desk: Desk, event: str, text: str) -> Entry:
    """Say an entry in other words, which stand in its place everywhere; a suggestion stays one.

    NotAllowed if an agent's words would stand as a rule or a memory that the user has said or approved.
    """
    words = needed_words(text)
    with desk.writing(desk.entry(event).event.project) as write:
        old = desk.entry(event)
        check_holds(old)
        _check_type(old, _CORRECTABLE, "corrected")
        check_speaker(desk, old)
        kept = _kept(old)
        new = write(EventType.CORRECTION, words, change=_reworded(desk, old, words), status=old.status, **kept)
    return desk.entry(new.id)


def confirm(desk: Desk, event: str, text: str = "") -> Entry:
    """Say that a suggestion is right, perhaps in other words; what it was to do is done now."""
    words = words_of(text, "text")
    with desk.writing(desk.entry(event).event.project) as write:
        old = desk.entry(event)
        check_holds(old)
        if not old.is_suggested:
            raise BadChange(f"{old.event.id} is confirmed already; `noctuary event correct` says it in other words.")
        change, superseded = _carried_out(desk, old, words or old.event.text)
        kept = _kept(old) if words else {"node": old.event.node, "corrects": old.event.id}
        new = write(EventType.CONFIRM, words, change=change, supersedes=superseded, is_verb=True, **kept)
    return desk.entry(new.id if words else old.event.id)


def retract(desk: Desk, event: str, reason: str = "") -> Entry:
    """Say that an entry should never have been: nothing shows it any more, and the nodes it made are ended.

    What it superseded holds again.  If it was only other words for a suggestion, the suggestion is back.  NotAllowed
    if an agent would take back the user's word.
    """
    words = words_of(reason, "reason")
    with desk.writing(desk.entry(event).event.project) as write:
        old = desk.entry(event)
        if old.hidden_by:
            check_holds(old)
        _check_type(old, _RETRACTABLE, "retracted")
        check_speaker(desk, old)
        revived = revival(desk, old)
        write(
            EventType.RETRACT,
            words,
            node=old.event.node,
            corrects=old.event.id,
            change=both(_taken_back(desk, old), revived),
            is_verb=True,
            revived=revived.get("set", ()),
        )
    return desk.entry(old.event.id)


def supersede(desk: Desk, old: str, text: str = "", by: str | None = None) -> Entry:
    """Say that a decision, another note, a task, a goal or a memory holds no longer; `by` is what holds instead."""
    words = words_of(text, "reason")
    with desk.writing(supersession(desk, old).project) as write:
        new = successor(desk, by) if by else None
        ended = supersession(desk, old, new)
        written = write(
            EventType.SUPERSEDE,
            words,
            node=ended.node,
            supersedes=ended.id,
            change=ended.change,
            meta={"by": new} if new else {},
            is_verb=True,
        )
    return desk.entry(written.id)


def _check_type(entry: Entry, allowed: frozenset[EventType], done: str) -> None:
    if entry.acts_as not in allowed:
        instead = _INSTEAD.get(entry.acts_as, "write another entry")
        raise BadInput(f"{entry.event.id} is a {entry.acts_as} and cannot be {done}; {instead} instead.")


def _kept(entry: Entry) -> dict[str, Any]:
    """What stays as it was when an event is said in other words."""
    event = entry.event
    return {
        "corrects": event.id,
        "node": event.node,
        "meta": kept_meta(entry),
        "refs": event.refs,
        "strength": event.strength,
        "confidence": event.confidence,
    }


def _reworded(desk: Desk, old: Entry, words: str) -> dict[str, Any]:
    """What other words change in the graph: the title of a decision or an observation, the text of a memory."""
    if memory := memory_of(desk, old):
        return {"memories": [{"id": memory.id, "text": words}]}
    made = made_by(old)
    node = desk.store.nodes.find(desk.owner, made[0]) if made else None
    return {"set": {node.id: worded(words)}} if node and node.type in _TITLED_BY_WORDS else {}


def _carried_out(desk: Desk, old: Entry, words: str) -> tuple[dict[str, Any], str | None]:
    """What a suggestion was to do: the change, and what it supersedes."""
    event = old.event
    if memory := memory_of(desk, old):
        said_anew = {"text": words} if words != event.text else {}  # else its event stays the one that says it
        approved = approval(memory) if desk.writer.author is Author.USER else {}
        if memory.status not in (MemoryStatus.ACTIVE, MemoryStatus.PROPOSED):  # it was right, and holds no longer
            return {"memories": [{"id": memory.id, **approved, **said_anew}]}, None
        active = {"id": memory.id, "status": str(MemoryStatus.ACTIVE), **approved, **said_anew}
        return {"memories": [active, *(settled_for(desk, memory) if approved else ())]}, None
    if planned := event_meta.opens(event.meta):
        return _opened(desk, old, planned._replace(title=words)), None
    if decision_of(desk, old):  # on another machine, what it corrects was confirmed as it was
        return _reworded(desk, old, words), None
    parent = desk.node(event.node) if event.node else None
    change = decision_change(words, event.meta, parent)
    ending = event_meta.supersedes(event.meta)
    if ending is None:
        return change, None
    by = event_meta.decision(event.meta) if change else None
    ended = supersession(desk, ending, by, is_by_new=True)
    return both(change, ended.change), ended.id


def _opened(desk: Desk, old: Entry, planned: event_meta.PlannedTask) -> dict[str, Any]:
    """The task that a suggestion is to open, and the entries that are about it; none if it is there by now."""
    kind = NodeType.TASK
    node = {"id": planned.id, "type": str(kind), "title": headline_of(planned.title), "status": str(FIRST_STATUS[kind])}
    is_there = desk.store.nodes.find(desk.owner, planned.id) is not None
    known = desk.store.events.known(desk.owner, planned.events)
    adopted = {name: planned.id for name in (*planned.events, old.event.id) if name in known or name == old.event.id}
    return {**({} if is_there else {"nodes": [node]}), "adopt": adopted}


def _taken_back(desk: Desk, old: Entry) -> dict[str, Any]:
    """What ends the nodes that an event made or decided, and takes off the edges of those that cannot end."""
    if memory := memory_of(desk, old):
        left = _memory_without(desk, old)
        is_gone = left.get("status") == MemoryStatus.RETRACTED
        return {"memories": [{"id": memory.id, **left}, *(settled_without(desk, memory) if is_gone else ())]}
    nodes = desk.store.nodes.by_id(desk.owner, made_by(old))
    if decision := decision_of(desk, old):
        options = [node for node in desk.store.nodes.children(desk.owner, decision.id) if node.type is NodeType.OPTION]
        nodes |= {node.id: node for node in (decision, *options)}
    if old.is_suggested:  # what it is to make may be there by now, but by another event
        own = {node["id"] for node in old.event.change.get("nodes", ())}
        nodes = {name: node for name, node in nodes.items() if name in own}
    ended = {name: fields for name, node in nodes.items() if (fields := _ended(node))}
    lasting = [name for name, node in nodes.items() if node.type not in _GONE]
    edges = desk.store.nodes.edges_of(desk.owner, lasting) if lasting else []
    off = [ends_of(edge) for edge in edges]
    return {**({"set": ended} if ended else {}), **({"unlink": off} if off else {})}


def _memory_without(desk: Desk, old: Entry) -> dict[str, str]:
    """What becomes of the memory that an entry keeps: other words for a suggestion leave it as it was suggested."""
    former = desk.ledger.entry(old.event.corrects) if old.is_suggested and old.event.corrects else None
    if former is None or former.hidden_by not in (None, old.event.id):
        former = _said_otherwise(desk, old)
    if former is None:
        return {"status": str(MemoryStatus.RETRACTED)}
    return {"text": former.event.text, "event": former.event.id}


def _said_otherwise(desk: Desk, old: Entry) -> Entry | None:
    """Another entry that the memory of an entry rests on, the last that holds: it was said there in its own words."""
    memory = memory_of(desk, old)
    names = [name for name in (memory.facts.get("events") or () if memory else ()) if name != old.event.id]
    found = [entry for name in names if (entry := desk.ledger.entry(name)) is not None]
    holding = [entry for entry in found if entry.hidden_by is None and entry.event.text]
    return holding[-1] if holding else None


def _ended(node: Node) -> dict[str, Any]:
    gone = _GONE.get(node.type)
    is_open = node.type in (NodeType.TASK, NodeType.GOAL) and node.completed_ms is None
    mark = {"metadata": RETRACTED} if node.type is NodeType.DECISION else {}
    if gone is None or node.status is gone or not (is_open or may_follow(node.type, node.status, gone)):
        return mark
    return {"status": str(gone), **({"outcome_tag": "abandoned"} if is_open else {}), **mark}
