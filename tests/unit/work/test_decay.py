"""How much of a node is told, by its age."""

import pytest

from noctuary.errors import BadInput
from noctuary.graph import Node, NodeStatus, NodeType
from noctuary.work.decay import Detail, Level, age_in_days, decayed

DAY_MS = 86_400_000
NOW_MS = 1_000 * DAY_MS
DONE = NodeStatus.COMPLETED


def aged(days: float, **fields: object) -> Node:
    """A task that was done so many days ago, and made long before."""
    task = Node("t-1", NodeType.TASK, "Cut over", DONE, description="All of it", metadata={"key_outcome": "it holds"})
    return task._replace(created_ms=1, completed_ms=NOW_MS - round(days * DAY_MS))._replace(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("days", "level"),
    [(0, "full"), (6.999, "full"), (7, "summary"), (29.999, "summary"), (30, "minimal"), (900, "minimal")],
)
def test_b7_detail_fades_with_whole_days(days: float, level: str) -> None:
    """All below 7 days, what came of it below 30, the name from then on."""
    assert decayed(aged(days), NOW_MS).level == level


def test_b7_each_level_tells_its_part() -> None:
    """Id, title and status always; description and metadata only when fresh; the outcome until it is old."""
    metadata = {"key_outcome": "it holds"}

    assert decayed(aged(1), NOW_MS) == Detail("t-1", "Cut over", DONE, Level.FULL, "All of it", metadata, "it holds")
    assert decayed(aged(8), NOW_MS) == Detail("t-1", "Cut over", DONE, Level.SUMMARY, key_outcome="it holds")
    assert decayed(aged(31), NOW_MS) == Detail("t-1", "Cut over", DONE, Level.MINIMAL)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"metadata": {}, "outcome": "in words"}, "in words"),
        ({"outcome": "in words"}, "it holds"),
        ({"metadata": {"key_outcome": ""}, "outcome": "in words"}, "in words"),
        ({"metadata": {}}, None),
    ],
)
def test_b7_the_key_outcome_is_the_one_named_or_the_outcome(fields: dict[str, object], told: str | None) -> None:
    """What metadata name wins over the outcome in words."""
    assert decayed(aged(10, **fields), NOW_MS).key_outcome == told


def test_c26_age_counts_from_completion() -> None:
    """Only what is not done ages from when it was made; a clock that was set back makes nothing older."""
    made_ms = NOW_MS - 12 * DAY_MS

    assert age_in_days(aged(3), NOW_MS) == 3
    assert age_in_days(aged(3, completed_ms=None, created_ms=made_ms), NOW_MS) == 12
    assert age_in_days(aged(3, completed_ms=0), NOW_MS) == 1_000
    assert age_in_days(aged(-5), NOW_MS) == 0


def test_r14_other_thresholds_are_honoured() -> None:
    """The days are no constants."""
    assert decayed(aged(2), NOW_MS, recent_days=2, older_days=4).level == "summary"
    assert decayed(aged(4), NOW_MS, recent_days=2, older_days=4).level == "minimal"
    assert decayed(aged(0), NOW_MS, recent_days=0, older_days=0).level == "minimal"


@pytest.mark.parametrize(("recent", "older"), [(-1, 30), (31, 30)])
def test_r15_thresholds_that_make_no_sense_are_refused(recent: int, older: int) -> None:
    """They must not be negative, and must go up."""
    with pytest.raises(BadInput):
        decayed(aged(1), NOW_MS, recent_days=recent, older_days=older)
