"""How complete the record of a task is, what to do about what is missing, and which tasks nobody works on."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from noctuary.errors import BadInput
from noctuary.graph import ENDED, TRANSITIONS, Node, NodeType
from noctuary.work.desk import Desk
from noctuary.work.gaps import Gap, gaps_of, score_of
from noctuary.work.pack import pack
from noctuary.work.ready import as_they_stand

STALE_DAYS = 7
_DAY_MS = 86_400_000
_OPEN = frozenset(TRANSITIONS[NodeType.TASK]) - ENDED


class Check(NamedTuple):
    """What is missing, and how much of 100 is left without it."""

    score: int
    gaps: Sequence[Gap] = ()


def check(desk: Desk, name: str, folder: Path | None = None) -> Check:
    """Look at the record of a task or goal; with `folder`, a work tree, also whether what it names is there."""
    gaps = gaps_of(desk, desk.node(name), folder)
    return Check(score_of(gaps), gaps)


def fix_prompt(desk: Desk, name: str, folder: Path | None = None) -> str:
    """What to tell whoever shall fill the gaps: one line a gap, then the pack.  The same record gives the same text."""
    node = desk.node(name)
    score, gaps = check(desk, node.id, folder)
    if not gaps:
        return f"The record of {node.id} has no gaps.\n"
    count = f"{len(gaps)} gap{'s' if len(gaps) > 1 else ''}"
    lines = [f"{place}. {gap.kind}: {gap.detail}. {gap.fix}" for place, gap in enumerate(gaps, 1)]
    return "\n".join(
        [
            f"The record of {node.id} has {count}; its score is {score} of 100.",
            "Fill each gap from what you know or can look up. What you do not know, leave as it is: invent nothing.",
            "",
            *lines,
            "",
            "This is the record:",
            "",
            pack(desk, node.id),
        ]
    )


def stale(desk: Desk, days: int = STALE_DAYS) -> list[Node]:
    """Open tasks of the project about which nothing was said for so many days, the longest idle first."""
    if days < 0:
        raise BadInput(f"Days cannot be negative, as {days} are.")
    since = max(0, desk.clock.now_ms() - days * _DAY_MS)
    idle = desk.store.nodes.where(
        desk.owner, project=desk.project, types=[NodeType.TASK], statuses=_OPEN, idle_since=since
    )
    return sorted(as_they_stand(desk, idle), key=lambda node: (node.last_ms, node.id))
