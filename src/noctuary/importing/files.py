"""Whether a transcript is new, grown, unchanged or rewritten since it was last read."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from noctuary.store.places import SavedPlace

_EDGE = 512


class Change(StrEnum):
    """What happened to a transcript since its place was saved."""

    NEW = "new"
    GROWN = "grown"
    UNCHANGED = "unchanged"
    REWRITTEN = "rewritten"


@dataclass(frozen=True, slots=True)
class FileState:
    """Size and time of a file when we looked."""

    size: int
    mtime_ns: int


def look(path: Path) -> FileState:
    """The file's size and time; OSError if it cannot be looked at."""
    stat = path.stat()
    return FileState(stat.st_size, stat.st_mtime_ns)


def printable(name: str | Path) -> str:
    """The name as a text that every database can hold: bytes of it that are no UTF-8 are spelled out."""
    return str(name).encode("utf-8", "backslashreplace").decode()


def change_since(path: Path, now: FileState, saved: SavedPlace | None) -> Change:
    """Compare the file with its saved place; only the bytes at its edges are read."""
    if saved is None:
        return Change.NEW
    if now.size == saved.size and now.mtime_ns == saved.mtime_ns and not saved.error:
        return Change.UNCHANGED
    if now.size < saved.byte_offset or fingerprint(path, saved.byte_offset) != saved.fingerprint:
        return Change.REWRITTEN
    return Change.GROWN if now.size > saved.byte_offset or saved.error else Change.UNCHANGED


def fingerprint(path: Path, offset: int) -> str:
    """A hash of the first bytes and of those just before the offset: a file that only grew keeps it."""
    with path.open("rb") as file:
        first = file.read(min(_EDGE, offset))
        file.seek(max(0, offset - _EDGE))
        last = file.read(min(_EDGE, offset))
    return hashlib.blake2b(first + b"|" + last, digest_size=12).hexdigest()
