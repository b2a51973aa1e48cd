"""What is wrong with the journals, or with what was folded from them.  Nothing is changed.

Others may write meanwhile, to a journal first and then to the tables.  What looks unfinished is therefore looked at
again when nobody writes, and what is compared with the tables is folded as far as they are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from noctuary.errors import BadEvent, JournalDamaged, JournalTooNew, StoreError
from noctuary.graph import EdgeType
from noctuary.journal.contract import BEGINNING, Journal, Line, Place
from noctuary.journal.lines import Record, line_digest, moment, parse_line
from noctuary.journal.rewritings import generations
from noctuary.ledger.changes import check_shape
from noctuary.ledger.ledger import Ledger
from noctuary.store import open_store
from noctuary.store.database import Row

ACYCLIC = (EdgeType.CONTAINS, EdgeType.DEPENDS_ON)
_TRIES = 3  # to read the tables between two writers, before nobody may write meanwhile


class Kind(StrEnum):
    """What sort of thing is wrong."""

    MALFORMED = "malformed"  # a line is no event; it is passed over
    BROKEN = "broken"  # a line does not follow the one before it: something was edited, moved, removed or added
    DOUBLE = "double"  # an event is there twice; it counts once
    TOO_NEW = "too new"  # a line was written by a newer Noctuary; the journal cannot be used
    FOREIGN = "foreign"  # a line names another owner or project, or speaks of what belongs to another
    TORN = "torn"  # half a line, left by a crash
    DAMAGED = "damaged"  # the journal is gone, was shortened or changed where it had been read
    BEHIND = "behind"  # the journal has lines that the tables do not know yet
    UNEQUAL = "unequal"  # the tables are not what the journal says
    CIRCLE = "circle"  # nodes contain each other, or depend on each other
    LOOSE = "loose"  # an edge begins or ends where there is no node


class Finding(NamedTuple):
    """Something that is wrong, and in which line of which project's journal."""

    project: str
    kind: Kind
    detail: str
    line: int | None = None


def verify(ledger: Ledger, project: str | None = None) -> list[Finding]:
    """All that is wrong, of one project or of all; an empty list if nothing is."""
    known = ledger.store.journals.projects(ledger.owner)
    names = sorted({*ledger.projects(), *known}) if project is None else [project]
    findings = [finding for name in names for finding in _in_journal(ledger, name)]
    findings += [finding for finding in _in_graph(ledger) if finding.project in names]
    if not any(finding.kind in (Kind.TOO_NEW, Kind.DAMAGED, Kind.BEHIND) for finding in findings):
        findings += _in_tables(ledger, names)
    return findings


def _in_journal(ledger: Ledger, project: str) -> Iterator[Finding]:
    journal, place = ledger.journal(project), ledger.place(project)
    try:
        journal.check(place)
    except JournalDamaged as error:
        yield Finding(project, Kind.DAMAGED, str(error), place.number)
    size, lines, place = _read(ledger, project)
    for line, why in _chain(lines):
        yield Finding(project, Kind.BROKEN, why, line)
    seen: dict[str, int] = {}
    for look in lines:
        yield from (Finding(project, kind, why, look.line) for kind, why in look.wrong)
        event_id = str(look.record.get("event_id", "")) if look.record else ""
        if event_id and event_id in seen:
            yield Finding(project, Kind.DOUBLE, f"event {event_id} is in line {seen[event_id]} already", look.line)
        if event_id:
            seen.setdefault(event_id, look.line)
        if look.record and (why := _foreign(look.record, ledger.owner, project)):
            yield Finding(project, Kind.FOREIGN, why, look.line)
    for rewriting, why in generations([line.content for line in journal.read()]).unproven():
        yield Finding(project, Kind.BROKEN, f"lines were rewritten ({rewriting.reason}), but {why}", rewriting.line)
    yield from _torn(journal, size, project, lines)
    if lines and place.offset < lines[-1].end:
        yield Finding(project, Kind.BEHIND, f"{len(lines) - place.number} lines are not folded yet", place.number + 1)


class _Look(NamedTuple):
    """A line, looked at."""

    line: int
    end: int
    digest: str
    record: Record | None
    wrong: Sequence[tuple[Kind, str]]


class _Read(NamedTuple):
    """A journal: how long it was before it was read, its lines, and how far it was folded afterwards."""

    size: int
    lines: list[_Look]
    place: Place

    @property
    def is_finished(self) -> bool:
        """Whether there is nothing in it that somebody may be about to finish."""
        end = self.lines[-1].end if self.lines else 0
        return self.size <= end <= self.place.offset


def _read(ledger: Ledger, project: str) -> _Read:
    """The journal as it is when nobody is in the midst of writing to it."""
    read = _read_on(ledger, project, [])
    if read.is_finished:
        return read
    with _nobody_writing(ledger):
        return _read_on(ledger, project, read.lines)


def _nobody_writing(ledger: Ledger) -> ExitStack:
    """The right to write, if it can be had; nothing is written."""
    with ExitStack() as stack, suppress(StoreError):
        stack.enter_context(ledger.store.database.transaction())
        return stack.pop_all()
    return ExitStack()


def _read_on(ledger: Ledger, project: str, known: list[_Look]) -> _Read:
    """The journal with what came behind the lines that are known."""
    journal = ledger.journal(project)
    size = journal.size()
    behind = Place(offset=known[-1].end, number=known[-1].line) if known else BEGINNING
    lines = [*known, *_looked_at(journal, behind)]
    return _Read(size, lines, ledger.place(project))


