"""Three-way merge: of a value here, a value in a file, and what is known of what both came from."""

from enum import StrEnum
from typing import NamedTuple

from noctuary.work.interchange.goal_file import Mark, Value, value_digest
from noctuary.work.interchange.sync import UNSETTLED, Known


class Strategy(StrEnum):
    """Who wins where the file and the memory differ."""

    MERGE = "merge"  # whoever changed the field; if both did, it is a conflict and the memory stays as it is
    THEIRS = "theirs"  # the file
    OURS = "ours"  # the memory


class Verdict(StrEnum):
    """What becomes of a field."""

    SAME = "same"
    TAKE = "take"  # what the file says
    KEEP = "keep"  # what the memory says
    CONFLICT = "conflict"


class Merged(NamedTuple):
    """A field, decided, and what is to be known of it the next time."""

    verdict: Verdict
    known: Known


def merge(ours: Value, theirs: Value, mark: Mark | None, known: Known | None, strategy: Strategy) -> Merged:
    """Decide about one field.

    `mark` is what the file says it rests on, if anything; `known` is what the last import left here, if there was one.
    """
    verdict = _verdict(ours, theirs, mark, known, strategy)
    there = value_digest(theirs)
    last = there if verdict is not Verdict.CONFLICT else _ancestor(mark, known)
    return Merged(verdict, Known(last, mark or Mark(there)))


def _verdict(ours: Value, theirs: Value, mark: Mark | None, known: Known | None, strategy: Strategy) -> Verdict:
    here, there = value_digest(ours), value_digest(theirs)
    if here == there:
        return Verdict.SAME
    if strategy is not Strategy.MERGE:
        return Verdict.TAKE if strategy is Strategy.THEIRS else Verdict.KEEP
    rests_on = mark.digest if mark else None
    last = known.last if known else None
    # A file written where the work began rests on nothing but itself: then only what came here last can tell.
    from_there = rests_on if (mark and mark.is_received) or last is None else last
    if there == from_there:
        return Verdict.KEEP
    return Verdict.TAKE if here in (rests_on, last) else Verdict.CONFLICT


def _ancestor(mark: Mark | None, known: Known | None) -> str:
    """What both came from, as far as it is known; so that the same file tells the same conflict again."""
    if mark and mark.is_received:
        return mark.digest
    return known.last if known else mark.digest if mark else UNSETTLED
