"""Words that are to be forgotten are struck out of what dreams wrote for people: pages, their copies, and reports."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from noctuary.dream.forgetting import Gone, Taken
from noctuary.dream.forgetting_lines import FORGOTTEN
from noctuary.dream.night import Night
from noctuary.dream.pages.archive import strike_out
from noctuary.dream.pages.lines import ids_in
from noctuary.dream.pages.mirrors import mirror
from noctuary.dream.pages.places import archive_path, page_path
from noctuary.dream.pages.writing import write_pages
from noctuary.dream.publishing import folder_of
from noctuary.dream.reports import from_json, to_json
from noctuary.dreams import MemoryChange, Report, SessionReport
from noctuary.errors import StoreError
from noctuary.memory_file import BACKUPS
from noctuary.proposals import Dropped
from noctuary.store.memories import EVERY_PROJECT


def strike_pages(night: Night, gone: Gone, taken: Taken) -> None:
    """Write the pages anew without what was taken back, and take its lines out of every copy of them.

    All that can be done is done before a page that cannot be written is told.
    """
    failures: list[StoreError] = []
    for project in _shown_on(night, taken):
        try:
            _write(night, project)
        except StoreError as error:
            failures.append(error)
        _strike_copies(night, project, gone, taken)
    for failure in failures:
        raise failure


def strike_reports(night: Night, gone: Gone, taken: Taken) -> None:
    """Take the words out of the reports of the runs that had to do with them."""
    dreams = night.store.dreams
    for run in dreams.runs(night.owner, most=1_000_000):
        if run.report is None:
            continue
        try:
            report = from_json(run.report)
        except StoreError:  # nobody can say what is in it; whoever heals it sets it aside
            continue
        if _is_about(run.report, report, gone, taken):
            dreams.save_run(night.owner, run._replace(report=to_json(_struck(report, gone, taken))))


def _shown_on(night: Night, taken: Taken) -> list[str]:
    """Projects whose pages show any of it; what holds for all projects is on every page."""
    known = night.store.journals.projects(night.owner)
    return sorted({*taken.projects, *known}) if EVERY_PROJECT in taken.projects else taken.projects


def _write(night: Night, project: str) -> None:
    """Write the page and what mirrors it, without keeping what was there before."""
    without_copies = night._replace(settings=night.settings._replace(keep_backups=0))
    write_pages(without_copies, project)
    mirror(without_copies, project, folder_of(night, project))


def _strike_copies(night: Night, project: str, gone: Gone, taken: Taken) -> None:
    is_struck = _is_struck(gone, taken)
    for path in _copies(night, project):
        strike_out(path, is_struck)
    pages = night.store.pages
    for generation in pages.generations(night.owner, project)[1:]:
        if any(map(is_struck, generation.body.split("\n"))):
            pages.remove(night.owner, project, generation.digest)


def _copies(night: Night, project: str) -> Iterator[Path]:
    archived = archive_path(night.home, night.owner, project)
    if archived.is_file():
        yield archived
    for folder in sorted(page_path(night.home, night.owner, project).parent.rglob(BACKUPS)):
        yield from (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".lock")


def _is_struck(gone: Gone, taken: Taken) -> Callable[[str], bool]:
    ids = taken.ids
    return lambda line: not ids.isdisjoint(ids_in(line)) or gone.says(line)


def _is_about(stored: str, report: Report, gone: Gone, taken: Taken) -> bool:
    is_read = any(gone.names(one.session) for one in report.sessions)
    return is_read or any(name in stored for name in taken.ids) or gone.says(*_told(report))


def _told(report: Report) -> Iterator[str]:
    yield from (report.diff, *report.warnings)
    yield from (text for change in report.changes for text in (change.text, change.why))
    yield from (text for one in report.dropped for text in one)
    yield from (one.failure for one in report.sessions if one.failure)


def _struck(report: Report, gone: Gone, taken: Taken) -> Report:
    """The report with its counts and without the words; what was dropped names no session, so all of it goes."""
    return report._replace(
        sessions=tuple(_sessions(report.sessions, gone)),
        changes=tuple(_changes(report.changes, gone, taken)),
        dropped=tuple(Dropped(FORGOTTEN, FORGOTTEN) for _ in report.dropped),
        warnings=tuple(text for text in report.warnings if not gone.says(text) and not _names_one(text, gone)),
        diff="",
    )


def _sessions(sessions: Iterable[SessionReport], gone: Gone) -> Iterator[SessionReport]:
    for one in sessions:
        if one.session not in gone.sessions:
            yield one._replace(failure=FORGOTTEN) if one.failure and gone.says(one.failure) else one


def _changes(changes: Iterable[MemoryChange], gone: Gone, taken: Taken) -> Iterator[MemoryChange]:
    for one in changes:
        is_gone = one.memory in taken.ids or gone.says(one.text, one.why)
        yield one._replace(text=FORGOTTEN, why=FORGOTTEN) if is_gone else one


def _names_one(text: str, gone: Gone) -> bool:
    return any(session in text for session in gone.sessions)
