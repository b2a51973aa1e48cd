"""Memories are put in order once and for all: by who said them, how many sessions state them, and when last."""

import random
from itertools import product

from noctuary.weighing import weight

DAY_MS = 86_400_000
START_MS = 1_767_225_600_000
KINDS = ("fact", "decision", "gotcha", "procedure", "constraint", "preference")


def test_what_three_sessions_state_outweighs_any_one_off_of_500_days_later() -> None:
    """Support dominates age, whatever the kinds and however sure the later one is."""
    supported = [weight(kind, "agent", confidence=0.5, support=3, last_ms=START_MS) for kind in KINDS]
    late = START_MS + 500 * DAY_MS
    one_offs = [weight(kind, "agent", confidence=0.9, support=1, last_ms=late) for kind in KINDS]
    assert min(supported) > max(one_offs)


def test_what_a_user_said_outweighs_what_an_agent_said() -> None:
    """Also if the agent said it 500 days later, of whatever kind."""
    late = START_MS + 500 * DAY_MS
    pairs = product(KINDS, KINDS)
    assert all(
        weight(mine, "user", confidence=0.5, last_ms=START_MS) > weight(theirs, "agent", confidence=1.0, last_ms=late)
        for mine, theirs in pairs
    )


def test_what_a_user_approved_weighs_as_what_a_user_wants() -> None:
    """Approval is as good as one's own words, if these were asked to be remembered."""
    assert weight("fact", "agent", approved=True) == weight("fact", "user", approved=True)


def test_what_a_user_said_once_does_not_outweigh_what_three_sessions_state() -> None:
    """It may have been an errand; said again, it was none."""
    supported = min(weight(kind, "agent", confidence=0.5, support=3) for kind in KINDS)
    assert supported > max(weight(kind, "user", confidence=0.7) for kind in KINDS)
    assert supported < min(weight(kind, "user", support=2) for kind in KINDS)


def test_what_a_tool_printed_weighs_least() -> None:
    """Even if it is the newest, within a year."""
    assert weight("fact", "tool", last_ms=START_MS + 350 * DAY_MS) < weight("fact", "agent", last_ms=START_MS)


def test_the_order_of_two_memories_never_changes_by_itself() -> None:
    """The same facts always weigh the same: nothing is asked of a clock."""
    assert weight("fact", "agent", support=2, last_ms=START_MS) == weight("fact", "agent", support=2, last_ms=START_MS)


def test_of_two_alike_the_one_that_was_said_later_weighs_more() -> None:
    """Recency is a nudge: a bit in 180 days."""
    older, newer = (weight("fact", "agent", last_ms=START_MS + days * DAY_MS) for days in (0, 180))
    assert newer - older == 1.0


def test_support_counts_up_to_a_bound() -> None:
    """A thousand sessions are no more than sixty-four, so nothing is in first place for ever."""
    assert weight("fact", "agent", support=1_000) == weight("fact", "agent", support=64)


def test_500_days_of_sessions_do_not_push_out_what_was_known_at_the_start() -> None:
    """50 facts, user-stated or often supported in the first week, are among the best 200 on every single day."""
    chance = random.Random(5)
    first = [weight("fact", "user", confidence=0.6, support=1, last_ms=START_MS + n * 3_600_000) for n in range(25)]
    first += [
        weight("fact", "agent", confidence=0.6, support=3 + n % 5, last_ms=START_MS + (n % 7) * DAY_MS)
        for n in range(25)
    ]
    later: list[float] = []
    for day in range(500):
        for _ in range(5 * 3):
            kind, sureness = chance.choice(KINDS), chance.uniform(0.4, 0.9)
            later.append(weight(kind, "agent", confidence=sureness, last_ms=START_MS + day * DAY_MS))
        if day % 50 == 49:
            best = sorted([*first, *later], reverse=True)[:200]
            assert min(first) >= best[-1], day
