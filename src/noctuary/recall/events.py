"""Times told from an event: "two days before the release" is known once it is known when the release was.

`offsets_in` finds how far from what; the memory itself is asked when that was, by the words of the event.  Nobody says
"this is the release" on the very day, so each of the few messages that speak of it best gives a time, and none of them
is more than a preference.

Precision comes before recall: hours and minutes are durations ("a reminder 24 hours before the meeting"), and where
the event ends must be clear.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from noctuary.recall import when_words as words
from noctuary.recall.scoring import Scored
from noctuary.recall.when import LOOSE, VAGUE, Parts, Span, count_of
from noctuary.recall.when_words import DAY

MOST_OFFSETS = 2  # of a question: each costs a search
MOST_TOLD = 3  # messages that may tell when it was
NEARLY_AS_GOOD = 0.8  # of the best score
LONGEST_EVENT = 6  # words
SURELY_SAID = 0.9  # the strength with which somebody must speak of the event
EVENT_WEIGHT = 0.35  # of the words that tell when: what was said then need not speak of it
_OFFSET = ("ARTICLE|THE? COUNT|NUMBER|BIGNUMBER? OF? UNIT|UNITS BEFORE|AFTER",)
_ENDS = ("STOP", "COMMA", "DOT")
# What goes on after these is no longer the event: the question itself, or something beside it.
_GOES_ON = (
    "what who whom whose which when where why how did do does was were is are has have had can could should would "
    "about regarding concerning and or but with because so if while that then "
    "wer wen wem welche welcher wann wo warum wie und oder mit über que quoi qui quand où comment et ou avec "
    "qué quién cuándo dónde cómo por y con"
)


class Offset(NamedTuple):
    """So long before or after something: negative is before."""

    shift_ms: int
    unit_ms: int
    event: str  # in the words of the question
    text: str  # how far: "two days before"


def offsets_in(question: str, known: Sequence[Span] = ()) -> tuple[Offset, ...]:
    """The times that the question tells from an event, but for those known already; at most two.  Never fails."""
    if not words.may_tell_time(question):
        return ()
    found = words.pieces(question)
    offsets: list[Offset] = []
    for _, first, end in words.grammar(_OFFSET).places([piece.kind for piece in found]):
        parts, event = Parts(found[first:end]), _event(question, found[end:])
        long, unit = count_of(parts)[1], parts.value("UNIT", "UNITS") or DAY
        text = question[found[first].start : found[end - 1].end]
        if long and event and unit >= DAY and not any(text in span.text or span.text in event for span in known):
            offsets.append(Offset(-long * unit if parts.all("BEFORE") else long * unit, unit, event, text))
    return tuple(offsets[:MOST_OFFSETS])


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


@cache
def _goes_on() -> frozenset[str]:
    return frozenset(_GOES_ON.split())


def _event(question: str, rest: Sequence[words.Piece]) -> str:
    """What comes after "before" or "after", up to the end of its clause; nothing if that is not clear."""
    clause: list[words.Piece] = []
    for piece in rest:
        spelled = question[piece.start : piece.end].lower()
        if piece.kind in _ENDS or spelled in _goes_on() or not spelled.strip("([{"):
            break
        clause.append(piece)
    is_named = any(piece.kind == "OTHER" for piece in clause)
    return question[clause[0].start : clause[-1].end] if is_named and len(clause) <= LONGEST_EVENT else ""
