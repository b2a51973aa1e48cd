"""What holds again once the entry that superseded it is retracted: decisions, tasks, goals and memories."""

from collections.abc import Iterator, Mapping
from typing import Any

from noctuary.authored import Entry, EventType
from noctuary.graph import FIRST_STATUS, EdgeType, Node, NodeStatus, NodeType
from noctuary.ledger.ledger import entry_from
from noctuary.store.memories import MemoryStatus
from noctuary.work.alternatives import decision_of
from noctuary.work.changes import edge_record
from noctuary.work.desk import Desk

RETRACTED = {"retracted": "true"}  # the metadata of a decision whose entry was taken back
_SUPERSEDED = "superseded"  # status of a decision or a memory, and how a task or a goal ended
# How it had ended what was superseded only then.
_TAGS = {NodeStatus.COMPLETED: "done", NodeStatus.FAILED: "failed", NodeStatus.CANCELLED: "abandoned"}
Change = dict[str, Any]


def revival(desk: Desk, entry: Entry) -> Change:
    """What brings back what an entry superseded; nothing if the entry itself holds no longer.

    Of nodes nothing either if it does not hold yet; but memories are superseded by suggestions, too.
    """
    if entry.superseded_by:
        return {}
    if entry.is_suggested:
        memories = (_kept(desk, memory) for memory in entry.event.change.get("memories", ()))
        back = [memory for memory in memories if memory]
        return {"memories": back} if back else {}
    said = _sayings(desk, entry)
    changes = [one.event.change for one in said]
    settings = {name: fields for change in changes for name, fields in _superseded_in(change)}
    ended = desk.store.nodes.by_id(desk.owner, settings) | _decisions_superseded_by(desk, said)
    revived = {name: fields for name, node in ended.items() if (fields := _again(desk, node, settings.get(name, {})))}
    edges = [edge for change in changes for edge in change.get("edges", ()) if edge["type"] == EdgeType.SUPERSEDES]
    off = [edge_record(edge["type"], edge["from"], edge["to"]) for edge in edges if edge["to"] in revived]
    kept = (_kept(desk, memory) for change in changes for memory in change.get("memories", ()))
    parts = {"set": revived, "unlink": off, "memories": [memory for memory in kept if memory]}
    return {part: value for part, value in parts.items() if value}


def is_retracted(decision: Node) -> bool:
    """Whether the entry that made or took the decision was retracted."""
    return decision.metadata.items() >= RETRACTED.items()


def _sayings(desk: Desk, entry: Entry) -> list[Entry]:
    """The entry, those in whose place it stands, and what confirmed them without a word of its own."""
    said = [entry]
    while (before := said[-1].event.corrects) and (former := desk.ledger.entry(before)):
        if former.hidden_by != said[-1].event.id:
            break
        said.append(former)
    names = {one.event.id for one in said}
    rows = desk.store.events.of_project(desk.owner, entry.event.project, [EventType.CONFIRM])
    confirmations = [one for row in rows if (one := entry_from(row)).event.corrects in names]
    return [*said, *confirmations]


def _superseded_in(change: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, fields in change.get("set", {}).items():
        if _SUPERSEDED in (fields.get("status"), fields.get("outcome_tag")):
            yield name, fields


def _decisions_superseded_by(desk: Desk, said: list[Entry]) -> dict[str, Node]:
    """The decisions whose entries say so, even if another entry, retracted since, had superseded them before."""
    rows = [row for one in said for row in desk.store.events.superseded_by(desk.owner, one.event.id)]
    nodes = [decision_of(desk, entry_from(row)) for row in rows]
    return {node.id: node for node in nodes if node}


def _again(desk: Desk, node: Node, fields: Mapping[str, Any]) -> Change:
    """The fields of a node that was superseded as they were before; nothing if it is not superseded."""
    if node.type is NodeType.DECISION:
        return {} if node.status is not NodeStatus.SUPERSEDED or is_retracted(node) else _as_decided(desk, node)
    if node.outcome_tag != _SUPERSEDED:
        return {}
    if "status" in fields:
        return {"status": str(FIRST_STATUS[node.type]), "outcome_tag": None, "assigned_to": None}
    return {"outcome_tag": _TAGS.get(node.status)}


def _as_decided(desk: Desk, decision: Node) -> Change:
    edges = desk.store.nodes.edges_of(desk.owner, [decision.id], EdgeType.CHOSEN)
    chosen = next((edge for edge in edges if edge.from_id == decision.id), None)
    if chosen is None:
        return {"status": str(FIRST_STATUS[NodeType.DECISION])}
    return {"status": str(NodeStatus.DECIDED), "completed_ms": chosen.created_ms}


def _kept(desk: Desk, fields: Mapping[str, Any]) -> Change:
    memory = desk.store.memories.find(desk.owner, fields["id"])
    if fields.get("status") != _SUPERSEDED or memory is None or memory.status != MemoryStatus.SUPERSEDED:
        return {}
    said = desk.ledger.entry(memory.event)
    status = MemoryStatus.PROPOSED if said and said.is_suggested else MemoryStatus.ACTIVE
    if fields.get("was") == MemoryStatus.ACTIVE:  # a dream lets some suggestions hold before anybody confirms them
        status = MemoryStatus.ACTIVE
    lasting = {"valid_to": None} if "valid_to" in memory.facts else {}
    return {"id": memory.id, "status": str(status), "superseded_by": None, **lasting}
