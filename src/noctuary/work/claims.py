"""Who is at which task: claimed by one agent at a time, held by a lease, free again when the agent died.

A claim is one compare-and-set: whoever has the right to write sees the task as it is and takes it, or is told who has
it.  A lease is renewed without an event: that an agent still lives is nobody's statement, and the journal would drown
in it.  So a lease that was renewed counts on this machine, the one that was written counts everywhere.
"""

from collections.abc import Callable

from noctuary.authored import Author, Event, EventType
from noctuary.errors import BadInput, NotFree
from noctuary.graph import HELD, WAITING, Node, NodeStatus, NodeType
from noctuary.moments import show_time
from noctuary.redact import redact
from noctuary.work.desk import Desk
from noctuary.work.ready import is_held, waits_told
from noctuary.work.wording import title_of

LEASE_MINUTES = 30
LONGEST_LEASE_MINUTES = 7 * 24 * 60
LONGEST_AGENT = 200
_MINUTE_MS = 60_000
LONGEST_LEASE_MS = LONGEST_LEASE_MINUTES * _MINUTE_MS


def claim(desk: Desk, name: str, agent: str, lease_minutes: float = LEASE_MINUTES) -> Node:
    """Take a ready task, or renew one's own claim; NotFree, saying who holds it or what it waits for, otherwise."""
    who, lease_ms = _agent(agent), _lease(lease_minutes)
    found = desk.node(name, NodeType.TASK)
    with desk.writing(found.project) as write:
        node, now_ms = desk.node(found.id), desk.clock.now_ms()
        if node.assigned_to == who and is_held(node, now_ms):
            _renew(desk, write, node, now_ms + lease_ms)
        else:
            _refuse_unless_free(desk, node, now_ms)
            fields = {"status": str(NodeStatus.CLAIMED), "assigned_to": who, "lease_ms": now_ms + lease_ms}
            write(EventType.STATUS, f"claimed by {who}", node=node.id, change={"set": {node.id: fields}})
            # An older claim of the same agent may have been renewed for longer than this one is to last.
            desk.store.nodes.renew_lease(desk.owner, node.id, who, now_ms + lease_ms)
        return desk.node(node.id)


def heartbeat(desk: Desk, name: str, agent: str, lease_minutes: float = LEASE_MINUTES) -> Node:
    """Say that the agent is still at its task; NotFree if the task is not the agent's any more.

    A lease that is over is renewed as long as nobody else has taken the task.
    """
    who, lease_ms = _agent(agent), _lease(lease_minutes)
    found = desk.node(name, NodeType.TASK)
    with desk.writing(found.project) as write:
        node = desk.node(found.id)
        _refuse_unless_holder(node, who, desk.clock.now_ms())
        _renew(desk, write, node, desk.clock.now_ms() + lease_ms)
        return desk.node(node.id)


def release(desk: Desk, name: str, agent: str, reason: str = "") -> Node:
    """Give a task back, so that others can claim it; NotFree if it is not the agent's."""
    who = _agent(agent)
    found = desk.node(name, NodeType.TASK)
    with desk.writing(found.project) as write:
        node = desk.node(found.id)
        _refuse_unless_holder(node, who, desk.clock.now_ms())
        fields = {"status": str(NodeStatus.PENDING), "assigned_to": None, "lease_ms": None}
        text = reason.strip() or f"released by {who}"
        write(EventType.STATUS, text, node=node.id, change={"set": {node.id: fields}})
        return desk.node(node.id)


def refuse_if_held_by_another(desk: Desk, node: Node) -> None:
    """Raise NotFree if an agent is at the desk and another one holds the task by a lease; people may do as they like.

    An agent is who its session is called, or whoever its session claimed the task for.
    """
    if desk.writer.author is Author.USER or node.lease_ms is None or not is_held(node, desk.clock.now_ms()):
        return
    session = desk.writer.session
    if session is None or session not in (node.assigned_to, _session_of_claim(desk, node)):
        raise NotFree(f"{node.id} is {_holder(node)}; `noctuary ready` shows tasks that are free.")


def _session_of_claim(desk: Desk, node: Node) -> str | None:
    """The session in which the task was claimed by who holds it."""
    for entry in desk.entries(node.id, [EventType.STATUS]):
        if "assigned_to" in entry.event.change.get("set", {}).get(node.id, {}):
            return entry.event.session
    return None


def _renew(desk: Desk, write: Callable[..., Event], node: Node, until_ms: int) -> None:
    if node.lease_ms is None:  # begun without a claim: from now on it can be lost
        write(EventType.STATUS, "held by a lease", node=node.id, change={"set": {node.id: {"lease_ms": until_ms}}})
    desk.store.nodes.renew_lease(desk.owner, node.id, node.assigned_to or "", max(until_ms, node.lease_ms or 0))


def _refuse_unless_free(desk: Desk, node: Node, now_ms: int) -> None:
    if is_held(node, now_ms):
        raise NotFree(f"{node.id} is {_holder(node)}; `noctuary ready` shows tasks that are free.")
    if node.status not in WAITING | HELD:
        why = f" ({node.blocked_reason})" if node.blocked_reason else ""
        raise NotFree(f"{node.id} is {node.status}{why} and cannot be claimed; `noctuary ready` shows tasks that can.")
    if unmet := desk.store.nodes.waiting(desk.owner, [node.id]):
        told = waits_told(unmet)
        raise NotFree(f"{node.id} waits for {told}; `noctuary ready` shows tasks that wait for nothing.")


def _refuse_unless_holder(node: Node, who: str, now_ms: int) -> None:
    if node.status not in HELD:
        raise NotFree(f"{node.id} is {node.status}, so {who} does not hold it; claim it with `noctuary claim`.")
    if node.assigned_to != who:
        lost = "" if is_held(node, now_ms) else ", whose time is over"
        raise NotFree(f"{node.id} is {_holder(node)}{lost}, not by {who}; `noctuary ready` shows tasks that are free.")


def _holder(node: Node) -> str:
    if node.assigned_to is None:
        return f"{node.status}, held by somebody who gave no name"
    until = f" until {show_time(node.lease_ms)} UTC" if node.lease_ms is not None else ", without an end"
    return f"held by {node.assigned_to}{until}"


def _agent(name: str) -> str:
    """The name as it will be written, so that it is still the same when it comes again."""
    agent = redact(title_of(name)) if name.strip() else ""
    if not agent or len(agent) > LONGEST_AGENT:
        raise BadInput(f"The name of an agent is needed, of at most {LONGEST_AGENT} characters.")
    return agent


def _lease(minutes: float) -> int:
    if not 0 < minutes <= LONGEST_LEASE_MINUTES:
        raise BadInput(f"A lease lasts more than 0 and at most {LONGEST_LEASE_MINUTES:,} minutes, not {minutes}.")
    return max(1, round(minutes * _MINUTE_MS))
