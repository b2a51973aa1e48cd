"""The verbs of the brief: what a session is told at its start, why, and as files that hooks read."""

from __future__ import annotations  # or the annotations would load the parts below

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

from noctuary import brief_file
from noctuary.brief.page import BUDGET, MOST_CHARACTERS
from noctuary.errors import StoreError
from noctuary.files import replace_private, translated
from noctuary.lazily import lazy_module

if TYPE_CHECKING:
    from noctuary import bearing
    from noctuary.app.memory import Memory
    from noctuary.brief import explaining, making, recallable
    from noctuary.brief.explaining import WhyTold
    from noctuary.brief.page import Brief
else:
    bearing = lazy_module("noctuary.bearing")
    explaining = lazy_module("noctuary.brief.explaining")
    making = lazy_module("noctuary.brief.making")
    recallable = lazy_module("noctuary.brief.recallable")

_OUTDATED = "? ?"  # no file is so: another machine may have written since, so every session asks for a new brief
_FOLDERS = (".", "..", "~")  # what the path of a folder begins with, where a project's name may stand, too


class Briefing:
    """What `Memory` tells a session at its start."""

    def brief(self, project: str | None = ".", *, budget: int = BUDGET) -> str:
        """What a session in a project is told at its start, within so many tokens; empty if there is nothing to say.

        `.` and what begins with it is a folder of the project, all else its name; None is what holds everywhere.
        """
        return self.briefing(project, budget=budget).text

    def briefing(self, project: str | None = ".", *, budget: int = BUDGET, most: int | None = None) -> Brief:
        """The same as a record of sections and lines, perhaps of at most so many characters."""
        memory = _memory(self)
        return _made(memory, _project(memory, project), budget, most)

    def why_told(self, line: str, project: str | None = ".") -> WhyTold:
        """What a line of a brief rests on: by the id at its end, the whole line or words in it; NotFound if nothing."""
        memory = _memory(self)
        name = _project(memory, project)
        brief = _made(memory, name, BUDGET, None)
        return explaining.why_told(memory.dreams.night, brief, line)


def write_brief_file(memory: Memory, owner_given: str, folder: str) -> Path:
    """Write the brief for a folder, and what prompts there are held against, where hooks find them.

    `owner_given` is the owner that the hook was started for, empty if it was started for none.  What the files were
    made from is noted as it was before, so a change meanwhile makes them outdated, never wrong.
    """
    home = str(memory.settings.home)
    project = memory.project_of(folder) or ""
    journals = [memory.ledger.journal(name) for name in dict.fromkeys((project, ""))]
    stamps = [(str(each.path), brief_file.stamp(str(each.path)) if each.is_file else _OUTDATED) for each in journals]
    stamps.append((config := f"{home}/config.toml", brief_file.stamp(config)))
    made_ms = memory.clock.now_ms()
    brief = _made(memory, project, BUDGET, MOST_CHARACTERS)
    path = Path(brief_file.path_of(home, owner_given, folder))
    recalled = Path(brief_file.recall_path_of(home, owner_given, folder))
    with translated(path):
        replace_private(path, brief_file.written(brief.text, made_ms, stamps))  # first: a session may wait for it
        replace_private(recalled, bearing.written(recallable.entries(memory.ledger, project)))
    return path


def drop_brief_files(memory: Memory) -> None:
    """Remove every file of a brief: what was forgotten may stand in it.  Whoever asks for one gets a new one."""
    folder = Path(memory.settings.home) / brief_file.FOLDER
    with translated(folder):
        for path in sorted(folder.glob("*")) if folder.is_dir() else ():
            path.unlink(missing_ok=True)


def drop_recall_files(home: Path) -> None:
    """Remove what prompts are held against: something in it holds no longer.  The next sweep writes it anew.

    Hooks see by themselves that a brief is outdated, but what they recall at a prompt is told as it stands.
    """
    folder = home / brief_file.FOLDER
    with translated(folder):
        for path in sorted(folder.glob("*.recall")) if folder.is_dir() else ():
            path.unlink(missing_ok=True)


def _made(memory: Memory, project: str, budget: int, most: int | None) -> Brief:
    for name in dict.fromkeys((project, "")):
        with suppress(StoreError):  # what cannot be read of a journal is the doctor's; the tables know the rest
            memory.ledger.catch_up(name)
    return making.make(memory.ledger, project, budget=budget, most=most)


def _project(memory: Memory, project: str | None) -> str:
    if project is None:
        return ""
    is_folder = project.split("/")[0] in _FOLDERS
    return (memory.project_of(Path(project).expanduser()) if is_folder else memory.project_called(project)) or ""


def _memory(part: Briefing) -> Memory:
    return cast("Memory", part)  # which is the only one that is one
