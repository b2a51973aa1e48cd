"""The folders whose sessions are told a brief: which there are, and how long since anybody worked in them.

A file of a brief does not say which folder it is for, so they are kept in `state/folders.json`.  Whoever changes it
holds the lock of sweeps.
"""

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from noctuary import brief_file
from noctuary.files import replace_private, translated

MOST = 500
DAYS = 60  # without a note, and what is there for a folder goes
_DAY_MS = 86_400_000
_LONGEST = 4_096  # characters of a path


class BriefFolder(NamedTuple):
    """A folder that a brief is written for."""

    owner: str  # as the hook was told, else empty
    folder: str  # as the agent calls it
    used_ms: int  # when a hook spoke of it last


def known_folders(home: Path) -> list[BriefFolder]:
    """Every folder that somebody has asked a brief for, the one used last first; none if that cannot be read."""
    try:
        given = json.loads(_path(home).read_bytes())
    except (OSError, ValueError, RecursionError):
        return []
    rows = given if isinstance(given, list) else []
    return [BriefFolder(*row) for row in rows if isinstance(row, list) and [*map(type, row)] == [str, str, int]]


def remember(home: Path, asked: Iterable[BriefFolder], used: Iterable[BriefFolder], now_ms: int) -> list[BriefFolder]:
    """Note the folders that a brief was asked for, and that others were used; what nobody uses any more is dropped.

    All that are known then, the one used last first.
    """
    known = {(each.owner, each.folder): each for each in known_folders(home)}
    before = list(known.values())
    known |= {(each.owner, each.folder): each for each in asked}
    for each in used:
        key = each.owner, each.folder
        if key in known:
            known[key] = max(known[key], each, key=lambda folder: folder.used_ms)
    newest = sorted(known.values(), key=lambda folder: (-folder.used_ms, folder))
    kept = [each for each in newest if now_ms - each.used_ms < DAYS * _DAY_MS][:MOST]
    if kept != before:
        with translated(_path(home)):
            replace_private(_path(home), json.dumps(kept, indent=0).encode())
        for each in {*newest} - {*kept}:
            _remove(home, each)
    return kept


def is_a_folder(path: str) -> bool:
    """Whether an agent can work there: a path of this system, whether or not it is still there."""
    try:
        os.fsencode(path)
    except ValueError:
        return False
    return os.path.isabs(path) and "\0" not in path and len(path) <= _LONGEST  # noqa: PTH117 (it may not be a path)


def _remove(home: Path, folder: BriefFolder) -> None:
    for path_of in (brief_file.path_of, brief_file.recall_path_of):
        with suppress(OSError):
            Path(path_of(str(home), folder.owner, folder.folder)).unlink(missing_ok=True)


def _path(home: Path) -> Path:
    return home / "state" / "folders.json"
