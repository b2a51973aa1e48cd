"""The journals of an owner as files of a folder, one a project."""

from pathlib import Path

from noctuary.errors import BadEvent, StoreError
from noctuary.files import walk
from noctuary.journal.file import ENDING, JournalFile, journal_path, project_in
from noctuary.journal.lines import parse_line


class FolderJournals:
    """Journals below the home of a memory; see `file.py` for how they lie there."""

    def __init__(self, home: Path, owner: str) -> None:
        self.home = home
        self.owner = owner
        self._files: dict[str, JournalFile] = {}  # by project

    def journal(self, project: str) -> JournalFile:
        """The journal of a project, which may have no lines yet."""
        if project not in self._files:
            self._files[project] = JournalFile(journal_path(self.home, self.owner, project))
        return self._files[project]

    def projects(self) -> list[str]:
        """The projects that have a journal, by name."""
        folder = journal_path(self.home, self.owner, "").parent
        names = next((names for _, _, names in walk(folder)), [])
        files = [folder / name for name in sorted(names) if name.endswith(ENDING)]
        return [name for file in files if (name := _project_of(file)) is not None]


def _project_of(file: Path) -> str | None:
    """The project that a journal is of; None if it is none of ours."""
    name = project_in(file)
    if name is None:  # too long for a file's name, so the lines say it
        for line in JournalFile(file).read():
            try:
                name = str(parse_line(line.content).get("project", ""))
            except (BadEvent, StoreError):
                continue
            return name if journal_path(Path(), "", name).name == file.name else None
    return name
