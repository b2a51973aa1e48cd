"""Whether a transcript is new, grown, unchanged or rewritten since it was last read."""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from noctuary.store.places import SavedPlace
from noctuary.transcripts.items import Source

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


def look(source: Source) -> FileState:
    """The transcript's size and time, and those of what stands beside it; OSError if it cannot be looked at."""
    stat = source.path.stat()
    size, mtime_ns = stat.st_size, stat.st_mtime_ns
    for path in source.beside:
        with suppress(OSError):  # what is not there, or not any more, tells nothing
            stat = path.stat()
            size, mtime_ns = size + (0 if source.is_log else stat.st_size), max(mtime_ns, stat.st_mtime_ns)
    return FileState(size, mtime_ns)


def printable(name: str | Path) -> str:
    """The name as a text that every database can hold: bytes of it that are no UTF-8 are spelled out."""
    return str(name).encode("utf-8", "backslashreplace").decode()


def change_since(source: Source, now: FileState, saved: SavedPlace | None) -> Change:
    """Compare the transcript with its saved place; of a log only the bytes at its edges are read."""
    if saved is None:
        return Change.NEW
    if now.size == saved.size and now.mtime_ns == saved.mtime_ns and not saved.error:
        return Change.UNCHANGED
    if not source.is_log:
        return Change.GROWN
    if now.size < saved.byte_offset or fingerprint(source, saved.byte_offset) != saved.fingerprint:
        return Change.REWRITTEN
    may_tell_more = now.size > saved.byte_offset or saved.error or source.beside
    return Change.GROWN if may_tell_more else Change.UNCHANGED


def fingerprint(source: Source, offset: int) -> str:
    """A hash of the first bytes and of those just before the offset: a log that only grew keeps it."""
    if not source.is_log:
        return ""
    with source.path.open("rb") as file:
        first = file.read(min(_EDGE, offset))
        file.seek(max(0, offset - _EDGE))
        last = file.read(min(_EDGE, offset))
    return hashlib.blake2b(first + b"|" + last, digest_size=12).hexdigest()
