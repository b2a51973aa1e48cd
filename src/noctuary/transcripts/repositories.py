"""Folders of people's projects: some agents keep their transcripts in the repository they work in.

Nobody keeps a list of these, so they are looked for below the home folder: the nearest first, not beyond a few levels,
and never through more folders than an import may take time for.  A repository is not searched, only named.
"""

import os
from collections.abc import Iterator
from pathlib import Path

DEEPEST = 4  # levels below the home folder: ~/work/customer/team/repository
MOST = 4_000  # folders looked into
# Where nobody works, and which may be large.
_ELSEWHERE = frozenset(
    [
        "Library",
        "AppData",
        "Applications",
        "Music",
        "Movies",
        "Pictures",
        "Videos",
        "Public",
        "Downloads",
        "Trash",
        "node_modules",
        "vendor",
        "target",
        "build",
        "dist",
        "venv",
        "env",
        "site-packages",
        "__pycache__",
        "snap",
        "go",
    ]
)


def project_folders(home: Path) -> Iterator[Path]:
    """The home folder and the folders below it where somebody may work, the nearest first, each level sorted."""
    level, looked = [home], 0
    for depth in range(DEEPEST + 1):
        below: list[Path] = []
        for folder in level:
            yield folder
            looked += 1
            if looked > MOST:
                return
            if depth < DEEPEST:
                below += _inside(folder, is_home=folder is home)
        level = below


def is_project_folder(folder: Path, home: Path) -> bool:
    """Whether `project_folders` would come by here, were there time for all of them."""
    try:
        way = folder.relative_to(home).parts
    except ValueError:
        return False
    return len(way) <= DEEPEST and not any(_is_elsewhere(name) for name in way)


def _inside(folder: Path, *, is_home: bool) -> list[Path]:
    """The folders in a folder that is no repository itself, sorted."""
    try:
        with os.scandir(folder) as found:
            entries = [entry for entry in found if entry.name == ".git" or not _is_elsewhere(entry.name)]
            if not is_home and any(entry.name == ".git" for entry in entries):
                return []
            names = [entry.name for entry in entries if entry.name != ".git" and entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    return [folder / name for name in sorted(names)]


def _is_elsewhere(name: str) -> bool:
    return name.startswith(".") or name in _ELSEWHERE
