"""After the reading: memories are checked against the repository, and pages are written."""

import os
from collections.abc import Sequence
from pathlib import Path

from noctuary.dream.night import Night
from noctuary.dream.pages.claude_memory import take_in_claude_memory
from noctuary.dream.pages.mirrors import mirror
from noctuary.dream.pages.places import TOPICS, mirror_paths, page_path
from noctuary.dream.pages.writing import Written, write_pages
from noctuary.dream.tally import Tally
from noctuary.dream.verifying.verifying import record_verdicts, verify, worth_verifying
from noctuary.dreams import PageReport, Trigger
from noctuary.errors import NoctuaryError
from noctuary.records import Session
from noctuary.store.memories import EVERY_PROJECT
from noctuary.store.sessions import Selection


def publish(night: Night, tally: Tally, projects: Sequence[str], user_home: Path | None) -> None:
    """Verify and write the pages of these projects; one that cannot be written is due again and said."""
    for project in projects:
        folder = folder_of(night, project)
        if night.settings.read_claude_memory and user_home and folder:
            is_asked = tally.trigger is Trigger.MANUAL
            tally.changed(take_in_claude_memory(night, project, user_home, folder, tally.run, is_asked=is_asked))
        verify_project(night, tally, project, folder)
    tally.phase("verification", f"Memories of {len(projects)} projects were checked against their files.", projects)
    for project in projects:
        try:
            publish_page(night, tally, project)
        except (NoctuaryError, OSError) as error:
            night.store.pages.mark_due(night.owner, project)
            tally.warnings.append(f"The page of {project or 'all projects'} could not be written: {error}")
    tally.phase("writing", f"{len(tally.pages)} files were written.", tally.pages)


def behind(night: Night, known: Sequence[str] = ()) -> Sequence[str]:
    """The projects, of all or of those that are named, in whose journals something was written since their pages were.

    That somebody remembered something, or was killed before the page was marked, shows nowhere else.  Every page shows
    what holds for all projects.
    """
    place, seen = night.ledger.place, night.store.pages.seen
    known = known or night.store.journals.projects(night.owner)
    late = [project for project in known if place(project).last_id != seen(night.owner, project)]
    return known if EVERY_PROJECT in late else late


def verify_project(night: Night, tally: Tally, project: str, folder: Path | None) -> None:
    """Check what the page would show against the repository, and note what changed."""
    memories = worth_verifying(night, project, is_looked_up=folder is not None)
    tally.changed(record_verdicts(night, project, verify(night, project, folder, memories)))


def publish_page(night: Night, tally: Tally, project: str) -> None:
    """Write the page of a project and what mirrors it, and note what came of it."""
    written = rewrite(night, project)
    tally.pages += written.files
    if written.files:
        tally.written.append(_page_report(night, project, written))
    tally.diffs.append(written.diff)
    tally.changed(written.changes)
    tally.warnings += written.warnings


def rewrite(night: Night, project: str) -> Written:
    """Write the page of a project, and the blocks of its own files that mirror it."""
    written = write_pages(night, project)
    if night.settings.mirror and (folder := folder_of(night, project)):
        led_out = {folder / name for name in night.settings.mirror} - {*mirror_paths(folder, night.settings.mirror)}
        warnings = [f"{path} is a link that leads out of its project, and is left alone." for path in sorted(led_out)]
        files = [*written.files, *mirror(night, project, folder)]
        return written._replace(files=files, warnings=[*written.warnings, *warnings])
    return written


def rewrite_if_possible(night: Night, project: str) -> None:
    """The same after something was done that counts already: a page that cannot be written is due, and told then."""
    try:
        rewrite(night, project)
    except (NoctuaryError, OSError):
        night.store.pages.mark_due(night.owner, project)


def _page_report(night: Night, project: str, written: Written) -> PageReport:
    path = page_path(night.home, night.owner, project)
    topics = sum(Path(file).parent.name == TOPICS for file in written.files)
    return PageReport(project, str(path), written.lines, topics)


def folder_of(night: Night, project: str) -> Path | None:
    """Where the project is on this machine, as far as its last sessions know."""
    if not project:
        return None
    sessions: Sequence[Session] = night.store.sessions.recent(night.owner, 20, Selection(project=project))
    folders = dict.fromkeys(session.cwd for session in sessions if session.cwd and session.project == project)
    return next((Path(folder) for folder in folders if _is_folder(folder)), None)


def _is_folder(path: str) -> bool:
    """Whether it is there; a transcript may name what no system takes for a name, and a Path would raise."""
    return os.path.isdir(path)  # noqa: PTH112
