"""Blocks of ours in a project's own files, for agents that read only those."""

from pathlib import Path

from noctuary.dream.night import Night
from noctuary.dream.pages.edited_meanwhile import until_unedited
from noctuary.dream.pages.edits import take_in_edits
from noctuary.dream.pages.mirror_block import shortened
from noctuary.dream.pages.places import mirror_paths, page_path
from noctuary.dream.pages.writing import current_block, write_pages
from noctuary.memory_file import BACKUPS, read_page, write_page
from noctuary.store.sessions import Selection

_SESSIONS_LOOKED_AT = 50


def mirror(night: Night, project: str, folder: Path | None, block: str | None = None) -> list[str]:
    """Write the rules and decisions of a page into the files that the settings name; the files that changed.

    `block` is the page, by default as it was written last.  Nothing is written unless the folder is there and is the
    project's, and no folder is made.  Old files are kept with the memory, not in the project.  What was edited there by
    hand is taken in first.
    """
    if not night.settings.mirror or folder is None or not is_of_project(night, project, folder):
        return []
    return until_unedited(lambda: _write_blocks(night, project, folder, block))


def _write_blocks(night: Night, project: str, folder: Path, block: str | None) -> list[str]:
    paths = mirror_paths(folder, night.settings.mirror)
    if any(read_page(path).is_edited for path in paths):
        take_in_edits(night, project, folder)
        write_pages(night, project)
        block = None
    if block is None:
        block = current_block(night, project)
    body = shortened(block)
    backups = page_path(night.home, night.owner, project).parent / BACKUPS / "mirrors"
    files: list[str] = []
    for path in paths:
        page = read_page(path)
        is_wanted = bool(body) or page.block is not None
        keep = night.settings.keep_backups
        if is_wanted and write_page(path, body, page, keep_backups=keep, backups=backups):
            files.append(str(path))
    return files


def is_of_project(night: Night, project: str, folder: Path) -> bool:
    """Whether a folder is there and belongs to a project: it is its name, or a session of it ran there."""
    if not project or not folder.is_dir():
        return False
    if project == str(folder):
        return True
    recent = night.store.sessions.recent(night.owner, _SESSIONS_LOOKED_AT, Selection(project=project))
    return any(session.cwd == str(folder) and session.project == project for session in recent)
