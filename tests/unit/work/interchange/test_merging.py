"""Of two values that differ, the one that somebody changed wins; if both were, nobody decides but a person."""

import pytest

from noctuary.work.interchange.goal_file import Mark, value_digest
from noctuary.work.interchange.merging import Strategy, Verdict, merge
from noctuary.work.interchange.sync import Known

OLD, OURS, THEIRS = "old", "ours", "theirs"


def received(value: str) -> Mark:
    return Mark(value_digest(value), is_received=True)


def written(value: str) -> Mark:
    return Mark(value_digest(value))


def last(value: str) -> Known:
    return Known(value_digest(value), written(value))


@pytest.mark.parametrize(
    ("ours", "theirs", "mark", "known", "verdict"),
    [
        # A file of our own, or of one who got it from us; nothing ever came here from a file.
        (OLD, OLD, written(OLD), None, Verdict.SAME),
        (OLD, THEIRS, written(OLD), None, Verdict.TAKE),  # edited by hand
        (OURS, OLD, written(OLD), None, Verdict.KEEP),  # changed here since the export
        (OURS, THEIRS, written(OLD), None, Verdict.CONFLICT),
        (OLD, THEIRS, received(OLD), None, Verdict.TAKE),  # changed there
        (OURS, OLD, received(OLD), None, Verdict.KEEP),
        (OURS, THEIRS, received(OLD), None, Verdict.CONFLICT),
        # A file of where the work began, while files came here before: it rests on nothing but itself.
        (OLD, THEIRS, written(THEIRS), last(OLD), Verdict.TAKE),
        (OURS, OLD, written(OLD), last(OLD), Verdict.KEEP),
        (OURS, THEIRS, written(THEIRS), last(OLD), Verdict.CONFLICT),
        # A file of a third machine, which has not changed the field since it got it.
        (OURS, OLD, received(OLD), last(OURS), Verdict.KEEP),
        (OURS, THEIRS, received(OLD), last(OURS), Verdict.TAKE),
        # Nothing is known of where it comes from.
        (OURS, THEIRS, None, None, Verdict.CONFLICT),
        (OLD, THEIRS, None, last(OLD), Verdict.TAKE),
    ],
)
def test_b9_three_ways(ours: str, theirs: str, mark: Mark | None, known: Known | None, verdict: Verdict) -> None:
    """Changed in the file only: taken; here only: kept; on both sides: a conflict."""
    assert merge(ours, theirs, mark, known, Strategy.MERGE).verdict is verdict


@pytest.mark.parametrize(("strategy", "verdict"), [(Strategy.THEIRS, Verdict.TAKE), (Strategy.OURS, Verdict.KEEP)])
def test_b9_a_strategy_decides(strategy: Strategy, verdict: Verdict) -> None:
    """With theirs the file wins wherever it differs, with ours the memory does."""
    for mark in (written(OLD), received(OURS), None):
        assert merge(OURS, THEIRS, mark, None, strategy).verdict is verdict
        assert merge(OURS, OURS, mark, None, strategy).verdict is Verdict.SAME


def test_a_conflict_is_told_again_until_it_is_settled() -> None:
    """The same file tells the same conflict; after somebody has decided it does not."""
    mark = received(OLD)
    first = merge(OURS, THEIRS, mark, None, Strategy.MERGE)
    again = merge(OURS, THEIRS, mark, first.known, Strategy.MERGE)
    settled = merge(OURS, THEIRS, mark, first.known, Strategy.OURS)

    assert again.verdict is Verdict.CONFLICT
    assert settled.known.last == value_digest(THEIRS)


def test_what_is_empty_is_as_if_it_were_not_there() -> None:
    """No labels and an empty list of labels are the same."""
    assert merge([], None, None, None, Strategy.MERGE).verdict is Verdict.SAME
    assert merge("", None, None, None, Strategy.MERGE).verdict is Verdict.SAME
