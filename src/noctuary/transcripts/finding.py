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


def below(folder: Path, suffix: str, visited: set[Path] | None = None) -> Iterator[Path]:
    """All files below a folder whose names end so, sorted; a folder met twice by links is read once."""
    visited = set() if visited is None else visited
    real = real_path(folder)
    if real in visited:
        return
    visited.add(real)
    for path in entries(folder):
        if path.name.endswith(suffix):
            yield path
        elif path.is_dir():
            yield from below(path, suffix, visited)


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
