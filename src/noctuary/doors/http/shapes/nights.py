"""Dreams: where they stand, what they did, and what waits to be looked at."""

from typing import Annotated, Literal

from pydantic import Field

from noctuary.app.dreaming import Overview
from noctuary.app.requests import AskedState
from noctuary.doors.http.shapes.kept import MemoryShape
from noctuary.doors.http.shapes.shape import Given, KnownSession, ProjectName, Shape, Words, whole
from noctuary.doors.http.shapes.work import EntryShape
from noctuary.dreams import ChangeKind, DreamStatus, Report, RunStatus, Trigger


class SpentShape(Shape):
    """What models were given and what it cost."""

    calls: int
    tokens_in: int
    tokens_out: int
    dollars: float


class DreamOverview(Shape):
    """Where dreams stand; of a key for one project, what concerns that."""

    is_enabled: bool
    backend: str
    due: Trigger | None
    waiting: int = Field(description="Sessions that have ended and were not read yet.")
    open: int | None = Field(description="Sessions that go on; null for a key of one project.")
    failed: int | None = Field(description="Sessions that could not be read; null for a key of one project.")
    completed: int | None = Field(description="Completions that were read; null for a key of one project.")
    suggestions: int
    last_success_ms: int | None
    last_run: str | None
    spent_today: SpentShape | None = Field(description="Null for a key of one project.")
    at_work: bool = Field(description="Whether this server has a dream of the key's owner right now.")

    @classmethod
    def of(cls, overview: Overview, *, at_work: bool) -> "DreamOverview":
        """The overview of all projects."""
        failed = sum(count for (status, _), count in overview.counts.items() if status is DreamStatus.FAILED)
        return cls(
            is_enabled=overview.is_enabled,
            backend=overview.backend,
            due=overview.due,
            waiting=overview.waiting,
            open=overview.outlook.open,
            failed=failed,
            completed=overview.completed,
            suggestions=overview.suggestions,
            last_success_ms=overview.state.last_success_ms or None,
            last_run=overview.last.run if overview.last else None,
            spent_today=SpentShape.model_validate(overview.spent_today),
            at_work=at_work,
        )


class DreamtSession(Shape):
    """What became of one session in a dream."""

    session: str
    epoch: int
    project: str
    status: DreamStatus
    events: list[str]


class MemoryChangeShape(Shape):
    """What happened to a memory, and why."""

    kind: ChangeKind
    memory: str
    text: str
    why: str
    project: str


class DroppedShape(Shape):
    """Something that was proposed and is not kept."""

    text: str
    why: str


class ReportShape(Shape):
    """What a dream did; for a key of one project, in that."""

    run: str
    trigger: Trigger
    status: RunStatus
    started_ms: int
    finished_ms: int | None
    backend: str
    considered: int
    processed: int
    waiting: int
    failed: int
    kept: int
    merged: int
    sessions: list[DreamtSession]
    changes: list[MemoryChangeShape]
    dropped: list[DroppedShape]
    warnings: list[str]
    diff: str
    spent: SpentShape

    @classmethod
    def of(cls, report: Report, project: str | None) -> "ReportShape":
        """The report; of one project alone, without all that may tell of others."""
        return cls.model_validate(report if project is None else _narrowed(report, project))

    @classmethod
    def concerns(cls, report: Report, project: str | None) -> bool:
        """Whether a dream did anything in the project."""
        return project is None or project in projects_of(report)


def projects_of(report: Report) -> set[str]:
    """The projects that a dream did something in."""
    done = {each.project for each in report.sessions} | {each.project for each in report.changes}
    return done | {each.project for each in report.written}


def _narrowed(report: Report, project: str) -> Report:
    sessions = [each for each in report.sessions if each.project == project]
    changes = [each for each in report.changes if each.project == project]
    return report._replace(
        sessions=sessions,
        changes=changes,
        considered=len(sessions),
        processed=sum(each.status is DreamStatus.COMPLETED for each in sessions),
        failed=sum(each.status is DreamStatus.FAILED for each in sessions),
        waiting=0,
        kept=sum(len(each.events) for each in sessions),
        merged=0,
        dropped=(),
        warnings=(),
        diff="",  # pages also show what is of all projects
        spent=type(report.spent)(),
    )


class NewDream(Given):
    """A dream to have now, over all that waits or over what is named."""

    sessions: list[KnownSession] = Field(default=[], max_length=100)
    project: ProjectName | None = None
    most: Annotated[int, Field(ge=1, le=10_000), whole] | None = None
    backend: Literal["rules"] | None = Field(
        default=None, description="`rules` asks no model; without it, what the settings say."
    )


class AskedDreamShape(Shape):
    """A dream that was asked for."""

    id: str
    project: str | None
    asked_ms: int
    ended_ms: int | None
    state: AskedState
    run: str | None = Field(description="The dream it became.")
    outcome: str | None = Field(description="How that ended.")


class SuggestionShape(Shape):
    """Something a dream proposed, and the memory it would be."""

    entry: EntryShape
    memory: MemoryShape | None


class Rejecting(Given):
    """Why a proposal is wrong."""

    reason: Words = ""


class UndoneShape(Shape):
    """What was taken back."""

    run: str
    events: int
    kept: list[str] = Field(description="Entries that stay, for somebody has said something about them since.")
    memories: int
    sessions: int
