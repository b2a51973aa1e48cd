"""What install remembers of the files that it changed, in `state/installed.json`, so that they can be put back."""

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from noctuary.agents.splicing import Edit
from noctuary.digests import digest
from noctuary.files import make_private_folder, open_private, replace_private, translated, write_all
from noctuary.settings import Settings, usual_home

_NAME = "installed.json"
_STATE = "state"
_BACKUPS = "settings-before"
_NAMED_HOME = re.compile(
    r"""--home(?:",\s*"|\s+'?)([^"'\s]+)"""
)  # in lists and in lines, as far as it need not be quoted


class Remembered(NamedTuple):
    """What was done to one file."""

    agent: str
    existed: bool
    before: str  # digests of the text
    after: str
    edits: tuple[Edit, ...]
    made: tuple[tuple[str, ...], ...] = ()  # objects and arrays that were not there before
    folders: tuple[str, ...] = ()  # that were not there before, the innermost first

    def is_after(self, text: str) -> bool:
        """Whether the text is as it was left."""
        return digest_of(text) == self.after


def digest_of(text: str) -> str:
    """What tells texts apart."""
    return digest(text.encode("utf-8", "surrogatepass"), size=16).hex()


def remembered(home: Path) -> dict[str, Remembered]:
    """What was done to which file; nothing if there is no such memory, or it cannot be read."""
    try:
        given = json.loads((home / _STATE / _NAME).read_text(encoding="utf-8"))
        return {str(path): _read(each) for path, each in given["files"].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}  # ours is then found by what it calls


def done_last(settings: Settings, path: Path, text: str | None) -> Remembered | None:
    """What was done to a file by the install that left it like this; it may have been that of another memory."""
    own = remembered(settings.home).get(str(path))
    if text is None or (own and own.is_after(text)):
        return own
    for home in (usual_home(settings.environ, settings.user_home), *map(Path, _NAMED_HOME.findall(text))):
        other = remembered(home).get(str(path))
        if other and other.is_after(text):
            return other
    return own


def _read(given: dict[str, object]) -> Remembered:
    edits, made, folders = (given[name] for name in ("edits", "made", "folders"))
    if not isinstance(edits, list) or not isinstance(made, list) or not isinstance(folders, list):
        raise TypeError
    return Remembered(
        agent=str(given["agent"]),
        existed=bool(given["existed"]),
        before=str(given["before"]),
        after=str(given["after"]),
        edits=tuple(Edit(int(at), str(old), str(new)) for at, old, new in edits),
        made=tuple(tuple(map(str, path)) for path in made),
        folders=tuple(map(str, folders)),
    )


def remember(home: Path, files: dict[str, Remembered]) -> None:
    """Write down what was done to which file; if to none, the memory of it goes, too."""
    path = home / _STATE / _NAME
    with translated(path):
        if not files:
            path.unlink(missing_ok=True)
            return
        content = json.dumps({"version": 1, "files": {name: each._asdict() for name, each in files.items()}}, indent=1)
        replace_private(path, content.encode())


def keep_backup(home: Path, path: Path, content: bytes) -> Path:
    """Keep a settings file as it was before the first change, for its owner only; where it is."""
    kept = _backup_of(home, path)
    with translated(kept):
        make_private_folder(kept.parent)
        file = open_private(kept, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            write_all(file, content)
        finally:
            os.close(file)
    return kept


def drop_backup(home: Path, path: Path) -> None:
    """Forget the settings file as it was: it is so again."""
    kept = _backup_of(home, path)
    with translated(kept):
        kept.unlink(missing_ok=True)


def drop_empty_folders(home: Path) -> None:
    """Remove what the memory of install was kept in, if nothing is in it any more."""
    for folder in (home / _STATE / _BACKUPS, home / _STATE):
        with suppress(OSError):  # something is in it, or it is not there
            folder.rmdir()


def _backup_of(home: Path, path: Path) -> Path:
    return home / _STATE / _BACKUPS / f"{path.name}.{digest(str(path).encode('utf-8', 'surrogatepass'), size=6).hex()}"
