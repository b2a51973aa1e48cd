"""What the `meta` of an event says, by the keys that are known here.

Events come from other machines and other programs, too, and their `meta` may be anything.  So it is read only here, and
what does not have the shape it should have is as if it were not there.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from noctuary.ledger.changes import is_id

Meta = Mapping[str, Any]


class ToldOption(NamedTuple):
    """An alternative of a decision as its event tells of it."""

    option: str
    chosen: bool
    rationale: str
    id: str  # of the node that stands for it; empty if it has none


class PlannedDecision(NamedTuple):
    """A decision that is to be a node, with a node for each of its options."""

    id: str
    options: Sequence[ToldOption]


class PlannedTask(NamedTuple):
    """A task that is to be opened for entries that are there already."""

    id: str
    title: str
    events: Sequence[str]


def opens(meta: Meta) -> PlannedTask | None:
    """The task that a suggestion is to open."""
    planned = _table(meta.get("opens"))
    name, title = _text(planned.get("id")), _text(planned.get("title"))
    if not is_id(name) or name is None or title is None:
        return None
    return PlannedTask(name, title, [event for event in _list(planned.get("events")) if is_id(event)])


def decision(meta: Meta) -> str | None:
    """The node that stands, or is to stand, for the event."""
    return _text(meta.get("decision"))


def decided(meta: Meta) -> str | None:
    """The decision that the event decided, if a correction has kept it."""
    return _text(meta.get("decided"))


def supersedes(meta: Meta) -> str | None:
    """What a suggestion is to supersede."""
    return _text(meta.get("supersedes"))


def made(meta: Meta) -> list[str]:
    """The nodes that the event made, if a correction has kept them."""
    return [name for value in _list(meta.get("made")) if (name := _text(value))]


def alternatives(meta: Meta) -> list[ToldOption]:
    """The alternatives of a decision."""
    return [
        ToldOption(
            option.strip(),
            record.get("chosen") is True,
            _text(record.get("rationale")) or "",
            _text(record.get("id")) or "",
        )
        for record in _tables(meta.get("alternatives"))
        if (option := _text(record.get("option")))
    ]


def planned_decision(meta: Meta) -> PlannedDecision | None:
    """The decision that the event makes or is to make; None unless it is told whole: each option has an id."""
    name, options = decision(meta), alternatives(meta)
    if not name or not options or not all(map(is_id, (name, *(option.id for option in options)))):
        return None
    return PlannedDecision(name, options) if sum(option.chosen for option in options) <= 1 else None


def artifacts(meta: Meta) -> Mapping[str, Any]:
    """Commits, files … by kind, as we or Task-Journal write them; the lists may still hold anything."""
    return _table(meta.get("artifacts"))


def synced_fields(meta: Meta) -> dict[str, dict[str, str]]:
    """What the import of a goal's file knew of each field of each node or edge."""
    known = _table(_table(meta.get("interchange")).get("known"))
    return {
        name: {key: text for key, value in fields.items() if (text := _text(value))}
        for name, fields in known.items()
        if isinstance(fields, Mapping)
    }


def waiting_edges(meta: Meta) -> list[Mapping[str, Any]]:
    """Edges that the import of a goal's file could not make yet: each with type, from, to and fields."""
    waiting = _tables(_table(meta.get("interchange")).get("waiting"))
    return [
        edge
        for edge in waiting
        if all(_text(edge.get(key)) for key in ("type", "from", "to")) and isinstance(edge.get("fields"), Mapping)
    ]


def _text(value: object) -> str | None:
    """The text, if it is one and says anything."""
    return value if isinstance(value, str) and value.strip() else None


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else ()


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _tables(value: object) -> list[Mapping[str, Any]]:
    return [each for each in _list(value) if isinstance(each, Mapping)]
