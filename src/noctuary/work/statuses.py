"""Where a node stands, set by hand: legal steps only, each with its reason, times and notes.

Times follow from the status (`ledger/fold.py`): begun when it is first worked at, ended when it ends, open again
without an end.
"""

from collections.abc import Sequence
from typing import NamedTuple

from noctuary.authored import EventType
from noctuary.errors import BadInput
from noctuary.graph import ENDED, WAITING, Node, NodeStatus
from noctuary.work.claims import refuse_if_held_by_another
from noctuary.work.desk import Desk
from noctuary.work.ready import waits_told
from noctuary.work.rules import status_named
from noctuary.work.tree import left_open

_S = NodeStatus
# Set by verbs of their own, which know who, or why, and what else changes with it.
_OWN_VERBS = {
    _S.CLAIMED: "claim it (`noctuary claim`): a claim says who holds it and until when",
    _S.CHOSEN: "choose it (`noctuary decide`), so that its decision is decided",
    _S.REJECTED: "reject it (`noctuary reject`), so that its decision says why",
}


class StatusSet(NamedTuple):
    """A node in its status, and what whoever set it should know."""

    node: Node
    notes: Sequence[str] = ()


def set_status(desk: Desk, name: str, status: str, *, reason: str = "") -> StatusSet:
    """Let a node go to a status that may follow its own; BadChange, with those that may, if this one may not.

    The reason is kept with the event, and with the node while it is blocked.  Of a goal or task that is completed
    while something below it is open, the notes say so.  NotFree if an agent asks and another one holds the task.
    """
    wanted = status_named(status)
    if wanted in _OWN_VERBS:
        raise BadInput(f"The status {wanted} is not set by itself: {_OWN_VERBS[wanted]}.")
    found = desk.node(name)
    with desk.writing(found.project) as write:
        node = desk.node(found.id)
        refuse_if_held_by_another(desk, node)
        fields = _fields(node, wanted, reason.strip())
        if not fields:
            return StatusSet(node, [f"{node.id} is {wanted} already; nothing was changed."])
        write(EventType.STATUS, reason, node=node.id, change={"set": {node.id: fields}})
        return StatusSet(desk.node(node.id), _notes(desk, node.id, wanted))


def _fields(node: Node, wanted: NodeStatus, reason: str) -> dict[str, str | int | None]:
    """What changes; nothing if the node is there already and no other reason is given."""
    blocked_reason = {"blocked_reason": reason} if wanted is _S.BLOCKED and reason else {}
    if node.status is wanted:
        return {} if blocked_reason.get("blocked_reason") in (None, node.blocked_reason) else {**blocked_reason}
    fields: dict[str, str | int | None] = {"status": str(wanted), **blocked_reason}
    if wanted in WAITING and node.status not in WAITING and node.assigned_to:
        fields["assigned_to"] = None
    if wanted is _S.REVIEW and node.lease_ms is not None:
        fields["lease_ms"] = None  # its agent has done its part; whoever takes it up again claims it again
    if node.outcome_tag and wanted not in ENDED:
        fields["outcome_tag"] = None
    return fields


def _notes(desk: Desk, name: str, status: NodeStatus) -> list[str]:
    notes = left_open(desk, name) if status is _S.COMPLETED else []
    if status in (_S.READY, _S.IN_PROGRESS) and (unmet := desk.store.nodes.waiting(desk.owner, [name])):
        notes.append(f"It depends on what is not done: {waits_told(unmet)}.")
    return notes
