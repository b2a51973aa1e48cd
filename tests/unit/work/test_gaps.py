"""What a task's record leaves open, and what it does not."""

from pathlib import Path
from typing import Any

import pytest

from noctuary.authored import Entry, EventType, Refs
from noctuary.graph import Node
from noctuary.work.corrections import confirm, correct, retract, supersede
from noctuary.work.desk import Desk
from noctuary.work.gaps import WEIGHTS, GapKind, Severity, artifacts_of, gaps_of, score_of
from noctuary.work.notes import note
from noctuary.work.tasks import amend_node, close_node, open_goal, open_task
from tests.unit.work.test_repository import git, tree

__all__ = ["tree"]  # the fixture

NO_REFS = Refs()


@pytest.fixture
def task(desk: Desk) -> Node:
    """A task that lacks nothing."""
    return open_task(desk, "Move sessions", goal="No Redis in production")


def kinds(desk: Desk, task: Node, folder: Path | None = None) -> list[str]:
    """What is missing now."""
    return [str(gap.kind) for gap in gaps_of(desk, desk.node(task.id), folder)]


def with_meta(desk: Desk, task: Node, meta: dict[str, Any], refs: Refs = NO_REFS) -> Entry:
    """An entry that brings what other programs write."""
    with desk.writing() as write:
        event = write(EventType.FINDING, "Found elsewhere", node=task.id, meta=meta, refs=refs)
    return desk.entry(event.id)


def test_s4_5_weights() -> None:
    """What each gap costs, and how much it matters by that."""
    assert {str(kind): weight for kind, weight in WEIGHTS.items()} == {
        "NoGoal": 10, "ClosedNoOutcome": 10, "DecisionNoEvidence": 3, "MissingFile": 3, "DeadCommit": 3,
        "BrokenLink": 3, "SuggestedUnconfirmed": 1, "OpenSubtasks": 0,
    }  # fmt: skip
    assert set(WEIGHTS) == set(GapKind)


def test_nothing_is_missing(desk: Desk, task: Node) -> None:
    """An open task with a goal lacks nothing."""
    assert gaps_of(desk, task) == []
    assert score_of([]) == 100


def test_no_goal(desk: Desk) -> None:
    """A task without a goal lacks one; a goal is one."""
    task = open_task(desk, "Look at it")

    assert kinds(desk, task) == ["NoGoal"]
    assert gaps_of(desk, task)[0].severity is Severity.ERROR
    assert kinds(desk, open_goal(desk, "Ship it")) == []


def test_s4_5_closed_without_outcome_only_if_there_was_a_goal(desk: Desk, task: Node) -> None:
    """Without a goal nobody can say whether it was reached: that is one gap, not two."""
    aimless = open_task(desk, "Look at it")
    close_node(desk, aimless.id)
    close_node(desk, task.id)

    assert kinds(desk, aimless) == ["NoGoal"]
    assert kinds(desk, task) == ["ClosedNoOutcome"]
    amend_node(desk, task.id, outcome="Redis is gone")
    assert kinds(desk, task) == []


def test_open_subtasks_are_told_and_cost_nothing(desk: Desk, task: Node) -> None:
    """What is still open below a closed task is information; below an open one it is work."""
    below = open_task(desk, "Part", goal="A part", parent=task.id)
    assert kinds(desk, task) == []
    close_node(desk, task.id, outcome="Done enough")

    (gap,) = gaps_of(desk, desk.node(task.id))
    assert (gap.kind, gap.severity) == (GapKind.OPEN_SUBTASKS, Severity.INFO)
    assert below.id in gap.detail
    assert score_of([gap]) == 100


def test_a_decision_rests_on_something(desk: Desk, task: Node) -> None:
    """On what it cites, or on evidence or a finding that cites it."""
    bare = note(desk, "decision", "Sessions live in SQLite", node=task.id)
    note(desk, "decision", "WAL is on", node=task.id, refs=Refs(files=("bench/x.py",)))

    assert kinds(desk, task) == ["DecisionNoEvidence"]
    assert bare.event.id in gaps_of(desk, task)[0].detail
    note(desk, "finding", "It is fast", node=task.id, refs=Refs(events=(bare.event.id,)))
    assert kinds(desk, task) == []


def test_evidence_about_the_task_counts_for_its_decisions(desk: Desk, task: Node) -> None:
    """Evidence that names no event speaks for all; what is only suggested speaks for none."""
    note(desk, "decision", "Sessions live in SQLite", node=task.id)
    suggested = note(desk, "evidence", "3 ms", node=task.id, suggested=True)

    assert kinds(desk, task) == ["DecisionNoEvidence", "SuggestedUnconfirmed"]
    confirm(desk, suggested.event.id)
    assert kinds(desk, task) == []


