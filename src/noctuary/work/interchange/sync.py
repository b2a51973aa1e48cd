"""What this memory and the files of a goal last had in common: told by the events of earlier imports.

Every import leaves an event about the goal.  It says, field by field, what the file had and what the file itself rested
on; and which edges it named that lead to nodes not known here, so that the next export can name them again.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from noctuary.authored import EventType
from noctuary.errors import BadEvent
from noctuary.graph import EdgeType
from noctuary.journal.lines import moment, stamp
from noctuary.ledger.changes import is_id
from noctuary.work import event_meta
from noctuary.work.desk import Desk
from noctuary.work.interchange.goal_file import NOTHING, Ends, Fields, Mark, Value, parse_mark, value_digest

META = "interchange"
UNSETTLED = "?"  # both sides changed it and nobody has decided


class Known(NamedTuple):
    """Of one field: what it was in the last file, and what that file rested on."""

    last: str = NOTHING
    mark: Mark = Mark(NOTHING)

    def __str__(self) -> str:
        return self.last if self.mark == Mark(self.last) else f"{self.last} {self.mark}"


class Sync(NamedTuple):
    """All that is known of the last imports of a goal."""

    known: Mapping[str, Mapping[str, Known]]
    waiting: Mapping[Ends, Fields]  # edges whose other end was not known

    def of(self, name: str, field: str) -> Known | None:
        """What is known of a field; None if its node or edge never came from a file."""
        fields = self.known.get(name)
        return None if fields is None else fields.get(field, Known())

    def mark(self, name: str, field: str, value: Value) -> Mark:
        """What a file written now rests on."""
        known, now = self.of(name, field), value_digest(value)
        if known is None or known.last == UNSETTLED:
            return Mark(now)
        return known.mark if known.last == now else Mark(known.last, is_received=True)


def last_sync(desk: Desk, goal: str) -> Sync:
    """What earlier imports of the goal say, the later ones above the earlier."""
    known: dict[str, dict[str, Known]] = {}
    waiting: dict[Ends, Fields] = {}
    for entry in reversed(desk.entries(goal, [EventType.AMEND])):
        for name, fields in event_meta.synced_fields(entry.event.meta).items():
            known.setdefault(name, {}).update({key: _known(text) for key, text in fields.items()})
        for edge in event_meta.waiting_edges(entry.event.meta):
            if edge["type"] in set(EdgeType) and is_id(edge["from"]) and is_id(edge["to"]):
                waiting[edge["type"], edge["from"], edge["to"]] = _edge_fields(edge["fields"])
    return Sync(known, waiting)


def as_meta(sync: Sync) -> dict[str, Any]:
    """The same for an event, sorted."""
    told: dict[str, Any] = {
        "known": {
            name: {key: str(known) for key, known in sorted(fields.items())}
            for name, fields in sorted(sync.known.items())
        }
    }
    if sync.waiting:
        told["waiting"] = [
            {"type": kind, "from": start, "to": end, "fields": dict(sync.waiting[kind, start, end])}
            for kind, start, end in sorted(sync.waiting)
        ]
    return {META: told}


def _edge_fields(told: Mapping[str, Any]) -> Fields:
    """Of what was told, what the next file can say of the edge."""
    label, created_at = told.get("label"), told.get("created_at")
    fields: Fields = {"label": label} if isinstance(label, str) and label else {}
    try:
        return {**fields, "created_at": stamp(moment(created_at))} if isinstance(created_at, str) else fields
    except BadEvent:
        return fields


def _known(text: str) -> Known:
    last, _, mark = text.partition(" ")
    return Known(last, parse_mark(mark) if mark else Mark(last))
