"""How much the next session needs to know something, in bits: each stands for being twice as likely to be needed.

What a user wants comes before what an agent did, what was chosen or ruled out before what was looked at, and what was
said again before what was said once.  Of one session the first few lines tell the most, so the second half of a long
session does not push out all of a short one.  What is old counts less than what is new: by the newest there is, never
by the clock.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from noctuary.authored import EventType, Trust
from noctuary.brief.material import Told

_TRUST_BITS = {Trust.USER: 2.0, Trust.TOOL: -0.5, Trust.WEB: -0.5}
_TYPE_BITS = {
    EventType.REJECTION: 2.0,
    EventType.CONSTRAINT: 1.0,
    EventType.PREFERENCE: 1.0,
    EventType.CORRECTION: 1.0,
    EventType.DECISION: 1.0,
    EventType.FINDING: 0.5,
}
_CONFIRMED_BITS = 2.0  # somebody looked at it
_GOTCHA_BITS = 1.0  # it cost somebody time
_CONFIDENCE_BITS = 2.0  # between a coin toss and certainty
_DAYS_A_BIT = 30
_BITS_A_DOUBLING = 0.25  # of the lines that its session has before it
_DAY_MS = 86_400_000
_SAME = 0.7  # of the words of the shorter one
_WORD = re.compile(r"\w{3,}")
_BEGINNING = 6  # letters that tell words apart, whatever their endings


def ranked(told: Iterable[Told]) -> list[Told]:
    """The same, the most important first."""
    given = list(told)
    newest_ms = max((one.ts_ms for one in given), default=0)
    by_session: dict[str, list[tuple[float, Told]]] = defaultdict(list)
    for one in given:
        by_session[one.session].append((_bits(one, newest_ms), one))
    weighed = [
        (bits - _BITS_A_DOUBLING * math.log2(place), one)
        for several in by_session.values()
        for place, (bits, one) in enumerate(sorted(several, key=_order), start=1)
    ]
    return [one for _, one in sorted(weighed, key=_order)]


def words_of(text: str) -> frozenset[str]:
    """What a text is about: the beginnings of its words."""
    return frozenset(word[:_BEGINNING] for word in _WORD.findall(text.lower()))


def is_said(words: frozenset[str], before: Sequence[frozenset[str]]) -> bool:
    """Whether one of the texts before says almost the same."""
    return any(len(words & other) >= _SAME * min(len(words), len(other)) for other in before if other)


def _order(weighed: tuple[float, Told]) -> tuple[float, int, str]:
    bits, one = weighed
    return (-bits, -one.ts_ms, one.event)


def _bits(one: Told, newest_ms: int) -> float:
    bits = _TRUST_BITS.get(one.trust, 0.0) + _TYPE_BITS.get(one.type, 0.0)
    bits += _CONFIRMED_BITS * one.is_confirmed + _CONFIDENCE_BITS * (one.confidence - 0.5)
    bits += _GOTCHA_BITS * one.is_gotcha + math.log2(one.support)
    return bits - (newest_ms - one.ts_ms) / _DAY_MS / _DAYS_A_BIT