def test_what_holds_no_longer_lacks_nothing(desk: Desk, task: Node) -> None:
    """Decisions that were superseded or retracted, and suggestions that were, are no gaps."""
    old = note(desk, "decision", "Use files", node=task.id)
    wrong = note(desk, "decision", "Use tapes", node=task.id)
    guess = note(desk, "finding", "Perhaps", node=task.id, suggested=True)
    assert len(kinds(desk, task)) == 3

    supersede(desk, old.event.id)
    retract(desk, wrong.event.id)
    retract(desk, guess.event.id)
    assert kinds(desk, task) == []


def test_a_corrected_decision_keeps_its_evidence(desk: Desk, task: Node) -> None:
    """Evidence for the words of before is evidence for those of now."""
    decision = note(desk, "decision", "Use SQLlite", node=task.id)
    note(desk, "evidence", "3 ms", node=task.id, refs=Refs(events=(decision.event.id,)))
    correct(desk, decision.event.id, "Use SQLite")

    assert kinds(desk, task) == []


@pytest.mark.parametrize(
    ("link", "is_broken"), [("https://example.com/x", False), ("docs/plan", True), ("https://", True)]
)
def test_broken_links(desk: Desk, task: Node, link: str, is_broken: bool) -> None:
    """A link that is no address leads nowhere."""
    with_meta(desk, task, {"artifacts": {"links": [{"kind": "doc", "url": link}]}})

    assert kinds(desk, task) == ["BrokenLink"] * is_broken


def test_a_reference_to_an_event_that_is_not_there_is_broken(desk: Desk, task: Node) -> None:
    """A journal that was imported in part refers to what was left behind."""
    with_meta(desk, task, {}, refs=Refs(events=("01ARZ3NDEKTSV4RRFFQ69G5FAV",)))

    assert kinds(desk, task) == ["BrokenLink"]


def test_s4_5_files_and_commits_are_looked_up_in_a_repository(
    desk: Desk, task: Node, tree: Path, tmp_path: Path
) -> None:
    """What is named and not there is missing; without a repository nobody knows."""
    head = git(tree, "rev-parse", "--short=9", "HEAD")
    text = f"README.md, src/gone.py and größe 日.py since {head}; 75f65e2 is lost, so is {tree}/x.rs"
    note(desk, "finding", text, node=task.id)

    found = gaps_of(desk, task, tree)
    assert [str(gap.kind) for gap in found] == ["MissingFile", "MissingFile", "DeadCommit"]
    named = [gap.detail.split()[-1].rstrip("….") for gap in found[:2]]
    assert named[0] == "src/gone.py"
    assert f"{tree}/x.rs".startswith(named[1])  # long ones are shown cut
    assert "75f65e2" in found[2].detail
    assert kinds(desk, task, tmp_path) == kinds(desk, task) == []


def test_j7_19_names_that_are_none_cost_nothing(desk: Desk, task: Node, tree: Path) -> None:
    """UUIDs, standards, addresses and words are not looked up."""
    text = (
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301 defaced UTF-8 SHA-256 https://docs.rs/foo/index.html C:\\x\\y.py and/or"
    )
    note(desk, "finding", text, node=task.id)

    assert kinds(desk, task, tree) == []


def test_a_path_from_a_folder_within_is_found(desk: Desk, task: Node, tree: Path) -> None:
    """People name a file by the end of its path."""
    (tree / "src" / "work").mkdir()
    (tree / "src" / "work" / "pack.py").touch()
    git(tree, "add", "--all")
    git(tree, "commit", "-q", "-m", "Add")
    note(desk, "finding", "work/pack.py and ./work/pack.py and src/work/pack.py, not ork/pack.py", node=task.id)

    details = [gap.detail for gap in gaps_of(desk, task, tree)]
    assert details == ["there is no file ork/pack.py"]


@pytest.mark.parametrize("path", ["x/" * 5_000 + "y.py", "~nobody-here/x.py", "a/\u0301.py"])
def test_a_path_that_cannot_be_one_is_missing(desk: Desk, task: Node, tree: Path, path: str) -> None:
    """The file system's own refusal is an answer, not a failure."""
    with_meta(desk, task, {}, refs=Refs(files=(path,)))

    assert kinds(desk, task, tree) == ["MissingFile"]


def test_long_texts_are_read_up_to_a_length(desk: Desk, task: Node) -> None:
    """The newest are read first; what is cited counts in any case."""
    entries = [
        with_meta(desk, task, {}, refs=Refs(commits=("75f65e2",))),
        note(desk, "finding", "x " * 49_000, node=task.id),
        note(desk, "finding", f"a/b.py {'y ' * 40_000}", node=task.id),
        note(desk, "finding", "c/d.py", node=task.id),
    ]
    found = artifacts_of(list(reversed(entries)))

    assert found.files == ("c/d.py", "a/b.py")
    assert found.commits == ("75f65e2",)
