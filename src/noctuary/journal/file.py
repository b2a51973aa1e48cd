"""The file of a journal: appended to under a lock, read from a byte on, never edited.

    journal/<owner>/<project>.jsonl         the lines
    journal/<owner>/<project>.jsonl.torn    halves of lines that a crash left behind
    journal/<owner>/<project>.jsonl.lock    held by whoever writes

A line without its end is no line: it is set aside before the next is written, so that nothing is ever glued to it.
"""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from noctuary.authored import Event
from noctuary.errors import JournalDamaged, StoreError, StoreFull, StoreReadOnly
from noctuary.ids import ulid_after
from noctuary.journal.lines import encode, line_digest
from noctuary.locks import lock_file
from noctuary.names import file_name

_CHUNK = 1 << 20
_LONGEST_TORN = 1 << 24


class Place(NamedTuple):
    """How far a journal has been read: everything before it is known."""

    offset: int = 0
    number: int = 0  # of the last line read
    digest: str = ""  # of that line
    last_id: str = ""  # the greatest id of an event so far
    start: int = 0  # the byte at which the last line begins


BEGINNING = Place()


class Line(NamedTuple):
    """One line, and where it ends."""

    content: bytes  # without its end
    number: int  # from 1
    start: int
    end: int


def journal_path(home: Path, owner: str, project: str) -> Path:
    """Where the journal of a project is."""
    return home / "journal" / file_name(owner) / f"{file_name(project)}.jsonl"


class JournalFile:
    """One journal."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def size(self) -> int:
        """Bytes of the file; 0 if there is none."""
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    def read(self, place: Place = BEGINNING) -> Iterator[Line]:
        """The whole lines behind the place; JournalDamaged if the file is not the one that was read up to there."""
        if self.size() == place.offset:
            return
        with _translated(self.path):
            if self.size() < place.offset:
                raise JournalDamaged(f"{self.path} is shorter than when it was last read: something was cut off.")
            with self.path.open("rb") as file:
                file.seek(place.start)
                if place.number and line_digest(file.read(place.offset - place.start)) != place.digest:
                    raise JournalDamaged(f"{self.path} is not what it was: line {place.number} has changed.")
                file.seek(place.offset)
                yield from _lines(file, place)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else writes meanwhile; folders are made if need be, and half a line at the end is set aside."""
        with _translated(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = _open(self._beside(".lock"), os.O_RDWR | os.O_CREAT)
            try:
                lock_file(handle)
                self._set_torn_line_aside()
                yield
            finally:
                os.close(handle)

    def append(self, events: Sequence[Event], place: Place, now_ms: int) -> tuple[list[Event], Place]:
        """Write the events at the end, where the place must be; they, with their ids, and the place after them.

        The caller holds the lock.  They are written at once and reach the disk before this returns.
        """
        written: list[Event] = []
        lines: list[bytes] = []
        last, prev = place.last_id, place.digest
        for event in events:
            last = event.id or ulid_after(last, now_ms)
            written.append(event._replace(id=last, recorded_ms=event.recorded_ms or now_ms))
            lines.append(encode(written[-1], prev))
            prev = line_digest(lines[-1])
        with _translated(self.path):
            try:
                _write_durably(self.path, b"".join(lines), os.O_APPEND)
            except OSError:  # a full disk may have taken some of the lines: all or none
                os.truncate(self.path, place.offset)
                raise
        end = place.offset + sum(map(len, lines))
        greatest = max(place.last_id, *(event.id for event in written))
        return written, Place(end, place.number + len(lines), prev, greatest, end - len(lines[-1]))

    def _set_torn_line_aside(self) -> None:
        size = self.size()
        if not size:
            return
        with self.path.open("rb+") as file:
            file.seek(size - 1)
            if file.read(1) == b"\n":
                return
            file.seek(max(0, size - _LONGEST_TORN))
            tail = file.read()
            torn = tail[tail.rfind(b"\n") + 1 :]
            _write_durably(self._beside(".torn"), torn + b"\n", os.O_APPEND)
            file.truncate(size - len(torn))
            os.fsync(file.fileno())

    def _beside(self, ending: str) -> Path:
        return self.path.with_name(self.path.name + ending)


def _lines(file: BinaryIO, place: Place) -> Iterator[Line]:
    number, start, rest = place.number, place.offset, b""
    while chunk := file.read(_CHUNK):
        *whole, rest = (rest + chunk).split(b"\n")
        for content in whole:
            number, end = number + 1, start + len(content) + 1
            yield Line(content, number, start, end)
            start = end


def _open(path: Path, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _write_durably(path: Path, content: bytes, flag: int) -> None:
    with open(_open(path, os.O_WRONLY | os.O_CREAT | flag), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _translated(path: Path) -> Iterator[None]:
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
        raise StoreError(f"{path} cannot be used: {error}. Check the disk and its permissions.") from error
