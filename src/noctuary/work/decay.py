"""How much of a node is told, by its age: what is fresh in full, what is older in a line, what is old by its name.

Nothing is forgotten by this: the node stays as it is, and whoever asks for it gets all of it.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from noctuary.errors import BadInput
from noctuary.graph import Node, NodeStatus

RECENT_DAYS = 7
OLDER_DAYS = 30
_DAY_MS = 86_400_000


class Level(StrEnum):
    """How much is told."""

    FULL = "full"
    SUMMARY = "summary"
    MINIMAL = "minimal"


class Detail(NamedTuple):
    """What is told of a node.  Its name and status always are; what its level leaves out is empty."""

    id: str
    title: str
    status: NodeStatus
    level: Level
    description: str = ""
    metadata: Mapping[str, str] = {}
    key_outcome: str | None = None


def age_in_days(node: Node, now_ms: int) -> int:
    """Whole days since the node was completed, or made if it is not; never less than none."""
    since = node.created_ms if node.completed_ms is None else node.completed_ms
    return max(0, (now_ms - since) // _DAY_MS)


def decayed(node: Node, now_ms: int, *, recent_days: int = RECENT_DAYS, older_days: int = OLDER_DAYS) -> Detail:
    """What to tell of the node: all below `recent_days`, what came of it below `older_days`, then its name only."""
    if not 0 <= recent_days <= older_days:
        raise BadInput(f"Days must not be negative and go up: recent {recent_days}, older {older_days} do not.")
    age = age_in_days(node, now_ms)
    if age >= older_days:
        return Detail(node.id, node.title, node.status, Level.MINIMAL)
    outcome = node.metadata.get("key_outcome") or node.outcome or None
    if age >= recent_days:
        return Detail(node.id, node.title, node.status, Level.SUMMARY, key_outcome=outcome)
    return Detail(node.id, node.title, node.status, Level.FULL, node.description, node.metadata, outcome)
