"""The work as a graph: what nodes and edges there are, and which statuses may follow each other."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple


class NodeType(StrEnum):
    """What a node is."""

    GOAL = "goal"
    TASK = "task"
    DECISION = "decision"
    OPTION = "option"
    OUTCOME = "outcome"
    OBSERVATION = "observation"
    REVISIT = "revisit"


class NodeStatus(StrEnum):
    """Where a node stands."""

    PENDING = "pending"
    ACTIVE = "active"
    READY = "ready"
    CLAIMED = "claimed"
    IN_PROGRESS = "in_progress"
    REVIEW = "review"
    COMPLETED = "completed"
    BLOCKED = "blocked"
    FAILED = "failed"
    CANCELLED = "cancelled"
    DECIDED = "decided"
    SUPERSEDED = "superseded"
    CHOSEN = "chosen"
    REJECTED = "rejected"
    ABANDONED = "abandoned"


class EdgeType(StrEnum):
    """How one node relates to another."""

    CONTAINS = "contains"  # parent to child
    DEPENDS_ON = "depends_on"  # what waits to what must come first
    LEADS_TO = "leads_to"
    CHOSEN = "chosen"  # decision to option; the label says why
    REJECTED = "rejected"
    SUPERSEDES = "supersedes"  # new to old
    INFORMS = "informs"
    DISCOVERED_FROM = "discovered_from"


class Priority(StrEnum):
    """How much a node matters; the first comes first, and none at all comes last."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Node(NamedTuple):
    """A goal, task, decision, option, outcome, observation or revisit.  Times are milliseconds since 1970."""

    id: str
    type: NodeType
    title: str
    status: NodeStatus
    project: str = ""
    description: str = ""
    priority: Priority | None = None
    assigned_to: str | None = None
    created_by: str | None = None
    labels: Sequence[str] = ()
    parent: str | None = None
    goal: str | None = None  # in words: what the task is for
    outcome: str | None = None  # in words: what came of it
    outcome_tag: str | None = None  # done, abandoned, superseded
    external: Sequence[str] = ()  # what it is called elsewhere: issues, tickets
    blocked_reason: str | None = None
    created_ms: int = 0
    started_ms: int | None = None
    completed_ms: int | None = None
    last_ms: int = 0  # the newest event about it
    lease_ms: int | None = None  # until when its claim holds
    metadata: Mapping[str, str] = {}


class Edge(NamedTuple):
    """A relation between two nodes; there is at most one of a type from one node to another."""

    id: str
    type: EdgeType
    from_id: str
    to_id: str
    label: str | None = None
    created_ms: int = 0


_S = NodeStatus
FIRST_STATUS = {
    NodeType.GOAL: _S.ACTIVE,
    NodeType.TASK: _S.PENDING,
    NodeType.DECISION: _S.ACTIVE,
    NodeType.OPTION: _S.ACTIVE,
    NodeType.OUTCOME: _S.COMPLETED,
    NodeType.OBSERVATION: _S.ACTIVE,
    NodeType.REVISIT: _S.ACTIVE,
}
# For each type, each of its statuses and those that may follow.  Whatever ends may be opened again.
TRANSITIONS: Mapping[NodeType, Mapping[NodeStatus, frozenset[NodeStatus]]] = {
    NodeType.GOAL: {
        _S.PENDING: frozenset({_S.ACTIVE, _S.CANCELLED}),
        _S.ACTIVE: frozenset({_S.PENDING, _S.COMPLETED, _S.CANCELLED}),
        _S.COMPLETED: frozenset({_S.ACTIVE}),
        _S.CANCELLED: frozenset({_S.ACTIVE}),
    },
    NodeType.TASK: {
        _S.PENDING: frozenset({_S.READY, _S.CLAIMED, _S.IN_PROGRESS, _S.BLOCKED, _S.CANCELLED}),
        _S.READY: frozenset({_S.PENDING, _S.CLAIMED, _S.IN_PROGRESS, _S.BLOCKED, _S.CANCELLED}),
        _S.CLAIMED: frozenset({_S.PENDING, _S.READY, _S.IN_PROGRESS, _S.BLOCKED, _S.CANCELLED}),
        _S.IN_PROGRESS: frozenset(
            {_S.PENDING, _S.READY, _S.CLAIMED, _S.REVIEW, _S.COMPLETED, _S.BLOCKED, _S.FAILED, _S.CANCELLED}
        ),
        _S.REVIEW: frozenset({_S.IN_PROGRESS, _S.COMPLETED, _S.BLOCKED, _S.FAILED, _S.CANCELLED}),
        _S.BLOCKED: frozenset({_S.PENDING, _S.READY, _S.IN_PROGRESS, _S.FAILED, _S.CANCELLED}),
        _S.COMPLETED: frozenset({_S.PENDING, _S.READY, _S.IN_PROGRESS}),
        _S.FAILED: frozenset({_S.PENDING, _S.READY, _S.IN_PROGRESS, _S.CANCELLED}),
        _S.CANCELLED: frozenset({_S.PENDING, _S.READY}),
    },
    NodeType.DECISION: {
        _S.PENDING: frozenset({_S.ACTIVE, _S.DECIDED, _S.SUPERSEDED}),
        _S.ACTIVE: frozenset({_S.PENDING, _S.DECIDED, _S.SUPERSEDED}),
        _S.DECIDED: frozenset({_S.SUPERSEDED}),
        _S.SUPERSEDED: frozenset(),
    },
    NodeType.OPTION: {
        _S.PENDING: frozenset({_S.ACTIVE, _S.CHOSEN, _S.REJECTED, _S.ABANDONED}),
        _S.ACTIVE: frozenset({_S.PENDING, _S.CHOSEN, _S.REJECTED, _S.ABANDONED}),
        _S.CHOSEN: frozenset({_S.ABANDONED}),
        _S.REJECTED: frozenset({_S.ABANDONED}),  # its decision was taken back
        _S.ABANDONED: frozenset({_S.ACTIVE}),
    },
    NodeType.OUTCOME: {_S.ACTIVE: frozenset({_S.COMPLETED}), _S.COMPLETED: frozenset({_S.ACTIVE})},
    NodeType.OBSERVATION: {_S.ACTIVE: frozenset()},
    NodeType.REVISIT: {_S.ACTIVE: frozenset({_S.COMPLETED}), _S.COMPLETED: frozenset({_S.ACTIVE})},
}
ENDED = frozenset({_S.COMPLETED, _S.DECIDED, _S.FAILED, _S.CANCELLED, _S.SUPERSEDED, _S.CHOSEN, _S.REJECTED})
STARTED = frozenset({_S.CLAIMED, _S.IN_PROGRESS, _S.REVIEW})
HELD = frozenset({_S.CLAIMED, _S.IN_PROGRESS})  # what an agent holds by a lease
RENAMED = "renamed_by_agent"  # in the metadata of what a user made and somebody else gave its title
WAITING = frozenset({_S.PENDING, _S.READY})


def may_follow(kind: NodeType, old: NodeStatus, new: NodeStatus) -> bool:
    """Whether a node of this type may go from the one status to the other; staying is always allowed."""
    return old is new or new in TRANSITIONS[kind].get(old, ())
