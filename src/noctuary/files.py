"""Files of ours: mostly for their owner only, on the disk when a call returns, with errors that say what to do."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from noctuary.errors import StoreError, StoreFull, StoreReadOnly
from noctuary.locks import try_lock_file

RESTORED = "restored"  # in a memory that was restored, until all of it is in its place: the folder of what was there
_PARTIAL = ".noctuary"  # ends the name of what is being written


def mark_of_one() -> str:
    """A part of a name that nobody else uses for what they are just writing.

    Not the number of the process: in a container it is the same each time, so what a killed one left, or what another
    that shares the folder is writing, would have the name.
    """
    return os.urandom(4).hex()


def make_private_folder(folder: Path) -> None:
    """Make a folder, and those it lies in, for their owner only."""
    if folder.is_dir():
        return
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)
        sync_folder(each.parent)


def open_private(path: Path, flags: int) -> int:
    """Open a file that nobody else may read; a number of the operating system's, to be closed."""
    return os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)


def write_all(file: int, content: bytes) -> None:
    """Write everything, and return when it is on the disk."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]
    os.fsync(file)


def sync_folder(folder: Path) -> None:
    """Return when a file that was made in the folder cannot get lost any more; nothing where folders have no such."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def sync_if_there(path: Path) -> None:
    """Return when all that anybody wrote to a file is on the disk."""
    try:
        file = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return
    try:
        os.fsync(file)
    finally:
        os.close(file)


def walk(folder: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
    """As `os.walk`, but StoreError if there is a folder that cannot be looked into: what is in it would be left out.

    One that is not there, or not any more, has nothing in it.
    """
    for root, folders, names in os.walk(folder, onerror=_refuse_to_pass_over):
        yield Path(root), folders, names


def _refuse_to_pass_over(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        why = error.strerror or error
        raise StoreError(f"{error.filename} cannot be looked into: {why}. Check its permissions.") from error


def sync_tree(folder: Path) -> None:
    """Return when all files below a folder, and all their names, are on the disk."""
    reading = os.O_RDONLY if hasattr(os, "O_DIRECTORY") else os.O_RDWR | getattr(os, "O_BINARY", 0)
    for root, _, names in walk(folder):
        for name in names:
            file = os.open(root / name, reading)
            try:
                os.fsync(file)
            finally:
                os.close(file)
        sync_folder(root)


def replace_file(path: Path, content: bytes) -> None:
    """Write a file that others may read; whoever does meanwhile reads the old one or the new one, never half of one."""
    partial = _beside(path)
    try:
        with partial.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        sync_folder(path.parent)
    finally:
        partial.unlink(missing_ok=True)


def replace_private(path: Path, content: bytes) -> None:
    """The same for a file that nobody else may read; its folder is made if there is none."""
    make_private_folder(path.parent)
    partial = _beside(path)
    try:
        file = open_private(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            write_all(file, content)
        finally:
            os.close(file)
        partial.replace(path)
        sync_folder(path.parent)
    finally:
        partial.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{mark_of_one()}{_PARTIAL}")


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """What the operating system reports becomes an error of ours."""
    try:
        yield
    except PermissionError as error:
        raise StoreReadOnly(f"{path} cannot be written to; check its permissions.") from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreFull from error
        if error.errno == errno.EROFS:
            raise StoreReadOnly from error
        why = error.strerror if str(error.filename).endswith(_PARTIAL) else error  # whose name says nothing to anybody
        raise StoreError(f"{path} cannot be used: {why}. Check the disk and its permissions.") from error


@contextmanager
def held(path: Path) -> Iterator[bool]:
    """Whether this process alone holds the file, which is made if there is none; never waits.

    It is free when the process ends, however it ends.
    """
    with translated(path):
        make_private_folder(path.parent)
        file = open_private(path, os.O_RDWR | os.O_CREAT)
    try:
        with translated(path):
            is_mine = try_lock_file(file)
        yield is_mine
    finally:
        os.close(file)
