"""Pages: what a project remembers, within a budget, as a file that agents and people read.

The ledger is the truth and a page is a view of it.  A new generation is noted before the file is written, so whoever is
killed in between leaves a page that is due and nothing that looks like an edit by hand.
"""

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from noctuary.dream.night import Night
from noctuary.dream.pages.archive import archive
from noctuary.dream.pages.edited_meanwhile import until_unedited
from noctuary.dream.pages.edits import take_in_edits, take_in_topic_edits
from noctuary.dream.pages.layout import Room, laid_out
from noctuary.dream.pages.lines import STALE, id_in, ids_in
from noctuary.dream.pages.page_lines import PageLines
from noctuary.dream.pages.places import PAGE, archive_path, page_path, topic_path
from noctuary.dream.pages.topic_pages import topic_page, touched_topics, write_topic
from noctuary.dreams import ChangeKind, MemoryChange
from noctuary.errors import StoreError
from noctuary.files import sync_folder, translated
from noctuary.memory_file import Page, assembled, block_digest, read_page, remove_page, write_page
from noctuary.moments import show_day
from noctuary.store.memories import MemoryStatus
from noctuary.store.pages import Generation

__all__ = ["Written", "current_block", "page_path", "write_pages"]


class Written(NamedTuple):
    """What was written of a project's pages, or would be."""

    files: list[str]
    diff: str
    changes: list[MemoryChange]
    digest: str
    warnings: Sequence[str] = ()
    lines: int = 0  # that the page has, as it was written last


def write_pages(night: Night, project: str, *, is_dry: bool = False) -> Written:
    """Write the page of a project and the files of its topics, after taking in what was edited by hand.

    With `is_dry` nothing is written, and the diff says what would be.  What somebody edits while it is laid out is
    taken in, too, and it is laid out again.  A StoreError leaves the page due.
    """
    changes: list[MemoryChange] = []
    if is_dry:
        return _render(night, project, changes, is_dry=True)
    try:
        return until_unedited(lambda: _render(night, project, changes, is_dry=False))
    except StoreError:
        night.store.pages.mark_due(night.owner, project)
        raise


def current_block(night: Night, project: str) -> str:
    """What the page of a project says, as it was written last."""
    last = night.store.pages.last(night.owner, project)
    return last.body if last else ""


def _render(night: Night, project: str, changes: list[MemoryChange], *, is_dry: bool) -> Written:
    """What is to be said of memories is added to the changes, also if the page cannot be written."""
    page = read_page(page_path(night.home, night.owner, project))
    changes += take_in_edits(night, project) if page.is_edited and not is_dry else []
    seen = night.ledger.place(project).last_id
    lines = PageLines(night, project)
    topics = night.store.memories.topics(night.owner, project)
    layout = laid_out(lines.within, topics, Room().without(page.outside))
    last = night.store.pages.last(night.owner, project)
    pruned = _pruned(night, project, last.body if last else "", layout.body)
    changes += [change for _, change in pruned]
    files: list[str] = []
    if not is_dry:
        files += _archive(night, project, [line for line, _ in pruned])
        files += _write(night, project, page, last, layout.body)
        files += _write_topics(night, project)
        _mark(night, project, seen, lines)
    noted = layout.body if layout.body or page.block is not None or not last else last.body
    return Written(
        files=files,
        diff=_diff(project, page, layout.body),
        changes=changes,
        digest=block_digest(layout.body),
        warnings=layout.warnings,
        lines=len(noted.splitlines()),
    )


def _archive(night: Night, project: str, lines: Sequence[str]) -> list[str]:
    path = archive_path(night.home, night.owner, project)
    return [str(path)] if lines and archive(path, show_day(night.now_ms()), lines) else []


def _write(night: Night, project: str, page: Page, last: Generation | None, body: str) -> list[str]:
    """Note the new generation, then write the file; nothing of either if there is nothing to say yet."""
    if not body and page.block is None:
        return []
    path, pages = page_path(night.home, night.owner, project), night.store.pages
    if not last or last.body != body:
        last_ms = last.written_ms if last else 0
        written_ms = max(night.now_ms(), last_ms + 1)  # the newest is the newest, whatever the clock says
        pages.add(night.owner, project, Generation(block_digest(body), body, written_ms))
    keep = night.settings.keep_backups
    if not body and page.is_ours_alone:
        return [str(path)] if remove_page(path, page, keep_backups=keep) else []
    return [str(path)] if write_page(path, body, page, keep_backups=keep) else []


def _mark(night: Night, project: str, seen: str, lines: PageLines) -> None:
    """Note that the page is written, and its lines, unless something happened meanwhile: then it is due again."""
    with night.store.database.transaction():
        lines.keep()
        night.store.pages.mark_written(night.owner, project, seen)
        if night.ledger.place(project).last_id != seen:
            night.store.pages.mark_due(night.owner, project)


def _write_topics(night: Night, project: str) -> list[str]:
    files: list[str] = []
    touched = touched_topics(night, project)
    for topic in touched.topics:
        page = topic_page(night, project, topic)
        if page.is_edited:
            take_in_topic_edits(night, project, topic, page)
        if write_topic(night, project, topic, page, touched.memories):
            files.append(str(topic_path(night.home, night.owner, project, topic)))
    if files:
        folder = Path(files[0]).parent
        with translated(folder):
            sync_folder(folder)
    return files


def _pruned(night: Night, project: str, last: str, body: str) -> list[tuple[str, MemoryChange]]:
    """Lines of the last generation that are gone though their memory holds; what is stale waits, and is said so."""
    old, new = last.split("\n"), body.split("\n")
    stays, was = set(new), set(old)
    shown = {id_in(line) for line in new if line not in was}  # a line that is there as it was needs no second look
    pruned: list[tuple[str, MemoryChange]] = []
    for name, line in ids_in("\n".join([each for each in old if each not in stays])).items():
        memory = None if name in shown else night.store.memories.find(night.owner, name)
        if memory is None or memory.status is not MemoryStatus.ACTIVE or memory.project != project:
            continue
        if memory.facts.get("verified") != STALE:
            why = f"There is no room for it on {PAGE}; it is in archive.md and in its topic."
            pruned.append((line, MemoryChange(ChangeKind.PRUNED, name, memory.text, why, project)))
    return pruned


def _diff(project: str, page: Page, body: str) -> str:
    """How the file changes, as a unified diff that says whose page it is."""
    if not body and page.block is None:
        return ""
    old = (page.content or b"").decode("utf-8", "replace").splitlines()
    new = assembled(page, body).decode("utf-8", "replace").splitlines()
    name = f"{PAGE} of {' '.join(project.split()) or 'all projects'}"
    return "".join(f"{line}\n" for line in difflib.unified_diff(old, new, name, name, lineterm="", n=1))
