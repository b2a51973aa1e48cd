"""The files of agents: read whole, replaced whole, through symlinks, with the mode that they had."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from noctuary.errors import BadSettings, StoreError
from noctuary.files import mark_of_one, sync_folder

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_LARGEST = 64_000_000  # bytes: no settings are as long


def target_of(path: Path) -> Path:
    """The file itself, if the path is a symlink to one; BadSettings if that leads nowhere."""
    try:
        target = path.resolve()
    except (OSError, RuntimeError) as error:
        raise BadSettings(f"it is a symlink that leads nowhere ({error})") from error
    if path.is_symlink() and not target.parent.is_dir():
        raise BadSettings(f"it is a symlink to {target}, where there is no folder")
    return target


def text_of(path: Path) -> str | None:
    """What is in a file, None if there is none; BadSettings if it is nothing that we can change."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise BadSettings("it is not a file")
        if found.st_size > _LARGEST:
            raise BadSettings("it is too large to be settings")
        return path.read_bytes().decode()
    except (FileNotFoundError, NotADirectoryError):  # who writes there says what is wrong
        return None
    except UnicodeDecodeError as error:
        raise BadSettings("it is not UTF-8") from error
    except OSError as error:
        raise BadSettings(f"it cannot be read ({error.strerror or error})") from error


def check_may_write(path: Path) -> None:
    """Raise BadSettings if the file is read-only: who made it so meant it, though it could be replaced."""
    with suppress(OSError):
        if not path.stat().st_mode & 0o222:
            raise BadSettings("it is read-only; allow writing to it and run this again")


def folders_missing(path: Path) -> tuple[str, ...]:
    """The folders that would have to be made for a file, the innermost first."""
    return tuple(str(folder) for folder in path.parents if not folder.exists())


def replace(path: Path, text: str) -> None:
    """Write a file beside it and put it in its place; who reads meanwhile sees the old one or the new one.

    What is in a file that only its owner may read, no other may read for a moment either.
    """
    partial = path.with_name(f".{path.name}.noctuary-{mark_of_one()}")
    try:
        missing = [folder for folder in path.parents if not folder.exists()]
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
        with os.fdopen(os.open(partial, _NEW, 0o666 if mode is None else 0o600), "wb") as file:
            file.write(text.encode())
            file.flush()
            if mode is not None:
                os.chmod(partial, mode)  # noqa: PTH101
            os.fsync(file.fileno())
        partial.replace(path)
        with suppress(OSError):  # it is written; there are file systems on which a folder cannot be waited for
            for folder in (path.parent, *(each.parent for each in missing)):
                sync_folder(folder)
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({error.strerror or error}), so it was left alone.") from error
    finally:
        with suppress(OSError):
            partial.unlink()


def remove(path: Path, folders: tuple[str, ...]) -> None:
    """Remove a file, and those of the folders that are empty then."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path} cannot be removed ({error.strerror or error}). Remove it by hand.") from error
    for folder in folders:
        try:
            Path(folder).rmdir()
        except OSError:  # somebody else has put something there
            return
