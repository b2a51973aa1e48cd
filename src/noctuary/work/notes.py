"""Notes: what was found, decided, rejected or demanded, written down as it happens.

A note is about a node; without one it is about the task its session works on, else about the project itself.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from noctuary.authored import NO_REFS, Entry, EventStatus, EventType, Refs, Strength
from noctuary.errors import BadInput
from noctuary.graph import Node
from noctuary.work.alternatives import Alternative, decision_change, plan, read_alternatives
from noctuary.work.changes import both
from noctuary.work.citing import cite
from noctuary.work.desk import Desk
from noctuary.work.superseding import NOTED, supersession
from noctuary.work.tasks import active_task
from noctuary.work.wording import words_of


def note(
    desk: Desk,
    kind: str,
    text: str,
    *,
    node: str | None = None,
    alternatives: Sequence[Alternative | Mapping[str, object]] = (),
    refs: Refs = NO_REFS,
    strength: str | None = None,
    suggested: bool = False,
    confidence: float | None = None,
    ts_ms: int = 0,
    supersedes: str | None = None,
) -> Entry:
    """Write a note down.  It happened when what it cites was said, unless `ts_ms` says otherwise.

    A decision with alternatives becomes a node with its options; what it supersedes is marked so.  What is only
    suggested does neither before it is confirmed.
    """
    noted = noted_type(kind)
    words = needed_words(text)
    options = read_alternatives(alternatives)
    if options and noted is not EventType.DECISION:
        raise BadInput(f"Only a decision has alternatives, not a {noted}.")
    proof = _strength(noted, strength)
    sureness = checked_confidence(confidence)
    about = desk.node(node) if node else active_task(desk)
    with desk.writing(about.project if about else None) as write:
        cited = cite(desk, refs)
        meta = plan(desk, options)
        change = {} if suggested else decision_change(words, meta, about)
        ended = None
        if supersedes and suggested:
            meta["supersedes"] = supersession(desk, supersedes).id
        elif supersedes:
            ended, change = _superseding(desk, supersedes, about, meta, change)
        event = write(
            noted,
            words,
            node=about.id if about else None,
            change=change,
            meta=meta,
            refs=cited.refs,
            supersedes=ended,
            status=EventStatus.SUGGESTED if suggested else EventStatus.CONFIRMED,
            strength=proof,
            confidence=sureness,
            ts_ms=ts_ms or cited.ts_ms,
            is_verb=True,
        )
    return desk.entry(event.id)


def noted_type(kind: str) -> EventType:
    """The type of a note; BadInput for any that is not noted but done, by a verb of its own, or that there is not."""
    if kind in NOTED:
        return EventType(kind)
    why = "is written by a verb of its own" if kind in set(EventType) else "is no type of note"
    raise BadInput(f"{kind!r} {why}; notes are {', '.join(NOTED)}.")


def needed_words(text: str) -> str:
    """The text of an entry; BadInput if it says nothing or too much."""
    words = words_of(text, "text")
    if not words:
        raise BadInput("There is nothing to write down: the text is empty.")
    return words


def checked_confidence(value: float | None) -> float | None:
    """The confidence; BadInput unless it is between 0 and 1."""
    if value is not None and not 0 <= value <= 1:
        raise BadInput(f"A confidence is between 0 and 1, not {value}.")
    return value


def _superseding(
    desk: Desk, old: str, about: Node | None, meta: Mapping[str, Any], change: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    """What is superseded, and the change that does both: what the note makes, and what ends by it."""
    ended = supersession(desk, old, meta.get("decision"), is_by_new=True)
    project = about.project if about else desk.project
    if ended.project != project:
        raise BadInput(f"{old} belongs to another project ({ended.project or 'all of them'}); supersede it there.")
    return ended.id, both(change, ended.change)


def _strength(noted: EventType, given: str | None) -> Strength | None:
    if given is None:
        return None
    if noted is not EventType.EVIDENCE:
        raise BadInput(f"Only evidence has a strength, not a {noted}.")
    if given not in set(Strength):
        raise BadInput(f"{given!r} is no strength; say {', '.join(Strength)}.")
    return Strength(given)
