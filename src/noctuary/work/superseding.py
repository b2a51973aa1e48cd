"""What holds no longer: an entry, a decision, a task, a goal or a memory, whichever of their ids is given."""

from typing import Any, NamedTuple

from noctuary.authored import Author, Entry, EventType
from noctuary.errors import BadChange, BadInput, NotAllowed, NotFound
from noctuary.graph import ENDED, EdgeType, Node, NodeStatus, NodeType
from noctuary.ledger.ledger import entry_from
from noctuary.store.memories import MemoryStatus, Remembered, is_of_user
from noctuary.work.alternatives import decision_name, decision_of, made_by
from noctuary.work.changes import edge_record
from noctuary.work.desk import Desk

# What people and agents write down; other events are written by verbs of their own.
NOTED = (
    EventType.HYPOTHESIS,
    EventType.FINDING,
    EventType.EVIDENCE,
    EventType.DECISION,
    EventType.REJECTION,
    EventType.CONSTRAINT,
    EventType.PREFERENCE,
    EventType.REDIRECT,
)
Thing = Entry | Node | Remembered
_RULES = frozenset({EventType.CONSTRAINT, EventType.PREFERENCE})


class Superseded(NamedTuple):
    """What an event that supersedes something has to say about it."""

    id: str  # of the event, if one said it; else of the node
    project: str
    node: str | None
    change: dict[str, Any]


def thing(desk: Desk, name: str) -> Thing:
    """The memory, node or entry of this name; NotFound if there is none."""
    if memory := desk.store.memories.find(desk.owner, name):
        return memory
    if name.startswith("m-"):
        raise NotFound(f"There is no memory {name!r}; `noctuary memory list` shows ids.")
    return desk.node(name) if "-" in name else desk.entry(name)


def supersession(desk: Desk, old: str, by: str | None = None, *, is_by_new: bool = False) -> Superseded:
    """What superseding `old` comes to, if `by` takes its place; BadChange if it does not hold any more as it is.

    With `is_by_new`, `by` is a node that the same event makes.  NotAllowed if an agent would end the user's word.
    """
    found = thing(desk, old)
    check_speaker(desk, found)
    if isinstance(found, Remembered):
        return _of_memory(found, by)
    ended = _of_node(desk, found) if isinstance(found, Node) else _of_entry(desk, found, by)
    if by is None or not (is_by_new or _is_node_of(desk, by, ended.project)):
        return ended
    edges = [edge_record(EdgeType.SUPERSEDES, by, name) for name in ended.change.get("set", ())]
    return ended._replace(change={**ended.change, "edges": edges}) if edges else ended


def successor(desk: Desk, by: str) -> str:
    """The id under which something takes the place of something else: that of its node or memory, else its own."""
    found = thing(desk, by)
    if not isinstance(found, Entry):
        return found.id
    check_holds(found)
    if memory := memory_of(desk, found):
        return memory.id
    node = decision_of(desk, found) or opened_by(desk, found)
    return node.id if node else found.event.id


def check_holds(entry: Entry) -> None:
    """Raise BadChange, naming what took its place, if the entry was corrected, retracted or superseded."""
    name = entry.event.id
    if entry.hidden_by:
        done = "retracted" if entry.status == "retracted" else "replaced"
        raise BadChange(f"{name} was {done} by {entry.hidden_by}; what is said there counts.")
    if entry.superseded_by:
        raise BadChange(f"{name} was superseded by {entry.superseded_by}; what is said there counts.")


def check_speaker(desk: Desk, found: Thing) -> None:
    """NotAllowed if an agent would change or end what the user has said or approved: that stays the user's to do."""
    if desk.writer.author is not Author.AGENT or isinstance(found, Node):
        return
    memory = found if isinstance(found, Remembered) else memory_of(desk, found)
    if memory:
        name, is_users = memory.id, is_of_user(memory)
    elif isinstance(found, Entry):
        name, is_users = found.event.id, found.acts_as in _RULES and not found.is_suggested
    if is_users:
        raise NotAllowed(
            f"{name} is the user's word, which no agent changes or ends; note what you know, and let the user decide."
        )


def memory_of(desk: Desk, entry: Entry) -> Remembered | None:
    """The memory whose words an event says."""
    memories = desk.store.memories.of_event(desk.owner, entry.event.id)
    return next((memory for memory in memories if memory.event == entry.event.id), None)


def opened_by(desk: Desk, entry: Entry) -> Node | None:
    """What an event opened: a task, a goal or a decision."""
    names = made_by(entry) if entry.acts_as is EventType.OPEN else []
    return desk.store.nodes.find(desk.owner, names[0]) if names else None


def _of_entry(desk: Desk, entry: Entry, by: str | None) -> Superseded:
    check_holds(entry)
    event = entry.event
    if memory := memory_of(desk, entry):
        return _of_memory(memory, by)
    if opened := opened_by(desk, entry):
        return _of_node(desk, opened)
    if entry.acts_as not in NOTED:
        raise BadInput(f"{event.id} is a {entry.acts_as}; decisions, other notes, tasks and memories are superseded.")
    if by == event.id:
        raise BadChange(f"{event.id} cannot supersede itself.")
    decision = decision_of(desk, entry)
    return Superseded(event.id, event.project, event.node, _change(decision) if decision else {})


def _of_node(desk: Desk, node: Node) -> Superseded:
    if node.type not in (NodeType.DECISION, NodeType.TASK, NodeType.GOAL):
        raise BadInput(f"{node.id} is a {node.type}; decisions, tasks, goals and memories are superseded.")
    if node.status is NodeStatus.SUPERSEDED or node.outcome_tag == "superseded":
        raise BadChange(f"{node.id} was superseded already; `noctuary task show {node.id}` says by what.")
    said = _event_of_decision(desk, node) if node.type is NodeType.DECISION else None
    if said is None:
        return Superseded(node.id, node.project, node.id, _change(node))
    return Superseded(said.event.id, node.project, said.event.node, _change(node))


def _of_memory(memory: Remembered, by: str | None) -> Superseded:
    if memory.status not in (MemoryStatus.ACTIVE, MemoryStatus.PROPOSED):
        raise BadChange(f"{memory.id} is {memory.status} already.")
    if by == memory.id:
        raise BadChange(f"{memory.id} cannot supersede itself.")
    fields = {"id": memory.id, "status": str(MemoryStatus.SUPERSEDED), **({"superseded_by": by} if by else {})}
    return Superseded(memory.event, memory.project, None, {"memories": [fields]})


def _change(old: Node) -> dict[str, Any]:
    if old.type is NodeType.DECISION:
        return {"set": {old.id: {"status": str(NodeStatus.SUPERSEDED)}}}
    ended = {} if old.status in ENDED else {"status": str(NodeStatus.CANCELLED)}  # what was done stays done
    return {"set": {old.id: {"outcome_tag": "superseded", **ended}}}


def _is_node_of(desk: Desk, name: str, project: str) -> bool:
    """Whether it is a node that an edge of this project may begin at."""
    node = desk.store.nodes.find(desk.owner, name)
    return node is not None and node.project == project


def _event_of_decision(desk: Desk, node: Node) -> Entry | None:
    """The entry that says a decision, as it stands."""
    if node.parent:
        said = desk.entries(node.parent, [EventType.DECISION])
    else:
        rows = desk.store.events.of_project(desk.owner, node.project, [EventType.DECISION])
        said = [entry_from(row) for row in rows]
    return next((entry for entry in said if decision_name(entry) == node.id), None)
