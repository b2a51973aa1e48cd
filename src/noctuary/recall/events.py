"""Times told from an event: "two days before the release" is known once it is known when the release was.

`offsets_in` finds how far from what; the memory itself is asked when that was, by the words of the event.  Nobody says
"this is the release" on the very day, so each of the few messages that speak of it best gives a time, and none of them
is more than a preference.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from noctuary.recall import when_words as words
from noctuary.recall.query import Query, parse
from noctuary.recall.scoring import Scored
from noctuary.recall.when import LOOSE, VAGUE, Parts, Span, count_of
from noctuary.recall.when_words import DAY

MOST_TOLD = 3  # messages that may tell when it was
NEARLY_AS_GOOD = 0.8  # of the best score
LONGEST_EVENT = 8  # words
EVENT_WEIGHT = 0.35  # of the words of an event that tells when: what was said then need not speak of it
_OFFSET = ("ARTICLE|THE? COUNT|NUMBER|BIGNUMBER? OF? UNIT|UNITS BEFORE|AFTER",)
_ENDS = ("STOP", "COMMA", "DOT")


class Offset(NamedTuple):
    """So long before or after something: negative is before."""

    shift_ms: int
    unit_ms: int
    event: str  # in the words of the question
    text: str  # all of it: "two days before the release"


def offsets_in(question: str) -> list[Offset]:
    """The times that the question tells from an event; none if it tells none.  Never fails."""
    if not words.may_tell_time(question):
        return []
    found = words.pieces(question)
    offsets: list[Offset] = []
    for _, first, end in words.grammar(_OFFSET).places([piece.kind for piece in found]):
        parts, event = Parts(found[first:end]), _event(question, found[end:])
        long, unit = count_of(parts)[1], parts.value("UNIT", "UNITS") or DAY
        if long and event:
            shift = -long * unit if parts.all("BEFORE") else long * unit
            whole = question[found[first].start : question.index(event, found[end - 1].start) + len(event)]
            offsets.append(Offset(shift, unit, event, whole))
    return offsets


def spans_from(offset: Offset, telling: Sequence[Scored]) -> list[Span]:
    """When that was, by what the best of the telling messages, the best first, say; none if nothing tells."""
    dated = [s for s in telling if s.ts_ms > 0]
    good = [s for s in dated if s.score >= NEARLY_AS_GOOD * dated[0].score][:MOST_TOLD]
    slack = max(DAY, offset.unit_ms // 2)
    return [
        Span(moment - slack, moment + slack, offset.text, LOOSE if number == 0 else VAGUE)
        for number, moment in enumerate(dict.fromkeys(s.ts_ms + offset.shift_ms for s in good))
        if moment > slack
    ]


def told_by_events(query: Query, tell: Callable[[str], Sequence[Scored]], now_ms: int) -> Query:
    """The query with the times it tells from events; `tell` gives the messages that speak of an event."""
    for offset in offsets_in(query.wording):
        if spans := spans_from(offset, tell(offset.event)):
            of_event = {term.words for term in parse(offset.event, now_ms).terms}
            terms = (t._replace(weight=EVENT_WEIGHT * t.weight) if t.words in of_event else t for t in query.terms)
            query = query._replace(times=(*query.times, *spans), terms=tuple(terms))
    return query


def _event(question: str, rest: Sequence[words.Piece]) -> str:
    """What comes after "before" or "after", up to the end of its clause."""
    ends = [number for number, piece in enumerate(rest) if piece.kind in _ENDS]
    clause = rest[: min([*ends, LONGEST_EVENT])]
    return question[clause[0].start : clause[-1].end] if any(piece.kind == "OTHER" for piece in clause) else ""