def _looked_at(journal: Journal, behind: Place) -> Iterator[_Look]:
    for line in journal.read(behind):
        record, wrong = _parsed(line)
        yield _Look(line.number, line.end, line_digest(line.content), record, wrong)


def _parsed(line: Line) -> tuple[Record | None, Sequence[tuple[Kind, str]]]:
    record = None
    try:
        record = parse_line(line.content)
        moment(record["timestamp"])
        check_shape(record.get("change", {}))
    except BadEvent as error:
        return record, [(Kind.MALFORMED, str(error))]
    except JournalTooNew as error:
        return None, [(Kind.TOO_NEW, str(error))]
    # Only what is looked at later: a journal may be long.
    return {key: record[key] for key in ("event_id", "prev", "owner", "project") if key in record}, []


def _chain(lines: Sequence[_Look]) -> Iterator[tuple[int, str]]:
    """Lines that do not say of the one before what it is."""
    places = {look.digest: look.line for look in lines}
    expected = ""
    for look in lines:
        prev = look.record.get("prev", "") if look.record else None
        if prev is not None and prev != expected:
            if prev in places:
                yield look.line, f"it was written behind line {places[prev]}: lines were moved, added or removed"
            else:
                yield look.line, "the line that it was written behind was edited or removed"
        expected = look.digest


def _foreign(record: Mapping[str, str], owner: str, project: str) -> str:
    for what, ours in (("owner", owner), ("project", project)):
        if record.get(what, ours) != ours:
            return f"its {what} is {record[what][:80]!r}; it is taken for {ours!r}"
    return ""


def _torn(journal: Journal, size: int, project: str, lines: Sequence[_Look]) -> Iterator[Finding]:
    end, number = (lines[-1].end, lines[-1].line) if lines else (0, 0)
    if size > end:
        detail = f"{size - end} bytes without an end; they will be set aside before the next line is written"
        yield Finding(project, Kind.TORN, detail, number + 1)
    if halves := journal.halves():
        detail = f"halves of lines that a crash left were set aside in {halves}"
        yield Finding(project, Kind.TORN, detail)


def _in_graph(ledger: Ledger) -> Iterator[Finding]:
    nodes = ledger.store.nodes
    for edge, project, missing in nodes.loose_edges(ledger.owner):
        yield Finding(project, Kind.LOOSE, f"edge {edge} leads to {missing}, which there is not")
    for kind in ACYCLIC:
        for circle in _circles(nodes.pairs(ledger.owner, kind)):
            found = nodes.find(ledger.owner, circle[0])
            detail = f"a circle of {kind}: {' → '.join([*circle, circle[0]])}"
            yield Finding(found.project if found else "", Kind.CIRCLE, detail)


def _circles(pairs: Iterable[tuple[str, str]]) -> Iterator[list[str]]:
    """Circles: at least one for every node that is in any."""
    ahead: dict[str, list[str]] = {}
    for start, end in sorted(pairs):
        ahead.setdefault(start, []).append(end)
    done: set[str] = set()
    for root in ahead:
        path: dict[str, None] = {}
        pending = [iter([root])]
        while pending:
            name = next(pending[-1], None)
            if name is None:
                pending.pop()
                if path:
                    done.add(path.popitem()[0])
            elif name in path:
                steps = list(path)
                yield steps[steps.index(name) :]
            elif name not in done:
                path[name] = None
                pending.append(iter(ahead.get(name, ())))


def _in_tables(ledger: Ledger, projects: Sequence[str]) -> Iterator[Finding]:
    """Fold all journals once more, beside the tables, and compare."""
    with TemporaryDirectory() as folder:
        beside = open_store(Path(folder) / "beside.db")
        try:
            again = Ledger(beside, ledger.home, ledger.owner, ledger.clock, ledger.journals)
            with beside.database.transaction():
                bad = [(project, line) for project in again.projects() for line in again.fold_new(project)]
            for project, line in bad:
                if line.is_foreign and project in projects:
                    yield Finding(project, Kind.FOREIGN, line.why, line.number)
            for project in projects:
                for table in _differing(ledger, again, project):
                    detail = f"{table} are not what the journal says; `noctuary rebuild` makes them again"
                    yield Finding(project, Kind.UNEQUAL, detail)
        finally:
            beside.close()


def _differing(ledger: Ledger, again: Ledger, project: str) -> Iterator[str]:
    """The tables that are not what is folded beside them, when both are of the same place."""
    tries = (_as_far(ledger, again, project) for _ in range(_TRIES))
    ours = next((tables for tables in tries if tables is not None), None)
    if ours is None:
        with _nobody_writing(ledger):
            ours = _as_far(ledger, again, project)
    if ours is None:  # somebody was killed meanwhile, and the next who writes folds what they left
        return
    theirs = again.store.journals.dump(again.owner, project)
    yield from (table for table in ours if ours[table] != theirs[table])


def _as_far(ledger: Ledger, again: Ledger, project: str) -> dict[str, list[Row]] | None:
    """The tables of a project, with those beside them folded as far; None if somebody wrote to them meanwhile."""
    with again.store.database.transaction():
        again.fold_new(project)
    end = again.place(project).offset
    if ledger.place(project).offset != end:
        return None
    tables = ledger.store.journals.dump(ledger.owner, project)
    return tables if ledger.place(project).offset == end else None
