"""What an audit tells: each concern with what it is about, and how it came to be week by week."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

_WEEK_MS = 7 * 86_400_000
_MONDAY_MS = 4 * 86_400_000  # 1970 began on a Thursday


class Concern(StrEnum):
    """Why something deserves a look."""

    SECRET = "secret"  # noqa: S105 (a word, not one)
    RECALL_LOOP = "recall_loop"
    UNVERIFIED_RULE = "unverified_rule"
    ORPHANED = "orphaned"
    STALE = "stale"
    DUPLICATE = "duplicate"
    NEAR_DUPLICATE = "near_duplicate"
    NEVER_RECALLED = "never_recalled"


PLURAL = {
    Concern.SECRET: "secrets",
    Concern.RECALL_LOOP: "recall loops",
    Concern.UNVERIFIED_RULE: "unverified rules",
    Concern.DUPLICATE: "duplicates",
    Concern.NEAR_DUPLICATE: "near duplicates",
}  # of the others as of one
MEANING = {
    Concern.SECRET: "holds what looks like a password, key or token",
    Concern.RECALL_LOOP: "rests on what memory itself had told a session",
    Concern.UNVERIFIED_RULE: "is a rule that no user has stated or approved",
    Concern.ORPHANED: "rests on messages that are gone",
    Concern.STALE: "names a file, symbol or commit that is gone",
    Concern.DUPLICATE: "is said twice, letter for letter",
    Concern.NEAR_DUPLICATE: "is said twice, in other words",
    Concern.NEVER_RECALLED: "is a month old, and no session was ever told it",
}
ADVICE = {
    Concern.SECRET: "`noctuary scrub` removes them",
    Concern.RECALL_LOOP: "`noctuary memory forget ID`",
    Concern.UNVERIFIED_RULE: "`noctuary dream review`, or `noctuary memory forget ID`",
    Concern.ORPHANED: "`noctuary memory show ID`, and `noctuary memory forget ID` if nobody vouches for it",
    Concern.STALE: "`noctuary memory verify ID`, or `noctuary memory forget ID`",
    Concern.DUPLICATE: "`noctuary memory forget ID` of one of them",
    Concern.NEAR_DUPLICATE: "`noctuary memory forget ID` of the one that says less",
    Concern.NEVER_RECALLED: "nothing, or `noctuary memory forget ID`",
}


def named(concern: Concern, number: int) -> str:
    """So many of a concern, in words: 1 near duplicate, 7 unverified rules, 2 stale."""
    singular = concern.replace("_", " ")
    return f"{number:,} {singular if number == 1 else PLURAL.get(concern, singular)}"


class Item(NamedTuple):
    """One thing that deserves a look."""

    concern: Concern
    id: str  # of a memory, an event, or of a session and a message in it: `s1#14`
    project: str
    text: str  # as it may be shown: without secrets
    why: str


class Week(NamedTuple):
    """One week of the memory, and how much of what it held then is of concern today."""

    begins_ms: int
    held: int  # memories that held when it ended
    added: int
    retired: int
    of_concern: int  # of those that held


class Audit(NamedTuple):
    """All that was found; nothing was changed."""

    memories: int  # that hold or are proposed
    searched: int  # texts that were searched for secrets
    is_recall_known: bool  # whether any session that is kept was ever told anything
    items: Sequence[Item]
    weeks: Sequence[Week]  # the oldest first

    def counts(self) -> Mapping[Concern, int]:
        """How many items there are of each concern, those of none too."""
        return {concern: sum(item.concern is concern for item in self.items) for concern in Concern}

    def of(self, concern: Concern) -> list[Item]:
        """The items of one concern."""
        return [item for item in self.items if item.concern is concern]


def weeks_until(now_ms: int, count: int) -> list[int]:
    """When the last weeks began, this one last."""
    this = (now_ms - _MONDAY_MS) // _WEEK_MS * _WEEK_MS + _MONDAY_MS
    return [this - ago * _WEEK_MS for ago in range(count - 1, -1, -1)]


def week_end(begins_ms: int) -> int:
    """When a week is over."""
    return begins_ms + _WEEK_MS
