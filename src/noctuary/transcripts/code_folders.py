"""Where people keep their code, for agents that leave their transcripts in it.

A disk is too large to be walked at every import, so only the folders are looked at in which code usually lies, two
levels deep (`~/code/shop`, `~/code/client/shop`), and of each level at most so many.
"""

from collections.abc import Iterator
from pathlib import Path

from noctuary.transcripts.finding import entries

MOST = 2_000  # folders
_USUAL = ("code", "Code", "src", "dev", "Developer", "projects", "Projects", "repos", "git", "github", "work")
_USUAL_INSIDE = ("Documents/GitHub", "Documents/code", "Documents/projects", "source/repos", "go/src", "workspace")


def code_folders(home: Path) -> Iterator[Path]:
    """The home folder, what lies in it, and what lies in its folders of code; hidden ones are passed over."""
    yield home
    seen: set[Path] = set()
    for folder in _folders(home):
        yield folder
        if folder.name in _USUAL:
            yield from _two_levels(folder, seen)
    for name in _USUAL_INSIDE:
        yield from _two_levels(home / name, seen)


def _two_levels(folder: Path, seen: set[Path]) -> Iterator[Path]:
    for outer in _folders(folder):
        for found in (outer, *_folders(outer)):
            if len(seen) >= MOST:
                return
            if found not in seen:
                seen.add(found)
                yield found


def _folders(folder: Path) -> list[Path]:
    return [path for path in entries(folder)[:MOST] if not path.name.startswith(".") and path.is_dir()]
