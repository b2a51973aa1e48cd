"""How important a memory is, in bits, so that memories can be put in order once and for all.

The order never depends on what time it is: whatever is weighed alike stays in its order for ever, so nothing has to be
weighed again only because days go by.  Each bit stands for being twice as likely to be needed.
"""

import math

# What a user asked for, approved or said again is what the user wants to be known; four years of one-off remarks of
# agents do not outweigh it.  What a user said once does not outweigh what three sessions state: it may be an errand.
USER_BITS = 6.0
USER_ONCE_BITS = 4.0
UNVOUCHED_BITS = -2.0  # of what a tool printed or the web says
# Three sessions are 4.75 bits: more than all that a one-off can have, and 500 days more.
BITS_A_DOUBLING = 3.0  # of the sessions that say so
MOST_SUPPORT = 64  # beyond that, one more session tells nothing
DAYS_A_BIT = 180  # since it was said last: a nudge, for projects move on
CONFIDENCE_BITS = 1.0  # between a coin toss and certainty
KIND_BITS = {"constraint": 0.5, "preference": 0.5, "decision": 0.25, "gotcha": 0.25, "procedure": 0.25}
_DAY_MS = 86_400_000
_BEGINNING_MS = 1_767_225_600_000  # 2026-01-01; only differences count, and small numbers are kept more exactly


def weight(
    kind: str,
    trust: str,
    *,
    approved: bool = False,
    confidence: float | None = None,
    support: int = 1,
    last_ms: int = 0,
) -> float:
    """The weight of a memory that `support` sessions state, the last one at `last_ms`.

    It is `approved` if a user approved it or asked for it to be remembered.
    """
    is_users = approved or trust == "user"
    users = USER_BITS if approved or support > 1 else USER_ONCE_BITS
    bits = users if is_users else 0.0 if trust == "agent" else UNVOUCHED_BITS
    bits += KIND_BITS.get(kind, 0.0)
    bits += CONFIDENCE_BITS * (min(1.0, max(0.0, 0.5 if confidence is None else confidence)) - 0.5)
    bits += BITS_A_DOUBLING * math.log2(min(max(support, 1), MOST_SUPPORT))
    bits += (last_ms - _BEGINNING_MS) / _DAY_MS / DAYS_A_BIT
    return round(bits, 4)
