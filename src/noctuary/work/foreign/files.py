"""A file, or a folder of files, that some tool wrote: whose it is, and into which project it goes."""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from noctuary.authored import Event
from noctuary.errors import BadChange, BadInput
from noctuary.graph import EdgeType
from noctuary.lazily import lazy_module
from noctuary.ledger.ledger import Ledger
from noctuary.work.desk import Desk
from noctuary.work.exchange import FARTHEST_AHEAD_MS, ImportedLines, SetAside, add_events, import_journal
from noctuary.work.foreign.beads import There, is_beads, read_beads
from noctuary.work.foreign.lines import Read, objects_in
from noctuary.work.foreign.task_journal import is_task_journal, read_task_journal

if TYPE_CHECKING:
    import hashlib
else:
    hashlib = lazy_module("hashlib")

_LOOKED_AT = 200  # lines, until one says whose file it is
Add = Callable[[Ledger, Iterable[Event], str | None], ImportedLines]


class Format(StrEnum):
    """Whose lines they are."""

    NOCTUARY = "noctuary"
    TASK_JOURNAL = "task-journal"
    BEADS = "beads"


def format_of(lines: Sequence[str | bytes]) -> Format | None:
    """Whose lines these are; None if they are nobody's that is known."""
    for found in objects_in(lines[:_LOOKED_AT], []):
        if is_task_journal(found.record):
            return Format.TASK_JOURNAL
        if isinstance(found.record.get("schema_version"), int) and "event_id" in found.record:
            return Format.NOCTUARY
        if is_beads(found.record):
            return Format.BEADS
    return None


def import_path(
    desk: Desk, path: Path, project: str | None = None, *, only: Format | None = None, add: Add = add_events
) -> ImportedLines:
    """Import a file, or every file of lines in a folder, whoever wrote it; what cannot be read is set aside.

    BadInput if it is not of the tool that is the `only` one meant.  `add` is what is done with the events.

    What does not say its project goes to the desk's.  The journals of a whole folder of Task-Journal go each to the
    project it was kept for, if there is such a project here, and else to one of its own.
    """
    files = _files(path)
    if files == [path]:
        return import_lines(desk, _lines(path), project, only=only, add=add)
    report = ImportedLines()
    for file in files:
        try:
            home = _project_of(desk, file.stem)
            one = import_lines(desk, _lines(file), project, home=home, only=only, add=add)
        except (BadInput, BadChange) as error:
            one = ImportedLines(bad=[SetAside(0, str(error), "")])
        bad, notes = ([aside._replace(file=file.name) for aside in asides] for asides in (one.bad, one.notes))
        report = report.joined(one._replace(bad=bad, notes=notes))
    return report


def import_lines(
    desk: Desk,
    lines: Sequence[str | bytes],
    project: str | None = None,
    *,
    home: str | None = None,
    only: Format | None = None,
    add: Add = add_events,
) -> ImportedLines:
    """Import lines, whoever wrote them.  `home` is where what does not say its project goes; by default the desk's."""
    kind = format_of(lines)
    if only and kind and kind is not only:
        raise BadInput(f"These are lines of {kind}, not of {only}; nothing was changed.")
    if kind is Format.NOCTUARY:
        return import_journal(desk.ledger, lines, project)
    where = project if project is not None else home if home is not None else desk.project
    latest_ms = desk.clock.now_ms() + FARTHEST_AHEAD_MS
    if kind is Format.TASK_JOURNAL:
        return _added(desk, read_task_journal(lines, latest_ms), where, add)
    if kind is Format.BEADS:
        return _added(desk, read_beads(lines, latest_ms, _there(desk, where)), where, add)
    bad: list[SetAside] = []
    if any(True for _ in objects_in(lines, bad)) or not bad:
        raise BadInput("These are lines of no tool that is known here: Noctuary, Task-Journal or Beads.")
    raise BadInput(f"There is no line of JSON in it; the first one is line {bad[0].number}: {bad[0].why}.")


def _added(desk: Desk, read: Read, project: str, add: Add) -> ImportedLines:
    report = add(desk.ledger, read.events, project)
    return report._replace(bad=read.bad, notes=[*read.notes, *report.notes])


def _there(desk: Desk, project: str) -> There:
    nodes = desk.store.nodes
    waits = [pair for kind in (EdgeType.CONTAINS, EdgeType.DEPENDS_ON) for pair in nodes.pairs(desk.owner, kind)]
    known = nodes.where(desk.owner)
    ours = {node.id: node for node in known if node.project == project}
    return There(project, ours, waits, {node.id for node in known} - ours.keys())


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise BadInput(f"There is no file or folder {path}.")
    folders = [path / "events", path / ".beads", path]
    files = next((found for folder in folders if (found := sorted(folder.glob("*.jsonl")))), [])
    if not files:
        raise BadInput(f"There is no file of lines (*.jsonl) in {path}.")
    return files


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error


def _project_of(desk: Desk, name: str) -> str | None:
    """The project that a journal of Task-Journal is of: its file is called by a digest of the project's folder."""
    if len(name) != 16 or set(name) - set("0123456789abcdef"):
        return None
    for project in (desk.project, *desk.ledger.projects()):
        if hashlib.sha256(project.encode()).hexdigest()[:16] == name:
            return project
    return f"task-journal/{name}"
