"""Copies of files: private, on the disk, and with the digest of what was written."""

import hashlib
import os
import shutil
from pathlib import Path
from typing import BinaryIO

from noctuary.errors import StoreError
from noctuary.files import make_private_folder, open_private, sync_folder, walk
from noctuary.snapshot.manifest import Kept

_CHUNK = 1 << 20


def copied(source: BinaryIO, target: Path | None, most: int | None = None) -> Kept:
    """Copy a file, or its beginning, to a new one of its owner only; without a target it is only read."""
    if target is None:
        return _poured(source, None, most)
    make_private_folder(target.parent)
    with os.fdopen(open_private(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
        kept = _poured(source, file, most)
        file.flush()
        os.fsync(file.fileno())
    return kept


def _poured(source: BinaryIO, target: BinaryIO | None, most: int | None) -> Kept:
    digest, size = hashlib.sha256(), 0
    while chunk := source.read(_CHUNK if most is None else min(_CHUNK, most - size)):
        digest.update(chunk)
        size += len(chunk)
        if target is not None:
            target.write(chunk)
    return Kept(size, digest.hexdigest())


def sync_folders(path: Path) -> None:
    """Return when the names of all files below a folder are on the disk, as the files are already."""
    for root, _, _ in walk(path):
        sync_folder(root)


def remove_tree(path: Path) -> None:
    """Remove a folder or file with all that is in it; StoreError that says what could not be removed, and why."""
    try:
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    except OSError as error:
        raise StoreError(
            f"{error.filename or path} could not be removed: {error.strerror or error}. "
            f"Nothing needs {path}: check its permissions and delete it."
        ) from error
