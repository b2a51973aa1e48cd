"""What a task's record leaves open: no goal, no outcome, decisions that rest on nothing, names of what is not there.

Task-Journal also counts pieces that wait to be classified (PendingLeak); nothing waits so here.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path, PureWindowsPath
from typing import NamedTuple

from noctuary.authored import Entry, EventType
from noctuary.graph import ENDED, EdgeType, Node, NodeType
from noctuary.work.artifacts import Artifacts, artifacts_in, from_meta, joined
from noctuary.work.cutting import cut
from noctuary.work.desk import Desk
from noctuary.work.repository import Repository
from noctuary.work.wording import first_of

MOST_ENTRIES = 1_000  # that are looked through, the newest first
_MOST_NAMES = 200  # of files, and of commits, that are looked up
_QUOTED = 80
_LONGEST_TEXT = 100_000  # that names are looked for in, of all entries together
_PROOF = (EventType.EVIDENCE, EventType.FINDING)


class GapKind(StrEnum):
    """What is missing."""

    NO_GOAL = "NoGoal"
    CLOSED_NO_OUTCOME = "ClosedNoOutcome"
    DECISION_NO_EVIDENCE = "DecisionNoEvidence"
    MISSING_FILE = "MissingFile"
    DEAD_COMMIT = "DeadCommit"
    BROKEN_LINK = "BrokenLink"
    SUGGESTED_UNCONFIRMED = "SuggestedUnconfirmed"
    OPEN_SUBTASKS = "OpenSubtasks"


class Severity(StrEnum):
    """How much it matters."""

    ERROR = "error"
    WARN = "warn"
    INFO = "info"


WEIGHTS = {
    GapKind.NO_GOAL: 10,
    GapKind.CLOSED_NO_OUTCOME: 10,
    GapKind.DECISION_NO_EVIDENCE: 3,
    GapKind.MISSING_FILE: 3,
    GapKind.DEAD_COMMIT: 3,
    GapKind.BROKEN_LINK: 3,
    GapKind.SUGGESTED_UNCONFIRMED: 1,
    GapKind.OPEN_SUBTASKS: 0,
}


class Gap(NamedTuple):
    """One thing that is missing, and what to do about it."""

    kind: GapKind
    detail: str
    fix: str

    @property
    def severity(self) -> Severity:
        """By what it costs."""
        weight = WEIGHTS[self.kind]
        return Severity.ERROR if weight >= 10 else Severity.WARN if weight > 1 else Severity.INFO


def gaps_of(desk: Desk, node: Node, folder: Path | None = None) -> list[Gap]:
    """The gaps of a task or goal, by kind.  Files and commits are looked up only in a folder that git knows."""
    entries = desk.entries(node.id, most=MOST_ENTRIES)
    gaps = [*_of_node(desk, node), *_of_decisions(node, entries), *_of_links(desk, entries)]
    gaps += (_unconfirmed(entry) for entry in entries if entry.is_suggested)
    if folder is not None:
        gaps += _of_folder(folder, entries)
    order = list(GapKind)
    return sorted(gaps, key=lambda gap: order.index(gap.kind))


def score_of(gaps: Sequence[Gap]) -> int:
    """100 without gaps, less by what each costs, never below 0."""
    return max(0, 100 - sum(WEIGHTS[gap.kind] for gap in gaps))


def artifacts_of(entries: Sequence[Entry]) -> Artifacts:
    """What the entries name: what they cite, what was gathered when they were written, and what their texts say.

    Texts are read up to a length, all together: what is behind it is told by whoever cites it.
    """
    found: list[Artifacts] = []
    left = _LONGEST_TEXT
    for entry in entries:
        event = entry.event
        found.append(Artifacts(commits=tuple(event.refs.commits), files=tuple(event.refs.files)))
        found += (from_meta(event.meta), artifacts_in(event.text[:left]))
        left -= len(event.text[:left])
    return joined(found)


def _of_node(desk: Desk, node: Node) -> Iterator[Gap]:
    is_closed = node.status in ENDED
    if node.type is NodeType.TASK and not node.goal:
        yield Gap(
            GapKind.NO_GOAL,
            "no goal is set",
            f'Say in one sentence what it is for: noctuary task amend {node.id} --goal "…"',
        )
    elif is_closed and not node.outcome:
        yield Gap(
            GapKind.CLOSED_NO_OUTCOME,
            "it is closed and nothing says what came of it",
            f'Say in one sentence what came of it: noctuary task amend {node.id} --outcome "…"',
        )
    if is_closed and (left := _open_subtasks(desk, node)):
        detail = f"{len(left)} subtask{'s are' if len(left) > 1 else ' is'} still open: {first_of(left)}"
        yield Gap(GapKind.OPEN_SUBTASKS, detail, "Close each of them, or move it to where it goes on.")


def _open_subtasks(desk: Desk, node: Node) -> list[str]:
    below = desk.store.nodes.by_id(desk.owner, desk.store.nodes.targets(desk.owner, EdgeType.CONTAINS, node.id))
    return sorted(task.id for task in below.values() if task.type is NodeType.TASK and task.status not in ENDED)


def _of_decisions(node: Node, entries: Sequence[Entry]) -> Iterator[Gap]:
    """A decision rests on what it cites, on evidence that cites it, or on evidence about the task as a whole."""
    holding = [entry for entry in entries if not entry.is_suggested and entry.superseded_by is None]
    proof = [entry.event for entry in holding if entry.acts_as in _PROOF]
    cited = {name for event in proof for name in event.refs.events}
    if any(entry.acts_as is EventType.EVIDENCE and not entry.event.refs.events for entry in holding):
        return
    for entry in holding:
        is_decision = entry.acts_as is EventType.DECISION
        if is_decision and not any(entry.event.refs) and cited.isdisjoint({entry.event.id, entry.event.corrects}):
            yield Gap(
                GapKind.DECISION_NO_EVIDENCE,
                f"decision {entry.event.id} rests on nothing: {_quoted(entry)}",
                f'Record what it rests on: noctuary note evidence "…" --task {node.id}; or correct it if nothing does.',
            )


def _of_links(desk: Desk, entries: Sequence[Entry]) -> Iterator[Gap]:
    """Links that lead nowhere: addresses that are none, and events that there are not."""
    for entry in entries:
        for link in from_meta(entry.event.meta).links:
            if not _is_address(link):
                detail = f"event {entry.event.id} links to {cut(link, _QUOTED)!r}, which is no address"
                yield Gap(GapKind.BROKEN_LINK, detail, "Correct the event with the whole address, or without the link.")
    cited = {name: entry for entry in reversed(entries) for name in entry.event.refs.events}
    known = desk.store.events.known(desk.owner, cited) if cited else set()
    for name, entry in cited.items():
        if name not in known:
            detail = f"event {entry.event.id} refers to event {cut(name, _QUOTED)}, which is not in the journal"
            yield Gap(GapKind.BROKEN_LINK, detail, "Import the journal it comes from, or correct the event.")


def _is_address(link: str) -> bool:
    scheme, separator, rest = link.partition("://")
    return bool(separator) and scheme.lower() in ("http", "https") and bool(rest.strip("/ "))


def _unconfirmed(entry: Entry) -> Gap:
    detail = f"{entry.acts_as} {entry.event.id} is only suggested: {_quoted(entry)}"
    return Gap(GapKind.SUGGESTED_UNCONFIRMED, detail, f"Confirm {entry.event.id}, say it better, or retract it.")


def _of_folder(folder: Path, entries: Sequence[Entry]) -> Iterator[Gap]:
    repository = Repository(folder)
    if not repository.is_there():
        return
    named = artifacts_of(entries)
    for path in _missing_files(folder, repository, named.files[:_MOST_NAMES]):
        detail = f"there is no file {cut(path, _QUOTED)}"
        yield Gap(GapKind.MISSING_FILE, detail, "Say where it is now, or correct what names it.")
    for commit in repository.missing(named.commits[:_MOST_NAMES]):
        detail = f"there is no commit {commit} in this repository"
        yield Gap(GapKind.DEAD_COMMIT, detail, "Name the commit it became, or correct what names it.")


def _missing_files(folder: Path, repository: Repository, paths: Sequence[str]) -> list[str]:
    """Paths that are not there, neither from the folder nor, as people shorten them, at the end of a tracked path."""
    absent = [path for path in paths if not _is_elsewhere(path) and not _exists(folder, path)]
    if not absent:
        return []
    tracked = repository.tracked()
    ends = {path: f"/{path.removeprefix('./')}" for path in absent}
    return [path for path, end in ends.items() if not any(f"/{known}".endswith(end) for known in tracked)]


def _is_elsewhere(path: str) -> bool:
    """Whether it is a path of another system than this one, which cannot be looked up here."""
    return bool(PureWindowsPath(path).drive) and not Path(path).is_absolute()


def _exists(folder: Path, path: str) -> bool:
    try:
        return (folder / Path(path).expanduser()).exists()
    except (OSError, RuntimeError, ValueError):  # too long, no home, a NUL
        return False


def _quoted(entry: Entry) -> str:
    return cut(" ".join(entry.event.text.split()), _QUOTED)
