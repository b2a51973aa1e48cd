"""What install and uninstall would do, and what they did: records for whoever shows them."""

from pathlib import Path
from typing import NamedTuple


class FileChange(NamedTuple):
    """What becomes of one file."""

    path: Path
    before: str | None = None  # None: there is no such file
    after: str | None = None  # None: the file goes
    what: tuple[str, ...] = ()  # in words, what is put in or taken out
    problem: str = ""  # why the file is left alone

    @property
    def is_change(self) -> bool:
        """Whether anything is done to it."""
        return not self.problem and self.before != self.after


class AgentChange(NamedTuple):
    """What becomes of the settings of one agent."""

    name: str
    title: str
    files: tuple[FileChange, ...] = ()
    notes: tuple[str, ...] = ()  # what its user should know

    @property
    def is_change(self) -> bool:
        """Whether anything is done."""
        return any(file.is_change for file in self.files)

    @property
    def problems(self) -> list[str]:
        """Which files are left alone, and why."""
        return [f"{file.path}: {file.problem}" for file in self.files if file.problem]


class Outcome(NamedTuple):
    """What was done to the settings of one agent."""

    name: str
    title: str
    written: tuple[Path, ...] = ()
    removed: tuple[Path, ...] = ()
    checked: tuple[str, ...] = ()  # what was tried, and works
    problems: tuple[str, ...] = ()


class Installed(NamedTuple):
    """Which entries of ours an agent has, and whether what they name is there."""

    name: str
    title: str
    has_hooks: bool
    has_server: bool
    problem: str = ""
