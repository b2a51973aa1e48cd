"""Pages of dreams: when they were, why, what each did and on whose word; and taking one back."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from noctuary.access import Caller, Scope
from noctuary.app import Memory
from noctuary.app.browsing import Browsing
from noctuary.doors.cli.words import counted
from noctuary.doors.web.choosing import need_whole_memory, part_of, word
from noctuary.doors.web.filters import address
from noctuary.doors.web.frame import Frame
from noctuary.doors.web.outcome import done, page
from noctuary.dreams import ChangeKind, MemoryChange, Report, RunStatus, Trigger
from noctuary.errors import NotFound
from noctuary.moments import show_day

BECAUSE = {
    Trigger.MANUAL: "somebody asked",
    Trigger.SESSION_COUNT: "enough sessions waited",
    Trigger.TIME_ELAPSED: "enough time had gone by",
}
# What a run did to memories, as lines of a difference.
SIGNS = {
    ChangeKind.ADDED: "added",
    ChangeKind.PROPOSED: "added",
    ChangeKind.MERGED: "changed",
    ChangeKind.DISPUTED: "changed",
    ChangeKind.STALE: "changed",
    ChangeKind.VERIFIED: "changed",
    ChangeKind.EDITED: "changed",
    ChangeKind.SUPERSEDED: "retired",
    ChangeKind.DISTRUSTED: "retired",
    ChangeKind.REMOVED: "retired",
    ChangeKind.PRUNED: "retired",
}
_ORDER = ("added", "changed", "retired")
_TIMELINE, _PREVIEW, _CHANGES, _LISTED, _DIFF_LINES = 25, 3, 50, 50, 400
_MARK = "<!-- noctuary:"  # of a line of MEMORY.md that is for programs
_UNDOABLE = (RunStatus.COMPLETED, RunStatus.FAILED)


class Told(NamedTuple):
    """A run on a line of the timeline."""

    report: Report
    seconds: float
    because: str
    counts: Sequence[tuple[str, int]]  # of what happened to memories
    read: int  # sessions
    preview: Sequence[tuple[str, MemoryChange]]  # the first of what happened to memories, added ones before others


class DiffLine(NamedTuple):
    """A line of the difference in MEMORY.md."""

    look: str  # added, retired, place, file or same
    text: str


def add(app: FastAPI, frame: Frame) -> None:
    """Let the server tell of dreams."""

    @app.get("/dreams", include_in_schema=False)
    def dreams(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
        before = word(request.query_params, "before") or None
        with frame.memory(caller) as memory:
            browsing = Browsing(memory)
            runs, older = _timeline(browsing, caller, before)
            return page(
                frame,
                request,
                caller,
                "dreams.html",
                days=[(day, [*told]) for day, told in groupby(runs, lambda one: show_day(one.report.started_ms))],
                older=address("/dreams", {"before": older}) if older else "",
                is_first=before is None,
                suggested=browsing.suggested(caller.project),
                standing=memory.dreams.standing() if caller.project is None else None,
                due=browsing.due() if caller.project is None else None,
            )

    _add_run(app, frame)
    _add_undo(app, frame)


def _add_run(app: FastAPI, frame: Frame) -> None:
    @app.get("/dreams/{run}", include_in_schema=False)
    def dream(request: Request, run: str, caller: Caller = frame.reader) -> HTMLResponse:
        with frame.memory(caller) as memory:
            report = _report(memory, caller, run)
            part = part_of(request.query_params, _CHANGES)
            ordered = in_order(report.changes)
            browsing = Browsing(memory)
            cited = browsing.cited(report.run, ordered[part.skip : part.skip + part.size])
            named = [one.message.session for one in cited if one.message]
            named += [one.session for one in report.sessions[:_LISTED]]
            diff = [*_diff_lines(report.diff)]
            return page(
                frame,
                request,
                caller,
                "dream.html",
                told=_told(report),
                groups=[(sign, [*ones]) for sign, ones in groupby(cited, lambda one: SIGNS[one.change.kind])],
                part=part,
                titles=browsing.titles(named, caller.project),
                total=len(ordered),
                at=f"/dreams/{report.run}",
                diff=diff[:_DIFF_LINES],
                diff_left=max(0, len(diff) - _DIFF_LINES),
                most=_LISTED,
                can_undo=report.status in _UNDOABLE and caller.project is None and caller.may(Scope.DREAM),
            )


def _add_undo(app: FastAPI, frame: Frame) -> None:
    @app.get("/dreams/{run}/undo", include_in_schema=False)
    def ask(request: Request, run: str, caller: Caller = frame.dreamer) -> Response:
        need_whole_memory(caller, "a dream")
        with frame.memory(caller) as memory:
            report = _report(memory, caller, run)
            if report.status not in _UNDOABLE:
                return frame.go_to(f"/dreams/{report.run}")
            return page(frame, request, caller, "undo.html", told=_told(report))

    @app.post("/dreams/{run}/undo", include_in_schema=False)
    def undo(run: str, caller: Caller = frame.dreamer) -> RedirectResponse:
        need_whole_memory(caller, "a dream")
        with frame.memory(caller) as memory:
            report = _report(memory, caller, run)
            if report.status is RunStatus.UNDONE:  # a form may be sent twice
                return done(frame, f"/dreams/{report.run}", "This dream was undone.")
            undone = memory.dreams.undo(report.run)
        kept = (
            f" Kept what you confirmed since: {counted(len(undone.kept), 'entry', 'entries')}." if undone.kept else ""
        )
        words = (
            f"Undid the dream: {counted(undone.events, 'entry', 'entries')} retracted, "
            f"{counted(undone.memories, 'memory', 'memories')} as before, "
            f"{counted(undone.sessions, 'session')} waiting again.{kept}"
        )
        return done(frame, f"/dreams/{undone.run}", words)


def in_order(changes: Sequence[MemoryChange]) -> list[MemoryChange]:
    """What was added before what was changed, and that before what was retired; what was only checked comes last."""
    return sorted(changes, key=lambda one: (one.kind is ChangeKind.VERIFIED, _ORDER.index(SIGNS[one.kind])))


def of_project(report: Report, project: str) -> Report:
    """What a key for one project may see of a run: nothing that concerns, names or counts another."""
    sessions = [one for one in report.sessions if one.project == project]
    return report._replace(
        sessions=sessions,
        changes=[one for one in report.changes if one.project == project],
        written=[one for one in report.written if one.project == project],
        considered=len(sessions),
        processed=len(sessions),
        kept=sum(len(one.events) for one in sessions),
        diff=_of_page(report.diff, project),
        **_UNSEEN,
    )


# What a report says of all projects together.
_UNSEEN = {name: Report._field_defaults[name] for name in
           ("phases", "waiting", "failed", "merged", "dropped", "pages", "spent", "warnings")}  # fmt: skip


def _report(memory: Memory, caller: Caller, run: str) -> Report:
    report = memory.dreams.show(run)
    if caller.project is None:
        return report
    seen = of_project(report, caller.project)
    if not _is_any(seen):
        raise NotFound(f"There is no run {run!r}.")
    return seen


def _is_any(report: Report) -> bool:
    return bool(report.sessions or report.changes or report.written)


def _timeline(browsing: Browsing, caller: Caller, before: str | None) -> tuple[list[Told], str]:
    """Some runs, and the one before which there are more; with a key for one project, those that touched it."""
    told: list[Told] = []
    while found := browsing.runs(before, _TIMELINE):
        before = found[-1].run
        seen = found if caller.project is None else [of_project(one, caller.project) for one in found]
        told += [_told(one) for one in seen if caller.project is None or _is_any(one)]
        if len(told) >= _TIMELINE:
            break
    return told, before if before and browsing.runs(before, 1) else ""


def _told(report: Report) -> Told:
    kinds = Counter(change.kind for change in report.changes)
    return Told(
        report=report,
        seconds=((report.finished_ms or report.started_ms) - report.started_ms) / 1000,
        because=BECAUSE[report.trigger],
        counts=[(str(kind), kinds[kind]) for kind in ChangeKind if kinds[kind]],
        read=len(report.sessions),
        preview=[(SIGNS[change.kind], change) for change in in_order(report.changes)[:_PREVIEW]],
    )


def _of_page(diff: str, project: str) -> str:
    """The part of a difference that is of one project's page."""
    name = f"MEMORY.md of {' '.join(project.split()) or 'all projects'}"
    lines, is_shown = [], False
    for line, after in zip(diff.splitlines(), [*diff.splitlines()[1:], ""], strict=False):
        if line.startswith("--- ") and after.startswith("+++ "):
            is_shown = line == f"--- {name}"
        lines += [line] if is_shown else []
    return "\n".join(lines)


def _diff_lines(diff: str) -> Iterator[DiffLine]:
    """What changed for people: marks that only programs read are left out, and places where nothing else changed."""
    place: list[DiffLine] = []
    for line in [*_all_lines(diff), DiffLine("file", "")]:
        if line.look in ("place", "file"):
            yield from place if any(one.look in ("added", "retired", "file") for one in place) else ()
            place = []
        place += [] if line.text[1:].startswith(_MARK) else [line]


def _all_lines(diff: str) -> Iterator[DiffLine]:
    lines = diff.splitlines()
    for line, before, after in zip(lines, ["", *lines], [*lines[1:], ""], strict=False):
        if line.startswith("--- ") and after.startswith("+++ "):
            yield DiffLine("file", line.removeprefix("--- "))
        elif line.startswith("@@"):
            yield DiffLine("place", line)
        elif not (line.startswith("+++ ") and before.startswith("--- ")):
            yield DiffLine({"+": "added", "-": "retired"}.get(line[:1], "same"), line)
