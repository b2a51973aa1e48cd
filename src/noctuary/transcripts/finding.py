"""Walk the folders where transcripts lie: sorted, each folder once, and past whatever cannot be read."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from noctuary.transcripts.items import Source


def entries(folder: Path) -> list[Path]:
    """What is in a folder, sorted; nothing if it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def is_file(path: Path) -> bool:
    """Whether a file is there; Path.is_file raises if nobody may look, or if the name is too long for one."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """Whether a folder is there, likewise."""
    return os.path.isdir(path)  # noqa: PTH112


def open_file(path: Path) -> BinaryIO:
    """Open a file to read it; OSError if it is none: of a pipe or a device, reading may never begin or never end."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(None, "not a file", str(path))
    return path.open("rb")


def real_path(path: Path) -> Path:
    """The path without links; unlike Path.resolve, a link to itself raises nothing and is simply no file."""
    return Path(os.path.realpath(path))


def within(folder: Path, path: Path) -> Path | None:
    """The way from a folder to what lies in it, whatever links lead there; None if it does not, or is no path."""
    try:
        return real_path(path).relative_to(real_path(folder))
    except (OSError, ValueError):
        return None


def below(folder: Path, suffix: str | tuple[str, ...]) -> Iterator[Path]:
    """All files below a folder whose names end so, sorted; a folder met twice by links is read once."""
    visited: set[tuple[int, int]] = set()
    waiting = _unvisited(folder, visited)
    while waiting:  # not by calling itself: folders may lie deeper than Python calls
        path = waiting.pop()
        if path.name.endswith(suffix):
            yield path
        elif is_folder(path):
            waiting += _unvisited(path, visited)


def _unvisited(folder: Path, visited: set[tuple[int, int]]) -> list[Path]:
    """What is in a folder, the last first; nothing if that was looked into before, or cannot be."""
    try:
        known = folder.stat()
    except OSError:
        return []
    if (real := (known.st_dev, known.st_ino)) in visited:
        return []
    visited.add(real)
    return entries(folder)[::-1]


def at_home(home: Path, text: str) -> Path:
    """A configured path; a leading tilde is the home folder we were given."""
    return home / text[2:] if text.startswith("~/") else Path(text)


def those_at(path: Path, sources: Iterable[Source]) -> Iterator[Source]:
    """The transcripts among these that lie at a path, whatever links lead there; the path may be any."""
    try:
        real = real_path(path)
    except (OSError, ValueError):
        return iter(())
    return (source for source in sources if real_path(source.path) == real)
