"""What a run has done so far, on the way to its report."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from noctuary.dreams import (
    DreamRecord,
    DreamStatus,
    MemoryChange,
    PageReport,
    Phase,
    Report,
    RunStatus,
    SessionReport,
    Trigger,
)
from noctuary.models.chat.meter import Meter
from noctuary.proposals import Dropped, Spent

A_BUG = "a bug in Noctuary"  # how the reason of a failure begins that is ours


def told_bug(error: Exception) -> str:
    """The reason of a failure that is ours."""
    return f"{A_BUG}: {type(error).__name__}: {error}"


class Tally:
    """Counts while a run goes on; everything a report says comes from here, so nothing is counted twice."""

    def __init__(self, run: str, trigger: Trigger, started_ms: int, backend: str, meter: Meter | None = None) -> None:
        """`meter` counts all that is asked of models meanwhile, whatever becomes of the answers."""
        self.run = run
        self.trigger = trigger
        self.started_ms = started_ms
        self.backend = backend
        self.considered = 0
        self.phases: list[Phase] = []
        self.sessions: list[SessionReport] = []
        self.kept = 0
        self.merged = 0
        self.dropped: list[Dropped] = []
        self.changes: list[MemoryChange] = []
        self.pages: list[str] = []
        self.written: list[PageReport] = []
        self.spent = Spent()  # as readers and writers say themselves
        self._meter, self._before = meter, meter.spent if meter else Spent()
        self.warnings: list[str] = []
        self.diffs: list[str] = []

    def phase(self, name: str, summary: str, touched: Sequence[str] = ()) -> None:
        """Note that a part of the run is done."""
        self.phases.append(Phase(name, summary, tuple(touched)))

    def session(
        self,
        record: DreamRecord,
        project: str,
        status: DreamStatus,
        *,
        events: Sequence[str] = (),
        failure: str | None = None,
    ) -> None:
        """Note what became of a session."""
        self.sessions.append(
            SessionReport(record.session, record.epoch, project, status, events=tuple(events), failure=failure)
        )

    def changed(self, changes: Iterable[MemoryChange]) -> None:
        """Note what happened to memories."""
        self.changes += changes

    def failed_in_a_row(self) -> int:
        """How many of the last sessions failed, one after the other, by no fault of ours."""
        is_failed = [
            one.status is DreamStatus.FAILED and not (one.failure or "").startswith(A_BUG) for one in self.sessions
        ]
        return len([*takewhile(bool, reversed(is_failed))])

    def count(self, status: DreamStatus) -> int:
        """How many sessions came to stand so."""
        return sum(one.status is status for one in self.sessions)

    def _all_spent(self) -> Spent:
        return self._meter.since(self._before) if self._meter else self.spent

    def _unpriced(self) -> list[str]:
        names = sorted(self._meter.unpriced) if self._meter else []
        return [f"{name} is counted in tokens only, for nobody knows what it costs." for name in names]

    def report(self, status: RunStatus, finished_ms: int | None, waiting: int, *, is_dry: bool = False) -> Report:
        """All of it."""
        return Report(
            run=self.run,
            trigger=self.trigger,
            status=status,
            started_ms=self.started_ms,
            finished_ms=finished_ms,
            backend=self.backend,
            phases=tuple(self.phases),
            considered=self.considered,
            processed=self.count(DreamStatus.COMPLETED),
            waiting=waiting,
            failed=self.count(DreamStatus.FAILED),
            sessions=tuple(self.sessions),
            kept=self.kept,
            merged=self.merged,
            dropped=tuple(self.dropped),
            changes=tuple(self.changes),
            pages=tuple(dict.fromkeys(self.pages)),
            spent=self._all_spent(),
            warnings=(*self.warnings, *self._unpriced()),
            diff="".join(self.diffs),
            is_dry=is_dry,
            written=tuple(self.written),
        )
